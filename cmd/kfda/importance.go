package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/cmd/kfda/internal/picture"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/explain"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// shuffles are how often a column is shuffled.
const shuffles = 10

// importanceReport is how much worse the predictions become without what a column tells.
type importanceReport struct {
	Model    string `json:"model"`
	File     string `json:"file"`
	Rows     int    `json:"n"`
	Shuffles int    `json:"shuffles"`
	Seed     uint64 `json:"seed"`
	losses[float64]
	Columns []columnImportance `json:"columns"` // the most important first
}

// losses are those that a model has on rows, or what is known of each of them.
type losses[T any] struct {
	Error   *T `json:"error,omitempty"`    // share of wrong rows
	LogLoss *T `json:"log_loss,omitempty"` // where there are probabilities
	RMSE    *T `json:"rmse,omitempty"`     // of a regression
}

// lossNames are those of all losses.
var lossNames = []string{"share of wrong rows", "log loss", "RMSE"}

func (l *losses[T]) all() []**T { return []**T{&l.Error, &l.LogLoss, &l.RMSE} }

// measured returns the place of that by which a column is judged, the last there is.
func (l *losses[T]) measured() (at int) {
	for k, p := range l.all() {
		if *p != nil {
			at = k
		}
	}
	return at
}

func (l *losses[T]) measure() T { return **l.all()[l.measured()] }

// columnImportance is what the shuffles of a column add, mean and standard deviation.
type columnImportance struct {
	Position int    `json:"position"` // from 1
	Name     string `json:"name,omitempty"`
	losses[spread]
	feature int
}

type spread struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

func spreadOf(values []float64, from float64) (s spread) {
	for _, v := range values {
		s.Mean += (v - from) / float64(len(values))
	}
	for _, v := range values {
		s.SD += (v - from - s.Mean) * (v - from - s.Mean) / float64(max(1, len(values)-1))
	}
	return spread{s.Mean, math.Sqrt(s.SD)}
}

// importance shuffles each column of the rows with a known label.
func (u *subject) importance() (*importanceReport, error) {
	if u.important != nil {
		return u.important, nil
	}
	rows := positions(u.t.X.Rows)
	if u.numbers == nil {
		rows, _ = u.known()
	}
	if len(rows) == 0 {
		return nil, undrawable("%s: no row has a label that the model knows", u.file)
	}
	t, class := rowsOf(u.t, rows), pick(u.class, rows)
	x := t.X
	r := &importanceReport{Model: u.path, File: u.file, Rows: len(rows), Shuffles: shuffles, Seed: u.seed}
	return untilInterrupt(u.ctx, func(ctx context.Context) (_ *importanceReport, err error) {
		if r.losses, err = u.losses(t, class); err != nil {
			return nil, err
		}
		for j := range x.Cols {
			c := columnImportance{feature: j, Position: u.position(j)}
			u.s.line.step("importance", "columns", j, x.Cols)
			if u.layout.Names != nil {
				c.Name = u.layout.Names[j]
			}
			kept := make([]float64, x.Rows)
			for i := range kept {
				kept[i] = x.At(i, j)
			}
			random := rand.New(rand.NewPCG(u.seed, uint64(j)))
			var found [3][]float64 // of each loss
			for range shuffles {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				for i, from := range random.Perm(x.Rows) {
					x.Row(i)[j] = kept[from]
				}
				one, err := u.losses(t, class)
				if err != nil {
					return nil, err
				}
				for k, v := range one.all() {
					if *v != nil {
						found[k] = append(found[k], **v)
					}
				}
			}
			for i, v := range kept {
				x.Row(i)[j] = v
			}
			for k, from := range r.all() {
				if *from != nil {
					s := spreadOf(found[k], **from)
					*c.all()[k] = &s
				}
			}
			r.Columns = append(r.Columns, c)
		}
		slices.SortStableFunc(r.Columns, func(a, b columnImportance) int {
			if order := cmp.Compare(b.measure().Mean, a.measure().Mean); order != 0 || a.Error == nil {
				return order
			}
			return cmp.Compare(b.Error.Mean, a.Error.Mean)
		})
		u.important = r
		return r, nil
	})
}

