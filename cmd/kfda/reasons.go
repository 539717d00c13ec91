package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

type reasonFlags struct {
	table     tableFlags
	ids       string
	training  string
	top       int
	component int
	columns   bool
	column    string
	seed      uint64
	json      bool
}

func newReasons(s streams) *cobra.Command {
	f := &reasonFlags{}
	cmd := &cobra.Command{
		Use:   "explain MODEL FILE [flags]",
		Short: "Show why rows get their classes or values, or which columns matter",
		Long: `explain shows, for each row of FILE, its class, or the value of a regression; the training rows nearest to it, by
the squared distance k(x,x) + k(y,y) - 2k(x,y) of the model's own kernel; whether it is
unlike all of them; and the terms that its projection is the sum of: a coefficient times
the kernel value with each training row, the largest first, and an offset, or with lda a
term for each column. What is printed sums exactly to what is printed: the line of the
others takes up the rounding. Of many directions it shows those that tell most, and all with
--json. Of a fit with --landmarks it shows the sums alone, whose terms cancel. A model keeps training rows, but not their labels:
--training TRAIN finds them in the table of the training.

With --columns it shows instead how much worse the predictions for FILE become when the
values of a column are shuffled among its rows, a category as a whole; with --column NAME
what the model makes of all rows if that column has one value after the other, with the
range of nine tenths of the rows. Both draw as 'kfda plot importance' and 'dependence'.`,
		Example: `  kfda explain iris.kfda new.csv --rows :3
  kfda explain iris.kfda new.csv --training iris.csv --ids sample
  kfda explain iris.kfda iris.csv --columns`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.top, "top", 5, "`number` of training rows and of terms to show")
	flags.IntVar(&f.component, "component", 0, "`number` of the one direction to show, from 1 (default all)")
	flags.StringVar(&f.training, "training", "", "`file` that has the training rows, for their numbers, labels and ids there")
	flags.StringVar(&f.ids, "ids", "", "`column` that identifies rows: its name, or its position from 1")
	flags.BoolVar(&f.columns, "columns", false, "show how much each column matters")
	flags.StringVar(&f.column, "column", "", "`column` to show the part of: its name, or its position from 1")
	flags.Uint64Var(&f.seed, "seed", 0, "`seed` of the shuffles of --columns")
	flags.BoolVar(&f.json, "json", false, "print all of it as one JSON object")
	f.table.add(cmd, "(default the one of training)")
	f.table.weights.addRemembered(cmd)
	cmd.MarkFlagsMutuallyExclusive("columns", "column")
	return cmd
}

func (f *reasonFlags) run(cmd *cobra.Command, s streams, model, path string) error {
	if f.top < 1 {
		return usage("--top %d: want 1 or more", f.top)
	}
	f.table.weights.remembered = f.columns
	u := &subject{ctx: cmd.Context(), s: s, seed: f.seed, of: f.column}
	if err := u.load(&f.table, model, path, f.ids, !f.columns); err != nil {
		return err
	}
	var r report
	var err error
	switch {
	case f.columns:
		u.relation.notice(s, u.t, model)
		if rows, _ := u.known(); u.numbers == nil && len(rows) < len(u.class) {
			notice(s.err, "%s: without %s of labels that the model does not know", u.file, plural.Count(len(u.class)-len(rows), "row"))
		}
		r, err = u.importance()
	case f.column != "":
		r, err = u.dependence()
	default:
		r, err = f.reasons(u)
	}
	if err != nil {
		return err
	}
	return writeReport(s.out, f.json, r)
}

// reasonReport is what explain prints of rows.
type reasonReport struct {
	Model     string      `json:"model"`
	File      string      `json:"file"`
	Compared  int         `json:"compared"` // training rows whose distances from the others are known
	Rows      []rowReason `json:"rows"`
	distances bool
	byFit     bool   // training rows have their numbers in the fit
	landmarks bool   // are the rows that the model keeps
	kept      string // what these are
}

// rowReason explains one row.
type rowReason struct {
	Row        int         `json:"row"`
	Line       int         `json:"line"`
	ID         string      `json:"id,omitempty"`
	Prediction string      `json:"prediction,omitempty"` // a class
	Value      json.Number `json:"value,omitempty"`      // of a regression
	Label      string      `json:"label,omitempty"`      // as the table has it
	Posteriors []namedOne  `json:"posteriors,omitempty"`
	Decision   *float64    `json:"decision,omitempty"`

	Nearest []nearRow `json:"nearest,omitempty"`
	// FartherThan is the share of the training rows that are nearer to the nearest of the others
	// than this row to the nearest of them.
	FartherThan *float64    `json:"farther_than,omitempty"`
	Far         bool        `json:"far"` // all kernel values are 0
	Sums        []reasonSum `json:"projections"`
	more        int         // directions
}

