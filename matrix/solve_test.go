package matrix_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/textbook"
	"github.com/seed92411348/kfda/matrix"
)

// solves lists the triangular solves: each has X of the shape of B, and
// op(L)·X = B, or X·op(L) = B where right is set.
var solves = []struct {
	name  string
	f     func(l, b *matrix.Dense)
	ref   func(l, b *matrix.Dense)
	right bool
	trans matrix.Trans
}{
	{"SolveLower", matrix.SolveLower, func(l, b *matrix.Dense) { textbook.SolveLower(l, b, false) }, false, matrix.NoTrans},
	{"SolveLowerTrans", matrix.SolveLowerTrans, func(l, b *matrix.Dense) { textbook.SolveLower(l, b, true) }, false, matrix.Transposed},
	{"SolveRightLowerTrans", matrix.SolveRightLowerTrans, func(l, b *matrix.Dense) {
		x := matrix.Transpose(nil, b) // LXᵀ = Bᵀ
		textbook.SolveLower(l, x, false)
		b.CopyFrom(matrix.Transpose(nil, x))
	}, true, matrix.Transposed},
}

// lower returns a well-conditioned lower triangle with NaN above it.
func lower(rng *rand.Rand, n int) *matrix.Dense {
	l := matrixtest.NaNs(n, n)
	for i := range n {
		for j := range i {
			l.Set(i, j, (rng.Float64()-0.5)/float64(n))
		}
		l.Set(i, i, 0.5+rng.Float64())
	}
	return l
}

func TestSolvesHaveTheBitsOfTheReference(t *testing.T) {
	rng := generator(5)
	sizes := [][2]int{{17, 5}, {33, 18}, {40, 257}, {67, 1}, {130, 20}}
	for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 9} {
		for _, r := range []int{0, 1, 2, 3, 4, 5, 7, 16, 17} {
			sizes = append(sizes, [2]int{n, r})
		}
	}
	for _, s := range solves {
		for _, size := range sizes {
			n, r := size[0], size[1]
			l := lower(rng, n)
			b := random(rng, n, r)
			if s.right {
				b = random(rng, r, n)
			}
			want := b.Clone()
			s.ref(l, want)
			for _, gap := range []int{0, 3} {
				name := fmt.Sprintf("%s n %d r %d gap %d", s.name, n, r, gap)
				pl, pb := padCopy(l, gap), padCopy(b, gap)
				s.f(pl.Dense, pb.Dense)
				matrixtest.Alike(t, name, pb.Dense, want)
				matrixtest.Alike(t, name+": L", pl.Dense, l)
				pb.checkGaps(t, name)
			}
		}
	}
}

// The residual of a computed solution is below γₙ|L||X| in every entry, with
// γₙ = nu/(1−nu) (Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., theorem 8.5). The residual is formed exactly.
func TestSolvesAreBackwardStable(t *testing.T) {
	rng := generator(6)
	const n, r = 30, 3
	u := math.Ldexp(1, -53)
	for _, s := range solves {
		l := lower(rng, n)
		for i := range n {
			l.Set(i, i, math.Ldexp(l.At(i, i), -rng.IntN(20))) // ill-conditioned as well
		}
		b := random(rng, n, r)
		if s.right {
			b = random(rng, r, n)
		}
		x := b.Clone()
		s.f(l, x)
		opL := func(i, j int) float64 {
			if s.trans {
				i, j = j, i
			}
			if j > i {
				return 0
			}
			return l.At(i, j)
		}
		worst := 0.0
		for i := range b.Rows {
			for j := range b.Cols {
				residual := exact(b.At(i, j))
				bound := 0.0
				for k := range n {
					p, q := 0.0, 0.0
					if s.right {
						p, q = x.At(i, k), opL(k, j)
					} else {
						p, q = opL(i, k), x.At(k, j)
					}
					residual.Sub(residual, new(big.Float).SetPrec(2000).Mul(exact(p), exact(q)))
					bound += math.Abs(p * q)
				}
				res, _ := residual.Float64()
				if bound > 0 || res != 0 {
					worst = max(worst, math.Abs(res)/(bound*n*u))
				}
			}
		}
		if !(worst <= 1) {
			t.Errorf("%s: residual is %g times n·u·|L||X|", s.name, worst)
		}
		t.Logf("%s: residual at most %.2g n·u·|L||X|", s.name, worst)
	}
}

func exact(v float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(v) }

// No right-hand sides, as a view of a matrix that has some, are solved for at once.
func TestSolveWithoutSides(t *testing.T) {
	whole := matrix.New(100, 100)
	for _, n := range []int{0, 1, 9, 100} {
		l, none := whole.View(0, 0, n, n), whole.View(0, 1, n, 0)
		matrix.SolveLower(l, none)
		matrix.SolveLowerTrans(l, none)
		none = whole.View(1, 0, 0, n)
		matrix.SolveRightLowerTrans(l, none)
	}
}
