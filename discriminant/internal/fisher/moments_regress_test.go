package fisher

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// indicators returns the n×c indicators of the classes.
func (f *featured) indicators(c int) *matrix.Dense {
	t := matrix.New(len(f.codes), c)
	for i, j := range f.codes {
		t.Set(i, j, 1)
	}
	return t
}

// rows returns some rows of the table as one of its own, with the others as new rows.
func (f *featured) rows(keep func(i int) bool) (some *featured, rest []int) {
	var in []int
	some = &featured{}
	for i, j := range f.codes {
		if keep(i) {
			in, some.codes = append(in, i), append(some.codes, j)
		} else {
			rest = append(rest, i)
		}
	}
	pick := func(rows, columns []int) bigref.Matrix {
		a := digits.Zeros(len(rows), len(columns))
		for i, r := range rows {
			for j, s := range columns {
				a[i][j] = f.k[r][s]
			}
		}
		return a
	}
	some.k, some.cross = pick(in, in), pick(rest, in)
	return some, rest
}

// predicted returns the exact values of a regression on the targets at the new rows: with H the
// centring, a = B H(HKBH + λI)⁻¹Ht, B = I for a ridge in the RKHS and K for one on the coefficients.
func (f *featured) predicted(t *testing.T, reg Regularizer, targets bigref.Matrix) bigref.Matrix {
	t.Helper()
	n, q := len(f.k), len(targets[0])
	k := f.k
	if !reg.Kind.InRKHS() {
		if f.square == nil {
			f.square = digits.MatMul(k, k)
		}
		k = f.square
	}
	k = digits.CentreBoth(k)
	for i := range k {
		k[i][i] = digits.Add(k[i][i], digits.Of(reg.Value))
	}
	l := must.Get(digits.Cholesky(k))(t)
	ones := make(bigref.Vector, n)
	for i := range ones {
		ones[i] = digits.Int(1)
	}
	values := digits.Zeros(len(f.cross), q)
	for j := range q {
		right := targets.Col(j)
		mean := digits.Quo(digits.Dot(ones, right), digits.Int(n))
		a := digits.CholeskySolve(l, digits.Combine(digits.Int(1), right, digits.Mul(digits.Int(-1), mean), ones))
		if !reg.Kind.InRKHS() {
			a = digits.MulVec(f.k, a)
		}
		b := digits.Sub(mean, digits.Quo(digits.Dot(ones, digits.MulVec(f.k, a)), digits.Int(n)))
		for i, v := range digits.MulVec(f.cross, a) {
			values[i][j] = digits.Add(v, b)
		}
	}
	return values
}

