package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/internal/show"
)

// pictureKind is a picture of the command line.
type pictureKind struct {
	name, help string
	of         models
	labels     need // of the rows of FILE
	draw       func(s *subject) (*picture.Figure, error)
}

// need says what a picture needs of FILE.
type need int

const (
	noTable need = iota
	anyRows
	labelledRows
)

// models are those that a picture is of.
type models int

const (
	ofClasses models = 1 << iota
	ofNumbers
)

// pictureKinds is the one place that knows them all.
var pictureKinds = []pictureKind{
	{"projection", "rows on the discriminants: densities, or a scatter with ellipses", ofClasses, anyRows, (*subject).projection},
	{"regions", "the class of each place, of two columns or on the first two directions", ofClasses, anyRows, (*subject).regions},
	{"confusion", "rows of each class that were taken for each class", ofClasses, labelledRows, (*subject).confusion},
	{"roc", "ROC and precision-recall curves with bands, or of each class against the rest", ofClasses, labelledRows, (*subject).roc},
	{"calibration", "how often what is predicted with a probability comes true", ofClasses, labelledRows, (*subject).calibration},
	{"predicted", "of a regression: predicted against true values", ofNumbers, labelledRows, (*subject).predictions},
	{"residuals", "of a regression: true less predicted values, over the predicted", ofNumbers, labelledRows, (*subject).residuals},
	{"eigenvalues", "the eigenvalues of the directions and what they explain (without FILE)", ofClasses, noTable, (*subject).eigenvalues},
	{"search", "what 'kfda tune' tried (without FILE; MODEL may be what tune --json printed)", ofClasses | ofNumbers, noTable, (*subject).search},
	{"importance", "how much worse predictions become when a column is shuffled", ofClasses | ofNumbers, labelledRows, (*subject).importances},
	{"dependence", "what the model makes of all rows, by the value of one column", ofClasses | ofNumbers, anyRows, (*subject).dependences},
	{"learning", "errors of fits to growing parts of FILE, with the settings of MODEL", ofClasses | ofNumbers, labelledRows, (*subject).learning},
}

type plotFlags struct {
	table  tableFlags
	seed   uint64
	column string
	output string
}

func newPlot(s streams) *cobra.Command {
	f := &plotFlags{}
	cmd := &cobra.Command{
		Use:   "plot WHAT MODEL [FILE] -o PICTURE [flags]",
		Short: "Draw a picture of a model and a table, or of an answer",
		Long: `plot draws a picture and writes it as SVG, PNG or PDF, as the ending of -o says. FILE
is read as score does; projection and regions take tables without labels too, whose
rows they mark by the classes that the model gives them. Colours can be told apart
by the colour-blind, marks and dashes in grey. The same files make the same bytes.

What test, sets, novelty and changes print with --json is drawn without a model: the
statistics of permutations, how many classes sets have and how many hold the truth,
p-values of rows, or the curve over rows. "-" is the standard input.`,
		Example: `  kfda plot projection iris.kfda iris.csv -o iris.svg
  kfda plot confusion iris.kfda new.csv -o confusion.png
  kfda plot search tuned.kfda -o search.pdf
  kfda test iris.csv --label species --json > t.json; kfda plot t.json -o null.svg`,
		Args: cobra.RangeArgs(1, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if err := noneApply(cmd, "output"); err != nil {
					return err
				}
			}
			return f.run(cmd.Context(), s, args)
		},
	}
	var help []string
	for _, k := range pictureKinds {
		help = append(help, "  "+k.name+" \t"+k.help)
	}
	cmd.Long += "\n\nPictures:\n" + aligned(0, help...)
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "`file` to write, whose name ends in "+strings.Join(picture.Formats, ", "))
	flags.Uint64Var(&f.seed, "seed", 0, "`seed` of the parts and folds of learning, and of the shuffles of importance")
	flags.StringVar(&f.column, "column", "", "`column` of dependence: its name, or its position from 1 (default the most important one)")
	f.table.add(cmd, "(default the one of training)")
	f.table.weights.addRemembered(cmd)
	cmd.MarkFlagRequired("output")
	return cmd
}

