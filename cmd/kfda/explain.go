package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// The library counts rows and columns from 0 and speaks of its own fields. Here
// its errors become sentences about a file, its lines and its columns, and about
// the flags of the command.

// explainRows explains an error about a row, a column or a value of t. It
// returns nil for other errors. In a fit the kernel is between rows of t.
func explainRows(t *table.Table, err error, fit bool) error {
	var (
		feature  *matrix.NotFiniteError
		domain   *gram.DomainError
		skew     *gram.NotSymmetricError
		value    *gram.NotFiniteError
		overflow *discriminant.OverflowError
		spread   *discriminant.ColumnRangeError
	)
	at := func(i, j int, format string, args ...any) error {
		return fmt.Errorf("%s: %s", t.Position(i, j), fmt.Sprintf(format, args...))
	}
	switch {
	case errors.As(err, &feature):
		return at(feature.Row, feature.Col, "%v cannot be scaled like the column in training: the result is not a finite number", t.X.At(feature.Row, feature.Col))
	case errors.As(err, &domain):
		scaled := ""
		if v := t.X.At(domain.Row, domain.Col); v != domain.Value {
			scaled = fmt.Sprintf(" (%v scaled)", v)
		}
		return at(domain.Row, domain.Col, "the kernel %s does not take %v%s: %s", domain.Kernel, domain.Value, scaled, domain.Reason)
	case errors.As(err, &skew):
		mirror := t.Position(skew.Col, skew.Row)
		return at(skew.Row, skew.Col, "the kernel matrix is not symmetric: %v here, but %v in line %d, column %d; with --symmetrize the mean of both counts",
			skew.A, skew.B, mirror.Line, mirror.Column)
	case errors.As(err, &value):
		with := fmt.Sprintf("training row %d", value.Col+1)
		switch {
		case fit && value.Row == value.Col:
			with = "itself"
		case fit:
			with = fmt.Sprintf("row %d in line %d", t.Rows[value.Col]+1, t.Lines[value.Col])
		}
		return at(value.Row, -1, "its kernel value with %s is %v; scale the columns or choose other parameters of the kernel", with, value.Value)
	case errors.As(err, &overflow):
		return at(overflow.Row, -1, "component %d of the projection is beyond the range of numbers", overflow.Component+1)
	case errors.As(err, &spread):
		return at(-1, spread.Col, "the values are too far apart, or too close together, to be scaled; rescale the column, or say --scale none")
	}
	return nil
}

// explainNew explains an error of applying a model to t.
func explainNew(t *table.Table, err error) error {
	if e := explainRows(t, err, false); e != nil {
		return e
	}
	return fmt.Errorf("%s: %w", t.File, err)
}

// explainFit explains an error of a fit of m to t.
func explainFit(t *table.Table, m method, err error) error {
	if e := explainRows(t, err, true); e != nil {
		return e
	}
	return fmt.Errorf("%s: %w", t.File, explainProblem(t, m, err))
}

