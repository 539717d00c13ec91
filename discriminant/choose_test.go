package discriminant

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// overlapping returns rows whose classes overlap by so much as to need another ridge.
func overlapping(seed uint64, n, d, c int, noise float64) (*matrix.Dense, []int) {
	r := rand.New(rand.NewPCG(seed, 3))
	x, codes := matrix.New(n, d), make([]int, n)
	for i := range n {
		codes[i] = i % c
		for j := range d {
			x.Set(i, j, math.Sin(float64(3*codes[i]+j))+noise*r.NormFloat64())
		}
	}
	return x, codes
}

// refitLoss is the loss of kernel ridge regression with λ by n fits of n−1 rows.
func refitLoss(k, targets *matrix.Dense, lambda float64, intercept bool) float64 {
	loss := 0.0
	for out := range k.Rows {
		var rest []int
		for i := range k.Rows {
			if i != out {
				rest = append(rest, i)
			}
		}
		a := square(len(rest) + 1)
		if !intercept {
			a = square(len(rest))
		}
		b := matrix.New(len(a), targets.Cols)
		for s, r := range rest {
			for l, v := range rest {
				a[s][l] = k.At(r, v)
			}
			a[s][s] += lambda
			if intercept {
				a[s][len(rest)], a[len(rest)][s] = 1, 1
			}
			copy(b.Row(s), targets.Row(r))
		}
		solveDense(a, b)
		for p := range targets.Cols {
			f := -targets.At(out, p)
			if intercept {
				f += b.At(len(rest), p)
			}
			for s, r := range rest {
				f += k.At(out, r) * b.At(s, p)
			}
			loss += f * f
		}
	}
	return loss
}

// refitted returns the regulariser with the least loss of the refits, and checks the
// losses of the closed form. With codes the ridges are on the coefficients.
func refitted(t *testing.T, kernel gram.Kernel, x, targets *matrix.Dense, intercept bool, codes []int) (best, least float64) {
	t.Helper()
	k := must.Get(gram.Matrix(nil, kernel, x))(t)
	n := k.Rows
	unit := 0.0
	if codes != nil {
		for i := range n {
			values := [3][]float64{}
			for j, code := range codes {
				values[code] = append(values[code], k.At(i, j))
			}
			for _, v := range values {
				mean := 0.0
				for _, f := range v {
					mean += f / float64(len(v))
				}
				for _, f := range v {
					unit += (f - mean) * (f - mean) / float64(n)
				}
			}
		}
		k = matrix.Mul(nil, k, matrix.NoTrans, k, matrix.NoTrans)
	} else {
		grand := 0.0
		for i := range n {
			unit += k.At(i, i) / float64(n)
			for j := range n {
				grand += k.At(i, j) / float64(n*n)
			}
		}
		if intercept {
			unit -= grand
		}
	}
	least = math.Inf(1)
	for _, r := range []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100} {
		loss := refitLoss(k, targets, r*unit, intercept)
		if loss < least {
			best, least = r, loss
		}
		centred := targets.Clone()
		if intercept {
			subtractMeans(centred)
		}
		one := fisher.Choice{Candidates: solvedAll([]Regularizer{Ridge(r * unit)}), Centred: intercept, Targets: centred}
		if _, got, err := one.Best(t.Context(), k.Clone(), matrix.New(n, n)); err != nil || math.Abs(got-loss) > 1e-9*loss {
			t.Errorf("%v, r = %v: loss %v (%v), of the refits %v", kernel, r, got, err, loss)
		}
	}
	return best, least
}

