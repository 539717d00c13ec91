package discriminant

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// leftOutOf returns what the classifier of a model with LeaveOneOut was fitted to, less the
// step that keeps the mean of the contrasts.
func leftOutOf(t *testing.T, m *Model[int], k *matrix.Dense, codes []int) *matrix.Dense {
	t.Helper()
	s := must.Get(fisher.Solve(t.Context(), nil, fisher.Problem{
		K: k.Clone(), Source: solve.NewUpper(k), Classes: fisher.NewClasses(codes, len(m.Counts()), nil), Regularizer: DetailsOf(m).Regularizer().solved(), LeaveOneOut: true,
	}))(t)
	alpha := DetailsOf(m).Alpha()
	z := m.pipeline.embedding.(*kernelEmbedding)
	projected := matrix.New(k.Rows, alpha.Cols)
	centred := z.centring.Cross(nil, k)
	matrix.Mul(projected, centred, matrix.NoTrans, alpha, matrix.NoTrans)
	left := s.LeaveOut(projected, fisher.NewClasses(codes, len(m.Counts()), nil))
	for i := range left.Rows {
		for l, v := range projected.Row(i) {
			if m.Counts()[codes[i]] == 1 {
				continue
			}
			left.Row(i)[l] -= (v + DetailsOf(m).Ridge()*alpha.At(i, l)) / float64(k.Rows-1)
		}
	}
	return left
}

// For each row the regression on the contrasts is solved again without it, as a
// bordered system, and its prediction mapped by T = Qᵀ(HKH + εI)α.
func TestLeaveOutIsTheFitWithoutTheRow(t *testing.T) {
	for _, c := range []int{2, 3} {
		x, codes := blobs(24, 3, c)
		const eps = 0.05
		m := mustFit(t, KFDA{Kernel: gram.RBF{Gamma: 1}, Regularizer: RKHS(eps), LeaveOneOut: true}, x, codes)
		k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 1}, x))(t)
		n, alpha := x.Rows, DetailsOf(m).Alpha()
		q := matrix.New(n, c-1) // orthonormal contrasts
		for i, code := range codes {
			for j := range c - 1 {
				if q.Set(i, j, -float64(m.Counts()[j])/float64(n)); code == j {
					q.Row(i)[j]++
				}
			}
		}
		solve.Orthonormalize(q)
		system := gram.NewCentring(k).Matrix(nil, k)
		for i := range n {
			system.Row(i)[i] += eps
		}
		transform := matrix.Mul(nil, q, matrix.Transposed, matrix.Mul(nil, system, matrix.NoTrans, alpha, matrix.NoTrans), matrix.NoTrans)
		got := leftOutOf(t, m, k, codes)
		for i := range n {
			// [K + εI, 1; 1ᵀ, 0] [a; b] = [q; 0] without row i.
			a := square(n)
			right := matrix.New(n, q.Cols)
			kept := make([]int, 0, n)
			for r := range n {
				if r != i {
					kept = append(kept, r)
				}
			}
			for s, r := range kept {
				for l, v := range kept {
					a[s][l] = k.At(r, v)
				}
				a[s][s] += eps
				a[s][n-1], a[n-1][s] = 1, 1
				copy(right.Row(s), q.Row(r))
			}
			solveDense(a, right)
			want := make([]float64, alpha.Cols)
			for j := range q.Cols {
				f := right.At(n-1, j)
				for s, r := range kept {
					f += k.At(i, r) * right.At(s, j)
				}
				for l := range want {
					want[l] += f * transform.At(j, l)
				}
			}
			for l, v := range want {
				if math.Abs(got.At(i, l)-v) > 1e-11*matrix.MaxAbs(got) {
					t.Fatalf("%d classes: row %d is at %v without itself, want %v", c, i, got.Row(i), want)
				}
			}
		}
		// The centroids are those of the projections left out, with the mean of q kept.
		for i := range n {
			for l := range alpha.Cols {
				for j, v := range q.Row(i) {
					got.Row(i)[l] += v * transform.At(j, l) / float64(n-1)
				}
			}
		}
		want := fisher.NewClasses(codes, len(m.Counts()), nil).Centroids(got)
		for i, v := range DetailsOf(m).Centroids().Data {
			if math.Abs(v-want.Data[i]) > 1e-11*matrix.MaxAbs(got) {
				t.Errorf("%d classes: centroids %v, want %v", c, DetailsOf(m).Centroids().Data, want.Data)
			}
		}
	}
}