// explainProblem explains an error of a fit of m to t, or to some of its rows, that is
// not about a row of these.
func explainProblem(t *table.Table, m method, err error) error {
	if p, ok := m.(discriminant.Prepared); ok {
		m = p.Method
	}
	var (
		shape      *gram.ShapeError
		kernel     *gram.ParameterError
		components *discriminant.ComponentsError
		means      *discriminant.CoincidentMeansError
		ridge      *discriminant.RidgeError
		accuracy   *discriminant.AccuracyError
		interval   *discriminant.IntervalError
		indefinite *discriminant.IndefiniteKernelError
		scatter    *discriminant.ScatterError
		rank       *discriminant.RankError
		setting    *discriminant.ParameterError
		pivot      *solve.NotPositiveDefiniteError
		machine    *discriminant.MachineError
		limit      *solve.IterationLimitError
		missing    *cv.MissingClassError
		criterion  *cv.ParameterError
		weights    *discriminant.WeightsError
	)
	space := "the space of the kernel"
	if _, linear := m.(discriminant.LDA); linear {
		space = "the space of the columns"
	}
	switch {
	case errors.As(err, &shape):
		return fmt.Errorf("%d×%d kernel values, want %d×%d: with --kernel precomputed each training row has one column%s",
			shape.Rows, shape.Cols, shape.WantRows, shape.WantCols, remedyForShape(t))
	case errors.As(err, &kernel):
		return explainKernel(t, m, kernel)
	case errors.As(err, &components) && components.Rank > 0 && components.Asked > components.Rank:
		return fmt.Errorf("--components %d: at most %d, for the means of the %d classes span no more dimensions in %s",
			components.Asked, components.Rank, components.Classes, space)
	case errors.As(err, &components):
		return fmt.Errorf("--components %d: at most %d for %d classes", components.Asked, components.Classes-1, components.Classes)
	case errors.As(err, &means):
		return fmt.Errorf("the classes have equal means in %s (contrast %.3g, norm %.3g), so no direction separates them; try other columns, another kernel or other parameters of it",
			space, means.Contrast, means.Norm)
	case errors.As(err, &ridge):
		return fmt.Errorf("%s: %s", regularizerFlag(ridge.Regularizer), strings.Replace(ridge.Reason, "give an absolute one", "give it as it is, as with --ridge 1e-3", 1))
	case errors.As(err, &accuracy):
		return explainAccuracy(accuracy)
	case errors.As(err, &interval):
		return explainInterval(interval)
	case errors.As(err, &rank):
		return explainRank(rank)
	case errors.As(err, &setting) && setting.Field == "Landmarks":
		return errors.New("all rows of the sample are 0 in the space of the kernel, so that none can be a landmark; try other columns or another kernel")
	case errors.As(err, &indefinite) && isConjugate(m):
		return errors.New("the kernel is indefinite on these rows, which conjugate gradients do not allow; --solver direct or another kernel would do")
	case errors.As(err, &indefinite):
		_, isRidge := m.(discriminant.KernelRidge)
		return explainIndefinite(indefinite, isRidge)
	case errors.As(err, &machine) && errors.As(err, &limit):
		classes := discriminant.Classes(t.Labels)
		return fmt.Errorf("the machine of the classes %s and %s violates its conditions by %.2g after %d steps, above the --tolerance of %g; %s",
			show.Name(classes[machine.First]), show.Name(classes[machine.Second]), limit.Gap, limit.Iterations, limit.Tolerance, remedyForMachines(m))
	case errors.As(err, &scatter):
		return explainScatter(t, scatter)
	case errors.As(err, &setting) && setting.Field == "Classifier" && strings.HasPrefix(setting.Value, "knn(") && !strings.Contains(setting.Reason, "weights"):
		return fmt.Errorf("--classifier %s: %s; give a smaller --neighbors", setting.Value, setting.Reason)
	case errors.As(err, &setting) && (setting.Field == "Classifier" || setting.Field == "Components"):
		return fmt.Errorf("--%s %s: %s", strings.ToLower(setting.Field), setting.Value, setting.Reason)
	case errors.As(err, &weights) && weights.Class != "":
		first := slices.Index(t.Labels, weights.Class)
		return fmt.Errorf("all rows of class %s have the weight 0 (the first is in line %d); give one of them another weight, leave these rows out of the file, or leave --weight out",
			show.Name(weights.Class), t.Lines[max(0, first)])
	case errors.As(err, &missing):
		return fmt.Errorf("none of the rows that it trains on is of class %s", show.Name(missing.Class))
	case errors.As(err, &criterion) && criterion.Field == "Criterion":
		return fmt.Errorf("--criterion auc compares the rows that a fold tests, and for some class no fold tests rows of it and of others")
	case errors.As(err, &pivot):
		kfda, _ := m.(discriminant.KFDA)
		return fmt.Errorf("%s: the ridge is too small for this kernel matrix: rounding makes a pivot %.2g", regularizerFlag(kfda.Regularizer), pivot.Value)
	}
	return err
}

// explainKernel says which parameter of a kernel is wrong for the rows of t.
func explainKernel(t *table.Table, m method, e *gram.ParameterError) error {
	switch m.Settings().Kernel.(type) {
	case gram.Sum, gram.Product, gram.Scaled, gram.Columns:
		if e.Kernel != "columns" {
			return fmt.Errorf("--kernel: the %s of %s %s", strings.ToLower(e.Parameter), e.Kernel, e.Reason)
		}
		return fmt.Errorf("--kernel: column %d, from 0: there are only %d columns besides label, ids, weights and ignored ones", int(e.Value), t.X.Cols)
	}
	return fmt.Errorf("--%s %s", strings.ToLower(e.Parameter), e.Reason)
}

// explainAccuracy says what helps where a fit is not accurate.
func explainAccuracy(e *discriminant.AccuracyError) error {
	remedy := "scaled columns help"
	if e.Remedy != "" {
		remedy = e.Remedy + " or " + remedy
	}
	return fmt.Errorf("%s is %.2g, above the limit of %.2g; %s", e.What, e.Value, e.Limit, remedy)
}

// explainInterval says what helps where conjugate gradients do not come near enough.
func explainInterval(e *discriminant.IntervalError) error {
	return fmt.Errorf("after %s of conjugate gradients eigenvalue %d is known to be between %.6g and %.6g only; a %s ridge or --solver direct help",
		plural.Count(e.Steps, "step"), e.Eigenvalue+1, e.Low, e.High, e.Ridge())
}

