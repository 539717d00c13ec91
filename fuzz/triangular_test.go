package fuzz

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/textbook"
	"github.com/seed92411348/kfda/matrix"
)

// The triangular solves have the bits of the textbook loops, whatever the
// numbers: with zeros on the diagonal, infinities and NaN, too.
func FuzzTriangular(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n, r := in.size(), in.below(12)
		lower := in.symmetric(n)
		in.workers(t)
		l := in.place(lower.Dense).hideUpper()
		before := l.Clone()
		for _, s := range []struct {
			name         string
			solve        func(l, b *matrix.Dense)
			right, trans bool // XLᵀ = B is the transpose of LXᵀ = Bᵀ
		}{
			{"SolveLower", matrix.SolveLower, false, false},
			{"SolveLowerTrans", matrix.SolveLowerTrans, false, true},
			{"SolveRightLowerTrans", matrix.SolveRightLowerTrans, true, false},
		} {
			b := in.dense(n, r)
			want := b.Clone()
			textbook.SolveLower(lower.Dense, want, s.trans)
			if s.right {
				b, want = matrix.Transpose(nil, b), matrix.Transpose(nil, want)
			}
			x := in.place(b)
			s.solve(l.Dense, x.Dense)
			what := fmt.Sprintf("%s, n = %d, %d sides", s.name, n, r)
			mustBeAlike(t, what, x.Dense, want)
			mustBeAlike(t, what+": L", l.Dense, before)
			x.checkOutside(t, what)
			l.checkOutside(t, what)
		}
	})
}
