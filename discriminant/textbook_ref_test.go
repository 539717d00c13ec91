package discriminant

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/matrix"
)

// TestShiftedAgainstNormal compares the shifted solver with the textbook one, N +
// εI formed and factored, on every golden problem where the textbook's squared
// condition number leaves it eight digits. Both must be within the file's
// tolerance of the right values, so that they are within two of each other.
func TestShiftedAgainstNormal(t *testing.T) {
	compared := 0
	worst := 0.0
	for _, p := range golden.Dir(t, "kfda") {
		in := p.Input
		cond := p.Meta.Float("cond_N_eps")
		if in.String("scatter") != "sum" || in.String("regularizer") != "identity" || cond > 1e8 || p.MayRefuse() {
			continue
		}
		_, codes := encode(in.Ints("y"))
		method := KFDA{Kernel: gram.Precomputed{}, Regularizer: Ridge(in.Float("eps"))}
		k, cross := goldenKernelMatrix(p)
		classes := len(p.Expected.Ints("counts"))
		shifted, err := method.fitWith(context.Background(), fisher.Shifted, k, fisher.NewClasses(codes, classes, nil))
		if err != nil {
			t.Errorf("%s: shifted: %v", p.Name, err)
			continue
		}
		normal, err := method.fitWith(context.Background(), fisher.Averaged, k, fisher.NewClasses(codes, classes, nil))
		if err != nil {
			t.Errorf("%s: normal: %v", p.Name, err)
			continue
		}
		if DetailsOf(shifted).Certificate().Solver == DetailsOf(normal).Certificate().Solver {
			t.Fatalf("both fits used the solver %q", DetailsOf(normal).Certificate().Solver)
		}
		for _, c := range p.Checks {
			var e float64
			switch c.Field {
			case "eigenvalues":
				for i, l := range normal.lambda {
					e = math.Max(e, math.Abs(shifted.lambda[i]-l)/l)
				}
			case "alpha":
				e = columnsApart(DetailsOf(shifted).Alpha(), DetailsOf(normal).Alpha())
			case "proj_test":
				e = columnsApart(
					matrix.Mul(nil, cross, matrix.Transposed, DetailsOf(shifted).Alpha(), matrix.NoTrans),
					matrix.Mul(nil, cross, matrix.Transposed, DetailsOf(normal).Alpha(), matrix.NoTrans))
			default:
				continue
			}
			compared++
			worst = math.Max(worst, e/(2*c.Tol))
			if !(e <= 2*c.Tol) {
				t.Errorf("%s: %s: shifted and normal differ by %.3g, want ≤ %.3g (cond %.2g)", p.Name, c.Field, e, 2*c.Tol, cond)
			}
		}
	}
	t.Logf("%d comparisons, the worst at %.2g of its tolerance", compared, worst)
	if compared < 150 {
		t.Errorf("only %d comparisons", compared)
	}
}

// goldenKernelMatrix returns K and the n×m K_test, given or right values.
func goldenKernelMatrix(p *golden.Problem) (k, cross *matrix.Dense) {
	if p.Input.Has("K") {
		return p.Input.Matrix("K"), p.Input.Matrix("K_test")
	}
	return p.Expected.Matrix("K"), p.Expected.Matrix("K_test")
}

// columnsApart returns the largest over the columns of ‖a_k ∓ b_k‖/‖b_k‖.
func columnsApart(a, b *matrix.Dense) float64 {
	worst := 0.0
	for k := range b.Cols {
		var minus, plus, norm float64
		for i := range b.Rows {
			x, y := a.At(i, k), b.At(i, k)
			minus += (x - y) * (x - y)
			plus += (x + y) * (x + y)
			norm += y * y
		}
		worst = math.Max(worst, math.Sqrt(math.Min(minus, plus)/norm))
	}
	return worst
}