type namedOne struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

type nearRow struct {
	keptRow
	Distance float64 `json:"distance"`
}

// reasonSum is a projection as a sum, exact in the digits that it has.
type reasonSum struct {
	Direction string       `json:"direction"`
	Terms     []reasonTerm `json:"terms"`
	Others    int          `json:"others"` // terms
	OthersSum json.Number  `json:"others_sum"`
	Offset    json.Number  `json:"offset"`
	Value     json.Number  `json:"value"`
}

type reasonTerm struct {
	Of     string      `json:"of"` // a column, or else the row
	Row    *keptRow    `json:"training,omitempty"`
	Value  json.Number `json:"value"`
	Kernel *float64    `json:"kernel,omitempty"`
}

func (f *reasonFlags) reasons(u *subject) (*reasonReport, error) {
	if f.component < 0 || f.component > u.Components() {
		return nil, usage("--component %d: the model has %d", f.component, u.Components())
	}
	e := expansionOf(u.savedModel)
	if f.training != "" && e.rows == nil {
		return nil, usage("--training: %s keeps no training rows", u.path)
	}
	kept, err := f.kept(u, e)
	if err != nil {
		return nil, err
	}
	r := &reasonReport{Model: u.path, File: u.file, byFit: e.kernel != nil && slices.ContainsFunc(kept, func(k keptRow) bool { return !k.inTable }), distances: e.rows != nil, landmarks: landmarksOf(u.learnt) != nil, kept: u.keptRows()}
	var apart []float64
	if r.distances {
		if apart, err = e.apart(); err != nil {
			return nil, err
		}
		r.Compared = len(apart)
	}
	z, err := u.Project(nil, u.t.X)
	if err != nil {
		return nil, explain.New(u.t, err)
	}
	digits := 6
	if f.json {
		digits = 16
	}
	directions := f.directions(u)
	batch := max(1, (1<<22)/e.factors.Rows)
	for first := 0; first < u.t.X.Rows; first += batch {
		x, err := u.seen(u.t.X.View(first, 0, min(batch, u.t.X.Rows-first), u.t.X.Cols))
		if err != nil {
			return nil, explain.New(u.t, err)
		}
		values, err := e.values(x)
		if err != nil {
			return nil, explain.New(u.t, err)
		}
		var distances *matrix.Dense
		if r.distances {
			if distances, err = e.distances(x, values); err != nil {
				return nil, explain.New(u.t, err)
			}
		}
		for i := range x.Rows {
			one := u.reason(first + i)
			one.Far = u.far != nil && u.far[first+i]
			if distances != nil && !one.Far {
				one.addNearest(distances.Row(i), kept, apart, f.top)
			}
			for _, j := range directions(one.Prediction, z.Row(first+i)) {
				one.Sums = append(one.Sums, f.sum(u, e, kept, values.Row(i), j, z.At(first+i, j), digits))
			}
			if one.more = z.Cols - len(one.Sums); u.numbers != nil {
				one.Value = one.Sums[0].Value
			}
			r.Rows = append(r.Rows, one)
		}
	}
	return r, nil
}

// mostSums are the directions of a row that are printed for people.
const mostSums = 4

// directions returns which sums are shown of a row of a class and its projection: of many
// directions those that tell most, the largest values of a ridge and the machines of the class
// that were least sure, or the first.
func (f *reasonFlags) directions(u *subject) func(class string, z []float64) []int {
	n := u.Components()
	switch {
	case f.component > 0:
		return func(string, []float64) []int { return []int{f.component - 1} }
	case f.json || n <= mostSums:
		return func(string, []float64) []int { return positions(n) }
	case u.Method() == "ridge":
		return func(_ string, z []float64) []int {
			return leastOf(mostSums, n, func(j int) float64 { return -z[j] })
		}
	case u.Method() == "svm":
		machines, classes := u.Machines(), u.Classes()
		return func(class string, z []float64) []int {
			return leastOf(mostSums, n, func(j int) float64 {
				if classes[machines[j].First] != class && classes[machines[j].Second] != class {
					return math.Inf(1)
				}
				return math.Abs(z[j])
			})
		}
	}
	return func(string, []float64) []int { return positions(mostSums) }
}

