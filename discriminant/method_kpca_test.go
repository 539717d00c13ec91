package discriminant_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func fitPCA(t testing.TB, m discriminant.KernelPCA, x *matrix.Dense) *discriminant.PCA {
	t.Helper()
	return must.Get(discriminant.FitKernelPCA(context.Background(), m, x))(t)
}

func scores(t testing.TB, p *discriminant.PCA, x *matrix.Dense) *matrix.Dense {
	t.Helper()
	return must.Get(p.Project(nil, x))(t)
}

// scaledColumns returns a with column j times f(j).
func scaledColumns(a *matrix.Dense, f func(j int) float64) *matrix.Dense {
	b := a.Clone()
	for i := range b.Rows {
		for j := range b.Cols {
			b.Set(i, j, b.At(i, j)*f(j))
		}
	}
	return b
}

// TestGoldenKernelPCA compares every field of folder kpca.
func TestGoldenKernelPCA(t *testing.T) {
	var problems []*golden.Problem
	ratios := worst{}
	for _, p := range golden.Dir(t, "kpca") {
		t.Run(p.Name, func(t *testing.T) {
			x, test := p.Input.Matrix("X"), p.Input.Matrix("X_test")
			method := discriminant.KernelPCA{Kernel: must.Get(gram.Parse(p.Input.Kernel().Text()))(t), Components: p.Input.Int("components")}
			m := fitPCA(t, method, x)
			compare := func(field string, got any) {
				t.Helper()
				ratios[field] = math.Max(ratios[field], p.Compare(t, field, got, true))
			}
			lambda := m.Eigenvalues()
			compare("eigenvalues", lambda)
			compare("eigenvectors", scaledColumns(m.Alpha(), func(j int) float64 { return math.Sqrt(lambda[j]) }))
			compare("scores_train", scores(t, m, x))
			compare("scores_test", scores(t, m, test))
			for j, want := range p.Expected.Vector("explained_ratio") {
				if got := m.ExplainedRatio()[j]; !(math.Abs(got-want) <= 1e-12) {
					t.Errorf("explained ratio %d is %v, want %v", j, got, want)
				}
			}
			k, cross := gramOf(t, method.Kernel, x), crossOf(t, method.Kernel, test, x)
			centring := gram.NewCentring(k)
			compare("K_centred", centring.Matrix(nil, k))
			compare("K_test_centred", matrix.Transpose(nil, centring.Cross(nil, cross)))
			if left := p.Uncompared(); len(left) > 0 {
				t.Errorf("not compared: %v", left)
			}
			problems = append(problems, p)
		})
	}
	performed, total := golden.Count(problems)
	t.Logf("%d problems, %d of %d checks; largest error over tolerance, by field: %v", len(problems), performed, total, ratios)
}

// Whitened scores of the training rows have the named spread and stay
// uncorrelated; all components are the same but for their scale.
func TestWhitening(t *testing.T) {
	x, _ := blobs(3, 4, 20, 20)
	y := rows(4, 7, 4)
	plain := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.1}, Components: 6}, x)
	lambda := plain.Eigenvalues()
	for _, c := range []struct {
		whiten discriminant.Whitening
		square func(l float64) float64 // sum of squares of the training scores
	}{
		{discriminant.NoWhitening, func(l float64) float64 { return l }},
		{discriminant.UnitLength, func(float64) float64 { return 1 }},
		{discriminant.UnitVariance, func(float64) float64 { return 40 }},
	} {
		m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.1}, Components: 6, Whiten: c.whiten}, x)
		if m.Whitening() != c.whiten {
			t.Errorf("%v: the model says %v", c.whiten, m.Whitening())
		}
		z := scores(t, m, x)
		g := matrix.SymRankK(nil, z, matrix.Transposed)
		for i := range 6 {
			for j := range i + 1 {
				want := 0.0
				if i == j {
					want = c.square(lambda[i])
				}
				if math.Abs(g.At(i, j)-want) > 1e-12*math.Sqrt(c.square(lambda[i])*c.square(lambda[j])) {
					t.Errorf("%v: scores have the product %v at (%d, %d), want %v", c.whiten, g.At(i, j), i, j, want)
				}
			}
		}
		want := scaledColumns(scores(t, plain, y), func(j int) float64 { return math.Sqrt(c.square(lambda[j]) / lambda[j]) })
		got := scores(t, m, y)
		for i, v := range got.Data {
			if math.Abs(v-want.Data[i]) > 1e-12*matrix.MaxAbs(want) {
				t.Errorf("%v: new row: score %v, want %v", c.whiten, v, want.Data[i])
			}
		}
	}
}