// losses returns those of rows of the classes, where there are such.
func (u *subject) losses(t *table.Table, classes []int) (l losses[float64], err error) {
	if u.numbers != nil {
		values, err := u.numbers.Predict(nil, t.X)
		if err != nil {
			return l, explain.New(u.t, err)
		}
		rmse := math.Sqrt(cv.CompareNumbers(columnOf(values, 0), t.Targets, t.Weights...).SquaredError)
		return losses[float64]{RMSE: &rmse}, nil
	}
	predicted, err := u.Predict(nil, t.X)
	if err != nil {
		return l, explain.New(u.t, err)
	}
	weight, total := func(int) float64 { return 1 }, float64(t.X.Rows)
	if t.Weights != nil {
		weight, total = func(i int) float64 { return t.Weights[i] }, matrix.Sum(t.Weights)
	}
	names, wrong, loss := u.Classes(), 0.0, 0.0
	for i, c := range classes {
		if predicted[i] != names[c] {
			wrong += weight(i) / total
		}
	}
	l.Error = &wrong
	if u.scores == nil {
		return l, nil
	}
	p, err := u.Posteriors(nil, t.X)
	if err != nil {
		return l, explain.New(u.t, err)
	}
	for i, c := range classes {
		loss += assess.LogLoss(p.At(i, c)) * weight(i) / total
	}
	l.LogLoss = &loss
	return l, nil
}

// position returns the place of feature j in the file of the training, from 1.
func (m *savedModel) position(j int) int {
	if m.layout.Features == nil {
		return j + 1
	}
	return m.layout.Features[j] + 1
}

func (r *importanceReport) write(p *printer) {
	decimals := 4
	if r.RMSE != nil { // four digits
		decimals = max(0, 3-int(math.Floor(math.Log10(max(*r.RMSE, 1e-12)))))
	}
	p.printf("%s shuffled, each %d times, among %s: what that adds, mean ± standard deviation\n",
		plural.Count(len(r.Columns), "column"), r.Shuffles, plural.Count(r.Rows, "row"))
	head, first := "column\t", "none\t"
	for k, v := range r.all() {
		if *v != nil {
			head, first = head+"  "+lossNames[k]+"\t", first+fmt.Sprintf("  %.*f\t", decimals, **v)
		}
	}
	lines := []string{head, first}
	for _, c := range r.Columns[:min(len(r.Columns), listed)] {
		line := fmt.Sprintf("%6d %s\t", c.Position, show.Text(c.Name))
		for _, s := range c.all() {
			if *s != nil {
				line += fmt.Sprintf("  %+.*f ± %.*f\t", decimals, (*s).Mean, decimals, (*s).SD)
			}
		}
		lines = append(lines, line)
	}
	p.print(aligned(0, append(lines, "")...))
	if n := len(r.Columns) - listed; n > 0 {
		p.printf("and %d more, which --json shows\n", n)
	}
}

// dependenceReport is what the model makes of all rows if a column has one value or another.
type dependenceReport struct {
	Model    string            `json:"model"`
	File     string            `json:"file"`
	Rows     int               `json:"n"`
	Position int               `json:"position"` // of the column, from 1
	Name     string            `json:"name,omitempty"`
	Of       string            `json:"of"`      // posterior, decision value or share of predictions
	Classes  []string          `json:"classes"` // of each number of a mean, one alone for a decision value
	Values   []dependenceValue `json:"values"`
	levels   bool
}

// dependenceValue is the mean over all rows, and the range of the middle nine tenths of them.
type dependenceValue struct {
	Value float64   `json:"value"` // of a category the number of the level
	Level string    `json:"level,omitempty"`
	Mean  []float64 `json:"mean"`
	Low   []float64 `json:"low,omitempty"`
	High  []float64 `json:"high,omitempty"`
}

// gridValues are how many values of a column of numbers are tried.
const gridValues = 21

