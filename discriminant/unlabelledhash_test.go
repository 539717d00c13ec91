package discriminant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Whole fits have the same bits on every platform, as in TestGoldenHashes. Each
// hash is that of the model's file, which holds all that it is, and of the
// projections of its training rows.
func TestUnlabelledHashes(t *testing.T) {
	iris, wine := tableOf(t, "medium/iris_rbf"), tableOf(t, "medium/wine_std_rbf")
	pca := func(m KernelPCA, x *matrix.Dense) mapper {
		p, err := FitKernelPCA(context.Background(), m, x)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	ridge := func(m KernelRidge, x, targets *matrix.Dense) mapper {
		r, err := FitRegression(context.Background(), m, x, targets)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, f := range []struct {
		name, want string
		m          mapper
		x          *matrix.Dense
	}{
		{"iris kernel PCA", "c1e264257be4aa65", pca(KernelPCA{Components: 3}, iris.x), iris.x},
		{"wine kernel PCA", "c99b7870663889ef", pca(KernelPCA{Kernel: gram.Laplacian{}, Components: 20, Whiten: UnitVariance}, wine.x), wine.x},
		{"iris ridge", "e3c680e7262fb440", ridge(KernelRidge{Scaling: Standard}, iris.x, classTargets(codesOf(iris), 3)), iris.x},
		{"wine ridge", "59f729cdd253875f", ridge(KernelRidge{Intercept: NoIntercept(), Regularizer: Ridge(0.2)}, wine.x, wine.x), wine.x},
	} {
		if got := fileHash(t, f.m, f.x); got != f.want {
			t.Errorf("%s: hash %s, want %s", f.name, got, f.want)
		}
	}
	for _, f := range []struct {
		name, want string
		method     Method
		data       labelled
	}{
		{"iris chain", "3614e9977d4bd868", KernelPCA{Components: 4, Classifier: Gaussian{}}, iris},
		{"wine classes", "75ef5e671fcc11d4", KernelRidge{}, wine},
	} {
		m := mustFit(t, f.method, f.data.x, f.data.y)
		data, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		z, err := m.Project(nil, f.data.x)
		if err != nil {
			t.Fatal(err)
		}
		if got := hashOfFile(data, z); got != f.want {
			t.Errorf("%s: hash %s, want %s", f.name, got, f.want)
		}
	}
	values, err := LeaveOneOut(context.Background(), KernelRidge{}, wine.x, wine.y)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := hashOfFile(nil, values), "c02c0329142e5ee9"; got != want {
		t.Errorf("leave-one-out: hash %s, want %s", got, want)
	}
	p := pca(KernelPCA{Components: 3}, iris.x).(*PCA)
	z, err := p.Project(nil, iris.x.View(0, 0, 5, iris.x.Cols))
	if err != nil {
		t.Fatal(err)
	}
	back, _, err := p.PreImages(context.Background(), nil, z)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := hashOfFile(nil, back), "48967ba7131f8a99"; got != want {
		t.Errorf("pre-images: hash %s, want %s", got, want)
	}
}

func codesOf(d labelled) []int {
	_, codes := encode(d.y)
	return codes
}

func fileHash(t *testing.T, m mapper, x *matrix.Dense) string {
	t.Helper()
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	z, err := mapRows(m, nil, x)
	if err != nil {
		t.Fatal(err)
	}
	return hashOfFile(data, z)
}

func hashOfFile(data []byte, z *matrix.Dense) string {
	h := sha256.New()
	h.Write(data)
	fmt.Fprintf(h, "%x", z.Data)
	return hex.EncodeToString(h.Sum(nil))[:16]
}