// With the linear kernel the components are those of the covariance matrix.
func TestLinearKernelPCAIsPCA(t *testing.T) {
	x, _ := blobs(5, 3, 30, 30)
	for i := range x.Rows {
		x.Row(i)[1] *= 5
		x.Row(i)[2] += 1e4 // a common offset
	}
	m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.Linear{}}, x)
	if m.Components() != 3 {
		t.Fatalf("%d components of three columns, eigenvalues %v", m.Components(), m.Eigenvalues())
	}
	means := matrix.RowMeans(nil, matrix.Transpose(nil, x))
	centred := x.Clone()
	total := 0.0
	for i := range x.Rows {
		for j := range 3 {
			d := x.At(i, j) - means[j]
			centred.Set(i, j, d)
			total += d * d
		}
	}
	// The axes w = Xᵀα are orthonormal, and (XᵀX)w = λw.
	w := matrix.Mul(nil, centred, matrix.Transposed, m.Alpha(), matrix.NoTrans)
	c := matrix.SymRankK(nil, centred, matrix.Transposed)
	cw := matrix.Mul(nil, c, matrix.NoTrans, w, matrix.NoTrans)
	for j, l := range m.Eigenvalues() {
		for i := range 3 {
			if math.Abs(cw.At(i, j)-l*w.At(i, j)) > 1e-7*m.Eigenvalues()[0] { // the offset costs K 8 digits
				t.Errorf("axis %d: (XᵀX)w is %v, want %v", j, column(cw, j), l*w.At(i, j))
			}
		}
	}
	sum := 0.0
	for _, r := range m.ExplainedRatio() {
		sum += r
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("all components explain %v", sum)
	}
}

// Few components of many rows come from the iteration, and are those of all.
func TestKernelPCAFewComponents(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 132
	}
	x, _ := blobs(6, 5, n/3, n/3, n-2*(n/3))
	few := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.2}, Components: 4}, x)
	all := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.2}}, x)
	if few.Certificate().Solver != "lanczos" || all.Certificate().Solver != "eigen" {
		t.Fatalf("solvers %q and %q", few.Certificate().Solver, all.Certificate().Solver)
	}
	least, known := all.Least()
	bound, boundKnown := few.Least()
	if !known || boundKnown || bound < least-1e-10 {
		t.Errorf("least eigenvalue %v (known: %v), bound %v (known: %v)", least, known, bound, boundKnown)
	}
	for j, l := range few.Eigenvalues() {
		if math.Abs(l-all.Eigenvalues()[j]) > 1e-12*all.Eigenvalues()[0] {
			t.Errorf("eigenvalue %d is %v, want %v", j, l, all.Eigenvalues()[j])
		}
	}
	y := rows(7, 9, 5)
	got, want := scores(t, few, y), scores(t, all, y)
	for i := range y.Rows {
		for j := range 4 {
			if math.Abs(got.At(i, j)-want.At(i, j)) > 1e-9 {
				t.Errorf("row %d: score %d is %v, want %v", i, j, got.At(i, j), want.At(i, j))
			}
		}
	}
	if c := few.Certificate(); !(c.Backward < 1e-13) || !(c.KernelRounding < 1e-10) {
		t.Errorf("certificate %+v", c)
	}
}

