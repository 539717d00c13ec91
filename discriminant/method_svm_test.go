package discriminant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Two rows at ±1 and the linear kernel: f(x) = x for C ≥ ½, and C(x₂−x₁)x below,
// where both rows are at the bound.
func TestSVMOfTwoRows(t *testing.T) {
	x := matrix.Column([]float64{1, -1})
	for _, c := range []float64{0.125, 0.5, 3} {
		m := mustFit(t, SVM{Kernel: gram.Linear{}, C: c}, x, []string{"late", "early"})
		d, err := m.Decision(nil, matrix.Column([]float64{-2, 0, 1}))
		w := math.Min(1, 2*c)
		if want := []float64{-2 * w, 0, w}; err != nil || !slices.Equal(d, want) {
			// The classes are early and late: +1 is late.
			t.Errorf("C = %v: decisions %v, want %v, error %v", c, d, want, err)
		}
		machine := m.Machines()[0]
		if want := (Machine{First: 0, Second: 1, Support: []int{1, 0}, Coefficients: []float64{-w / 2, w / 2}, Objective: w - w*w/2, Iterations: 1, Gap: machine.Gap}); !reflect.DeepEqual(machine, want) {
			t.Errorf("C = %v: %+v, want %+v", c, machine, want)
		}
	}
}

// A class of weight 2 is a class with every row twice: the minimum of the convex
// problem is the same function.
func TestSVMWeights(t *testing.T) {
	x, codes := blobs(40, 3, 2)
	double, doubleCodes := matrix.New(60, 3), slices.Clone(codes)
	double.View(0, 0, 40, 3).CopyFrom(x)
	for i := range 20 {
		copy(double.Row(40+i), x.Row(2*i+1)) // those of class 1
		doubleCodes = append(doubleCodes, 1)
	}
	method := SVM{Kernel: gram.RBF{Gamma: 2}, C: 0.5, Tolerance: 1e-9}
	want := must.Get(mustFit(t, method, double, doubleCodes).Decision(nil, x))(t)
	method.Weights = []float64{1, 2}
	got := must.Get(mustFit(t, method, x, codes).Decision(nil, x))(t)
	for i, v := range want {
		if math.Abs(got[i]-v) > 1e-7 { // of the tolerance; a few rows at most are near the margin
			t.Errorf("row %d: %v, want %v", i, got[i], v)
		}
	}
}

// The machine of a pair of classes is that of a model of these two alone, bit for
// bit, whichever way its kernel values come: from a matrix of all rows or row by
// row, in a large memory or a small one, from any number of workers; and a class
// wins by votes, the first in a tie.
func TestSVMIsOneAgainstOne(t *testing.T) {
	const n, c = 150, 4
	x, codes := blobs(n, 3, c)
	method := SVM{Kernel: gram.RBF{Gamma: 0.1}, C: 5e4, Tolerance: 1e-6}
	whole := mustFit(t, method, x, codes)
	steps := 0
	for _, machine := range whole.Machines() {
		var rows, labels []int
		for i, j := range codes {
			if j == machine.First || j == machine.Second {
				rows, labels = append(rows, i), append(labels, j)
			}
		}
		alone := mustFit(t, method, selectRows(x, rows), labels).Machines()[0]
		alone.First, alone.Second = machine.First, machine.Second
		for k, i := range alone.Support {
			alone.Support[k] = rows[i]
		}
		if !reflect.DeepEqual(machine, alone) {
			t.Errorf("classes %d and %d: %d steps, bias %v; alone %d and %v", machine.First, machine.Second, machine.Iterations, machine.Bias, alone.Iterations, alone.Bias)
		}
		steps = max(steps, machine.Iterations)
	}
	if steps < 4500 {
		t.Errorf("%d steps at most: rows are never left out", steps)
	}

	want := svmHash(t, whole, x)
	check := func(name string, method SVM, x *matrix.Dense, codes []int) {
		t.Helper()
		must.Equal(t, fmt.Sprintf("%s: hash", name), svmHash(t, mustFit(t, method, x, codes), x), want)
	}
	for _, bytes := range []int64{1, 1 << 15, 1 << 18} {
		small := method
		small.CacheBytes = bytes
		check(fmt.Sprintf("%d bytes", bytes), small, x, codes)
	}
	for _, workers := range []int{1, 2, 7} {
		func() {
			defer block.SetWorkers(block.SetWorkers(workers))
			check(fmt.Sprintf("%d workers", workers), method, x, codes)
		}()
	}
	if !testing.Short() {
		asmtest.EachTier(t, func(t *testing.T) { check(t.Name(), method, x, codes) })
	}

	values := must.Get(whole.Project(nil, x))(t)
	predicted := must.Get(whole.Predict(nil, x))(t)
	for i := range n {
		votes, p := make([]float64, c), 0
		for a := range c {
			for b := a + 1; b < c; b++ {
				if values.At(i, p) > 0 {
					votes[b]++
				} else {
					votes[a]++
				}
				p++
			}
		}
		best := 0
		for j, v := range votes {
			if v > votes[best] {
				best = j
			}
		}
		if predicted[i] != best {
			t.Fatalf("row %d: class %d, votes %v", i, predicted[i], votes)
		}
	}
}

