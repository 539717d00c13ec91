package discriminant

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/section"
)

// RowsError says that a table and its labels do not have the same number of
// rows, or that there are none.
type RowsError struct {
	Rows, Labels int
}

func (e *RowsError) Error() string {
	if e.Rows == 0 && e.Labels == 0 {
		return "discriminant: no rows to fit"
	}
	return fmt.Sprintf("discriminant: %s but %s", plural.Count(e.Rows, "row"), plural.Count(e.Labels, "label"))
}

// ClassesError says that the labels hold fewer than two classes.
type ClassesError struct {
	Found []string // the classes that there are, as text
}

func (e *ClassesError) Error() string {
	names := strings.Join(e.Found, ", ")
	if strings.TrimSpace(names) == "" {
		names = strconv.Quote(names)
	}
	return fmt.Sprintf("discriminant: need at least two classes, found %d: %s", len(e.Found), names)
}

// FeatureError says that rows do not have the columns that a model or a scaler
// was fitted on.
type FeatureError struct {
	Got, Want int // columns
}

func (e *FeatureError) Error() string {
	return fmt.Sprintf("discriminant: rows have %s, want the %d of the training rows", plural.Count(e.Got, "column"), e.Want)
}

// ParameterError names a field of a method that has no legal value.
type ParameterError struct {
	Field  string
	Value  string
	Reason string
}

func (e *ParameterError) Error() string {
	return fmt.Sprintf("discriminant: %s = %s: %s", e.Field, e.Value, e.Reason)
}

// ComponentsError says that more components were requested than there are
// discriminant directions: at most the number of classes less one, and at most
// the numerical rank of the class means.
type ComponentsError struct {
	Asked         int
	Classes, Rank int
}

func (e *ComponentsError) Error() string {
	if e.Asked <= e.Classes-1 && e.Asked > e.Rank {
		return fmt.Sprintf("discriminant: %s asked for, but the means of the %d classes span only %s: at most %d", plural.Count(e.Asked, "component"), e.Classes, plural.Count(e.Rank, "dimension"), e.Rank)
	}
	return fmt.Sprintf("discriminant: %s asked for, want 1 to %d (classes − 1), or 0 for all", plural.Count(e.Asked, "component"), e.Classes-1)
}

// CoincidentMeansError says that the class means coincide in the space of the
// features or, for a kernel, in its feature space, up to rounding, so that no
// direction discriminates.
type CoincidentMeansError struct {
	Contrast float64 // largest singular value of the between-class contrasts of K or of the features
	Norm     float64 // Frobenius norm of K or of the features
}

func (e *CoincidentMeansError) Error() string {
	return fmt.Sprintf("discriminant: the class means coincide (contrast %.3g against values of norm %.3g): no direction of this space separates the classes", e.Contrast, e.Norm)
}

// RidgeError says that a regulariser can't be used on this kernel matrix.
type RidgeError struct {
	Regularizer Regularizer
	Ridge       float64 // its absolute ε, where there is one
	Reason      string
}

func (e *RidgeError) Error() string {
	return fmt.Sprintf("discriminant: %v: %s", e.Regularizer, e.Reason)
}

// IndefiniteKernelError says that the kernel is indefinite. Either the kernel
// matrix, centred or not, plus a ridge is not positive definite, so that a ridge
// in the RKHS has no meaning; or all components were asked of [KernelPCA], and
// some eigenvalues are negative.
type IndefiniteKernelError struct {
	Ridge float64
	Pivot int     // 0-based row at which the factorization stopped, −1 in a path of fits
	Value float64 // of the pivot there, ≤ 0

	Least, Largest float64 // of KernelPCA: eigenvalues of the centred kernel matrix
	Positive       int     // and how many are above zero
}

func (e *IndefiniteKernelError) Error() string {
	if e.Pivot < 0 {
		return fmt.Sprintf("discriminant: the kernel is indefinite: its centred matrix is so beyond the ridge %.3g, or along the class means; use a ridge on the coefficients, which needs no definite kernel, or a larger one", e.Ridge)
	}
	if e.Least < 0 && e.Positive == 0 {
		return fmt.Sprintf("discriminant: the kernel is indefinite: its centred matrix has no positive eigenvalue, and negative ones down to %.6g; change the kernel", e.Least)
	}
	if e.Least < 0 || e.Positive > 0 { // Least may have underflowed
		return fmt.Sprintf("discriminant: the kernel is indefinite: the eigenvalues of its centred matrix go from %.6g down to %.6g; ask for at most %s, the positive part, or change the kernel", e.Largest, e.Least, plural.Count(e.Positive, "component"))
	}
	return fmt.Sprintf("discriminant: the kernel is indefinite: its matrix plus the ridge %.3g has the pivot %.3g at row %d; use a larger ridge, another kernel or, for KFDA, a ridge on the coefficients, which needs no definite kernel", e.Ridge, e.Value, e.Pivot)
}

