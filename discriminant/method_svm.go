package discriminant

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// SVM is the C-support vector machine: for two classes the function
// f(x) = Σᵢ uᵢ k(xᵢ, x) + b that minimises
//
//	½‖f‖² + Σᵢ Cᵢ max(0, 1 − yᵢ f(xᵢ)),   yᵢ = −1 in the first class, +1 in the second,
//
// ‖f‖ the norm in the feature space of the kernel without b, and Cᵢ = C times the
// weight of row i and that of its class (Cortes & Vapnik, "Support-vector networks", 1995). It is
// found by sequential minimal optimisation, see [solve.SMO]. The second class is
// predicted where f > 0.
//
// For more classes there is one such machine for each pair of classes, trained on
// their rows alone; each votes for one of its two classes, and the class with most
// votes is predicted, the first of them in a tie.
//
// It is a method of its own: Project gives the values of all machines, for the
// pairs (0,1), (0,2), …, (1,2), … of class numbers, positive for the later class of
// the pair, and Decision that of two classes. It is also a [Classifier] of the
// projections of another method. The model keeps the support vectors, the rows
// with uᵢ ≠ 0 in any machine, and not the other rows. The zero value is an rbf
// kernel with [gram.GammaScale], C = 1 and no scaling.
type SVM struct {
	// Kernel is the kernel; nil means gram.RBF{}. Parameters that are zero are
	// resolved from the (scaled) training rows, or from their projections. With
	// gram.Precomputed, which is not for projections, the table is the n×n kernel
	// matrix itself, and new rows have n kernel values each.
	Kernel gram.Kernel

	// C is the price of a violated margin; 0 means 1.
	C float64

	// Weights multiply C for the rows of each class, in class order; nil means 1
	// for all.
	Weights []float64

	// Tolerance is the largest violation of the optimality conditions with which
	// the solver stops, in units of f; 0 means 1e-3.
	Tolerance float64

	// MaxIterations bounds the steps of each machine's solver; 0 bounds them by their
	// progress, see [solve.SMOOptions]. Reaching the bound is a *[MachineError]: with
	// features of very different size, such as a column that numbers the rows, that
	// can happen, after minutes; Scaling helps. A slow linear kernel of at most as many
	// features as rows goes to an interior-point method, see [solve.SMO].
	MaxIterations int

	// CacheBytes bounds the kernel values that are kept while fitting; 0 means
	// 200 MiB. It never changes a result.
	CacheBytes int64

	// Probability adds posteriors to the model, at the price of five more fits of
	// 4/5 of the rows: for each pair of classes the probability
	// 1/(1 + exp(Af + B)) of the later one is fitted to values f of rows that the
	// machine was not trained on (Platt 1999; Lin, Lin & Weng 2007), A ≤ 0, so that it
	// never falls where f rises: of a machine that is worse than chance on these rows it
	// is a constant. A row's fold
	// is its rank among the rows of its class, modulo 5; where a fold leaves rows
	// of one class only, f is ±1 for that class. Posteriors come from all pairs by
	// the second method of Wu, Lin & Weng (2004). Predictions do not: they follow
	// the votes, which may favour another class than the posteriors do where these
	// are close to each other.
	Probability bool

	// Scaling is how the columns are scaled before the kernel sees them. The
	// scaling is fitted on the training rows and kept in the model. Projections
	// are taken as they are.
	Scaling Scaling
}

// Validate returns an error for a field that has no legal value whatever the
// data: a *[ParameterError] or an error of the kernel.
func (m SVM) Validate() error {
	fault := func(field string, value any, reason string) error {
		return &ParameterError{Field: field, Value: fmt.Sprint(value), Reason: reason}
	}
	switch {
	case !(m.C >= 0) || math.IsInf(m.C, 1):
		return fault("C", m.C, "want a positive number, or 0 for 1")
	case !(m.Tolerance >= 0 && m.Tolerance < 2): // u = 0 violates the conditions by 2
		return fault("Tolerance", m.Tolerance, "want a positive number below 2, or 0 for 1e-3")
	case m.MaxIterations < 0:
		return fault("MaxIterations", m.MaxIterations, "want a positive number, or 0 for the default")
	case m.CacheBytes < 0:
		return fault("CacheBytes", m.CacheBytes, "want a positive number, or 0 for the default")
	case isPrecomputed(m.Kernel) && m.Scaling != NoScaling:
		return fault("Scaling", m.Scaling, "a precomputed kernel matrix can't be scaled by columns; want NoScaling")
	}
	for _, w := range m.Weights {
		if bound := float64(m.resolved().C * w); !(bound > 0) || math.IsInf(w, 1) || math.IsInf(bound, 1) {
			return fault("Weights", m.Weights, "every weight, and C times it, must be a positive finite number")
		}
	}
	if m.Kernel != nil {
		if err := m.Kernel.Validate(); err != nil {
			return err
		}
	}
	return m.Scaling.validate()
}