// explainRank explains why there are fewer components than requested.
func explainRank(e *discriminant.RankError) error {
	switch {
	case e.Rank == 0 && e.Least < 0:
		return noPositive(e.Least)
	case e.Rank == 0:
		return errors.New("all rows coincide in the space of the kernel, so there are no components; try other columns, another kernel or other parameters of it")
	case e.Limit == 0:
		return fmt.Errorf("--components %d: at most %d, for %d rows span no more dimensions", e.Asked, e.Rank, e.Rows)
	}
	indefinite := ""
	if e.Least < 0 {
		indefinite = fmt.Sprintf("; the kernel is indefinite, with eigenvalues down to %.3g", e.Least)
	}
	return fmt.Errorf("--components %d: at most %d, for eigenvalue %d of the centred kernel matrix is %.2g, which is not above its rounding error of %.2g%s",
		e.Asked, e.Rank, e.Rank+1, e.Value, e.Limit, indefinite)
}

// explainIndefinite says what can be done with an indefinite kernel.
func explainIndefinite(e *discriminant.IndefiniteKernelError, isRidge bool) error {
	switch {
	case e.Least < 0 && e.Positive == 0:
		return noPositive(e.Least)
	case e.Least < 0 || e.Positive > 0:
		return fmt.Errorf("the kernel is indefinite on these rows: its eigenvalues go from %.3g down to %.3g; --components %d or fewer take the positive part, or choose another kernel",
			e.Largest, e.Least, e.Positive)
	case isRidge:
		return fmt.Errorf("the kernel is indefinite on these rows, which --model ridge does not allow; a --ridge far above %.3g or another kernel would do", e.Ridge)
	}
	return fmt.Errorf("the kernel is indefinite on these rows, which --regularizer rkhs does not allow; a ridge far above %.3g, --regularizer ridge or another kernel would do", e.Ridge)
}

func noPositive(least float64) error {
	return fmt.Errorf("the kernel is indefinite on these rows: its centred matrix has no positive eigenvalue, and negative ones down to %.3g; choose another kernel", least)
}

// explainScatter says what an lda of a singular scatter needs.
func explainScatter(t *table.Table, e *discriminant.ScatterError) error {
	if e.Zero {
		return errors.New("every class is a single repeated row, so that the within-class scatter is zero; give it an absolute ridge, as with --ridge 1e-3")
	}
	const remedy = "give it a ridge, as with --relative-ridge 1e-3, or --regularizer ledoit-wolf"
	if e.Col >= 0 {
		return fmt.Errorf("%s: no spread within the classes, so that the within-class scatter is singular; %s", t.ColumnText(e.Col), remedy)
	}
	return fmt.Errorf("the within-class scatter is singular; %s", remedy)
}

// remedyForShape says how a table that is not square might come to be so.
func remedyForShape(t *table.Table) string {
	var label, right string
	if t.Layout.Label >= 0 {
		label, right = "; the label is "+table.ColumnText(t.Layout.Label+1, t.Layout.LabelName), ", is that right?"
	}
	switch {
	case t.X.Cols == t.Seen:
		return "; leave out the columns of the rows that are left out with --ignore" + label
	case t.X.Cols+1 == t.X.Rows:
		return label + right
	}
	return label
}

// explainLayout explains an error of reading a table for m.
func (m *savedModel) explainLayout(err error) error {
	var layout *table.Error
	if _, precomputed := kernelOf(m.learnt).(gram.Precomputed); !precomputed || !errors.As(err, &layout) || layout.Kind != table.Columns || layout.Want == 0 {
		return err
	}
	return fmt.Errorf("%s: rows×%d kernel values, want rows×%d: one column for each of the %d training rows, besides label, id and ignored columns",
		layout.File, layout.Got, layout.Want, layout.Want)
}

// explainSetting explains an error of the settings alone.
func explainSetting(err error) error {
	var ridge *discriminant.RidgeError
	if errors.As(err, &ridge) {
		return usage("%s: %s", regularizerFlag(ridge.Regularizer), ridge.Reason)
	}
	return usageError{err}
}

// regularizerFlag is the flag that makes r.
func regularizerFlag(r discriminant.Regularizer) string {
	v := r.Value()
	switch name, _, _ := strings.Cut(r.String(), "("); name {
	case "Ridge", "RKHS":
		return fmt.Sprintf("--ridge %v", v)
	case "Shrink":
		return fmt.Sprintf("--shrink %v", v)
	case "LedoitWolf":
		return "--regularizer ledoit-wolf"
	}
	return fmt.Sprintf("--relative-ridge %v", v)
}

