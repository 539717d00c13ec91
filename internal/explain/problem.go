package explain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/solve"
)

// Problem explains an error of a fit of m to t, or to some of its rows, that is
// not about a row of these.
func Problem(t *table.Table, m discriminant.Method, err error) error {
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
	kfda, _ := m.(discriminant.KFDA)
	space := "the space of the kernel"
	if _, linear := m.(discriminant.LDA); linear {
		space = "the space of the columns"
	}
	switch {
	case errors.As(err, &shape):
		return fmt.Errorf("%d×%d kernel values, want %d×%d: with --kernel precomputed each training row has one column%s",
			shape.Rows, shape.Cols, shape.WantRows, shape.WantCols, remedyForShape(t))
	case errors.As(err, &kernel):
		return kernelProblem(t, m, kernel)
	case errors.As(err, &components) && components.Rank > 0 && components.Asked > components.Rank:
		return fmt.Errorf("--components %d: at most %d, for the means of the %d classes span no more dimensions in %s",
			components.Asked, components.Rank, components.Classes, space)
	case errors.As(err, &components):
		return fmt.Errorf("--components %d: at most %d for %d classes", components.Asked, components.Classes-1, components.Classes)
	case errors.As(err, &means):
		return fmt.Errorf("the classes have equal means in %s (contrast %.3g, norm %.3g), so no direction separates them; try other columns, another kernel or other parameters of it",
			space, means.Contrast, means.Norm)
	case errors.As(err, &ridge):
		return fmt.Errorf("%s: %s", Regularizer(ridge.Regularizer), strings.Replace(ridge.Reason, "give an absolute one", "give it as it is, as with --ridge 1e-3", 1))
	case errors.As(err, &accuracy):
		return accuracyProblem(accuracy)
	case errors.As(err, &interval):
		return intervalProblem(interval)
	case errors.As(err, &rank):
		return rankProblem(rank)
	case errors.As(err, &setting) && setting.Field == "Landmarks":
		return errors.New("all rows of the sample are 0 in the space of the kernel, so that none can be a landmark; try other columns or another kernel")
	case errors.As(err, &indefinite) && kfda.Conjugate != nil:
		return errors.New("the kernel is indefinite on these rows, which conjugate gradients do not allow; --solver direct or another kernel would do")
	case errors.As(err, &indefinite):
		_, isRidge := m.(discriminant.KernelRidge)
		return indefiniteProblem(indefinite, isRidge)
	case errors.As(err, &machine) && errors.As(err, &limit):
		return machineProblem(t, m, machine, limit)
	case errors.As(err, &scatter):
		return scatterProblem(t, scatter)
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
		return fmt.Errorf("%s: the ridge is too small for this kernel matrix: rounding makes a pivot %.2g", Regularizer(kfda.Regularizer), pivot.Value)
	}
	return err
}

// kernelProblem says which parameter of a kernel is wrong for the rows of t.
func kernelProblem(t *table.Table, m discriminant.Method, e *gram.ParameterError) error {
	switch m.Settings().Kernel.(type) {
	case gram.Sum, gram.Product, gram.Scaled, gram.Columns:
		if e.Kernel != "columns" {
			return fmt.Errorf("--kernel: the %s of %s %s", strings.ToLower(e.Parameter), e.Kernel, e.Reason)
		}
		return fmt.Errorf("--kernel: column %d, from 0: there are only %d columns besides label, ids, weights and ignored ones", int(e.Value), t.X.Cols)
	}
	return fmt.Errorf("--%s %s", strings.ToLower(e.Parameter), e.Reason)
}

// accuracyProblem says what helps where a fit is not accurate.
func accuracyProblem(e *discriminant.AccuracyError) error {
	remedy := "scaled columns help"
	if e.Remedy != "" {
		remedy = e.Remedy + " or " + remedy
	}
	return fmt.Errorf("%s is %.2g, above the limit of %.2g; %s", e.What, e.Value, e.Limit, remedy)
}

// intervalProblem says what helps where conjugate gradients do not come near enough.
func intervalProblem(e *discriminant.IntervalError) error {
	return fmt.Errorf("after %s of conjugate gradients eigenvalue %d is known to be between %.6g and %.6g only; a %s ridge or --solver direct help",
		plural.Count(e.Steps, "step"), e.Eigenvalue+1, e.Low, e.High, e.Ridge())
}

// rankProblem explains why there are fewer components than requested.
func rankProblem(e *discriminant.RankError) error {
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

// indefiniteProblem says what can be done with an indefinite kernel.
func indefiniteProblem(e *discriminant.IndefiniteKernelError, isRidge bool) error {
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

// scatterProblem says what an lda of a singular scatter needs.
func scatterProblem(t *table.Table, e *discriminant.ScatterError) error {
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

// Regularizer is the flag, with its value, that makes r.
func Regularizer(r discriminant.Regularizer) string {
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

// machineProblem says what helps where a support vector machine is not trained in the steps that it may take.
func machineProblem(t *table.Table, m discriminant.Method, e *discriminant.MachineError, limit *solve.IterationLimitError) error {
	classes := discriminant.Classes(t.Labels)
	_, remedy := Machines(m)
	return fmt.Errorf("the machine of the classes %s and %s violates its conditions by %.2g after %d steps, above the --tolerance of %g; %s",
		show.Name(classes[e.First]), show.Name(classes[e.Second]), limit.Gap, limit.Iterations, limit.Tolerance, remedy)
}

// Machines reports whether m trains support vector machines, and says what makes that easier.
func Machines(m discriminant.Method) (has bool, remedy string) {
	s := m.Settings()
	_, has = s.Classifier.(discriminant.SVM)
	if _, precomputed := s.Kernel.(gram.Precomputed); precomputed || s.Scaling != discriminant.NoScaling {
		return has, "a larger --tolerance or a smaller --C helps"
	}
	return has, "--scale standard helps, as a rule; so does a larger --tolerance, a smaller --C, or --ignore of a column that only numbers the rows"
}
