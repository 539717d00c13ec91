package discriminant

import (
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Details is what a model has by the method that it was fitted with: a [KFDADetails],
// [LDADetails], [KernelPCADetails], [KernelRidgeDetails] or [SVMDetails].
type Details interface{ details() }

// Details returns what the model has by its method:
//
//	model.Details().(discriminant.KFDADetails).Alpha()
func (f *fitted) Details() Details {
	f.needs("Details")
	return f.method.details(f)
}

// expansion returns the kernel expansion of the model, or nil where it has none.
func (f *fitted) expansion() *kernelEmbedding {
	if e, ok := f.pipeline.embedding.(interface{ expansion() *kernelEmbedding }); ok {
		return e.expansion()
	}
	return nil
}

// kernel returns the kernel of the embedding, or nil where it has none.
func (f *fitted) kernel() gram.Kernel {
	if e, ok := f.pipeline.embedding.(interface{ kernel() gram.Kernel }); ok {
		return e.kernel()
	}
	return nil
}

// kernelled is a model with a kernel.
type kernelled struct{ of *fitted }

// Kernel returns the kernel with all parameters resolved.
func (v kernelled) Kernel() gram.Kernel {
	v.of.needs("Kernel")
	return v.of.kernel()
}

// expansion is a model of kernel values of all training rows.
type expansion struct{ kernelled }

// LeftShare returns, of a model of a [Stream], the share that the landmarks leave out of the trace of the
// kernel matrix of all rows, Σ wᵢ(k(xᵢ, xᵢ) − k̂(xᵢ, xᵢ)) over Σ wᵢk(xᵢ, xᵢ); 0 of another. The row x has
// a share ℓ(x) of its own, and |k(x, y) − k̂(x, y)|² ≤ ℓ(x)ℓ(y)·k(x, x)k(y, y).
func (v expansion) LeftShare() float64 {
	v.of.needs("LeftShare")
	if l := v.of.expansion().landmarks; l != nil {
		return l.left
	}
	return 0
}

// Alpha returns a copy of the n×components coefficients of the kernel values, which are
// centred ones for [KernelPCA] and for a ridge in the RKHS; those of the landmarks for a model of a
// [Stream].
func (v expansion) Alpha() *matrix.Dense {
	v.of.needs("Alpha")
	return v.of.expansion().alpha.Clone()
}

func expansionOf(f *fitted) expansion { return expansion{kernelled{f}} }

// spectrum is a model with eigenvalues.
type spectrum struct{ of *fitted }

// Eigenvalues returns λ, descending, one a component: between-class over regularised
// within-class scatter, or for [KernelPCA] the eigenvalues of the doubly centred kernel
// matrix, n times the variances.
func (v spectrum) Eigenvalues() []float64 {
	v.of.needs("Eigenvalues")
	return slices.Clone(v.of.lambda)
}

// regularised is a model with a regulariser.
type regularised struct{ of *fitted }

// Regularizer returns the regulariser of the fit.
func (v regularised) Regularizer() Regularizer {
	v.of.needs("Regularizer")
	return v.of.solution.regularizer
}

// Ridge returns the absolute ε that the regulariser came to, the factor of I or of K in the
// regularised within-class scatter, or the λ of [KernelRidge].
func (v regularised) Ridge() float64 {
	v.of.needs("Ridge")
	return v.of.solution.ridge
}

// trusted is a model that knows how far it can be trusted.
type trusted struct{ of *fitted }

// Certificate returns how far the fit can be trusted.
func (v trusted) Certificate() Certificate {
	v.of.needs("Certificate")
	return v.of.solution.certificate
}

// classified is a model with a [Classifier] of its projections.
type classified struct{ of *fitted }

// Classifier returns the classifier of the projections.
func (v classified) Classifier() Classifier {
	v.of.needs("Classifier")
	return v.of.rule.(projectionRule).classifier()
}

// Centroids returns a copy of the classes×components means of the projections of the
// training rows that the classifier was fitted to.
func (v classified) Centroids() *matrix.Dense {
	v.of.needs("Centroids")
	return v.of.rule.(projectionRule).means().Clone()
}

// Priors returns a copy of the priors that were given for the fit, in class order, or nil
// where they are the classes' shares of the training rows.
func (v classified) Priors() []float64 {
	v.of.needs("Priors")
	return slices.Clone(v.of.solution.priors)
}

// ofDiscriminants reports whether a model of discriminant directions can have the shape.
func (s fileShape) ofDiscriminants() bool { return s.classes > 0 && s.components <= s.classes-1 }

// discriminants is a model of discriminant directions.
type discriminants struct {
	spectrum
	regularised
	trusted
	classified
}

func discriminantsOf(f *fitted) discriminants {
	return discriminants{spectrum{f}, regularised{f}, trusted{f}, classified{f}}
}

// Shrinkage returns the intensity s of Shrink(s) or, from the data, of LedoitWolf(), and 0
// for another regulariser.
func (v discriminants) Shrinkage() float64 {
	v.spectrum.of.needs("Shrinkage")
	return v.spectrum.of.solution.shrinkage
}

// solution is how a model was regularised and how far it can be trusted.
type solution struct {
	scatter     Scatter
	regularizer Regularizer // resolved
	shrinkage   float64     // the intensity, of a regulariser that has one
	ridge       float64
	priors      []float64 // as given, or nil
	leaveOneOut bool
	certificate Certificate
}