// Points of a regular polygon: the two eigenvalues of the linear kernel are equal,
// and one of them is left out.
func TestKernelPCACutsCluster(t *testing.T) {
	for n, solver := range map[int]string{4: "eigen", 150: "lanczos"} {
		x := matrix.New(n, 2)
		for i := range n {
			a := 2 * math.Pi * float64(i) / float64(n)
			x.Set(i, 0, math.Cos(a))
			x.Set(i, 1, math.Sin(a))
		}
		for components, want := range map[int]bool{1: true, 2: false} {
			m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.Linear{}, Components: components}, x)
			if c := m.Certificate(); c.CutsCluster != want || c.Solver != solver {
				t.Errorf("n = %d, %d components by %s: cuts a cluster: %v", n, components, c.Solver, c.CutsCluster)
			}
		}
	}
}

// The sizes of kernel values play no part.
func TestKernelPCAScale(t *testing.T) {
	x, _ := blobs(8, 3, 12, 12)
	k := gramOf(t, gram.RBF{Gamma: 0.3}, x)
	want := fitPCA(t, discriminant.KernelPCA{Kernel: gram.Precomputed{}}, k)
	for _, e := range []int{-900, -300, 7, 300, 900} {
		s := mapped(k, times(math.Ldexp(1, e)))
		m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.Precomputed{}}, s)
		for j, l := range m.Eigenvalues() {
			if l != math.Ldexp(want.Eigenvalues()[j], e) {
				t.Fatalf("2^%d: eigenvalue %d is %v, want %v", e, j, l, math.Ldexp(want.Eigenvalues()[j], e))
			}
		}
		z, w := scores(t, m, s), scores(t, want, k)
		for i, v := range z.Data {
			if f := math.Sqrt(math.Ldexp(1, e)) * w.Data[i]; math.Abs(v-f) > 1e-14*math.Sqrt(math.Ldexp(1, e))*matrix.MaxAbs(w) {
				t.Fatalf("2^%d: score %v, want %v", e, v, f)
			}
		}
	}
}