// Machines of a linear kernel that are slow come to their end by their features, with
// the same bits from a matrix of all rows, or row by row.
func TestSVMLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	x, codes := blobs(2400, 3, 3)
	for i := range x.Rows {
		x.Row(i)[1] *= 1000
	}
	method := SVM{Kernel: gram.Linear{}, C: 1000}
	m := mustFit(t, method, x, codes)
	for _, machine := range m.Machines() {
		if machine.Iterations > 50_000 || machine.Gap > solve.DefaultTolerance {
			t.Errorf("classes %d and %d: %d steps, gap %g", machine.First, machine.Second, machine.Iterations, machine.Gap)
		}
	}
	method.CacheBytes = 1 << 20
	must.Equal(t, "hash row by row", svmHash(t, mustFit(t, method, x, codes), x), svmHash(t, m, x))
}

// svmHash is the hash of the machines and of their values and votes for the rows.
func svmHash(t testing.TB, m *Model[int], x *matrix.Dense) string {
	t.Helper()
	values := must.Get(m.Project(nil, x))(t)
	y := must.Get(m.Predict(nil, x))(t)
	h := sha256.New()
	for _, one := range m.Machines() {
		fmt.Fprintf(h, "%d %d %v %x %x %x %x %d\n", one.First, one.Second, one.Support, one.Coefficients, one.Bias, one.Objective, one.Gap, one.Iterations)
	}
	fmt.Fprintf(h, "%x %v\n", values.Data, y)
	if p, err := m.Posteriors(nil, x); err == nil {
		fmt.Fprintf(h, "%x\n", p.Data)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Whole fits of support vector machines have the same bits on every platform.
func TestGoldenSVMHashes(t *testing.T) {
	iris, wine := tableOf(t, "medium/iris_rbf"), tableOf(t, "medium/wine_std_rbf")
	for _, f := range []struct {
		name   string
		data   labelled
		method Method
		want   string
	}{
		{"iris", iris, SVM{}, "5033d23bfdb19e1a"},
		{"iris linear", iris, SVM{Kernel: gram.Linear{}, C: 100, Tolerance: 1e-8}, "0762581d801b01e0"},
		{"iris probability", iris, SVM{Kernel: gram.NewPolynomial(3), Scaling: Standard, Probability: true}, "e36f6ab609f2798d"},
		{"wine weights", wine, SVM{Kernel: gram.Laplacian{}, C: 10, Weights: []float64{1, 2, 0.5}}, "0467f071ccdfefc5"},
		{"wine sigmoid", wine, SVM{Kernel: gram.Sigmoid{Gamma: 0.1, Coef0: -1}, Scaling: Standard}, "fc795ce612c9b17a"},
		{"wine projected", wine, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: SVM{Probability: true}}, "e424c6f5e54749b3"},
	} {
		t.Run(f.name, func(t *testing.T) {
			must.Equal(t, "hash", svmHash(t, mustFit(t, f.method, f.data.x, f.data.y), f.data.x), f.want)
		})
	}
}

// A precomputed kernel gives the machines of the kernel itself, and the model keeps
// neither the matrix nor the other rows.
func TestSVMPrecomputed(t *testing.T) {
	x, codes := blobs(60, 3, 3)
	method := SVM{Kernel: gram.RBF{Gamma: 2}}
	want := mustFit(t, method, x, codes)
	k := must.Get(gram.Matrix(nil, method.Kernel, x))(t)
	method.Kernel = gram.Precomputed{}
	got := mustFit(t, method, k, codes)
	if !reflect.DeepEqual(got.Machines(), want.Machines()) {
		t.Error("other machines than with the kernel")
	}
	a, _ := want.Project(nil, x)
	b, err := got.Project(nil, k)
	if err != nil || !slices.Equal(a.Data, b.Data) {
		t.Errorf("other values than with the kernel, error %v", err)
	}
	if e := got.pipeline.embedding.(*machineEmbedding); e.evaluator != nil || len(e.support) == 60 {
		t.Error("the model keeps more than the supporting rows")
	}
	if rows := want.pipeline.embedding.(*machineEmbedding).evaluator.X().Rows; rows == 60 || rows == 0 {
		t.Errorf("the model keeps %d of 60 rows", rows)
	}
	data := must.Get(got.MarshalBinary())(t)
	back := new(Model[int])
	must.Do(t, back.UnmarshalBinary(data))
	if c, err := back.Project(nil, k); err != nil || !slices.Equal(a.Data, c.Data) {
		t.Errorf("other values after reading, error %v", err)
	}
	must.Refuse[*gram.ShapeError](got.Predict(nil, x))(t, "rows of features for a precomputed kernel")
}

// On the projections of another method, the machines are those of a model of the
// projections.
func TestSVMOnProjections(t *testing.T) {
	x, codes := blobs(50, 3, 3)
	method := SVM{C: 5}
	for _, projection := range []func(Classifier) Method{
		func(c Classifier) Method { return KFDA{Kernel: gram.RBF{Gamma: 1}, Classifier: c} },
		func(c Classifier) Method { return LDA{Classifier: c} },
	} {
		m := mustFit(t, projection(method), x, codes)
		z := must.Get(m.Project(nil, x))(t)
		alone := mustFit(t, method, z, codes)
		if !reflect.DeepEqual(m.Machines(), alone.Machines()) {
			t.Error("other machines than of the projections")
		}
		want, _ := alone.Predict(nil, z)
		got, err := m.Predict(nil, x)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("predicted %v, of the projections %v, error %v", got, want, err)
		}
		if c := DetailsOf(m).Classifier().(SVM); c.C != 5 || c.Kernel.(gram.RBF).Gamma == 0 {
			t.Errorf("classifier %v", c)
		}
	}
}