// kept names the training rows that the model keeps.
func (f *reasonFlags) kept(u *subject, e *expansion) ([]keptRow, error) {
	if f.training == "" {
		kept, _, err := e.names(nil)
		return kept, err
	}
	flags := f.table
	flags.rows = ""
	opt, err := flags.options(u.s)
	if err != nil {
		return nil, err
	}
	opt.Layout, opt.IDs = &u.layout, f.ids
	t, err := flags.read(u.s, f.training, opt)
	if err != nil {
		return nil, err
	}
	kept, found, err := e.names(t)
	if found < len(kept) && err == nil {
		notice(u.s.err, "%s has %d of the %d training rows that the model keeps; the others have their numbers in the training", t.File, found, len(kept))
	}
	return kept, err
}

// reason begins the explanation of a row: what is predicted.
func (u *subject) reason(i int) rowReason {
	one := rowReason{Row: u.t.Rows[i], Line: u.t.Lines[i], Sums: []reasonSum{}}
	if u.numbers == nil {
		one.Prediction = u.classes[i]
	}
	if len(u.t.IDs) > 0 {
		one.ID = u.t.IDs[0][i]
	}
	if u.t.Labels != nil {
		one.Label = u.t.Labels[i]
	}
	if u.scores != nil {
		for j, class := range u.Classes() {
			one.Posteriors = append(one.Posteriors, namedOne{class, u.scores.At(i, j)})
		}
	}
	if u.decision != nil {
		one.Decision = &u.decision[i]
	}
	return one
}

func (one *rowReason) addNearest(distances []float64, kept []keptRow, apart []float64, top int) {
	for _, k := range leastOf(top, len(distances), func(k int) float64 { return distances[k] }) {
		one.Nearest = append(one.Nearest, nearRow{kept[k], distances[k]})
	}
	if len(apart) > 0 {
		nearer, _ := slices.BinarySearch(apart, one.Nearest[0].Distance)
		share := float64(nearer) / float64(len(apart))
		one.FartherThan = &share
	}
}

// sum writes a projection as a sum of terms whose digits end at the same place. What is not among
// the largest of them takes up the rounding, or the offset where all are.
func (f *reasonFlags) sum(u *subject, e *expansion, kept []keptRow, values []float64, j int, z float64, digits int) reasonSum {
	term := func(k int) float64 { return e.factors.At(k, j) * values[k] }
	var some []int // a machine is not of all rows
	for k := range values {
		if e.kernel == nil || e.factors.At(k, j) != 0 {
			some = append(some, k)
		}
	}
	order := leastOf(f.top, len(some), func(k int) float64 { return -math.Abs(term(some[k])) })
	offset := e.offset(j, values)
	largest := 0.0
	if len(order) > 0 {
		largest = term(some[order[0]])
	}
	d := decimalsFor(digits, largest, offset, z)
	if !f.json && landmarksOf(u.learnt) != nil { // the terms are not shown
		d = decimalsFor(digits, z)
	}
	rest, all := d.units(z), d.units(offset)
	r := reasonSum{Direction: u.direction(j), Terms: []reasonTerm{}, Others: len(some) - len(order), Value: d.number(rest)}
	for _, at := range order {
		k := some[at]
		v := d.units(term(k))
		rest.Sub(rest, v)
		t := reasonTerm{Value: d.number(v)}
		if e.kernel == nil {
			t.Of = u.seenColumn(k)
		} else {
			t.Row, t.Of, t.Kernel = &kept[k], "row "+strconv.Itoa(kept[k].Row), &values[k]
		}
		r.Terms = append(r.Terms, t)
	}
	if r.Others == 0 {
		all = rest
	}
	r.Offset, r.OthersSum = d.number(all), d.number(new(big.Int).Sub(rest, all))
	return r
}

// seenColumn names a column that the kernel sees: one of the table, or a level of it.
func (m *savedModel) seenColumn(k int) string {
	p := m.Preparation()
	if p == nil {
		return m.columnName(k)
	}
	c := p.Columns()[k]
	name := m.columnName(c.From)
	switch {
	case c.Indicator:
		return name + " missing"
	case c.Level >= 0:
		return name + "=" + m.layout.Columns[c.From].Levels[c.Level]
	}
	return name
}

// columnName names a column of the table, by its position where it has no name.
func (m *savedModel) columnName(j int) string {
	if m.layout.Names != nil && m.layout.Names[j] != "" {
		return m.layout.Names[j]
	}
	if m.layout.Features == nil {
		return table.ColumnText(j+1, "")
	}
	return table.ColumnText(m.layout.Features[j]+1, "")
}

