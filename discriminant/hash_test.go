package discriminant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/matrix"
)

// Whole fits have the same bits on every platform, with every instruction set
// and for any number of workers. Each hash is that of labels, parameters, α, λ,
// centroids, certificate and the projections of fixed rows. Where a change of
// the arithmetic is meant, the failing test prints the new values.
func TestGoldenHashes(t *testing.T) {
	iris, wine := golden.Load(t, "medium/iris_rbf"), golden.Load(t, "medium/wine_std_rbf")
	fits := []struct {
		name   string
		data   *golden.Problem
		method KFDA
		want   string
	}{
		{"iris default", iris, KFDA{}, "efe03db9941485b3"},
		{"iris polynomial", iris, KFDA{Kernel: gram.NewPolynomial(3), Regularizer: Ridge(1e-3)}, "5c1cf20abcf2ad39"},
		{"iris RKHS", iris, KFDA{Regularizer: RelativeRKHS(1e-4), Scaling: MinMax}, "a5132c5f4f36bf47"},
		{"iris sigmoid", iris, KFDA{Kernel: gram.Sigmoid{Gamma: 0.01, Coef0: -1}, Scaling: Standard}, "640fb7ddd1bf83ca"},
		{"wine default", wine, KFDA{}, "81f3f1e2e5fb3f54"},
		{"wine Laplacian averaged", wine, KFDA{Kernel: gram.Laplacian{}, Scatter: AveragedScatter}, "c3ef87bd22ad0f19"},
		{"wine cosine shrunk", wine, KFDA{Kernel: gram.Cosine{}, Regularizer: Shrink(0.1), Components: 1}, "845a6f331c322fe1"},
		{"wine chi-squared", wine, KFDA{Kernel: gram.ChiSquared{}, Scaling: MinMax}, "e89b2fea72224c27"},
	}
	for _, f := range fits {
		t.Run(f.name, func(t *testing.T) {
			x := f.data.Input.Matrix("X")
			m := mustFit(t, f.method, x, f.data.Input.Ints("y"))
			if got := modelHash(t, m, x); got != f.want {
				t.Errorf("hash %s, want %s", got, f.want)
			}
		})
	}
}

func modelHash[L Label](t testing.TB, m *Model[L], x *matrix.Dense) string {
	t.Helper()
	z, err := m.Project(nil, x.View(0, 0, min(x.Rows, 50), x.Cols))
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := gram.Format(m.Kernel())
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	c := m.Certificate()
	fmt.Fprintf(h, "%v %v %s %v %x %s %x %x %x %x %d %d\n", m.Classes(), m.Counts(), kernel, m.Regularizer(), m.Ridge(),
		c.Solver, c.Backward, c.CondBound, c.Growth, c.KernelRounding, c.Rank, c.Passes)
	for _, values := range [][]float64{m.Eigenvalues(), m.Alpha().Data, m.Centroids().Data, z.Data} {
		fmt.Fprintf(h, "%x\n", values)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