func TestKernelPCAParameters(t *testing.T) {
	x, _ := blobs(9, 2, 5, 5)
	for field, m := range map[string]discriminant.KernelPCA{
		"Components": {Components: -1},
		"Whiten":     {Whiten: 9},
		"Scaling":    {Kernel: gram.Precomputed{}, Scaling: discriminant.Standard},
		"Classifier": {Classifier: discriminant.KNN{}},
	} {
		var e *discriminant.ParameterError
		if _, err := discriminant.FitKernelPCA(context.Background(), m, x); !errors.As(err, &e) || e.Field != field {
			t.Errorf("%s: error %v, want a *ParameterError", field, err)
		}
	}
	must.Refuse[*gram.ParameterError](discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: gram.RBF{Gamma: -1}}, x))(t, "gamma −1")
	must.Refuse[*discriminant.RowsError](discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{}, matrix.New(0, 2)))(t, "no rows")
	for _, x := range []*matrix.Dense{rowsOf(t, []float64{1, 2}), rowsOf(t, []float64{1, 2}, []float64{1, 2}, []float64{1, 2}), rowsOf(t, []float64{0}, []float64{0})} {
		var rank *discriminant.RankError
		if _, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: gram.Linear{}}, x); !errors.As(err, &rank) || rank.Rank != 0 {
			t.Errorf("%d equal rows: error %v, want a *RankError", x.Rows, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	big, _ := blobs(9, 2, 100, 100)
	if _, err := discriminant.FitKernelPCA(ctx, discriminant.KernelPCA{Components: 2}, big); err != context.Canceled {
		t.Errorf("cancelled: error %v", err)
	}
}

func TestCase09IndefiniteKernel(t *testing.T) {
	x := matrixtest.Case(t, "09-kpca-indefinite-kernel/X.csv")
	kernel := gram.Sigmoid{Gamma: 2, Coef0: -2}
	var indefinite *discriminant.IndefiniteKernelError
	_, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: kernel}, x)
	if !errors.As(err, &indefinite) || !strings.Contains(err.Error(), "kernel is indefinite") {
		t.Fatalf("all components: error %v, want an *IndefiniteKernelError", err)
	}
	t.Log(err)
	if math.Abs(indefinite.Least+1.2147552) > 1e-7 || math.Abs(indefinite.Largest-2.5509915) > 1e-7 || indefinite.Positive != 3 {
		t.Errorf("%+v", indefinite)
	}
	m := fitPCA(t, discriminant.KernelPCA{Kernel: kernel, Components: 3}, x)
	for j, want := range []float64{2.5509915, 1.5567928, 0.868681233} {
		if math.Abs(m.Eigenvalues()[j]-want) > 1e-7 {
			t.Errorf("eigenvalue %d is %.10g, want %.10g", j, m.Eigenvalues()[j], want)
		}
	}
	if least, known := m.Least(); !known || math.Abs(least+1.2147552) > 1e-7 {
		t.Errorf("least eigenvalue %v, known: %v", least, known)
	}
	if !finite(scores(t, m, x)) {
		t.Error("a score is not finite")
	}
	var rank *discriminant.RankError
	// The fourth eigenvalue is 0: there are fewer components than requested, and the error says so.
	if _, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: kernel, Components: 4}, x); !errors.As(err, &rank) ||
		rank.Rank != 3 || math.Abs(rank.Value) > rank.Limit || math.Abs(rank.Least+1.2147552) > 1e-7 || !strings.Contains(err.Error(), "the kernel is indefinite") {
		t.Errorf("4 components: error %v, want a *RankError", err)
	}

	labels := []string{"a", "a", "b", "b", "a"}
	model := fit(t, discriminant.KernelPCA{Kernel: kernel, Components: 3}, x, labels)
	chain := model.Details().(discriminant.KernelPCADetails)
	if least, known := chain.Least(); !chain.Indefinite() || !m.Indefinite() || !known || math.Abs(least+1.2147552) > 1e-7 {
		t.Errorf("indefinite: %v and %v, least eigenvalue %v, known: %v", chain.Indefinite(), m.Indefinite(), least, known)
	}
	// The trace is the sum of the eigenvalues, the negative ones too.
	trace := 2.5509915 + 1.5567928 + 0.868681233 - 1.2147552
	for j, share := range chain.ExplainedRatio() {
		if want := m.Eigenvalues()[j] / trace; math.Abs(share-want) > 1e-7 || share != m.ExplainedRatio()[j] {
			t.Errorf("share %d is %v, want %v", j, share, want)
		}
	}
	// Where the least eigenvalue is below the range of numbers, the error is still that
	// of kernel PCA.
	if text := (&discriminant.IndefiniteKernelError{Largest: 1e-320, Positive: 12}).Error(); !strings.Contains(text, "ask for at most 12 components") {
		t.Error(text)
	}
	negative := matrix.New(3, 3)
	for i := range 3 {
		negative.Set(i, i, -1)
	}
	for components := range 2 {
		_, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: gram.Precomputed{}, Components: components}, negative)
		if err == nil || !strings.Contains(err.Error(), "no positive eigenvalue") {
			t.Errorf("negative definite, %d components: error %v", components, err)
		}
	}
	if z := project(t, model, x); !finite(z) {
		t.Error("a projection is not finite")
	}
	for _, reg := range regularizers {
		k, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: kernel, Regularizer: reg}, x, labels)
		if err != nil {
			must.Fail[*discriminant.IndefiniteKernelError](t, fmt.Sprintf("KFDA, %v", reg), err)
		} else if !finite(project(t, k, x)) {
			t.Errorf("KFDA, %v: a projection is not finite", reg)
		}
	}
	ridge := discriminant.KernelRidge{Kernel: kernel, Regularizer: discriminant.Ridge(0.1)}
	if _, err := discriminant.Fit(context.Background(), ridge, x, labels); !errors.As(err, &indefinite) {
		t.Errorf("kernel ridge: error %v, want an *IndefiniteKernelError", err)
	} else {
		t.Log(err)
	}
	ridge.Regularizer = discriminant.Ridge(2) // above the smallest eigenvalue
	if r := fit(t, ridge, x, labels); !finite(project(t, r, x)) {
		t.Error("kernel ridge: a value is not finite")
	}
}

