package discriminant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/matrix"
)

// Whole fits have the same bits on every platform, with every instruction set
// and for any number of workers. Each hash is that of labels, parameters, α or W, λ,
// centroids, certificate and the projections of fixed rows. Where a change of
// the arithmetic is meant, the failing test prints the new values.
func TestGoldenHashes(t *testing.T) {
	iris, wine := tableOf(t, "medium/iris_rbf"), tableOf(t, "medium/wine_std_rbf")
	collinear := labelled{matrix.New(iris.x.Rows, 8), iris.y}
	collinear.x.View(0, 0, iris.x.Rows, 4).CopyFrom(iris.x)
	collinear.x.View(0, 4, iris.x.Rows, 4).CopyFrom(iris.x)
	fits := []struct {
		name   string
		data   labelled
		method Method
		want   string
	}{
		{"iris", iris, KFDA{Regularizer: RelativeRidge(1e-3)}, "72f9b7c3b8b102c2"},
		{"iris polynomial", iris, KFDA{Kernel: gram.NewPolynomial(3), Regularizer: Ridge(1e-3)}, "cf5c175605b591af"},
		{"iris RKHS", iris, KFDA{Regularizer: RelativeRKHS(1e-4), Scaling: MinMax, Classifier: NearestCentroid{}}, "4f9b806a1530f4a6"},
		{"iris sigmoid", iris, KFDA{Kernel: gram.Sigmoid{Gamma: 0.01, Coef0: -1}, Regularizer: RelativeRidge(1e-3), Scaling: Standard}, "4f411b81dc3643cb"},
		{"wine", wine, KFDA{Regularizer: RelativeRidge(1e-3)}, "c89a065dcd18db9c"},
		{"wine Laplacian averaged", wine, KFDA{Kernel: gram.Laplacian{}, Regularizer: RelativeRidge(1e-3), Scatter: AveragedScatter}, "c3ef87bd22ad0f19"},
		{"wine cosine shrunk", wine, KFDA{Kernel: gram.Cosine{}, Regularizer: Shrink(0.1), Components: 1}, "4adc007b04887e06"},
		{"wine chi-squared", wine, KFDA{Kernel: gram.ChiSquared{}, Regularizer: RelativeRidge(1e-3), Scaling: MinMax}, "cd6cf367bd2d9fd3"},
		{"iris Gaussian", iris, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: Gaussian{}}, "efec40a473406175"},
		{"iris Gaussian per class", iris, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: Gaussian{PerClass: true}, Priors: []float64{0.2, 0.3, 0.5}}, "8f752fec83ac851e"},
		{"iris neighbours", iris, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: KNN{}}, "866403ef92c652be"},
		{"iris left out", iris, KFDA{Regularizer: RelativeRKHS(1e-3), Classifier: Gaussian{}, LeaveOneOut: true}, "65ed139e84e945c9"},
		{"iris LDA centroids", iris, LDA{Classifier: NearestCentroid{}}, "9d0a35f4e52421f3"},
		{"wine LDA", wine, LDA{Regularizer: LedoitWolf(), Classifier: Gaussian{}}, "528b821349063dcd"},
		{"wine LDA shrunk", wine, LDA{Regularizer: Shrink(0.3), Scaling: Standard, Classifier: Gaussian{PerClass: true}}, "049fa473a3b9fbf4"},
		{"collinear LDA", collinear, LDA{Classifier: KNN{K: 3}}, "59833ccf4895afcf"},
		{"iris default", iris, KFDA{}, "7a183e3295e353d8"},
		{"wine default", wine, KFDA{}, "dcc8fb516aa58776"},
		{"iris scaled by choice", iris, KFDA{Scaling: AutoScaling, Classifier: NearestCentroid{}}, "edc04c40d29f8bee"},
		{"iris ridge by choice", iris, KFDA{Regularizer: LeaveOneOutRidge(), Scaling: AutoScaling}, "72f9b7c3b8b102c2"},
		{"wine averaged by choice", wine, KFDA{Kernel: gram.Laplacian{}, Scatter: AveragedScatter}, "9058d4e33b415531"},
		{"iris calibrated per class", iris, KFDA{Classifier: Gaussian{PerClass: true}, LeaveOneOut: true, Priors: []float64{0.2, 0.3, 0.5}}, "f2d4762cd9eedef2"},
		{"iris LDA default", iris, LDA{}, "02baedb75e1fec1a"},
		{"wide LDA", tableOf(t, "flda/wide_lw_1"), LDA{Regularizer: RelativeRidge(0.1), Classifier: NearestCentroid{}}, "a5f40714e117f0d2"},
	}
	for _, f := range fits {
		t.Run(f.name, func(t *testing.T) {
			m := mustFit(t, f.method, f.data.x, f.data.y)
			if got := modelHash(t, m, f.data.x); got != f.want {
				t.Errorf("hash %s, want %s", got, f.want)
			}
		})
	}
}

type labelled struct {
	x *matrix.Dense
	y []int
}

func tableOf(t *testing.T, name string) labelled {
	p := golden.Load(t, name)
	return labelled{p.Input.Matrix("X"), p.Input.Ints("y")}
}

func modelHash[L Label](t testing.TB, m *Model[L], x *matrix.Dense) string {
	t.Helper()
	rows := x.View(0, 0, min(x.Rows, 50), x.Cols)
	z, err := m.Project(nil, rows)
	if err != nil {
		t.Fatal(err)
	}
	kernel, coefficients := "", m.Weights()
	if m.Kernel() != nil {
		coefficients = m.Alpha()
		if kernel, err = gram.Format(m.Kernel()); err != nil {
			t.Fatal(err)
		}
	}
	h := sha256.New()
	c := m.Certificate()
	fmt.Fprintf(h, "%v %v %s %v %x %s %x %x %x %x %d %d\n", m.Classes(), m.Counts(), kernel, m.Regularizer(), m.Ridge(),
		c.Solver, c.Backward, c.CondBound, c.Growth, c.KernelRounding, c.Rank, c.Passes)
	for _, values := range [][]float64{m.Eigenvalues(), coefficients.Data, m.Centroids().Data, z.Data} {
		fmt.Fprintf(h, "%x\n", values)
	}
	if p, err := m.Posteriors(nil, rows); err == nil {
		fmt.Fprintf(h, "%v %x\n", m.Classifier(), p.Data)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