// AccuracyError says that a fit was refused because its accuracy can't be
// vouched for.
type AccuracyError struct {
	What         string
	Value, Limit float64
	Remedy       string // what helps besides scaled features, as "a larger ridge"; "" if nothing does
}

func (e *AccuracyError) Error() string {
	remedy := "scale the features"
	if e.Remedy != "" {
		remedy = "use " + e.Remedy + " or " + remedy
	}
	return fmt.Sprintf("discriminant: %s is %.3g, above the limit of %.3g: %s", e.What, e.Value, e.Limit, remedy)
}

// IntervalError says that [ConjugateGradients] leave the interval of an eigenvalue wider than
// requested.
type IntervalError struct {
	Eigenvalue              int     // 0-based
	Low, High, Width, Limit float64 // the interval, its width relative to Low, and what was requested
	Steps, Rank             int
	Rounding                bool // is what keeps it wide; else it is the number of steps
}

func (e *IntervalError) Error() string {
	cause, remedy := fmt.Sprintf("%s with rank %d", plural.Count(e.Steps, "step"), e.Rank), "a larger Rank"
	if e.Rounding {
		cause, remedy = "rounding", "a larger Width"
	}
	return fmt.Sprintf("discriminant: after %s eigenvalue %d is known to be between %.6g and %.6g only, a relative width of %.2g, and %.2g is requested: use %s or a %s ridge", cause, e.Eigenvalue, e.Low, e.High, e.Width, e.Limit, remedy, e.Ridge())
}

// Ridge returns which ridge helps, a "larger" or a "smaller" one.
func (e *IntervalError) Ridge() string {
	if e.Rounding && e.High < 1 { // what is left of the eigenvalue is rounding of 1/(1 + λ)
		return "smaller"
	}
	return "larger"
}

// ColumnRangeError says that the values of a column are so far apart, or so near
// each other, that their spread or its reciprocal is not a finite number.
type ColumnRangeError struct {
	Col int // 0-based
}

func (e *ColumnRangeError) Error() string {
	return fmt.Sprintf("discriminant: column %d: the spread of its values or its reciprocal overflows", e.Col)
}

// OverflowError says that the projection of a row is not a finite number.
type OverflowError struct {
	Row, Component int // 0-based
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("discriminant: row %d: component %d of its projection overflows", e.Row, e.Component)
}

// DecisionError says that a decision value was asked of a model that does not
// have exactly two classes.
type DecisionError struct {
	Classes int
}

func (e *DecisionError) Error() string {
	return fmt.Sprintf("discriminant: a decision value needs two classes, the model has %d", e.Classes)
}

// PosteriorsError says that posterior probabilities were asked of a model whose
// rule has none.
type PosteriorsError struct {
	Rule string // "centroid", "ridge" or, of machines without Probability, "vote" or "svm"
}

func (e *PosteriorsError) Error() string {
	if e.Rule == votingKind || e.Rule == machineRuleKind {
		return "discriminant: these support vector machines have no posterior probabilities: fit with the SVM's Probability set"
	}
	return fmt.Sprintf("discriminant: the rule %q has no posterior probabilities: fit with the classifier Gaussian or KNN, or with an SVM whose Probability is set", e.Rule)
}

// VotesError says that the votes of machines were requested of a model that has none.
type VotesError struct {
	Rule string // the rule that the model has: "centroid", "gaussian", …
}

func (e *VotesError) Error() string {
	return fmt.Sprintf("discriminant: the rule %q has no machines that vote: fit an SVM, or with an SVM as the classifier", e.Rule)
}

// FormatError says what is wrong with a model file: Reason in words, Section and Field
// where. Field is "" where the fault lies in no field, Section where it lies outside the
// sections. Offset is in bytes, from the start of the section's data where Field is
// set, else of the file.
type FormatError = section.FormatError

// ValueError says that a value of a model can't be stored in a file: of which Section
// and Field, and in Reason why.
type ValueError = section.ValueError