// explainFolds says what in a table stands against the folds.
func explainFolds(t *table.Table, err error) error {
	var rare *cv.RareClassError
	var folds *cv.FoldsError
	switch {
	case errors.As(err, &rare) && rare.Rows == 1:
		return fmt.Errorf("%s: class %s has 1 row, which no fit could be trained and tested on%s", t.File, show.Name(rare.Class), withoutClass(t, rare.Class))
	case errors.As(err, &rare):
		return fmt.Errorf("%s: class %s has %d rows, fewer than the %d folds; say --folds %d", t.File, show.Name(rare.Class), rare.Rows, rare.Folds, rare.Rows)
	case errors.As(err, &folds):
		say := ""
		if folds.Folds > folds.Rows && folds.Rows > 1 {
			say = fmt.Sprintf("; say --folds %d", folds.Rows)
		}
		return fmt.Errorf("%s: %s in %s: %s%s", t.File, plural.Count(folds.Folds, "fold"), plural.Count(folds.Rows, "row"), folds.Reason, say)
	}
	return fmt.Errorf("%s: %w", t.File, err)
}

// withoutClass says how to leave a class out: by its label as the mark of a missing one, where no
// number could be meant.
func withoutClass(t *table.Table, class string) string {
	_, number := strconv.ParseFloat(class, 64)
	if number == nil || !table.CanMark(class) || slices.Contains(t.Layout.Markers, class) {
		return "; leave its rows out of the table, or join it with another class"
	}
	flags := ""
	if rule := t.Layout.Missing; rule == "" || rule == table.RefuseMissing {
		flags = " --missing " + table.DropMissing
	}
	return "; without its rows:" + flags + " --missing-values " + shellWord(strings.Join(append(slices.Clone(t.Layout.Markers), class), ","))
}

// name names fold k, which t was divided into, as in "fold 2".
func (f *foldFlags) name(t *table.Table, k int) string {
	if f.given != "" {
		return "fold " + show.Name(discriminant.Classes(t.IDs[0])[k])
	}
	return "fold " + strconv.Itoa(k)
}

// explain explains why a fit of m, or a fit in a fold, has no result.
func (f *foldFlags) explain(t *table.Table, m method, err error) error {
	var fold cv.Failure
	var scaling *cv.ScalingError
	switch {
	case errors.As(err, &scaling): // of all rows
		return explainScaling(t, m, scaling)
	case errors.As(err, &fold):
		return fmt.Errorf("%s: %w", f.name(t, fold.Fold), explainInFold(t, m, fold.Err))
	}
	return explainProblem(t, m, err)
}

// explainScaling explains why tune has no gamma to begin with.
func explainScaling(t *table.Table, m method, err *cv.ScalingError) error {
	var gamma *gram.ParameterError
	if !errors.As(err, &gamma) {
		return fmt.Errorf("with --scale %v: %w", err.Scaling, explainInFold(t, m, err.Err))
	}
	reason, _, _ := strings.Cut(strings.TrimPrefix(gamma.Reason, "has no default here: "), ";")
	if err.Scaling == discriminant.NoScaling {
		reason += "; scale the columns, as with --scale standard,minmax"
	}
	return fmt.Errorf("with --scale %v there is no gamma to begin with: %s", err.Scaling, reason)
}

// explainInFold explains a problem with some rows of t, which the error counts in its own
// way.
func explainInFold(t *table.Table, m method, err error) error {
	var (
		feature  *matrix.NotFiniteError
		domain   *gram.DomainError
		value    *gram.NotFiniteError
		overflow *discriminant.OverflowError
		spread   *discriminant.ColumnRangeError
	)
	switch {
	case errors.As(err, &feature):
		return fmt.Errorf("%s: a value cannot be scaled like the column in training: the result is not a finite number", t.ColumnText(feature.Col))
	case errors.As(err, &domain):
		return fmt.Errorf("%s: the kernel %s does not take %v: %s", t.ColumnText(domain.Col), domain.Kernel, domain.Value, domain.Reason)
	case errors.As(err, &value):
		return fmt.Errorf("a kernel value is %v; scale the columns or choose other parameters of the kernel", value.Value)
	case errors.As(err, &overflow):
		return fmt.Errorf("component %d of the projection of a row is beyond the range of numbers", overflow.Component+1)
	case errors.As(err, &spread):
		return fmt.Errorf("%s: the values are too far apart, or too close together, to be scaled; rescale the column, or say --scale none", t.ColumnText(spread.Col))
	}
	return explainProblem(t, m, err)
}