// The ridge and the scaling are those of n refits without a row each, for ridges in the RKHS
// and, with fixed centres, on the coefficients.
func TestChoiceIsThatOfRefits(t *testing.T) {
	chosen := map[string]bool{}
	for seed := range uint64(6) {
		x, codes := overlapping(seed, 20, 2, 2+int(seed%2), 0.1*math.Pow(2, float64(seed)))
		for i := range x.Rows {
			x.Set(i, 1, 5*x.At(i, 1))
		}
		scaler := must.Get(FitScaler(Standard, x))(t)
		standard := must.Get(scaler.Transform(nil, x))(t)
		targets := indicators(codes, 2+int(seed%2))
		for _, kernel := range []gram.Kernel{gram.RBF{Gamma: 0.3}, gram.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2}} {
			for _, reg := range []Regularizer{LeaveOneOutRKHS(), LeaveOneOutRidge()} {
				var onCoefficients []int
				made := RelativeRKHS
				if reg == LeaveOneOutRidge() {
					onCoefficients, made = codes, RelativeRidge
				}
				plain, loss := refitted(t, kernel, x, targets, true, onCoefficients)
				scaled, lossScaled := refitted(t, kernel, standard, targets, true, onCoefficients)
				m := mustFit(t, KFDA{Kernel: kernel, Regularizer: reg}, x, codes)
				if DetailsOf(m).Regularizer() != made(plain) {
					t.Errorf("%v: %v, by refits %v", kernel, DetailsOf(m).Regularizer(), made(plain))
				}
				m = mustFit(t, KFDA{Kernel: kernel, Regularizer: reg, Scaling: AutoScaling}, x, codes)
				want := plain
				if lossScaled <= loss {
					want = scaled
				}
				if DetailsOf(m).Regularizer() != made(want) || (m.Scaler() != nil) != (lossScaled <= loss) {
					t.Errorf("%v: %v and %v, by refits %v with losses %v and %v", kernel, DetailsOf(m).Regularizer(), m.Scaler(), made(want), loss, lossScaled)
				}
				chosen[fmt.Sprint(DetailsOf(m).Regularizer(), m.Scaler() != nil)] = true
			}
			if zero := mustFit(t, KFDA{Kernel: kernel}, x, codes); DetailsOf(zero).Regularizer() != DetailsOf(mustFit(t, KFDA{Kernel: kernel, Regularizer: LeaveOneOutRKHS()}, x, codes)).Regularizer() {
				t.Errorf("the zero value has %v", DetailsOf(zero).Regularizer())
			}
		}
	}
	if len(chosen) < 8 {
		t.Errorf("only %v", chosen)
	}
}

// Kernel ridge regression with and without intercept, of targets in any unit.
func TestChoiceOfRegression(t *testing.T) {
	for seed := range uint64(3) {
		x, _ := overlapping(seed, 18, 2, 3, 1)
		targets := matrix.New(18, 2)
		r := rand.New(rand.NewPCG(seed, 4))
		for i := range 18 {
			for j := range 2 {
				targets.Set(i, j, 4+math.Sin(x.At(i, j))+0.5*float64(seed)*r.NormFloat64())
			}
		}
		for _, intercept := range []Intercept{FittedIntercept(), NoIntercept()} {
			kernel := gram.RBF{Gamma: 0.4}
			unit := targets.Clone() // both targets weigh the same
			for j := range 2 {
				column := unit.View(0, j, 18, 1)
				if intercept == FittedIntercept() {
					subtractMeans(column)
				}
				norm := 0.0
				for i := range 18 {
					norm += column.At(i, 0) * column.At(i, 0)
				}
				for i := range 18 {
					column.Set(i, 0, column.At(i, 0)/math.Sqrt(norm))
				}
			}
			best, least := 0.0, math.Inf(1)
			k, _ := gram.Matrix(nil, kernel, x)
			for _, r := range relativeRidges {
				mean := 1.0
				if intercept == FittedIntercept() {
					for _, v := range k.Data {
						mean -= v / (18 * 18)
					}
				}
				if loss := refitLoss(k, unit, r*mean, intercept == FittedIntercept()); loss < least {
					best, least = r, loss
				}
			}
			for _, factors := range [][2]float64{{1, 1}, {3e-200, 3e-200}, {1e200, 1e200}, {-7, 1e-5}} {
				scaled := targets.Clone()
				for i := range 18 {
					for j, f := range factors {
						scaled.Row(i)[j] *= f
					}
				}
				m := must.Get(FitRegression(t.Context(), KernelRidge{Kernel: kernel, Intercept: intercept}, x, scaled))(t)
				if got := m.Regularizer(); got != RelativeRidge(best) {
					t.Errorf("%v, targets times %v: %v, by refits %v", intercept, factors, got, best)
				}
				left := must.Get(LeaveOneOutRegression(t.Context(), KernelRidge{Kernel: kernel, Intercept: intercept, Regularizer: m.Regularizer()}, x, scaled))(t)
				same, err := LeaveOneOutRegression(t.Context(), KernelRidge{Kernel: kernel, Intercept: intercept}, x, scaled)
				if err != nil || !slices.Equal(left.Data, same.Data) {
					t.Errorf("%v: left out %v, with the ridge given %v; error %v", intercept, same.Data, left.Data, err)
				}
			}
		}
	}
}