// solveDense overwrites b by A⁻¹b, by elimination with pivots.
func solveDense(a [][]float64, b *matrix.Dense) {
	n := len(a)
	for k := range n {
		p := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		a[k], a[p] = a[p], a[k]
		for j := range b.Cols {
			x, y := b.At(k, j), b.At(p, j)
			b.Set(k, j, y)
			b.Set(p, j, x)
		}
		for i := range n {
			if f := a[i][k] / a[k][k]; i != k && f != 0 {
				for j := k; j < n; j++ {
					a[i][j] -= f * a[k][j]
				}
				for j := range b.Cols {
					b.Set(i, j, b.At(i, j)-f*b.At(k, j))
				}
			}
		}
	}
	for k := range n {
		for j := range b.Cols {
			b.Set(k, j, b.At(k, j)/a[k][k])
		}
	}
}

// golden/loo gives for each row (z − (μ₁+μ₂)/2)/(μ₂ − μ₁), all from the fit without it.
// The means of that fit come from the closed form too: f_k = t_k − εa′_k with a′ = a −
// C·ᵢ aᵢ/Cᵢᵢ.
func TestGoldenLeaveOneOut(t *testing.T) {
	for _, p := range golden.Dir(t, "loo") {
		kernel := gram.Kernel(gram.RBF{Gamma: p.Input.Kernel().Params["gamma"]})
		if p.Input.Kernel().Type == "laplacian" {
			kernel = gram.Laplacian{Gamma: p.Input.Kernel().Params["gamma"]}
		}
		x, y, eps := p.Input.Matrix("X"), p.Input.Ints("y"), p.Input.Float("eps")
		_, codes := encode(y)
		m := mustFit(t, KFDA{Kernel: kernel, Regularizer: RKHS(eps), LeaveOneOut: true}, x, codes)
		k := must.Get(gram.Matrix(nil, kernel, x))(t)
		n := x.Rows
		left := leftOutOf(t, m, k, codes)
		// C = (HKH + εI)⁻¹ − 11ᵀ/(nε), and the scale of the targets in z.
		system := gram.NewCentring(k).Matrix(nil, k)
		a := square(n)
		inverse := matrix.New(n, n)
		for i := range n {
			copy(a[i], system.Row(i))
			a[i][i] += eps
			inverse.Set(i, i, 1)
		}
		solveDense(a, inverse)
		alpha, z := DetailsOf(m).Alpha(), matrix.Mul(nil, system, matrix.NoTrans, DetailsOf(m).Alpha(), matrix.NoTrans)
		got := make([]float64, n)
		for i := range n {
			var mean, count [2]float64
			cii := inverse.At(i, i) - 1/(float64(n)*eps)
			for r := range n {
				if r != i {
					// z + εα is the target; without row i the coefficient is α′.
					changed := alpha.At(r, 0) - (inverse.At(r, i)-1/(float64(n)*eps))*alpha.At(i, 0)/cii
					mean[codes[r]] += z.At(r, 0) + eps*alpha.At(r, 0) - eps*changed
					count[codes[r]]++
				}
			}
			first, second := mean[0]/count[0], mean[1]/count[1]
			got[i] = (left.At(i, 0) - (first+second)/2) / (second - first)
		}
		p.Compare(t, "loo_rkhs", got, false)
	}
}