func (r *reasonReport) write(p *printer) {
	for i := range r.Rows {
		if i > 0 {
			p.print("\n")
		}
		r.writeRow(p, &r.Rows[i])
	}
	switch {
	case r.landmarks:
		p.print("\nAll is a sum over landmarks, whose terms cancel and tell nothing one by one. --columns shows\nwhich columns matter, --column NAME what one does")
		if r.byFit {
			p.print(", and --training FILE names the landmarks that are near")
		}
		p.print(".\n")
	case r.byFit:
		p.print("\nTraining rows count from 0 without those that the fit left out; --training FILE has their numbers there.\n")
	}
}

func (r *reasonReport) writeRow(p *printer, one *rowReason) {
	line := fmt.Sprintf("row %d", one.Row)
	if one.ID != "" {
		line = show.Name(one.ID)
	}
	what := "sum, the projection"
	if one.Value != "" {
		line, what = line+": "+string(one.Value), "sum, the prediction"
	} else {
		line += ": " + show.Name(one.Prediction)
	}
	if one.Posteriors != nil {
		at := slices.IndexFunc(one.Posteriors, func(n namedOne) bool { return n.Name == one.Prediction })
		line += fmt.Sprintf(", with probability %.4f", one.Posteriors[at].Value)
	}
	if one.Decision != nil {
		line += fmt.Sprintf(", decision value %.6g", *one.Decision)
	}
	if one.Label != "" && one.Value != "" {
		line += "; true is " + show.Text(one.Label)
	} else if one.Label != "" && one.Label != one.Prediction {
		line += "; its label is " + show.Name(one.Label)
	}
	p.print(line + "\n")
	if one.Far {
		p.printf("unlike anything in training: all kernel values with the %s are 0, and the model knows nothing about it\n", r.kept)
	} else if one.FartherThan != nil && *one.FartherThan == 1 {
		which := "all"
		if r.Compared == mostApart {
			which = fmt.Sprint(mostApart)
		}
		p.printf("unlike anything in training: farther from the nearest of the %s than %s of these from the others\n", r.kept, which)
	}
	var lines []string
	for _, near := range one.Nearest {
		if near.landmark { // which nobody can look up
			continue
		}
		lines = append(lines, fmt.Sprintf("  %.6g \t%s", near.Distance, near.text()))
	}
	if lines != nil {
		p.print("nearest " + map[bool]string{false: "training rows", true: "landmarks"}[r.landmarks] + ", by squared distance\n" + aligned(0, append(lines, "")...))
	}
	for _, sum := range one.Sums {
		if r.landmarks {
			if one.Value == "" {
				p.printf("%s = %s\n", sum.Direction, sum.Value)
			}
			continue
		}
		p.print(sum.Direction + " =\n" + sum.text(what))
	}
	if one.more > 0 && len(one.Sums) > 1 {
		p.printf("and %d other directions, which --component and --json show\n", one.more)
	}
}

func (k *keptRow) text() string {
	text := "row " + strconv.Itoa(k.Row)
	if k.landmark {
		text = "landmark " + strconv.Itoa(k.Row)
	} else if !k.inTable {
		text = "training " + text
	}
	if k.ID != "" {
		text = show.Name(k.ID)
	}
	if k.Label != "" {
		text += ", " + show.Name(k.Label)
	}
	return text
}

func (s *reasonSum) text(what string) string {
	var terms [][2]string
	for _, t := range s.Terms {
		what := show.Text(t.Of)
		if t.Row != nil {
			what = fmt.Sprintf("%s, kernel value %.4g", t.Row.text(), *t.Kernel)
		}
		terms = append(terms, [2]string{string(t.Value), what})
	}
	if s.Others > 0 {
		terms = append(terms, [2]string{string(s.OthersSum), plural.Count(s.Others, "other term")})
	}
	if strings.Trim(string(s.Offset), "-.0") != "" {
		terms = append(terms, [2]string{string(s.Offset), "offset"})
	}
	terms = append(terms, [2]string{string(s.Value), what})
	width, text := 0, ""
	for _, t := range terms {
		width = max(width, len(t[0]))
	}
	for _, t := range terms {
		text += fmt.Sprintf("  %*s  %s\n", width, t[0], t[1])
	}
	return text
}

// leastOf returns the places of the n least values of a measure, the least first.
func leastOf(n, count int, measure func(k int) float64) []int {
	order := positions(count)
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(measure(a), measure(b)), a-b) })
	return order[:min(n, count)]
}