func TestCase10ZeroEigenvalue(t *testing.T) {
	x := matrixtest.Case(t, "10-kpca-zero-eigenvalue-transform/X.csv")
	_, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: gram.Linear{}, Components: 2}, x)
	if rank, ok := errors.AsType[*discriminant.RankError](err); !ok || rank.Asked != 2 || rank.Rank != 1 {
		t.Fatalf("2 components: error %v, want a *RankError", err)
	}
	t.Log(err)
	m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.Linear{}}, x)
	if m.Components() != 1 || math.Abs(m.Eigenvalues()[0]-2) > 1e-15 {
		t.Fatalf("eigenvalues %v, want 2", m.Eigenvalues())
	}
	z := scores(t, m, x)
	sign := math.Copysign(1, z.At(2, 0))
	for i, want := range []float64{-1, 0, 1} {
		if math.Abs(z.At(i, 0)-sign*want) > 1e-14 {
			t.Errorf("score %d is %v, want %v", i, z.At(i, 0), sign*want)
		}
	}
	if got := scores(t, m, rowsOf(t, []float64{2})).At(0, 0); math.Abs(got-2*sign) > 1e-14 {
		t.Errorf("row 2.0 has the score %v", got)
	}
}

func TestCase21NonFiniteKernelMatrix(t *testing.T) {
	for _, file := range []string{"a.csv", "b.csv", "c.csv", "d.csv"} {
		k := matrixtest.Case(t, "21-eigen-nonfinite-input-hang/"+file)
		must.Refuse[*matrix.NotFiniteError](discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: gram.Precomputed{}}, k))(t, fmt.Sprintf("%s: kernel PCA", file))
		labels := make([]string, k.Rows)
		for i := range labels {
			labels[i] = fmt.Sprint(i % 2)
		}
		for _, m := range []discriminant.Method{discriminant.KernelPCA{Kernel: gram.Precomputed{}}, discriminant.KernelRidge{Kernel: gram.Precomputed{}}, discriminant.KFDA{Kernel: gram.Precomputed{}}} {
			must.Fail[*matrix.NotFiniteError](t, fmt.Sprintf("%s: %T", file, m), fitError(m, k, labels))
		}
	}
}

func TestCase24FarRowKernelPCA(t *testing.T) {
	x, labels := matrixtest.LabelledCase(t, "24-rbf-underflow-far-point/train.csv")
	test := matrixtest.Case(t, "24-rbf-underflow-far-point/test.csv")
	for _, whiten := range []discriminant.Whitening{discriminant.NoWhitening, discriminant.UnitLength, discriminant.UnitVariance} {
		m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 1}, Whiten: whiten}, x)
		z := scores(t, m, test)
		if !finite(z) {
			t.Fatalf("scores %v", z.Data)
		}
		matrixtest.SameBits(t, "rows 500 and 1e6", z.View(0, 0, 1, z.Cols), z.View(2, 0, 1, z.Cols))
		// Such rows can be told by what the components leave unexplained.
		e := must.Get(m.ReconstructionErrors(nil, test))(t)
		if !(e[0] == e[2] && e[0] > 10*e[1]) {
			t.Errorf("reconstruction errors %v", e)
		}
	}
	y := predict(t, fit(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 1}}, x, labels), test)
	if y[1] != "a" || y[0] != y[2] {
		t.Errorf("predicted %q", y)
	}
}

func TestCase30InputUntouchedKernelPCA(t *testing.T) {
	const dir = "30-precomputed-input-untouched/"
	k := matrixtest.Case(t, dir+"K.csv")
	var labels []string
	for _, record := range cases.Records(t, dir+"y.csv") {
		labels = append(labels, record[0])
	}
	before, names := k.Clone(), slices.Clone(labels)
	untouched := func() {
		t.Helper()
		matrixtest.SameBits(t, "K", before, k)
		if !slices.Equal(names, labels) {
			t.Errorf("labels are %q, were %q", labels, names)
		}
	}
	pca := discriminant.KernelPCA{Kernel: gram.Precomputed{}}
	first := fitPCA(t, pca, k)
	untouched()
	fit(t, discriminant.KFDA{Kernel: gram.Precomputed{}}, k, labels)
	fit(t, discriminant.KernelRidge{Kernel: gram.Precomputed{}}, k, labels)
	untouched()
	if err := fitError(discriminant.KernelRidge{Kernel: gram.Precomputed{}, Regularizer: discriminant.Ridge(1e-300)}, k, labels); err == nil {
		t.Error("a ridge of 1e-300 was accepted")
	}
	if _, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: gram.Precomputed{}, Components: 3}, k); err == nil {
		t.Error("three components of three rows were accepted")
	}
	untouched()
	again := fitPCA(t, pca, k)
	matrixtest.SameBits(t, "α", first.Alpha(), again.Alpha())
	matrixtest.SameBits(t, "λ", vector(first.Eigenvalues()), vector(again.Eigenvalues()))
	untouched()
}

