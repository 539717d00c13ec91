package discriminant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Whole fits have the same bits on every platform, as in TestGoldenHashes. Each
// hash is that of parameters, coefficients, eigenvalues or intercepts, certificate
// and the projections of the training rows.
func TestUnlabelledHashes(t *testing.T) {
	iris, wine := tableOf(t, "medium/iris_rbf"), tableOf(t, "medium/wine_std_rbf")
	pca := func(m KernelPCA, x *matrix.Dense) mapper {
		return must.Get(FitKernelPCA(context.Background(), m, x))(t)
	}
	ridge := func(m KernelRidge, x, targets *matrix.Dense) mapper {
		return must.Get(FitRegression(context.Background(), m, x, targets))(t)
	}
	for _, f := range []struct {
		name, want string
		m          mapper
		x          *matrix.Dense
	}{
		{"iris kernel PCA", "bd2118fba89ba95f", pca(KernelPCA{Components: 3}, iris.x), iris.x},
		{"wine kernel PCA", "146f3b8f172a3b1e", pca(KernelPCA{Kernel: gram.Laplacian{}, Components: 20, Whiten: UnitVariance}, wine.x), wine.x},
		{"iris ridge", "c8916d4af57811ba", ridge(KernelRidge{Regularizer: RelativeRidge(1e-3), Scaling: Standard}, iris.x, classTargets(codesOf(iris), 3)), iris.x},
		{"iris ridge by choice", "027c11ec7c6307bd", ridge(KernelRidge{Scaling: AutoScaling}, iris.x, iris.x), iris.x},
		{"wine ridge", "351e596a834ecfa8", ridge(KernelRidge{Intercept: NoIntercept(), Regularizer: Ridge(0.2)}, wine.x, wine.x), wine.x},
	} {
		must.Equal(t, fmt.Sprintf("%s: hash", f.name), mapperHash(t, f.m, f.x), f.want)
	}
	for _, f := range []struct {
		name, want string
		method     Method
		data       labelled
	}{
		{"iris chain", "42a47b0e013ec4fd", KernelPCA{Components: 4, Classifier: Gaussian{}}, iris},
		{"wine default", "79ca60c97f85b683", KernelRidge{}, wine},
		{"wine classes", "65f10aa1faf525ad", KernelRidge{Regularizer: RelativeRidge(1e-3)}, wine},
	} {
		m := mustFit(t, f.method, f.data.x, f.data.y)
		z := must.Get(m.Project(nil, f.data.x))(t)
		d, intercept := DetailsOf(m), []float64(nil)
		if ridge, ok := m.Details().(KernelRidgeDetails); ok {
			intercept = ridge.Intercept()
		}
		must.Equal(t, fmt.Sprintf("%s: hash", f.name), valuesHash(d.Kernel(), d.Certificate(), false, d.Eigenvalues(), intercept, d.Alpha().Data, z.Data), f.want)
	}
	values := must.Get(LeaveOneOut(context.Background(), KernelRidge{Regularizer: RelativeRidge(1e-3)}, wine.x, wine.y))(t)
	must.Equal(t, "leave-one-out: hash", valuesHash(gram.RBF{}, Certificate{}, false, values.Data), "90e56ac6da898459")
	p := pca(KernelPCA{Components: 3}, iris.x).(*PCA)
	z := must.Get(p.Project(nil, iris.x.View(0, 0, 5, iris.x.Cols)))(t)
	back, _ := must.Get2(p.PreImages(context.Background(), nil, z))(t)
	must.Equal(t, "pre-images: hash", valuesHash(p.Kernel(), Certificate{}, false, back.Data), "f9159e2a48f8d150")
}

func codesOf(d labelled) []int {
	_, codes := encode(d.y)
	return codes
}

// mapperHash is the hash of what a model without classes says of itself and of
// rows.
func mapperHash(t *testing.T, m mapper, x *matrix.Dense) string {
	t.Helper()
	z := must.Get(mapRows(m, nil, x))(t)
	switch m := m.(type) {
	case *PCA:
		least, known := m.Least()
		return valuesHash(m.Kernel(), m.Certificate(), known, m.Eigenvalues(), m.ExplainedRatio(), m.Alpha().Data, []float64{least}, z.Data)
	case *Regression:
		return valuesHash(m.Kernel(), m.Certificate(), true, m.Intercept(), m.Alpha().Data, []float64{m.Ridge()}, z.Data)
	}
	panic("no such model")
}

func valuesHash(kernel gram.Kernel, c Certificate, known bool, values ...[]float64) string {
	h := sha256.New()
	text, _ := gram.Format(kernel)
	fmt.Fprintf(h, "%s %s %x %x %x %d %d %v %v\n", text, c.Solver, c.Backward, c.CondBound, c.KernelRounding, c.Rank, c.Refinements, c.CutsCluster, known)
	for _, v := range values {
		fmt.Fprintf(h, "%x\n", v)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