func TestMomentsRegress(t *testing.T) {
	shapes := featuredShapes
	if testing.Short() {
		shapes = shapes[:1]
	}
	worst := 0.0
	for _, shape := range shapes {
		for _, kind := range []string{"plain", "singular", "graded"} {
			f := featuredTable(uint64(shape.n), shape.n, shape.m, shape.c, kind)
			rounded := f.rounded()
			size := matrix.NormFrobenius(bigref.Dense(f.k))
			numbers := featuredTable(9, shape.n, 2, shape.c, "graded").phi
			for _, targets := range []*matrix.Dense{nil, numbers} {
				of, exact := Shape{Classes: shape.c, Folds: 1}, digits.FromDense(f.indicators(shape.c))
				if targets != nil {
					of, exact = Shape{Classes: 1, Folds: 1, Targets: targets.Cols}, digits.FromDense(targets)
				}
				m := f.moments(t, of, targets)
				for _, relative := range []float64{1e-10, 1e-4, 1} {
					for _, reg := range []Regularizer{{Ridge, size * size * relative}, {RKHS, size * relative}} {
						fits, errs := m.Regress([]Regularizer{reg})
						if errs[0] != nil {
							t.Fatal(errs[0])
						}
						got := matrix.Mul(nil, f.fresh, matrix.NoTrans, fits[0].Weights, matrix.NoTrans)
						want, near := f.predicted(t, reg, exact), bigref.Matrix(nil)
						for j := range got.Cols {
							for i := range got.Rows {
								got.Set(i, j, got.At(i, j)+fits[0].Offset[j])
							}
							limit := 4 * float64(shape.n) * u * math.Sqrt((1+relative)/relative)
							e := digits.ColError(columnOf(j, got), want.Col(j))
							if e > limit { // 64 times what the rounding of Φ changes, if that is more
								if near == nil {
									near = rounded.predicted(t, reg, exact)
								}
								limit = math.Max(limit, 64*digits.ColError(columnOf(j, bigref.Dense(near)), want.Col(j)))
							}
							if worst = math.Max(worst, e/limit); !(e <= limit) {
								t.Errorf("%v, %s, ridge %g of kind %d, target %d: error %.3g, want at most %.3g", shape, kind, relative, reg.Kind, j, e, limit)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("largest error over tolerance: %.3g", worst)
}

// The bound of the error of weights knows of targets far from zero, and is of what they could be
// where there are none above rounding.
func TestRegressionForward(t *testing.T) {
	f := featuredTable(3, 60, 5, 1, "plain")
	regress := func(shift float64) *FeatureRegression {
		targets := matrix.New(60, 1)
		for i := range targets.Data {
			targets.Data[i] = float64(i*i%7) + shift
		}
		fits, errs := f.moments(t, Shape{Classes: 1, Folds: 1, Targets: 1}, targets).Regress([]Regularizer{{RKHS, 1}})
		must.Do(t, errs[0])
		return fits[0]
	}
	near, far := regress(0), regress(0x1p30)
	if e := digits.ColError(near.Weights.Data, digits.FromFloats(far.Weights.Data)); !(e <= far.Certificate.Forward) || far.Certificate.Forward < 0x1p28*u || near.Certificate.Forward > 1e-11 {
		t.Errorf("targets around 2³⁰ change the weights by %.2g, certified %.2g and %.2g", e, near.Certificate.Forward, far.Certificate.Forward)
	}
	for i := range f.phi.Rows {
		copy(f.phi.Row(i), []float64{1.1, -3.3, 0.7, 5.9, 2.3})
	}
	if fit := regress(1); matrix.MaxAbs(fit.Weights) > 1e-13 || fit.Certificate.Forward > 1e-12 {
		t.Errorf("weights of constant features are %v, forward error %.2g", fit.Weights.Data, fit.Certificate.Forward)
	}
}

// The held-out losses are those of exact fits to the rows of the other folds, also where a class
// has no row in one of them.
func TestHeldOut(t *testing.T) {
	for _, folds := range []int{3, 5} {
		t.Run(fmt.Sprint(folds), func(t *testing.T) { testHeldOut(t, folds) })
	}
}

func testHeldOut(t *testing.T, folds int) {
	const n, m, c = 33, 5, 3
	f := featuredTable(4, n, m, c, "plain")
	for i := range f.codes {
		f.codes[i] = min(f.codes[i], 1)
	}
	f.codes[n-1] = 2
	numbers := featuredTable(9, n, 2, c, "plain").phi
	regs := []Regularizer{{RKHS, 3}, {Ridge, 100}, {RKHS, 1e-3}}
	for _, targets := range []*matrix.Dense{nil, numbers} {
		of, exact := Shape{Classes: c, Folds: folds}, f.indicators(c)
		if targets != nil {
			of, exact = Shape{Classes: 1, Folds: folds, Targets: targets.Cols}, targets
		}
		parts := f.parts(t, of, targets)
		got, errs, joined, _ := HeldOut(context.Background(), parts, regs)
		foldOf := NewAccumulator(Shape{Classes: 1, Features: 1, Folds: folds}, 0).foldOf
		for k, reg := range regs {
			if errs[k] != nil {
				t.Fatal(errs[k])
			}
			want := make([]float64, exact.Cols)
			for fold := range folds {
				train, held := f.rows(func(i int) bool { return foldOf(i) != fold })
				var right bigref.Matrix
				for i := range n {
					if foldOf(i) != fold {
						right = append(right, digits.FromFloats(exact.Row(i)))
					}
				}
				values := bigref.Dense(train.predicted(t, reg, right))
				for i, r := range held {
					for j := range want {
						d := exact.At(r, j) - values.At(i, j)
						want[j] += d * d
					}
				}
			}
			for j, v := range want {
				if e := math.Abs(got.At(k, j) - v); !(e <= 1e-12*v) {
					t.Errorf("ridge %v, target %d: loss %v, want %v", reg, j, got.At(k, j), v)
				}
			}
		}
		all, whole := joined.Moments(), f.moments(t, Shape{Classes: of.Classes, Targets: of.Targets, Folds: 1}, targets)
		must.EqualSlices(t, "counts", all.Counts, whole.Counts)
		for i, v := range whole.factor.Data {
			if math.Abs(v-all.factor.Data[i]) > 1e-12*matrix.MaxAbs(whole.factor) {
				t.Fatalf("element %d of the joined factor is %v, want %v", i, all.factor.Data[i], v)
			}
		}
	}
}

// A row of weight 2 is two rows, in both forms and in regressions.
func TestMomentsWeights(t *testing.T) {
	const n, m, c = 30, 4, 3
	f := featuredTable(2, n, m, c, "plain")
	f.weights = make(Weights, n)
	twice := &featured{phi: matrix.New(0, m)}
	var rows [][]float64
	for i := range n {
		f.weights[i] = float64(1 + i%3)
		for range 1 + i%3 {
			rows, twice.codes = append(rows, f.phi.Row(i)), append(twice.codes, f.codes[i])
		}
	}
	twice.phi = must.Get(matrix.FromRows(rows))(t)
	regs := []Regularizer{{RelativeRKHS, 1e-3}, {RelativeRidge, 1e-3}, {RKHS, 0.1}, {Ridge, 1}}
	a, b := f.moments(t, Shape{Classes: c, Folds: 1}, nil), twice.moments(t, Shape{Classes: c, Folds: 1}, nil)
	alike := func(what string, x, y []float64) {
		t.Helper()
		for i := range x {
			if math.Abs(x[i]-y[i]) > 1e-12*(math.Abs(y[i])+1e-3) {
				t.Errorf("%s: %v with weights, %v with as many rows", what, x, y)
				return
			}
		}
	}
	x, errs := a.Fisher(regs, 0)
	y, _ := b.Fisher(regs, 0)
	fx, _ := a.Regress(regs)
	fy, _ := b.Regress(regs)
	for i, reg := range regs {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		what := fmt.Sprint(reg)
		alike(what+", ridge", []float64{x[i].Ridge}, []float64{y[i].Ridge})
		alike(what+", λ", x[i].Lambda, y[i].Lambda)
		alike(what+", w", x[i].Weights.Data, y[i].Weights.Data)
		centroids, spread, err := a.Projected(x[i])
		must.Do(t, err)
		wantCentroids, wantSpread, err := b.Projected(y[i])
		must.Do(t, err)
		alike(what+", centroids", centroids.Data, wantCentroids.Data)
		alike(what+", scatter", matrix.SymRankK(nil, spread, matrix.Transposed).Data, matrix.SymRankK(nil, wantSpread, matrix.Transposed).Data)
		alike(what+", regression", fx[i].Weights.Data, fy[i].Weights.Data)
	}
}

// However many accumulators the blocks of rows are shared out among, and in whatever order these
// are merged, or stored in the middle of a block, all moments have the same bits.
func TestAccumulatorShards(t *testing.T) {
	const blocks, m, c, folds = 4, 3, 2, 3
	n := blocks*BlockRows - 1000
	phi, codes := matrixtest.Blobs(n, m, c)
	shape := Shape{Classes: c, Features: m, Folds: folds}
	fill := func(a *Accumulator, lo, hi, atOnce int) *Accumulator {
		for i := lo; i < hi; i += atOnce {
			end := min(hi, i+atOnce)
			must.Do(t, a.Append(Rows{Features: phi.View(i, 0, end-i, m), Codes: codes[i:end]}))
		}
		return a
	}
	whole := must.Get(fill(NewAccumulator(shape, 0), 0, n, n).Parts())(t)
	var shards []*Accumulator
	for _, s := range []int{3, 0, 2, 1} {
		lo, hi := s*BlockRows, min(n, (s+1)*BlockRows)
		a := fill(NewAccumulator(shape, lo), lo, lo+40000, 12345)
		a = fill(must.Get(RestoreAccumulator(a.State()))(t), lo+40000, hi, 777)
		must.Do(t, a.End())
		shards = append(shards, a)
	}
	if e := (*solve.BlockError)(nil); !errors.As(func() error { _, err := shards[0].Parts(); return err }(), &e) || e.Block != 0 {
		t.Error("missing blocks are accepted")
	}
	for _, a := range shards[1:] {
		must.Do(t, shards[0].Merge(a))
	}
	for fold, got := range must.Get(shards[0].Parts())(t) {
		must.EqualSlices(t, "factor", got.lower, whole[fold].lower)
		must.EqualSlices(t, "counts", got.counts, whole[fold].counts)
	}
	if e := (*solve.BlockError)(nil); !errors.As(shards[0].Merge(shards[2]), &e) {
		t.Error("a block is accepted twice")
	}
	short := fill(NewAccumulator(shape, 0), 0, 10, 10)
	must.Do(t, short.End())
	if e := (*solve.BlockError)(nil); !errors.As(short.Append(Rows{Features: phi.View(0, 0, 1, m), Codes: codes[:1]}), &e) || !errors.As(short.Merge(shards[3]), &e) {
		t.Error("rows follow a block that is not whole")
	}
}