func TestCase34TooManyComponentsKernelPCA(t *testing.T) {
	x, _ := matrixtest.LabelledCase(t, "34-too-many-components/train.csv")
	for _, kernel := range []gram.Kernel{gram.Linear{}, gram.RBF{Gamma: 0.1}} {
		for _, components := range []int{4, 9} {
			_, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{Kernel: kernel, Components: components}, x)
			if rank, ok := errors.AsType[*discriminant.RankError](err); !ok || rank.Asked != components || rank.Rank != 3 || !strings.Contains(err.Error(), "3") {
				t.Errorf("%v, %d components: error %v, want a *RankError", kernel, components, err)
			}
		}
	}
	if m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.1}}, x); m.Components() != 3 {
		t.Errorf("%d components of 4 rows", m.Components())
	}
	if m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.Linear{}}, x); m.Components() != 2 {
		t.Errorf("%d components of 2 columns", m.Components())
	}
}

func TestCase38OneRowKernelPCA(t *testing.T) {
	train := matrixtest.Case(t, "38-one-row-transform/train.csv") // it has no header
	if train.Rows != 8 || train.Cols != 2 {
		t.Fatalf("the case has %d×%d numbers, want 8×2", train.Rows, train.Cols)
	}
	for _, x := range []*matrix.Dense{train, rowsOf(t, train.Row(0), train.Row(1)), matrix.Transpose(nil, train)} {
		for _, kernel := range []gram.Kernel{gram.Linear{}, gram.RBF{}} {
			m := fitPCA(t, discriminant.KernelPCA{Kernel: kernel}, x)
			ridge := must.Get(discriminant.FitRegression(context.Background(), discriminant.KernelRidge{Kernel: kernel}, x, x))(t)
			z := scores(t, m, x)
			f := must.Get(ridge.Predict(nil, x))(t)
			for i := range x.Rows {
				row := x.View(i, 0, 1, x.Cols)
				matrixtest.SameBits(t, "scores of a row", z.View(i, 0, 1, z.Cols), scores(t, m, row))
				one := must.Get(ridge.Predict(nil, row))(t)
				matrixtest.SameBits(t, "prediction of a row", f.View(i, 0, 1, f.Cols), one)
			}
		}
	}
}

// A labelled chain classifies the scores.
func TestKernelPCAChain(t *testing.T) {
	x, y := blobs(11, 3, 20, 20, 20)
	for _, c := range []discriminant.Classifier{nil, discriminant.Gaussian{}, discriminant.Gaussian{PerClass: true}, discriminant.KNN{K: 3}} {
		method := discriminant.KernelPCA{Kernel: gram.RBF{}, Components: 4, Scaling: discriminant.Standard, Classifier: c, Whiten: discriminant.UnitVariance}
		m := fit(t, method, x, y)
		if m.Components() != 4 || len(discriminant.DetailsOf(m).Eigenvalues()) != 4 {
			t.Fatalf("%d components", m.Components())
		}
		method.Classifier = nil
		matrixtest.SameBits(t, "scores", project(t, m, x), scores(t, fitPCA(t, method, x), x))
		wrong := 0
		for i, l := range predict(t, m, x) {
			if l != y[i] {
				wrong++
			}
		}
		if wrong > 15 {
			t.Errorf("%v: %d of 60 training rows wrong", c, wrong)
		}
	}
}