// Settings returns the kernel, the scaling and, as the classifier, m.
func (m SVM) Settings() Settings {
	return Settings{Kernel: kernelOr(m.Kernel), Scaling: m.Scaling, Classifier: m}
}

// With returns m, or the classifier of s where that is an [SVM], with the kernel and the
// scaling of s.
func (m SVM) With(s Settings) Method {
	if c, ok := s.Classifier.(SVM); ok {
		m = c
	}
	m.Kernel, m.Scaling = s.Kernel, s.Scaling
	return m
}

// Parameter returns C.
func (m SVM) Parameter() Parameter {
	return Parameter{"C", []float64{0.1, 1, 10, 100, 1000}, func(c float64) Method {
		m := m
		if m.C = c; c == 0 {
			m.C = math.NaN()
		}
		return m
	}}
}

// String returns the machine as in "svm(C=1, kernel=rbf(gamma=0.5))".
func (m SVM) String() string {
	m = m.resolved()
	var b strings.Builder
	fmt.Fprintf(&b, "svm(C=%v, kernel=%v", m.C, m.Kernel)
	if m.Weights != nil {
		fmt.Fprintf(&b, ", weights=%v", m.Weights)
	}
	if m.Probability {
		b.WriteString(", probability")
	}
	return b.String() + ")"
}

// resolved makes the defaults that do not depend on the data explicit.
func (m SVM) resolved() SVM {
	m.Kernel = kernelOr(m.Kernel)
	if m.C == 0 {
		m.C = 1
	}
	if m.Tolerance == 0 {
		m.Tolerance = solve.DefaultTolerance
	}
	if m.CacheBytes == 0 {
		m.CacheBytes = solve.DefaultCacheBytes
	}
	return m
}

func (m SVM) fit(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error) {
	p := &pipeline{}
	rows, err := p.fitScaler(m.Scaling, x, of.Weights)
	if err != nil {
		return nil, err
	}
	machines, voting, err := m.resolved().train(ctx, rows, of)
	if err != nil {
		return nil, err
	}
	p.embedding = &machineEmbedding{machines}
	return &fitted{method: methodSVM, pipeline: p, rule: voting}, nil
}

// wanted: the default γ is that of the variance of all components' values together.
func (SVM) wanted(int) fisher.Wanted { return fisher.Wanted{Signs: true} }

func (m SVM) fitRule(ctx context.Context, p projections) (rule, error) {
	if m.Scaling != NoScaling {
		return nil, &ParameterError{Field: "Classifier", Value: m.String(), Reason: "projections are not scaled; want NoScaling"}
	}
	if isPrecomputed(m.Kernel) {
		return nil, &ParameterError{Field: "Classifier", Value: m.String(), Reason: "there is no precomputed kernel of projections"}
	}
	machines, voting, err := m.resolved().train(ctx, p.z, p.classes)
	if err != nil {
		return nil, err
	}
	return &machineRule{machines: machines, voting: voting, centroids: p.classes.Centroids(p.z)}, nil
}

// SVMDetails is what a model of [SVM] has; its machines, which other methods may have for a
// classifier, are those of [Model.Machines].
type SVMDetails struct{ kernelled }

func (SVMDetails) details() {}

var methodSVM = newMethod(methodFacts{
	name:      "svm",
	embedding: func() embedding { return &machineEmbedding{new(machines)} },
	rule:      func() rule { return new(voting) },
	plausible: func(s fileShape) bool { return s.classes > 0 && s.components == s.classes*(s.classes-1)/2 },
	details:   func(f *fitted) Details { return SVMDetails{kernelled{f}} },
})

// MachineError says for which pair of classes a machine could not be trained: an
// error of [solve.SMO].
type MachineError struct {
	First, Second int // class numbers
	Err           error
}

func (e *MachineError) Error() string {
	return fmt.Sprintf("discriminant: the machine of classes %d and %d: %v", e.First, e.Second, e.Err)
}

// Unwrap returns Err.
func (e *MachineError) Unwrap() error { return e.Err }