func (f *plotFlags) run(ctx context.Context, s streams, args []string) error {
	if len(args) == 1 {
		return f.runAnswer(ctx, s, args[0])
	}
	at := slices.IndexFunc(pictureKinds, func(k pictureKind) bool { return k.name == args[0] })
	if at < 0 {
		var names []string
		for _, k := range pictureKinds {
			names = append(names, k.name)
		}
		likely := ""
		if args[0] != "-" {
			if m, err := loadModel(args[0], nil); err == nil {
				likely = pictureKinds[0].name
				if m.numbers != nil {
					likely = "predicted"
				}
				likely = "; the picture is named first, as in kfda plot " + likely + " " + show.Word(args[0]) + " " + show.Word(args[1]) + " -o " + show.Word(f.output)
			}
		}
		return usage("no picture %q: want one of %s%s", args[0], strings.Join(names, ", "), likely)
	}
	kind := pictureKinds[at]
	format, err := f.format()
	if err != nil {
		return err
	}
	if kind.labels != noTable && len(args) < 3 {
		return usage("%s needs a table: kfda plot %[1]s %s FILE -o %s", kind.name, args[1], f.output)
	}
	if err := checkOutput(f.output, args[1:]...); err != nil {
		return err
	}
	u, err := f.subject(ctx, s, kind, args[1:])
	if err != nil {
		return err
	}
	if u.savedModel != nil {
		if err := kind.check(u.savedModel); err != nil {
			return err
		}
	}
	figure, err := kind.draw(u)
	if err != nil {
		return err
	}
	return f.save(ctx, s, figure, format)
}

// format is the ending of the picture's name.
func (f *plotFlags) format() (string, error) {
	format := strings.ToLower(filepath.Ext(f.output))
	if !slices.Contains(picture.Formats, format) {
		return "", usage("-o %s: want a name that ends in %s", f.output, strings.Join(picture.Formats, ", "))
	}
	return format, nil
}

func (f *plotFlags) save(ctx context.Context, s streams, figure *picture.Figure, format string) error {
	data, err := figure.Bytes(format)
	if err != nil {
		return err
	}
	return save(ctx, f.output, data, s.out.Flush)
}

// runAnswer draws what a command printed as JSON.
func (f *plotFlags) runAnswer(ctx context.Context, s streams, path string) error {
	format, err := f.format()
	if err != nil {
		return err
	}
	a, err := readAnswer(s, path, f.output, "WHAT MODEL [FILE]")
	if err != nil {
		return err
	}
	figure, err := a.figure(path)
	if err != nil {
		return err
	}
	return f.save(ctx, s, figure, format)
}

// subject reads what a picture is of.
func (f *plotFlags) subject(ctx context.Context, s streams, kind pictureKind, args []string) (*subject, error) {
	u := &subject{ctx: ctx, s: s, seed: f.seed, of: f.column}
	if kind.labels == noTable {
		if len(args) > 1 {
			notice(s.err, "%s shows what the model holds: %s is not read", kind.name, args[1])
		}
		var err error
		if u.savedModel, err = loadModel(args[0], s.in); err != nil && kind.name == "search" {
			var other error
			if u.record, other = recordIn(args[0]); other == nil {
				u.file = args[0]
				return u, nil
			}
		}
		u.file = args[0]
		return u, err
	}
	f.table.weights.remembered = kind.labels == labelledRows
	err := u.load(&f.table, args[0], args[1], "", kind.labels == anyRows)
	return u, err
}

// check refuses a model that the picture is not of, and names the pictures of it.
func (k *pictureKind) check(m *savedModel) error {
	own, what := ofClasses, "a model of classes"
	if m.numbers != nil {
		own, what = ofNumbers, "a regression of "+m.targetText()
	}
	if k.of&own != 0 {
		return nil
	}
	var names []string
	for _, other := range pictureKinds {
		if other.of&own != 0 {
			names = append(names, other.name)
		}
	}
	return undrawable("%s: there is no picture %s of %s; there are %s", m.path, k.name, what, strings.Join(names, ", "))
}

// cannotDraw says that a picture does not apply to a model or a table, and what does.
type cannotDraw struct{ text string }

func (e *cannotDraw) Error() string { return e.text }

func undrawable(format string, args ...any) error {
	return &cannotDraw{fmt.Sprintf(format, args...)}
}