func TestSVMErrors(t *testing.T) {
	x, codes := blobs(30, 2, 3)
	for _, c := range []struct {
		method Method
		field  string
	}{
		{SVM{C: -1}, "C"},
		{SVM{C: math.NaN()}, "C"},
		{SVM{C: math.Inf(1)}, "C"},
		{SVM{Tolerance: 2}, "Tolerance"},
		{SVM{Tolerance: math.NaN()}, "Tolerance"},
		{SVM{MaxIterations: -1}, "MaxIterations"},
		{SVM{CacheBytes: -1}, "CacheBytes"},
		{SVM{Scaling: 9}, "Scaling"},
		{SVM{Weights: []float64{1, 1}}, "Weights"},
		{SVM{Weights: []float64{1, 0, 1}}, "Weights"},
		{SVM{Weights: []float64{1, math.Inf(1), 1}}, "Weights"},
		{SVM{C: 1e300, Weights: []float64{1, 1e300, 1}}, "Weights"},
		{SVM{Kernel: gram.Precomputed{}, Scaling: Standard}, "Scaling"},
		{KFDA{Classifier: SVM{Scaling: Standard}}, "Classifier"},
		{KFDA{Classifier: SVM{Kernel: gram.Precomputed{}}}, "Classifier"},
	} {
		var parameter *ParameterError
		if _, err := Fit(context.Background(), c.method, x, codes); !errors.As(err, &parameter) || parameter.Field != c.field {
			t.Errorf("%+v: %v", c.method, err)
		}
	}
	must.Refuse[*gram.ParameterError](Fit(context.Background(), SVM{Kernel: gram.RBF{Gamma: -1}}, x, codes))(t, "a wrong kernel")

	var machine *MachineError
	var limit *solve.IterationLimitError
	_, err := Fit(context.Background(), SVM{MaxIterations: 2}, x, codes)
	if !errors.As(err, &machine) || !errors.As(err, &limit) || machine.First != 0 || machine.Second != 1 || limit.Iterations != 2 {
		t.Errorf("two steps: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Fit(ctx, SVM{}, x, codes); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}

	// The kernel values of rows 7 and 11 overflow, whichever way they are computed.
	large := x.Clone()
	large.Set(7, 0, 1e200)
	large.Set(11, 0, 1e200)
	for _, bytes := range []int64{0, 1} {
		_, err := Fit(context.Background(), SVM{Kernel: gram.Linear{}, CacheBytes: bytes}, large, codes)
		if overflow, ok := errors.AsType[*gram.NotFiniteError](err); !ok || overflow.Row != 7 && overflow.Row != 11 || overflow.Col != 7 && overflow.Col != 11 {
			t.Errorf("overflow with %d bytes: %v", bytes, err)
		}
	}

	m := mustFit(t, KFDA{Kernel: gram.Linear{}, Classifier: SVM{Kernel: gram.Polynomial{Gamma: 1, Degree: 9}}}, x, codes)
	far := x.Clone()
	far.Set(3, 1, 1e100)
	var overflow *gram.NotFiniteError
	if _, err := m.Predict(nil, far); !errors.As(err, &overflow) || overflow.Row != 3 {
		t.Errorf("a projection whose kernel values overflow: %v", err)
	}
	must.Refuse[*DecisionError](m.Decision(nil, x))(t, "a decision between three classes")
	for _, method := range []Method{SVM{}, KFDA{Classifier: SVM{}}} {
		must.Refuse[*PosteriorsError](mustFit(t, method, x, codes).Posteriors(nil, x))(t, fmt.Sprintf("posteriors of %T without probabilities", method))
	}
}

// All rows equal leave nothing to tell the classes apart by: the larger class wins.
func TestSVMDegenerateRows(t *testing.T) {
	x := matrix.New(7, 2)
	for i := range x.Data {
		x.Data[i] = 3
	}
	codes := []int{0, 1, 1, 0, 1, 1, 0}
	m := mustFit(t, SVM{Kernel: gram.RBF{Gamma: 1}, Probability: true}, x, codes)
	y, err := m.Predict(nil, x)
	if err != nil || y[0] != 1 {
		t.Errorf("predicted %v, error %v", y, err)
	}
	p, err := m.Posteriors(nil, x)
	if err != nil || !(p.At(0, 1) > 0.4 && p.At(0, 1) < 0.75) {
		t.Errorf("posteriors %v, error %v", p, err)
	}
	must.Refuse[*gram.ParameterError](Fit(context.Background(), SVM{}, x, codes))(t, "a default gamma for equal rows")
}

// The plan is the memory that may be kept and the tables of rows; a fit of few rows
// needs less.
func TestSVMPlan(t *testing.T) {
	const mb = 1e6
	small, large := SVM{}.Plan(100, 4, 2), SVM{}.Plan(100_000, 4, 2)
	if small.Bytes > 15*mb || large.Bytes < 200*mb || large.Bytes > 250*mb {
		t.Errorf("%v of 100 rows, %v of 100000", small, large)
	}
	if own := (SVM{CacheBytes: 10 << 20}).Plan(100_000, 4, 2); own.Bytes > 45*mb {
		t.Errorf("%v with a cache of 10 MiB", own)
	}
	if sure := (SVM{Probability: true}).Plan(100, 4, 2); !(sure.Flops > small.Flops) {
		t.Errorf("%v with probabilities, %v without", sure, small)
	}
}

// Votes are the machines' votes and their sums by the formula of the comment; a row has
// the same bits alone, and the machines of projections vote as those fitted to them.
func TestVotes(t *testing.T) {
	iris := golden.Load(t, "medium/iris_rbf")
	x, y := iris.Input.Matrix("X"), iris.Input.Ints("y")
	m := mustFit(t, SVM{Kernel: gram.RBF{Gamma: 0.7}}, x, y)
	votes := must.Get(m.Votes(nil, x))(t)
	values := must.Get(m.Project(nil, x))(t)
	pairs := [][2]int{{0, 1}, {0, 2}, {1, 2}}
	for i := range x.Rows {
		for j := range 3 {
			count, sum := 0.0, 0.0
			for p, pair := range pairs {
				v := values.At(i, p)
				if pair[0] == j {
					v = -v
				} else if pair[1] != j {
					continue
				}
				if v > 0 || v == 0 && pair[0] == j {
					count++
				}
				sum += v
			}
			want := count + sum/(3*(math.Abs(sum)+1))
			if got := votes.At(i, j); math.Abs(got-want) > 4*u*math.Abs(want)+2*u {
				t.Errorf("row %d, class %d: %v, want %v", i, j, got, want)
			}
		}
		one := must.Get(m.Votes(nil, x.View(i, 0, 1, x.Cols)))(t)
		matrixtest.SameBits(t, "a row alone", one, votes.View(i, 0, 1, 3))
	}

	projected := mustFit(t, KFDA{Regularizer: RelativeRidge(1e-3), Classifier: SVM{Kernel: gram.RBF{Gamma: 0.7}}}, x, y)
	z := must.Get(projected.Project(nil, x))(t)
	got := must.Get(projected.Votes(nil, x))(t)
	want := must.Get(mustFit(t, SVM{Kernel: gram.RBF{Gamma: 0.7}}, z, y).Votes(nil, z))(t)
	matrixtest.SameBits(t, "machines of projections", got, want)

	var none *VotesError
	if _, err := mustFit(t, LDA{}, x, y).Votes(nil, x); !errors.As(err, &none) || none.Rule != "gaussian" || !strings.Contains(err.Error(), "gaussian") {
		t.Errorf("without machines: error %v", err)
	}
}
