package solve

import (
	"context"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Arguments that are written may not be those that are read.
func TestOverlappingArguments(t *testing.T) {
	ctx := context.Background()
	const n = 12
	whole := matrix.New(n, 3*n)
	whole.View(0, 0, n, n).CopyFrom(randomGram(newRand(1), n, n+3))
	k := whole.View(0, 0, n, n)
	f, w := randomMatrix(newRand(2), n, 2), matrix.New(n, 2)
	a, l := k.Clone(), k.Clone()
	s := must.Get(FactorShifted(ctx, a, 1))(t)
	c := must.Get(FactorCholesky(ctx, l))(t)
	r := must.Get(Reduce(ctx, k.Clone(), f, nil))(t)
	other := matrix.New(n, 2)
	part := whole.View(0, n-1, n, 2) // its first column is the last of k
	for what, call := range map[string]func(){
		"parts of a shifted solution":       func() { s.Solve(w, w) },
		"a shifted solution and factors":    func() { s.Solve(w, a.View(0, 1, n, 2)) },
		"a solution and Cholesky factors":   func() { c.Solve(l.View(0, 1, n, 2)) },
		"sides of a shifted system":         func() { _, _ = s.Refine(ctx, Stored{k}, f, f, w, nil, 1) },
		"parts of a refined solution":       func() { _, _ = s.Refine(ctx, Stored{k}, f, w, w, nil, 1) },
		"a matrix and its shifted factors":  func() { _, _ = s.Refine(ctx, Stored{a}, f, w, other, nil, 1) },
		"sides of a Cholesky system":        func() { _, _ = c.Refine(ctx, Stored{k}, Known{}, f, f, nil, 1) },
		"a matrix and its Cholesky factors": func() { _, _ = c.Refine(ctx, Stored{l}, Known{}, f, w, nil, 1) },
		"sides of a reduced system":         func() { _, _ = r.Refine(ctx, Stored{k}, Shift{Real: 1}, f, f, nil, nil, 1) },
		"a matrix and its right-hand sides": func() { _, _ = Reduce(ctx, k, part, nil) },
		"the same in Lanczos":               func() { _, _ = Lanczos(ctx, k, part, imaginaryShifts, everything) },
		"the same in Reduce":                func() { _, _ = Reduce(ctx, k, part, imaginaryShifts) },
	} {
		if message := matrixtest.PanicText(call); !strings.Contains(message, "overlap") {
			t.Errorf("%s: no panic that says so, but %q", what, message)
		}
	}
}
