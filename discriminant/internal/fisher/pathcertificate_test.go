package fisher

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/solve"
)

// The certificate of a path holds for the solutions that its eigenvalues come from: their
// residuals, computed anew from K, and their differences from refined ones. A kernel with
// a large mean has q₀ for an eigenvector, nearly, which shows all of the rounding of the
// reduction.
func TestPathCertificates(t *testing.T) {
	rows := []int{40, 150, 400}
	if testing.Short() {
		rows = rows[:1]
	}
	ctx := context.Background()
	regs := []Regularizer{{RelativeRidge, 1e-4}, {RelativeRidge, 1}, {RelativeRidge, 1e8}}
	for _, n := range rows {
		for _, kernel := range []gram.Kernel{gram.RBF{Gamma: 1e-3}, gram.RBF{Gamma: 1}, gram.Polynomial{Gamma: 1, Coef0: 30, Degree: 2}} {
			x, codes := matrixtest.Blobs(n, 3, 4)
			k := must.Get(gram.Matrix(nil, kernel, x))(t)
			for name, reduce := range reducers {
				p := must.Get(NewPath(ctx, Problem{K: k.Clone(), Source: solve.NewUpper(k), Classes: NewClasses(codes, 4, nil)}, regs, reduce))(t)
				f := p.of.withConstant()
				for i := range regs {
					e := &p.Entries[i]
					if e.Err != nil {
						continue
					}
					shift := p.shift(e)
					re, im, _, err := p.reduction.Solve(shift, p.reduction.Start())
					if err != nil {
						t.Fatal(err)
					}
					w := columns{re: p.reduction.Vectors(re), im: p.reduction.Vectors(im)}
					measured := must.Get(p.reduction.Refine(ctx, p.of.rowsOfK(), shift, f, w.re, w.im, nil, 0))(t)
					c := e.Certificate
					if !(measured.Backward <= c.Backward) {
						t.Errorf("n = %d, %s, %v, %v: backward error %.3g u, certified %.3g u", n, name, kernel, regs[i], measured.Backward/u, c.Backward/u)
					}
					scaled := k.Clone()
					p.of.scale.matrix(scaled)
					factor := must.Get(solve.FactorShifted(ctx, scaled, shift.Imag))(t)
					right := must.Get((&shiftedFactor{ctx, factor, p.of.rowsOfK(), &Certificate{}}).solve(f))(t)
					sizes, worst := right.norms(), 0.0
					for r := range n {
						for j := range f.Cols {
							right.re.Set(r, j, right.re.At(r, j)-w.re.At(r, j))
							right.im.Set(r, j, right.im.At(r, j)-w.im.At(r, j))
						}
					}
					for j, e := range right.norms() {
						worst = math.Max(worst, e/sizes[j])
					}
					if !(worst <= c.Forward) {
						t.Errorf("n = %d, %s, %v, %v: error %.3g u, certified %.3g u", n, name, kernel, regs[i], worst/u, c.Forward/u)
					}
				}
			}
		}
	}
}