// The projection on all components is the point itself, so that the pre-image of
// a training row is that row.
func TestPreImagesOfAllComponents(t *testing.T) {
	x, _ := blobs(12, 3, 10, 10)
	for _, scaling := range []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard} {
		for _, whiten := range []discriminant.Whitening{discriminant.NoWhitening, discriminant.UnitLength, discriminant.UnitVariance} {
			m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.5}, Scaling: scaling, Whiten: whiten}, x)
			back, found := must.Get2(m.PreImages(context.Background(), nil, scores(t, m, x)))(t)
			for i := range x.Rows {
				if d := difference(back.Row(i), x.Row(i), 1); d > 1e-6 || found[i].Error > 1e-9 || !found[i].Converged {
					t.Errorf("%v, %v: row %d: pre-image off by %g, %+v", scaling, whiten, i, d, found[i])
				}
			}
			e := must.Get(m.ReconstructionErrors(nil, x))(t)
			for i, v := range e {
				if v > 1e-12 {
					t.Errorf("row %d: reconstruction error %g with all components", i, v)
				}
			}
		}
	}
}

// Points on a circle with noise: two or three components take most of it away.
func TestPreImagesTakeNoiseAway(t *testing.T) {
	const n = 60
	noise := rows(13, n, 2)
	x := matrix.New(n, 2)
	for i := range n {
		a := 2 * math.Pi * float64(i) / n
		x.Set(i, 0, math.Cos(a)+0.08*noise.At(i, 0))
		x.Set(i, 1, math.Sin(a)+0.08*noise.At(i, 1))
	}
	m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.5}, Components: 4}, x)
	z := scores(t, m, x)
	back, found := must.Get2(m.PreImages(context.Background(), nil, z))(t)
	spread := func(x *matrix.Dense) float64 {
		s := 0.0
		for i := range x.Rows {
			r := math.Hypot(x.At(i, 0), x.At(i, 1)) - 1
			s += r * r
		}
		return math.Sqrt(s / float64(x.Rows))
	}
	if before, after := spread(x), spread(back); !(after < 0.8*before) {
		t.Errorf("distance from the circle %v, before %v", after, before)
	}
	for i, f := range found {
		if !f.Converged || !(f.Error >= 0) {
			t.Errorf("row %d: %+v", i, f)
		}
		// g is at a maximum: every neighbour is further from the point.
		for j := range 2 {
			for _, h := range []float64{-1e-3, 1e-3} {
				moved := back.View(i, 0, 1, 2).Clone()
				moved.Row(0)[j] += h
				if e := distanceTo(t, m, x, z.Row(i), moved); e < f.Error-1e-12 {
					t.Errorf("row %d: a neighbour is at %v, the pre-image at %v", i, e, f.Error)
				}
			}
		}
	}
	// The ridge-learned map: the rows regressed on their scores.
	learned := must.Get(discriminant.FitRegression(context.Background(), discriminant.KernelRidge{Kernel: gram.RBF{}, Regularizer: discriminant.RelativeRidge(1e-2)}, z, x))(t)
	map2 := must.Get(learned.Predict(nil, z))(t)
	if before, after := spread(x), spread(map2); !(after < before) {
		t.Errorf("learned map: distance from the circle %v, before %v", after, before)
	}
}

// distanceTo returns the squared distance of φ(y) from the point with the scores z,
// from scratch: the scores' point is Σ z_k V_k + mean, V_k = Σ α_ik(φ(xᵢ) − mean).
func distanceTo(t *testing.T, m *discriminant.PCA, x *matrix.Dense, z []float64, y *matrix.Dense) float64 {
	k := gramOf(t, m.Kernel(), x)
	cross := crossOf(t, m.Kernel(), y, x)
	n := x.Rows
	gamma := make([]float64, n)
	sum := 0.0
	for i := range n {
		for j, v := range z {
			gamma[i] += v * m.Alpha().At(i, j)
		}
		sum += gamma[i]
	}
	for i := range n {
		gamma[i] += (1 - sum) / float64(n)
	}
	d := 1.0
	kg := matrix.MulVec(nil, k, matrix.NoTrans, gamma)
	for i, g := range gamma {
		d += g*kg[i] - 2*g*cross.At(0, i)
	}
	return d
}

