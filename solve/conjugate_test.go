package solve

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Conjugate gradients end in about n/p steps, without a preconditioner too, for right-hand
// sides that depend on each other, from the start and from a restart.
func TestConjugate(t *testing.T) {
	const n = 60
	a := matrix.SymRankK(nil, uniformMatrix(1, n, n), matrix.NoTrans)
	for i := range n {
		a.Row(i)[i]++
	}
	q := uniformMatrix(2, n, 4)
	for i := range n {
		q.Set(i, 2, 2*q.At(i, 0)-q.At(i, 1))
		q.Set(i, 3, 0)
	}
	want := q.Clone()
	must.Get(FactorCholesky(t.Context(), a.Clone()))(t).Solve(want)
	multiply := func(_ context.Context, x *matrix.Dense) (*matrix.Dense, error) {
		return matrix.Mul(nil, a, matrix.NoTrans, x, matrix.NoTrans), nil
	}
	c := NewConjugate(q, multiply, (*matrix.Dense).Clone)
	for step := range 80 {
		must.Do(t, c.Step(t.Context()))
		if step%25 == 24 {
			r := q.Clone()
			matrix.SubMul(r, a, matrix.NoTrans, c.Z, matrix.NoTrans)
			c.Restart(r)
		}
	}
	for i, v := range want.Data {
		if math.Abs(c.Z.Data[i]-v) > 1e-12*matrix.MaxAbs(want) {
			t.Fatalf("entry %d is %v, want %v", i, c.Z.Data[i], v)
		}
	}
	must.Panic(t, "a residual of another shape", func() { c.Restart(matrix.New(n, 3)) })

	for i := range n {
		a.Row(i)[i] -= 200
	}
	indefinite := NewConjugate(q, multiply, (*matrix.Dense).Clone)
	err := error(nil)
	for range 60 {
		if err = indefinite.Step(t.Context()); err != nil {
			break
		}
	}
	must.Fail[*NotPositiveDefiniteError](t, "an indefinite matrix", err)
}
