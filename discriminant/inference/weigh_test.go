package inference

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

const arith = bigref.Default

// weighProblem is a small random problem.
type weighProblem struct {
	x       *matrix.Dense
	codes   []int
	classes int
	kernels []gram.Kernel
	ridge   float64
	exact   []bigref.Matrix // HKH n/tr(HKH) of each kernel, of its values as rounded to float64
}

func newWeighProblem(t *testing.T, seed uint64) weighProblem {
	rng := rand.New(rand.NewPCG(seed, 17))
	p := weighProblem{classes: 2 + rng.IntN(3), ridge: math.Pow(10, -3+5*rng.Float64())}
	n, kernels := 6+rng.IntN(7), 2+rng.IntN(4)
	p.x = matrix.New(n, kernels)
	for i := range n {
		p.codes = append(p.codes, i%p.classes)
		for j := range kernels {
			p.x.Set(i, j, rng.NormFloat64()+float64(p.codes[i]*(j%2)))
		}
	}
	for j := range kernels {
		of := []gram.Kernel{gram.RBF{}, gram.Laplacian{}, gram.Linear{}, gram.Scaled{Factor: 100, Kernel: gram.RBF{}}}[rng.IntN(4)]
		if rng.IntN(4) > 0 {
			of = gram.Columns{At: []int{j}, Of: of}
		}
		p.kernels = append(p.kernels, of)
		centred, trace := arith.CentreBoth(arith.FromDense(must.Get(gram.Matrix(nil, of, p.x))(t))), arith.Int(0)
		for i := range n {
			trace = arith.Add(trace, centred[i][i])
		}
		for i := range n {
			centred[i] = arith.Scale(arith.Quo(arith.Int(n), trace), centred[i])
		}
		p.exact = append(p.exact, centred)
	}
	return p
}

// started returns the weighing of the problem, before its first step.
func (p weighProblem) started(t *testing.T) *weighing {
	w := &weighing{ridge: p.ridge, x: p.x, q: fisher.Contrasts(fisher.NewClasses(p.codes, p.classes, nil))}
	if err := w.prepare(context.Background(), p.kernels); err != nil {
		t.Fatal(err)
	}
	return w
}

// objective returns f = ε tr Σⱼ yⱼᵀA⁻¹yⱼ in 150 digits, y the indicators of the classes at unit length,
// less their means.
func (p weighProblem) objective(t *testing.T, weights bigref.Vector) *big.Float {
	n := p.x.Rows
	a := arith.Zeros(n, n)
	for j, centred := range p.exact {
		for i := range n {
			a[i] = arith.Combine(arith.Int(1), a[i], weights[j], centred[i])
		}
	}
	for i := range n {
		a[i][i] = arith.Add(a[i][i], arith.Of(p.ridge))
	}
	l := must.Get(arith.Cholesky(a))(t)
	sum := arith.Int(0)
	for c := range p.classes {
		count := 0
		for _, code := range p.codes {
			if code == c {
				count++
			}
		}
		root := arith.Sqrt(arith.Int(count))
		y := arith.FromFloats(make([]float64, n))
		for i, code := range p.codes {
			y[i] = arith.Quo(root, arith.Int(-n))
			if code == c {
				y[i] = arith.Add(y[i], arith.Quo(arith.Int(1), root))
			}
		}
		sum = arith.Add(sum, arith.Dot(y, arith.CholeskySolve(l, y)))
	}
	return arith.Mul(arith.Of(p.ridge), sum)
}

// slopes returns −∂f/∂wⱼ, as differences of the objective in 150 digits.
func (p weighProblem) slopes(t *testing.T, weights bigref.Vector) []float64 {
	h := arith.Ldexp(arith.Int(1), -150)
	f := p.objective(t, weights)
	s := make([]float64, len(weights))
	for j := range s {
		moved := slices.Clone(weights)
		moved[j] = arith.Add(moved[j], h)
		s[j] = bigref.Float64(arith.Quo(arith.Sub(f, p.objective(t, moved)), h))
	}
	return s
}