// dependence sets the column to one value after the other, in all rows.
func (u *subject) dependence() (*dependenceReport, error) {
	j, err := u.columnNamed(u.of)
	if err != nil {
		return nil, err
	}
	r := &dependenceReport{Model: u.path, File: u.file, Rows: u.t.X.Rows, Position: u.position(j)}
	if u.layout.Names != nil {
		r.Name = u.layout.Names[j]
	}
	r.Values, r.levels = u.grid(j)
	var classes []string
	if u.numbers == nil {
		classes = u.Classes()
	}
	switch {
	case u.numbers != nil:
		r.Of, r.Classes = "prediction", []string{cmp.Or(u.layout.LabelName, "prediction")}
	case u.scores != nil:
		r.Of, r.Classes = "posterior", classes
	case len(classes) == 2:
		r.Of, r.Classes = "decision value", classes[1:]
	default:
		r.Of, r.Classes = "share of predictions", classes
	}
	x := u.t.X.Clone()
	return untilInterrupt(u.ctx, func(ctx context.Context) (*dependenceReport, error) {
		for k := range r.Values {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for i := range x.Rows {
				x.Row(i)[j] = r.Values[k].Value
			}
			u.s.line.step("dependence", "values", k, len(r.Values))
			if err := u.depend(&r.Values[k], x); err != nil {
				return nil, explain.New(u.t, err)
			}
		}
		return r, nil
	})
}

// depend sets what the model makes of rows.
func (u *subject) depend(v *dependenceValue, x *matrix.Dense) error {
	var all *matrix.Dense
	switch {
	case u.numbers != nil:
		values, err := u.numbers.Predict(nil, x)
		if err != nil {
			return err
		}
		all = values
	case u.scores != nil:
		p, err := u.Posteriors(nil, x)
		if err != nil {
			return err
		}
		all = p
	case len(u.Classes()) == 2:
		d, err := u.Decision(nil, x)
		if err != nil {
			return err
		}
		all = matrix.Column(d)
	default:
		predicted, err := u.Predict(nil, x)
		if err != nil {
			return err
		}
		v.Mean = make([]float64, len(u.Classes()))
		for _, c := range codesOf(u.Classes(), predicted) {
			v.Mean[c] += 1 / float64(x.Rows)
		}
		return nil
	}
	for j := range all.Cols {
		values := make([]float64, all.Rows)
		for i := range values {
			values[i] = all.At(i, j)
		}
		slices.Sort(values)
		at := func(share float64) float64 { return values[int(math.Round(share*float64(len(values)-1)))] }
		v.Mean = append(v.Mean, matrix.Sum(values)/float64(len(values)))
		v.Low, v.High = append(v.Low, at(0.05)), append(v.High, at(0.95))
	}
	return nil
}

// grid returns the levels of a column, the values of one that has few in the table, or some
// between the least and the largest.
func (u *subject) grid(j int) (values []dependenceValue, levels bool) {
	if u.layout.Columns != nil && u.layout.Columns[j].Levels != nil {
		for k, level := range u.layout.Columns[j].Levels {
			values = append(values, dependenceValue{Value: float64(k), Level: level})
		}
		return values, true
	}
	var seen []float64
	for i := range u.t.X.Rows {
		if v := u.t.X.At(i, j); !math.IsNaN(v) {
			seen = append(seen, v)
		}
	}
	slices.Sort(seen)
	seen = slices.Compact(seen)
	if n := len(seen); n > gridValues {
		low, high := seen[0], seen[n-1]
		seen = seen[:gridValues]
		for k := range seen {
			share := float64(k) / (gridValues - 1)
			seen[k] = low*(1-share) + high*share
		}
	}
	for _, v := range seen {
		values = append(values, dependenceValue{Value: v})
	}
	return values, false
}