// Posteriors that were fitted to leave-one-out projections are worth more on new
// rows: their mean log loss is smaller.
func TestLeaveOneOutPosteriors(t *testing.T) {
	p := golden.Load(t, "medium/wine_std_rbf")
	x, y, fold := p.Input.Matrix("X"), p.Input.Ints("y"), p.Input.Ints("fold")
	loss := func(leaveOneOut bool, classifier Classifier) float64 {
		sum := 0.0
		for f := range 5 {
			train, test := matrix.New(0, x.Cols), matrix.New(0, x.Cols)
			var labels, want []int
			for i, g := range fold {
				to := train
				if g == f {
					to, want = test, append(want, y[i])
				} else {
					labels = append(labels, y[i])
				}
				to.Data, to.Rows = append(to.Data, x.Row(i)...), to.Rows+1
			}
			m := mustFit(t, KFDA{Regularizer: RelativeRKHS(1e-3), Classifier: classifier, LeaveOneOut: leaveOneOut}, train, labels)
			posteriors := must.Get(m.Posteriors(nil, test))(t)
			for i, label := range want {
				for j, c := range m.Classes() {
					if c == label {
						sum -= math.Log(math.Max(posteriors.At(i, j), 1e-300)) / float64(len(y))
					}
				}
			}
		}
		return sum
	}
	for _, classifier := range []Classifier{Gaussian{}, Gaussian{PerClass: true}} {
		fitted, left := loss(false, classifier), loss(true, classifier)
		t.Logf("%v: mean log loss %.4f from the projections, %.4f from those left out", classifier, fitted, left)
		if !(left < fitted) {
			t.Errorf("%v: mean log loss %v, from the projections %v", classifier, left, fitted)
		}
	}
}

func TestLeaveOneOutSettings(t *testing.T) {
	x, codes := blobs(20, 2, 2)
	for _, reg := range []Regularizer{Ridge(1), Shrink(0.5), LeaveOneOutRidge()} {
		var parameter *ParameterError
		if _, err := Fit(t.Context(), KFDA{Regularizer: reg, LeaveOneOut: true}, x, codes); !errors.As(err, &parameter) || parameter.Field != "LeaveOneOut" {
			t.Errorf("%v: error %v, want a *ParameterError", reg, err)
		}
	}
	// Labels that the rows say nothing of: the means left out are in the wrong order, and
	// nothing breaks.
	for _, classifier := range append([]Classifier{NearestCentroid{}}, probabilistic...) {
		for _, priors := range [][]float64{nil, {0.2, 0.8}} {
			for shift := range 4 {
				noise := make([]int, len(codes))
				for i := range noise {
					noise[i] = (i + shift) / 3 % 2
				}
				m := mustFit(t, KFDA{Regularizer: RelativeRKHS(1e-6), Classifier: classifier, Priors: priors, LeaveOneOut: true}, x, noise)
				if d, err := m.Decision(nil, x); err != nil || matrix.CheckFinite(&matrix.Dense{Rows: 1, Cols: len(d), Stride: len(d), Data: d}) != nil {
					t.Errorf("%v: decisions %v, error %v", classifier, d, err)
				}
			}
		}
	}
	// A class of one row keeps its place, up to the rounding of a sum of 20 products of
	// kernel values and coefficients of the size of 1.
	alone := make([]int, 20)
	alone[7], alone[8] = 1, 2
	for i := range 6 {
		alone[i] = 2
	}
	m := mustFit(t, KFDA{Regularizer: RKHS(0.1), LeaveOneOut: true}, x, alone)
	z := must.Get(m.Project(nil, x.View(7, 0, 1, 2)))(t)
	for k, want := range z.Row(0) {
		if got := DetailsOf(m).Centroids().At(1, k); math.Abs(got-want) > 20*u {
			t.Errorf("component %d of the centroid of a class of one is %v, of its row %v", k, got, want)
		}
	}
}