// DecisionRangeError says that the threshold between two classes, or the scale of
// its coordinate, is outside the range of float64.
type DecisionRangeError struct {
	Scale, Threshold float64
}

func (e *DecisionRangeError) Error() string {
	return fmt.Sprintf("discriminant: the decision between the two classes is out of range (scale %g, threshold %g): scale the kernel or the features", e.Scale, e.Threshold)
}

// ScatterError says that the within-class scatter of [LDA] is singular: some
// direction has a spread over all rows but none within the classes, or there are
// fewer rows than dimensions.
type ScatterError struct {
	Col  int  // 0-based: a feature with no spread within the classes, or −1 if none is known
	Zero bool // no feature has any: every class is a single repeated point
}

func (e *ScatterError) Error() string {
	if e.Zero {
		return "discriminant: the within-class scatter is zero, so that every class is a single repeated point: add an absolute ridge, as with Ridge(1e-3)"
	}
	what := "the within-class scatter is singular"
	if e.Col >= 0 {
		what += fmt.Sprintf(" (column %d has no spread within the classes)", e.Col)
	}
	return "discriminant: " + what + ": add a ridge or shrink it, as with RelativeRidge(1e-3) or LedoitWolf()"
}

// RankError says that more components were asked of [KernelPCA] than the centred
// kernel matrix has eigenvalues above zero, or that it has none.
type RankError struct {
	Asked int // 0 for all
	Rank  int // eigenvalues above zero, or a bound of their number
	Rows  int // of training
	// Value is the first eigenvalue that does not count as positive, Limit the rounding
	// n·u·max(max|λ|, max|Kᵢⱼ|) of the kernel matrix, up to which it does not; both
	// are 0 where they are not known.
	Value, Limit float64
	// Least is the smallest eigenvalue, or a bound of it, where that is below −Limit:
	// the kernel is then indefinite. Else it is 0.
	Least float64
}

func (e *RankError) Error() string {
	switch {
	case e.Rank == 0 && e.Least < 0:
		return fmt.Sprintf("discriminant: the kernel is indefinite: its centred matrix has no positive eigenvalue, and negative ones down to %.3g; change the kernel", e.Least)
	case e.Rank == 0:
		return "discriminant: the centred kernel matrix is zero up to rounding: all rows coincide in the feature space of the kernel"
	case e.Limit == 0:
		return fmt.Sprintf("discriminant: %s asked for, but %d rows have at most %d (rows − 1) in the feature space", plural.Count(e.Asked, "component"), e.Rows, e.Rank)
	}
	text := fmt.Sprintf("discriminant: %s asked for, but the centred kernel matrix of the %d rows has only %s above rounding (the next is %.3g, the limit %.3g): ask for at most %d", plural.Count(e.Asked, "component"), e.Rows, plural.Count(e.Rank, "eigenvalue"), e.Value, e.Limit, e.Rank)
	if e.Least < 0 {
		text += fmt.Sprintf("; the kernel is indefinite, with eigenvalues down to %.3g", e.Least)
	}
	return text
}

func init() { fisher.Public = publicError }

// publicError returns an error of package fisher as that of the same name here, and any
// other as it is.
func publicError(err error) error {
	switch e := err.(type) {
	case *fisher.AccuracyError:
		return (*AccuracyError)(e)
	case *fisher.CoincidentMeansError:
		return (*CoincidentMeansError)(e)
	case *fisher.ColumnRangeError:
		return (*ColumnRangeError)(e)
	case *fisher.ComponentsError:
		return (*ComponentsError)(e)
	case *fisher.IndefiniteKernelError:
		return (*IndefiniteKernelError)(e)
	case *fisher.IntervalError:
		return (*IntervalError)(e)
	case *fisher.OverflowError:
		return (*OverflowError)(e)
	case *fisher.RankError:
		return (*RankError)(e)
	case *fisher.RidgeError:
		return &RidgeError{Regularizer: regularizerOf(e.Regularizer), Ridge: e.Ridge, Reason: e.Reason}
	case *fisher.ScatterError:
		return (*ScatterError)(e)
	}
	return err
}

// UnknownClassError says that a row has a label that is none of the classes of a [Stream].
type UnknownClassError struct {
	Row   int
	Class string
	Known []string
}

func (e *UnknownClassError) Error() string {
	return fmt.Sprintf("discriminant: row %d has the class %q, which the sample that the stream was started with does not have: %q are known", e.Row, e.Class, e.Known)
}