func weighProblems() uint64 {
	if testing.Short() {
		return 20
	}
	return 300
}

// Objective and slopes are those of 150 digits, at weights of all kinds.
func TestWeighSlopes(t *testing.T) {
	worst := 0.0
	for seed := range weighProblems() {
		p := newWeighProblem(t, seed)
		rng := rand.New(rand.NewPCG(seed, 5))
		weights := make([]float64, len(p.kernels))
		for j := range weights {
			weights[j] = max(rng.Float64()-0.3, 0)
		}
		weights[0] += 0.1
		w := p.started(t)
		at := must.Get(w.at(context.Background(), weights))(t)
		if err := w.measure(context.Background(), at); err != nil {
			t.Fatal(err)
		}
		exact := arith.FromFloats(weights)
		// A solution has an error of some n·u‖A‖/ε, and sⱼ is quadratic in it.
		n := float64(p.x.Rows)
		limit := 8 * n * 0x1p-53 * (1 + n*n/p.ridge)
		check := func(what string, got, want, size float64) {
			off := math.Abs(got-want) / size / limit
			if worst = max(worst, off); !(off <= 1) {
				t.Errorf("problem %d: %s %v, want %v: %.2g of its tolerance", seed, what, got, want, off)
			}
		}
		f := bigref.Float64(p.objective(t, exact))
		check("objective", at.objective, f, f)
		slopes := p.slopes(t, exact)
		for j, v := range slopes {
			check("slope", at.slopes[j], v, slices.Max(slopes))
		}
	}
	t.Logf("the worst at %.2g of its tolerance", worst)
}

// The gap of 150 digits is no larger than the one that is stated, weights of 0 that are proved are
// those of the least value on a line, and no kernel of positive weight is called useless.
func TestWeighOptimum(t *testing.T) {
	useless, positive, steps := 0, 0, 0
	for seed := range weighProblems() {
		p := newWeighProblem(t, seed)
		r := must.Get(WeighKernels(context.Background(), p.kernels, p.ridge, p.x, p.codes, nil))(t)
		exact := arith.FromFloats(r.Weights)
		f, slopes := bigref.Float64(p.objective(t, exact)), p.slopes(t, exact)
		n := float64(p.x.Rows)
		rounding := 8 * n * 0x1p-53 * (1 + n*n/p.ridge) * slices.Max(slopes)
		gap := slices.Max(slopes)
		for j, v := range slopes {
			gap -= r.Weights[j] * v
		}
		if gap > r.Gap+rounding || r.Gap > weighGap*f+rounding || math.Abs(matrix.Sum(r.Weights)-1) > 1e-12 || slices.Min(r.Weights) < 0 {
			t.Errorf("problem %d: weights %v, gap %.3g of %v, stated %.3g after %d steps", seed, r.Weights, gap, f, r.Gap, r.Steps)
		}
		steps = max(steps, r.Steps)
		for j, w := range r.Weights {
			switch {
			case r.Useless[j] && w != 0:
				t.Errorf("problem %d: the useless kernel %d weighs %v", seed, j, w)
			case r.Useless[j]:
				useless++
			case w > 0:
				positive++
			}
		}
		if len(p.kernels) == 2 {
			least, at := p.onLine(t)
			if f > least+r.Gap+rounding || r.Useless[0] && at > 1e-4 || r.Useless[1] && at < 1-1e-4 {
				t.Errorf("problem %d: %v with weights %v (useless %v), and %v with %v of the first", seed, f, r.Weights, r.Useless, least, at)
			}
		}
		sum := must.Get(gram.Matrix(nil, r.Kernel, p.x))(t)
		centred := gram.NewCentring(sum).Matrix(nil, sum)
		trace := 0.0
		for i := range centred.Rows {
			trace += centred.At(i, i)
		}
		if math.Abs(trace/n-1) > 1e-12 {
			t.Errorf("problem %d: the kernel %v has the trace %v, want %v", seed, r.Kernel, trace, n)
		}
	}
	t.Logf("%d useless, %d of positive weight, at most %d steps", useless, positive, steps)
	if useless == 0 || positive == 0 {
		t.Error("nothing was tested")
	}
}

