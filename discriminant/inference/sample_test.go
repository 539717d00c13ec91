package inference

import (
	"context"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// randomRows are n rows of d numbers and their labels, of so many classes.
func randomRows(seed uint64, n, d, classes int) (x *matrix.Dense, labels []int) {
	r := splitmix.Random(seed)
	x, labels = matrix.New(n, d), make([]int, n)
	for i := range n {
		labels[i] = i % classes
		for j := range d {
			x.Set(i, j, 4*math.Ldexp(float64(r.Next()>>11), -53)-2+float64(labels[i]))
		}
	}
	return x, labels
}

// Directions are those of a fit, and squares of whitened contrasts are 1/(1 + λ).
func TestSampleSolvesLabellings(t *testing.T) {
	ctx := context.Background()
	for _, ridge := range []float64{1e-3, 0.3, 20} {
		x, labels := randomRows(3, 40, 3, 3)
		s := must.Get(NewSample(ctx, Settings{Kernel: gram.RBF{Gamma: 0.2}, Ridge: ridge}, x))(t)
		must.Equal(t, "ridge", s.Ridge(), ridge)
		_, of := encode(labels)
		found := must.Get(s.rows.Solve(ctx, of))(t)
		m := must.Get(discriminant.Fit(ctx, discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: discriminant.RKHS(ridge)}, x, labels))(t)
		q := fisher.Contrasts(of)
		s.rows.Whiten(q)
		trace, want := matrix.SumSquares(q.Data), 0.0
		for k, l := range m.Details().(discriminant.KFDADetails).Eigenvalues() {
			want += 1 / (1 + l)
			if e := math.Abs(found.Lambda[k] - l); !(e <= 1e-12*l) {
				t.Errorf("ridge %v: λ %v, want %v", ridge, found.Lambda[k], l)
			}
		}
		if !(math.Abs(trace-want) <= 1e-12*want) {
			t.Errorf("ridge %v: trace %v, want %v", ridge, trace, want)
		}
	}
}

// With one row more the matrix is what the formula of the package makes of it: compared with
// another factorization.
func TestSampleWithOneRowMore(t *testing.T) {
	ctx := context.Background()
	const n = 25
	all, _ := randomRows(5, n+1, 2, 2)
	x, y := all.View(0, 0, n, 2).Clone(), all.View(n, 0, 1, 2).Clone()
	for _, relative := range []float64{1e-3, 1} {
		set := Settings{Kernel: gram.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1}, Ridge: relative, Relative: true}
		s := must.Get(NewSample(ctx, set, x))(t)
		larger := must.Get(NewSample(ctx, Settings{Kernel: set.Kernel, Ridge: s.Ridge()}, all))(t)
		want := must.Get(larger.rows.InverseDiagonal(ctx))(t)
		g := must.Get(s.rows.InverseDiagonal(ctx))(t)
		v, spread, _, err := s.rows.augment(ctx, y)
		must.Do(t, err)
		tau := 1 + 1.0/n + spread[0]
		for i := range n {
			e := v.Data[i] + 1.0/n
			got := g[i] + e*e/tau
			if !(math.Abs(got-want[i]) <= 1e-11) {
				t.Errorf("row %d: %v, want %v", i, got, want[i])
			}
		}
		if !(math.Abs(1/tau-want[n]) <= 1e-11) {
			t.Errorf("the new row: %v, want %v", 1/tau, want[n])
		}
	}
}
