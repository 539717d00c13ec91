package gram

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// A distance that overflows must not become the kernel value 0 where γ would make
// it another one: such γ are refused, given or derived.
func TestOverflowingDistances(t *testing.T) {
	x, _ := matrix.FromRows([][]float64{{0}, {1e155}, {3e155}, {4e155}})
	must.Refuse[*ParameterError](Matrix(nil, RBF{}, x))(t, "the default γ")
	for _, k := range []Kernel{RBF{0x1p-1015}, Laplacian{0x1p-1015}, ChiSquared{5e-324}} {
		must.Fail[*ParameterError](t, fmt.Sprintf("%T", k), k.Validate())
	}
	// With the least γ that is allowed, an overflow is the value 0 that it should be.
	k := must.Get(Matrix(nil, RBF{leastDecay}, x))(t)
	must.Equal(t, "exp(−2⁻¹⁰¹⁴·1e310)", k.At(0, 1), 0)
}

// Kernel gives a kernel of its own, and pointers to kernels are refused.
func TestKernelIsACopy(t *testing.T) {
	x, _ := matrix.FromRows([][]float64{{0}, {1}})
	e := must.Get(NewEvaluator(Sum{[]Kernel{RBF{1}, Scaled{2, Product{[]Kernel{Linear{}}}}}}, x))(t)
	want := e.Kernel().String()
	e.Kernel().(Sum).Terms[1].(Scaled).Kernel.(Product).Factors[0] = Cosine{}
	e.Kernel().(Sum).Terms[0] = Cosine{}
	must.Equal(t, "kernel", e.Kernel().String(), want)
	must.Refuse[*ParameterError](NewEvaluator(&Precomputed{}, x))(t, "a pointer")
}