// onLine returns the least objective of two kernels, by thirds of the line, and the first one's weight.
func (p weighProblem) onLine(t *testing.T) (f, at float64) {
	of := func(v float64) *big.Float {
		return p.objective(t, bigref.Vector{arith.Of(v), arith.Sub(arith.Int(1), arith.Of(v))})
	}
	low, high := 0.0, 1.0
	for high-low > 1e-4 {
		third := (high - low) / 3
		if of(low+third).Cmp(of(high-third)) < 0 {
			high -= third
		} else {
			low += third
		}
	}
	for _, end := range []float64{0, 1} {
		if of(end).Cmp(of((low+high)/2)) <= 0 {
			low, high = end, end
		}
	}
	return bigref.Float64(of((low + high) / 2)), (low + high) / 2
}

// Of 5 columns that make the classes and 45 of noise, those of noise weigh nothing.
func TestWeighUselessColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	const n, d = 200, 50
	x, labels := matrix.New(n, d), make([]int, n)
	var kernels []gram.Kernel
	for j := range d {
		kernels = append(kernels, gram.Columns{At: []int{j}, Of: gram.RBF{}})
	}
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.NormFloat64())
		}
		v := x.Row(i)
		if math.Sin(2*v[0])+v[1]*v[1]+v[2]+1.5*math.Abs(v[3])+math.Tanh(2*v[4]) > 2 {
			labels[i] = 1
		}
	}
	r := must.Get(WeighKernels(context.Background(), kernels, 30, x, labels, nil))(t)
	defer matrix.SetWorkers(matrix.SetWorkers(3))
	if again := must.Get(WeighKernels(context.Background(), kernels, 30, x, labels, nil))(t); !reflect.DeepEqual(again, r) {
		t.Errorf("with three workers %+v, else %+v", again, r)
	}
	for j, w := range r.Weights {
		if j < 5 && !(w > 0.02) || j >= 5 && w != 0 {
			t.Errorf("column %d weighs %v", j, w)
		}
	}
}

func TestWeighErrors(t *testing.T) {
	ctx := context.Background()
	p := newWeighProblem(t, 1)
	for what, f := range map[string]func() (*KernelWeights, error){
		"no ridge":   func() (*KernelWeights, error) { return WeighKernels(ctx, p.kernels, 0, p.x, p.codes, nil) },
		"no kernels": func() (*KernelWeights, error) { return WeighKernels(ctx, nil, 1, p.x, p.codes, nil) },
		"constant": func() (*KernelWeights, error) {
			return WeighKernels(ctx, []gram.Kernel{gram.Columns{Of: gram.RBF{Gamma: 1}}}, 1, p.x, p.codes, nil)
		},
		"indefinite": func() (*KernelWeights, error) {
			return WeighKernels(ctx, []gram.Kernel{gram.Func{Name: "distance", K: func(x, y []float64) float64 { return math.Abs(x[0] - y[0]) }}}, 1, p.x, p.codes, nil)
		},
	} {
		var bad *discriminant.ParameterError
		if _, err := f(); !errors.As(err, &bad) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var classes *discriminant.ClassesError
	if _, err := WeighKernels(ctx, p.kernels, 1, p.x, make([]int, p.x.Rows), nil); !errors.As(err, &classes) {
		t.Errorf("one class: %v", err)
	}
	var rows *discriminant.RowsError
	if _, err := WeighKernels(ctx, p.kernels, 1, p.x, p.codes[1:], nil); !errors.As(err, &rows) {
		t.Errorf("a label too few: %v", err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := WeighKernels(done, p.kernels, 1, p.x, p.codes, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
