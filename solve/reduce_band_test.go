package solve

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// bandOf returns the band of a, and a without the rest.
func bandOf(a *matrix.Dense, width int) (*band, *matrix.Dense) {
	t := newBand(a.Rows, width)
	for i := range a.Rows {
		for j := max(0, i-width); j <= i; j++ {
			t.set(i, j, a.At(i, j))
		}
	}
	return t, banded(a, width)
}

func solveOne(t *band, s Shift, f *matrix.Dense) (*matrix.Dense, float64, error) {
	one := t.solve([]Shift{s}, []*matrix.Dense{f})[0]
	return one.x, one.backward, one.err
}

// The factors are those of the matrix, entry by entry, and the solutions those of
// the dense factorization, both in the units in which that one is tested.
func TestBandSolve(t *testing.T) {
	ctx := context.Background()
	var worst, worstRatio float64
	for _, n := range []int{1, 2, 5, 40, 90} {
		for _, width := range []int{0, 1, 3, 8, 24} {
			width = min(width, n-1)
			rng := newRand(uint64(100*n + width))
			for _, m := range []named{{"definite", dominant(banded(randomSymmetric(rng, n), width))}, {"indefinite", randomSymmetric(rng, n)}} {
				b, a := bandOf(m.a, width)
				if got, want := b.norm(), matrix.NormFrobenius(a); math.Abs(got-want) > 1e-14*want {
					t.Errorf("n = %d, width %d: norm %v, want %v", n, width, got, want)
				}
				for _, sigma := range []float64{10, 1e-2, 1e-6} {
					f := randomMatrix(rng, n, 3)
					x, backward := must.Get2(solveOne(b, Shift{Imag: sigma}, f))(t)
					re, im := x.View(0, 0, n, 3), x.View(0, 3, n, 3)
					rre, rim := matrix.New(n, 3), matrix.New(n, 3)
					complexResidual(rre, rim, Stored{a}, sigma, f, re, im)
					var q float64
					for c := range 3 {
						q = max(q, backwardError(matrix.NormFrobenius(a), columnNorm(c, rre, rim), columnNorm(c, re, im), columnNorm(c, f)))
					}
					worst = max(worst, q/unit)
					if !(q <= 16*unit) || !(q <= 2*backward+2*unit) {
						t.Errorf("%s, n = %d, width %d, σ = %g: backward error %.3g, said to be %.3g", m.name, n, width, sigma, q, backward)
					}
					s := must.Get(FactorShifted(ctx, a.Clone(), sigma))(t)
					wre, wim := f.Clone(), matrix.New(n, 3)
					s.Solve(wre, wim)
					must.Get(s.Refine(ctx, Stored{a}, f, wre, wim, nil, 5))(t)
					rho := math.Hypot(matrix.NormFrobenius(a), sigma) / sigma * unit
					for c := range 3 {
						dre, dim := wre.Clone(), wim.Clone()
						for i := range n {
							dre.Row(i)[c] -= re.At(i, c)
							dim.Row(i)[c] -= im.At(i, c)
						}
						e := columnNorm(c, dre, dim) / columnNorm(c, wre, wim) / rho
						if worstRatio = max(worstRatio, e); !(e < 16) {
							t.Errorf("%s, n = %d, width %d, σ = %g: error %.3g u cond", m.name, n, width, sigma, e)
						}
					}
				}
			}
		}
	}
	t.Logf("largest backward error %.2g u, largest error %.2g u cond", worst, worstRatio)
}

// A real shift: the solution is real, and a matrix that is not definite is refused.
func TestBandSolveReal(t *testing.T) {
	const n, width = 50, 4
	rng := newRand(3)
	b, a := bandOf(dominant(banded(randomSymmetric(rng, n), width)), width)
	f := randomMatrix(rng, 7, 2) // the leading rows
	x, backward, err := solveOne(b, Shift{Real: 0.5}, f)
	if err != nil || !(backward <= 8*unit) {
		t.Fatalf("backward error %.3g, %v", backward, err)
	}
	for i := range n {
		a.Set(i, i, a.At(i, i)+0.5)
	}
	r := matrix.Mul(nil, a, matrix.NoTrans, x, matrix.NoTrans)
	for i := range n {
		for j := range 4 {
			want := 0.0
			if i < 7 && j < 2 {
				want = f.At(i, j)
			}
			if math.Abs(r.At(i, j)-want) > 1e-13 || j >= 2 && x.At(i, j) != 0 {
				t.Fatalf("(T + I/2)x at (%d, %d) is %v, want %v", i, j, r.At(i, j), want)
			}
		}
	}
	var pivot *NotPositiveDefiniteError
	b.set(20, 20, -3)
	if _, _, err := solveOne(b, Shift{Real: 0.5}, f); !errors.As(err, &pivot) || pivot.Pivot != 20 {
		t.Errorf("indefinite: %v", err)
	}
	if _, _, err := solveOne(b, Shift{Imag: 0.5}, f); err != nil {
		t.Errorf("indefinite with an imaginary shift: %v", err)
	}
	if b.at(3, 40) != 0 || b.at(22, 20) != b.at(20, 22) {
		t.Error("elements of the band")
	}
}
