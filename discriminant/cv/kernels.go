package cv

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

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
	} else if kernel != (gram.RBF{}) {
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
// error is a *[ScalingError] with that of GammaScale or [discriminant.FitScaler]. The rows may
// have weights, as in these.
func DefaultGammas(scaling discriminant.Scaling, x *matrix.Dense, weights ...float64) ([]float64, error) {
	return defaultGammas(gram.RBF{}, scaling, x, weights)
}

// defaultGammas is DefaultGammas of a kernel, with γ₀ its own default.
func defaultGammas(kernel gram.Kernel, scaling discriminant.Scaling, x *matrix.Dense, weights []float64) ([]float64, error) {
	centre, err := scaleOf(kernel, scaling, x, weights)
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
func scaleOf(kernel gram.Kernel, scaling discriminant.Scaling, x *matrix.Dense, weights []float64) (float64, error) {
	if scaling != discriminant.NoScaling {
		scaler, err := discriminant.FitScaler(scaling, x, weights...)
		if err != nil {
			return 0, err
		}
		if x, err = scaler.Transform(nil, x); err != nil {
			return 0, err
		}
	}
	kernel, err := gram.Resolve(kernel, x, weights...)
	if err != nil {
		return 0, err
	}
	_, gamma, _ := withGamma(kernel, 0)
	return gamma, nil
}
