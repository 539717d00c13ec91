package discriminant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
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
		{"iris", iris, KFDA{Regularizer: RelativeRidge(1e-3)}, "647901e5f5151e90"},
		{"iris polynomial", iris, KFDA{Kernel: gram.NewPolynomial(3), Regularizer: Ridge(1e-3)}, "d646cd80178ccc72"},
		{"iris RKHS", iris, KFDA{Regularizer: RelativeRKHS(1e-4), Scaling: MinMax, Classifier: NearestCentroid{}}, "ae9357a56aaad825"},
		{"iris sigmoid", iris, KFDA{Kernel: gram.Sigmoid{Gamma: 0.01, Coef0: -1}, Regularizer: RelativeRidge(1e-3), Scaling: Standard}, "23d2ded6bb4c05ca"},
		{"wine", wine, KFDA{Regularizer: RelativeRidge(1e-3)}, "ae25b44d1765cdd3"},
		{"wine Laplacian averaged", wine, KFDA{Kernel: gram.Laplacian{}, Regularizer: RelativeRidge(1e-3), Scatter: AveragedScatter}, "db743a6d1587fb35"},
		{"wine cosine shrunk", wine, KFDA{Kernel: gram.Cosine{}, Regularizer: Shrink(0.1), Components: 1}, "59ae28f7c1c05b2b"},
		{"wine chi-squared", wine, KFDA{Kernel: gram.ChiSquared{}, Regularizer: RelativeRidge(1e-3), Scaling: MinMax}, "f6be0ed6b2d74f81"},
		{"iris Gaussian", iris, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: Gaussian{}}, "d12e4b9f7ae670cd"},
		{"iris Gaussian per class", iris, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: Gaussian{PerClass: true}, Priors: []float64{0.2, 0.3, 0.5}}, "bc0494a224a04288"},
		{"iris neighbours", iris, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: KNN{}}, "fec4138ae9b5080c"},
		{"iris left out", iris, KFDA{Regularizer: RelativeRKHS(1e-3), Classifier: Gaussian{}, LeaveOneOut: true}, "43cc4bd481d0712e"},
		{"iris LDA centroids", iris, LDA{Classifier: NearestCentroid{}}, "c8962f3bd87c5d72"},
		{"wine LDA", wine, LDA{Regularizer: LedoitWolf(), Classifier: Gaussian{}}, "1fae9f00146da68c"},
		{"wine LDA shrunk", wine, LDA{Regularizer: Shrink(0.3), Scaling: Standard, Classifier: Gaussian{PerClass: true}}, "deb5100fc39c995d"},
		{"collinear LDA", collinear, LDA{Classifier: KNN{K: 3}}, "994315fcb3fa2ea0"},
		{"iris default", iris, KFDA{}, "ff65c97e616f3aaf"},
		{"wine default", wine, KFDA{}, "91cfbffd7a93d358"},
		{"iris scaled by choice", iris, KFDA{Scaling: AutoScaling, Classifier: NearestCentroid{}}, "f1b394447eefd737"},
		{"iris ridge by choice", iris, KFDA{Regularizer: LeaveOneOutRidge(), Scaling: AutoScaling}, "647901e5f5151e90"},
		{"wine averaged by choice", wine, KFDA{Kernel: gram.Laplacian{}, Scatter: AveragedScatter}, "c03327cd0c18561d"},
		{"iris calibrated per class", iris, KFDA{Classifier: Gaussian{PerClass: true}, LeaveOneOut: true, Priors: []float64{0.2, 0.3, 0.5}}, "be38578b3a195715"},
		{"iris LDA default", iris, LDA{}, "f30d0934fc187283"},
		{"wide LDA", tableOf(t, "flda/wide_lw_1"), LDA{Regularizer: RelativeRidge(0.1), Classifier: NearestCentroid{}}, "b88f401ec62bf73b"},
	}
	for _, f := range fits {
		t.Run(f.name, func(t *testing.T) {
			m := mustFit(t, f.method, f.data.x, f.data.y)
			must.Equal(t, "hash", modelHash(t, m, f.data.x), f.want)
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
	z := must.Get(m.Project(nil, rows))(t)
	kernel, coefficients := "", (*matrix.Dense)(nil)
	if d, linear := m.Details().(LDADetails); linear {
		coefficients = d.Weights()
	} else {
		coefficients = DetailsOf(m).Alpha()
		kernel = must.Get(gram.Format(DetailsOf(m).Kernel()))(t)
	}
	h := sha256.New()
	c := DetailsOf(m).Certificate()
	fmt.Fprintf(h, "%v %v %s %v %x %s %x %x %x %x %d %d\n", m.Classes(), m.Counts(), kernel, DetailsOf(m).Regularizer(), DetailsOf(m).Ridge(),
		c.Solver, c.Backward, c.CondBound, c.Growth, c.KernelRounding, c.Rank, c.Passes)
	for _, values := range [][]float64{DetailsOf(m).Eigenvalues(), coefficients.Data, DetailsOf(m).Centroids().Data, z.Data} {
		fmt.Fprintf(h, "%x\n", values)
	}
	if p, err := m.Posteriors(nil, rows); err == nil {
		fmt.Fprintf(h, "%v %x\n", DetailsOf(m).Classifier(), p.Data)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// The table of the fit is known again by every bit and in its order only, with labels in
// place of the numbers of classes.
func TestTrainedOn(t *testing.T) {
	iris := tableOf(t, "medium/iris_rbf")
	m := mustFit(t, LDA{}, iris.x, iris.y)
	if !m.TrainedOn(iris.x, iris.y) {
		t.Error("the table of the fit is not known")
	}
	n := iris.x.Rows
	bit := matrix.New(n, iris.x.Cols)
	bit.CopyFrom(iris.x)
	bit.Set(n-1, 0, math.Nextafter(bit.At(n-1, 0), 100))
	turned := matrix.New(n, iris.x.Cols)
	for i := range n {
		copy(turned.Row(i), iris.x.Row(n-1-i))
	}
	other := slices.Clone(iris.y)
	other[0] = other[n-1]
	for what, known := range map[string]bool{
		"one bit":      m.TrainedOn(bit, iris.y),
		"other order":  m.TrainedOn(turned, iris.y),
		"other label":  m.TrainedOn(iris.x, other),
		"fewer rows":   m.TrainedOn(iris.x.View(0, 0, n-1, iris.x.Cols), iris.y[:n-1]),
		"fewer labels": m.TrainedOn(iris.x, iris.y[:n-1]),
	} {
		if known {
			t.Errorf("%s: taken for the table of the fit", what)
		}
	}
}