// Powers of two of the kernel and of the targets change nothing.
func TestChoiceHasNoUnits(t *testing.T) {
	for seed := range uint64(4) {
		x, codes := overlapping(seed, 24, 2, 3, 0.2*math.Pow(2, float64(seed)))
		k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 0.4}, x))(t)
		for _, method := range []func(*matrix.Dense) Regularizer{
			func(k *matrix.Dense) Regularizer {
				return DetailsOf(mustFit(t, KFDA{Kernel: gram.Precomputed{}}, k, codes)).Regularizer()
			},
			func(k *matrix.Dense) Regularizer {
				return DetailsOf(mustFit(t, KFDA{Kernel: gram.Precomputed{}, Regularizer: LeaveOneOutRidge()}, k, codes)).Regularizer()
			},
			func(k *matrix.Dense) Regularizer {
				m := must.Get(FitRegression(t.Context(), KernelRidge{Kernel: gram.Precomputed{}}, k, x))(t)
				return m.Regularizer()
			},
			func(k *matrix.Dense) Regularizer {
				y := x.Clone()
				timesTwoTo(-400, y)
				m := must.Get(FitRegression(t.Context(), KernelRidge{Kernel: gram.Precomputed{}}, k, y))(t)
				return m.Regularizer()
			},
		} {
			want := method(k)
			for _, exp := range []int{-300, -7, 5, 450} {
				other := k.Clone()
				timesTwoTo(exp, other)
				must.Equal(t, fmt.Sprintf("K times 2^%d", exp), method(other), want)
			}
		}
	}
}

// Ties go to the larger ridge and to Standard, those between scalings that only rounding
// parts too.
func TestChoiceOfTies(t *testing.T) {
	x, codes := overlapping(1, 30, 3, 3, 0.5)
	m, err := FitRegression(t.Context(), KernelRidge{Scaling: AutoScaling}, x, matrix.New(30, 1))
	if err != nil || m.Regularizer() != RelativeRidge(100) || m.Scaler() == nil {
		t.Errorf("targets 0: %v, scaler %v, error %v", m.Regularizer(), m.Scaler(), err)
	}
	scaler := must.Get(FitScaler(Standard, x))(t)
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		rows, labels := matrix.New(30, 3), make([]int, 30)
		for i, from := range r.Perm(30) {
			copy(rows.Row(i), x.Row(from))
			labels[i] = codes[from]
		}
		standard := must.Get(scaler.Transform(nil, rows))(t)
		for _, method := range []Method{KFDA{Scaling: AutoScaling}, KFDA{Scaling: AutoScaling, Regularizer: RKHS(1)}, KernelRidge{Scaling: AutoScaling}} {
			if m := mustFit(t, method, standard, labels); m.Scaler() == nil {
				t.Fatalf("%+v: a standardised table is not scaled", method)
			}
		}
	}
}

// The choice depends neither on workers nor on the order of the rows.
func TestChoiceIsTheSame(t *testing.T) {
	for seed := range uint64(3) {
		x, codes := overlapping(seed, 130, 4, 3, 0.5*math.Pow(2, float64(seed)))
		for j := range x.Rows {
			x.Set(j, 2, 30*x.At(j, 2))
		}
		for _, method := range []Method{KFDA{Scaling: AutoScaling}, KFDA{Regularizer: LeaveOneOutRidge(), Scaling: AutoScaling}, KernelRidge{Scaling: AutoScaling}} {
			want := mustFit(t, method, x, codes)
			same := func(what string, m *Model[int]) {
				if DetailsOf(m).Regularizer() != DetailsOf(want).Regularizer() || (m.Scaler() == nil) != (want.Scaler() == nil) {
					t.Errorf("%+v, %s: %v and %v, want %v and %v", method, what, DetailsOf(m).Regularizer(), m.Scaler(), DetailsOf(want).Regularizer(), want.Scaler())
				}
			}
			for _, workers := range []int{1, 3, 8} {
				withWorkers(workers, func() {
					m := mustFit(t, method, x, codes)
					same(fmt.Sprint(workers, " workers"), m)
					a, _ := m.MarshalBinary()
					if b, err := want.MarshalBinary(); err != nil || !bytes.Equal(a, b) {
						t.Errorf("%+v, %d workers: another model", method, workers)
					}
				})
			}
			rows, labels := matrix.New(130, 4), make([]int, 130)
			for i, from := range rand.New(rand.NewPCG(seed, 9)).Perm(130) {
				copy(rows.Row(i), x.Row(from))
				labels[i] = codes[from]
			}
			same("rows in another order", mustFit(t, method, rows, labels))
		}
	}
}

