package cv

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// axis is what is searched of a method beside its kernel, scaling and classifier.
type axis struct {
	parameter string    // "" for the relative ridge
	values    []float64 // that are tried where none are given, of the smoother model first
	with      func(value float64) discriminant.Method
}

// axisOf returns the axis of a method. Values that are none, of which the method would take
// the default, make it invalid.
func axisOf(m discriminant.Method) axis {
	switch m := m.(type) {
	case discriminant.SVM:
		return axis{"C", []float64{0.1, 1, 10, 100, 1000}, func(c float64) discriminant.Method {
			if m.C = c; c == 0 {
				m.C = math.NaN()
			}
			return m
		}}
	case discriminant.KernelRidge:
		return axis{"", []float64{1e2, 1, 1e-2, 1e-4, 1e-6, 1e-8}, func(ridge float64) discriminant.Method {
			m.Regularizer = discriminant.RelativeRidge(ridge)
			return m
		}}
	case discriminant.LDA: // with s/(1−s) for the relative ridge the discriminants differ by their length alone
		return axis{"shrink", []float64{1, 0.5, 0.2, 0.1, 0.01, 0.001, 0}, func(intensity float64) discriminant.Method {
			if m.Regularizer = (discriminant.Regularizer{}); intensity != 0 {
				m.Regularizer = discriminant.Shrink(intensity)
			}
			return m
		}}
	case discriminant.KernelPCA:
		return axis{"components", []float64{1, 2, 4, 8, 16, 32}, func(count float64) discriminant.Method {
			if m.Components = int(count); m.Components == 0 || float64(m.Components) != count {
				m.Components = -1
			}
			return m
		}}
	}
	kfda := m.(discriminant.KFDA)
	regularizer, values := discriminant.RelativeRidge, []float64{1e2, 1, 1e-2, 1e-4, 1e-6, 1e-8}
	if inRKHS(kfda) {
		regularizer, values = discriminant.RelativeRKHS, []float64{100, 10, 1, 1e-1, 1e-2, 1e-3}
	}
	return axis{"", values, func(ridge float64) discriminant.Method {
		kfda.Regularizer = regularizer(ridge)
		return kfda
	}}
}

// smallFirst reports whether a smaller value makes the smoother model.
func (a axis) smallFirst() bool { return a.values[0] < a.values[1] }

// withGamma returns the kernel with that γ, and its own; has is false for one without γ.
func withGamma(k gram.Kernel, gamma float64) (with gram.Kernel, own float64, has bool) {
	switch k := k.(type) {
	case gram.RBF:
		own, k.Gamma = k.Gamma, gamma
		return k, own, true
	case gram.Laplacian:
		own, k.Gamma = k.Gamma, gamma
		return k, own, true
	case gram.ChiSquared:
		own, k.Gamma = k.Gamma, gamma
		return k, own, true
	case gram.Polynomial:
		own, k.Gamma = k.Gamma, gamma
		return k, own, true
	case gram.Sigmoid:
		own, k.Gamma = k.Gamma, gamma
		return k, own, true
	}
	return k, 0, false
}

// kernelNames returns the texts of the kernels, ascending; "" stands for that of the method.
func (s Search) kernelNames() []string {
	if s.Kernels == nil {
		return []string{""}
	}
	var names []string
	for _, k := range s.Kernels {
		names = append(names, fmt.Sprint(k))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// kernelOf returns the kernel of that text with γ, where γ is searched, and whether it is.
func (s Search) kernelOf(name string, gamma float64) (gram.Kernel, bool) {
	kernel := s.base().Settings().Kernel
	if at := slices.IndexFunc(s.Kernels, func(k gram.Kernel) bool { return fmt.Sprint(k) == name }); at >= 0 {
		kernel = s.Kernels[at]
	} else if _, linear := s.Method.(discriminant.LDA); linear || kernel != nil && kernel != (gram.RBF{}) {
		return kernel, false
	}
	if kernel == nil {
		kernel = gram.RBF{}
	}
	with, own, has := withGamma(kernel, gamma)
	if !has || own != 0 {
		return kernel, false
	}
	return with, true
}

func (s Search) tunesGamma(name string) bool {
	_, tuned := s.kernelOf(name, 1)
	return tuned
}

// DefaultGammas returns the γ of an rbf kernel that are tried where none are given:
// γ₀·4ᵏ, k = −3 … 3, with γ₀ that of [gram.GammaScale] for the rows of x, scaled. Its
// error is a *[ScalingError] with that of GammaScale or [discriminant.FitScaler].
func DefaultGammas(scaling discriminant.Scaling, x *matrix.Dense) ([]float64, error) {
	return defaultGammas(gram.RBF{}, scaling, x)
}

// defaultGammas is DefaultGammas of a kernel, with γ₀ its own default.
func defaultGammas(kernel gram.Kernel, scaling discriminant.Scaling, x *matrix.Dense) ([]float64, error) {
	centre, err := scaleOf(kernel, scaling, x)
	if err != nil {
		return nil, &ScalingError{Scaling: scaling, Err: err}
	}
	var gammas []float64
	for k := -3; k <= 3; k++ {
		gammas = append(gammas, math.Ldexp(centre, 2*k))
	}
	return gammas, nil
}

// scaleOf returns γ₀, the default γ of the kernel for the scaled rows.
func scaleOf(kernel gram.Kernel, scaling discriminant.Scaling, x *matrix.Dense) (float64, error) {
	if scaling != discriminant.NoScaling {
		scaler, err := discriminant.FitScaler(scaling, x)
		if err != nil {
			return 0, err
		}
		if x, err = scaler.Transform(nil, x); err != nil {
			return 0, err
		}
	}
	kernel, err := gram.Resolve(kernel, x)
	if err != nil {
		return 0, err
	}
	_, gamma, _ := withGamma(kernel, 0)
	return gamma, nil
}