func TestPreImageErrors(t *testing.T) {
	x, _ := blobs(14, 2, 6, 6)
	var none *discriminant.PreImageError
	m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.NewPolynomial(2), Components: 2}, x)
	if _, _, err := m.PreImages(context.Background(), nil, scores(t, m, x)); !errors.As(err, &none) {
		t.Errorf("polynomial: error %v, want a *PreImageError", err)
	} else {
		t.Log(err)
	}
	k := gramOf(t, gram.RBF{Gamma: 1}, x)
	p := fitPCA(t, discriminant.KernelPCA{Kernel: gram.Precomputed{}, Components: 2}, k)
	must.Refuse[*discriminant.PreImageError](p.ReconstructionErrors(nil, k))(t, "precomputed")
	m = fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 1}, Components: 2}, x)
	var shape *gram.ShapeError
	if _, _, err := m.PreImages(context.Background(), nil, matrix.New(1, 3)); !errors.As(err, &shape) {
		t.Errorf("three scores: error %v, want a *gram.ShapeError", err)
	}
	var bad *matrix.NotFiniteError
	if _, _, err := m.PreImages(context.Background(), nil, rowsOf(t, []float64{math.NaN(), 0})); !errors.As(err, &bad) {
		t.Errorf("NaN: error %v", err)
	}
	// Scores beyond the squares of which there are numbers.
	for _, whiten := range []discriminant.Whitening{discriminant.NoWhitening, discriminant.UnitLength, discriminant.UnitVariance} {
		m := fitPCA(t, discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 1}, Components: 2, Whiten: whiten}, x)
		for _, far := range []float64{1e160, 1e300, math.MaxFloat64} {
			var overflow *discriminant.OverflowError
			if back, found, err := m.PreImages(context.Background(), nil, rowsOf(t, []float64{0, 0}, []float64{1, -far})); !errors.As(err, &overflow) || overflow.Row != 1 || overflow.Component != 1 {
				t.Errorf("%v, scores of %v: %v, %v, error %v; want an *OverflowError", whiten, far, back, found, err)
			}
		}
	}
	// Scores of no row: far out, but an answer.
	if back, found, err := m.PreImages(context.Background(), nil, rowsOf(t, []float64{1e6, -1e6})); err != nil || !finite(back) || math.IsNaN(found[0].Error) {
		t.Errorf("far scores: %v, %v, %v", back, found, err)
	}
}

// A share keeps as many of all components as it takes to have that share of the trace, the
// same ones to the rounding of the eigensolver.
func TestShareOfTheVariance(t *testing.T) {
	x, _ := blobs(3, 4, 20, 20)
	method := discriminant.KernelPCA{Kernel: gram.RBF{Gamma: 0.1}}
	all := fitPCA(t, method, x)
	ratio := all.ExplainedRatio()
	for _, c := range []struct {
		share      float64
		components int
	}{{1e-9, 0}, {0.5, 0}, {0.9, 0}, {1, 0}, {0.9, 3}, {0.5, 39}, {0.5, 100}} {
		method.Share, method.Components = c.share, c.components
		want, sum := 0, 0.0
		for want < len(ratio) && (c.components == 0 || want < c.components) && sum < c.share {
			sum += ratio[want]
			want++
		}
		m := fitPCA(t, method, x)
		if got := m.Components(); got != want && c.share < 1 {
			t.Errorf("share %v of at most %d: %d components, want %d", c.share, c.components, got, want)
		}
		for j, l := range m.Eigenvalues() {
			if want := all.Eigenvalues()[j]; math.Abs(l-want) > 1e-12*all.Eigenvalues()[0] {
				t.Errorf("share %v: eigenvalue %d is %v, want %v", c.share, j, l, want)
			}
		}
	}
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		var e *discriminant.ParameterError
		if err := (discriminant.KernelPCA{Share: share}).Validate(); !errors.As(err, &e) || e.Field != "Share" {
			t.Errorf("share %v: error %v", share, err)
		}
	}
}