// Of more than 1000 rows the choice is that for the 1000, whatever the others: rows of them
// by a precomputed matrix too.
func TestChoiceOfSomeRows(t *testing.T) {
	n := 1001
	if !testing.Short() {
		n = 1250
	}
	x, codes := overlapping(5, n, 2, 2, 0.05)
	rows := someRows(n)
	if len(rows) != 1000 || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != 1000 || rows[999] >= n {
		t.Fatalf("rows %v", rows)
	}
	labels := make([]int, 1000)
	for i, r := range rows {
		labels[i] = codes[r]
	}
	for i := range n {
		if _, ok := slices.BinarySearch(rows, i); !ok {
			codes[i] = 1 - codes[i] // would need a large ridge
		}
	}
	some := someOf(x, rows, false)
	kernel := gram.RBF{Gamma: 0.5}
	k := must.Get(gram.Matrix(nil, kernel, x))(t)
	_, want := must.Get2(choice{kernel: kernel, reg: LeaveOneOutRKHS(), centred: true}.choose(t.Context(), some, indicators(labels, 2)))(t)
	for _, c := range []struct {
		choice
		x *matrix.Dense
	}{
		{choice{kernel: kernel, reg: LeaveOneOutRKHS(), centred: true}, x},
		{choice{kernel: gram.Precomputed{}, reg: LeaveOneOutRKHS(), centred: true}, k},
	} {
		if _, got, err := c.choose(t.Context(), c.x, indicators(codes, 2)); err != nil || got != want {
			t.Errorf("%v: %v, error %v; want %v", c.kernel, got, err, want)
		}
	}
	if n == 1001 {
		return
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	candidates := choice{reg: LeaveOneOutRKHS()}.candidates()
	every := fisher.Choice{Candidates: solvedAll(candidates), Centred: true, Targets: fisher.UnitTargets(indicators(codes, 2), all, nil, true, false)}
	if best, _, err := every.Best(t.Context(), k, matrix.New(n, n)); err != nil || candidates[best] == want {
		t.Errorf("all rows: %v too, error %v", candidates[best], err)
	}
}

// A fit that is cancelled while it chooses ends soon, counted in checks of its context,
// and leaves nothing behind.
func TestChoiceCancelled(t *testing.T) {
	x, codes := overlapping(1, 700, 3, 3, 0.5)
	before := runtime.NumGoroutine()
	for _, method := range []Method{KFDA{Scaling: AutoScaling}, KFDA{Regularizer: LeaveOneOutRidge()}, KernelRidge{}} {
		whole := countdown{Context: t.Context(), left: math.MaxInt64}
		must.Get(Fit(&whole, method, x, codes))(t)
		asked := math.MaxInt64 - whole.left
		for _, after := range []int64{1, asked / 8, asked / 2} {
			ctx := countdown{Context: t.Context(), left: after}
			if _, err := Fit(&ctx, method, x, codes); !errors.Is(err, context.Canceled) || -ctx.left > asked/8 {
				t.Errorf("%T cancelled at check %d of %d: error %v, %d checks later", method, after, asked, err, -ctx.left)
			}
		}
	}
	goroutinesBackTo(t, before)
}

// A countdown is a context that is cancelled when it has been asked left times.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int64
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// timesTwoTo multiplies a by a power of two.
func timesTwoTo(exp int, a *matrix.Dense) {
	for i, v := range a.Data {
		a.Data[i] = math.Ldexp(v, exp)
	}
}

// subtractMeans subtracts from each column of a its mean.
func subtractMeans(a *matrix.Dense) {
	for j := range a.Cols {
		mean := 0.0
		for i := range a.Rows {
			mean += a.At(i, j) / float64(a.Rows)
		}
		for i := range a.Rows {
			a.Row(i)[j] -= mean
		}
	}
}