// columnNamed returns the feature of a name or a position from 1. For "" it is the most important.
func (u *subject) columnNamed(name string) (int, error) {
	if name == "" {
		if u.t.Labels == nil {
			return 0, usage("dependence needs --column NAME: without labels no column is the most important")
		}
		r, err := u.importance()
		if err != nil {
			return 0, err
		}
		return r.Columns[0].feature, nil
	}
	if j := slices.Index(u.layout.Names, name); j >= 0 {
		return j, nil
	}
	if at, err := strconv.Atoi(name); err == nil {
		for j := range u.Dim() {
			if u.position(j) == at {
				return j, nil
			}
		}
	}
	return 0, fmt.Errorf("%s: --column %q is no column that the model uses; 'kfda inspect' lists them", u.path, name)
}

func (r *dependenceReport) write(p *printer) {
	band := ""
	if r.Values[0].Low != nil {
		band = ", with the range of the middle nine tenths of the rows"
	}
	p.printf("%s set to each value in %s: mean %s%s\n", table.ColumnText(r.Position, r.Name), plural.Count(r.Rows, "row"), r.Of, band)
	lines := []string{"value\t"}
	for _, c := range r.Classes {
		lines[0] += "  " + show.Name(c) + "\t"
	}
	for _, v := range r.Values {
		line := fmt.Sprintf("%.6g\t", v.Value)
		if r.levels {
			line = show.Name(v.Level) + "\t"
		}
		for k, mean := range v.Mean {
			line += fmt.Sprintf("  %.4f", mean)
			if v.Low != nil {
				line += fmt.Sprintf(" (%.4f to %.4f)", v.Low[k], v.High[k])
			}
			line += "\t"
		}
		lines = append(lines, line)
	}
	p.print(aligned(0, append(lines, "")...))
}

// importances draws the importance of columns.
func (u *subject) importances() (*picture.Figure, error) {
	r, err := u.importance()
	if err != nil {
		return nil, err
	}
	axis := lossNames[r.measured()]
	var bars []picture.Bar
	for _, c := range r.Columns[:min(len(r.Columns), listed)] {
		v := c.measure()
		bars = append(bars, picture.Bar{Name: u.columnName(c.feature), Value: v.Mean, Half: v.SD})
	}
	note := fmt.Sprintf("%s Each column shuffled %d times among %s: mean and standard deviation.%s", u.note(), r.Shuffles, plural.Count(r.Rows, "row"), u.weighed())
	if n := len(r.Columns) - len(bars); n > 0 {
		note += fmt.Sprintf(" The first %d of %d columns.", len(bars), len(r.Columns))
	}
	return picture.Bars(u.title("importance of columns"), "added "+axis, bars, note), nil
}

// dependences draws what the model makes of the values of a column.
func (u *subject) dependences() (*picture.Figure, error) {
	r, err := u.dependence()
	if err != nil {
		return nil, err
	}
	const mostCurves = 8
	curves := make([]picture.Curve, min(len(r.Classes), mostCurves))
	if r.Of == "posterior" && len(r.Classes) == 2 {
		curves = curves[:1] // one is what the other is not
	}
	var x []float64
	var levels []string
	for _, v := range r.Values {
		x = append(x, v.Value)
		if r.levels {
			levels = append(levels, v.Level)
		}
		for k := range curves {
			of := len(r.Classes) - len(curves) + k
			c := &curves[k]
			c.Name = r.Classes[of]
			c.Y = append(c.Y, v.Mean[of])
			if v.Low != nil {
				c.Low, c.High = append(c.Low, v.Low[of]), append(c.High, v.High[of])
			}
		}
	}
	notes := []string{fmt.Sprintf("%s All %s with the value of the column.", u.note(), plural.Count(r.Rows, "row"))}
	if curves[0].Low != nil {
		notes[0] += " Pale: the middle nine tenths of the rows."
	}
	if n := len(r.Classes); n > mostCurves {
		notes = append(notes, fmt.Sprintf("The last %d of %d classes.", mostCurves, n))
	}
	name := cmp.Or(r.Name, table.ColumnText(r.Position, ""))
	return picture.Curves(u.title("what %s does", picture.Name(name)), picture.Name(name), "mean "+r.Of, x, levels, curves, notes...), nil
}
