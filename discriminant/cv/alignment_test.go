package cv

import (
	"context"
	"math"
	"runtime"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// plainAlignment is the definition, with H written out and each product a plain sum, and
// the norm of HKH.
func plainAlignment(k, target *matrix.Dense) (alignment, norm float64) {
	n := k.Rows
	product := func(a, b *matrix.Dense) *matrix.Dense {
		c := matrix.New(n, n)
		for i := range n {
			for j := range n {
				sum := 0.0
				for l := range n {
					sum += float64(a.At(i, l) * b.At(l, j))
				}
				c.Set(i, j, sum)
			}
		}
		return c
	}
	inner := func(a, b *matrix.Dense) float64 {
		sum := 0.0
		for i := range n {
			for j := range n {
				sum += float64(a.At(i, j) * b.At(i, j))
			}
		}
		return sum
	}
	h := matrix.New(n, n)
	for i := range n {
		for j := range n {
			h.Set(i, j, -1/float64(n))
		}
		h.Set(i, i, 1-1/float64(n))
	}
	a, b := product(h, product(k, h)), product(h, product(target, h))
	norm = math.Sqrt(inner(a, a))
	return inner(a, b) / norm / math.Sqrt(inner(b, b)), norm
}

// targetOf is TTᵀ, or yyᵀ with y = ±1 for two classes.
func targetOf(codes []int, signs bool) *matrix.Dense {
	t := matrix.New(len(codes), len(codes))
	for i, a := range codes {
		for j, b := range codes {
			switch {
			case a == b:
				t.Set(i, j, 1)
			case signs:
				t.Set(i, j, -1)
			}
		}
	}
	return t
}

func mustAlign(t *testing.T, k *matrix.Dense, labels []int) float64 {
	t.Helper()
	return must.Get(Alignment(k, labels))(t)
}

func kernelMatrix(t *testing.T, kernel gram.Kernel, x *matrix.Dense) *matrix.Dense {
	t.Helper()
	e := must.Get(gram.NewEvaluator(kernel, x))(t)
	return must.Get(e.Matrix(nil))(t)
}

// The alignment is that of the definition, of definite and indefinite kernels, of three
// classes and of two, and does not change with the scale and the origin of K.
func TestAlignment(t *testing.T) {
	const u = f64.Roundoff
	iris := golden.Load(t, "medium/iris_rbf")
	all, y := iris.Input.Matrix("X"), iris.Input.Ints("y")
	var three, two []int // every third row, and those of them of the last two classes
	for i := 0; i < len(y); i += 3 {
		if three = append(three, i); y[i] != y[0] {
			two = append(two, i)
		}
	}
	for _, kernel := range []gram.Kernel{gram.RBF{Gamma: 0.5}, gram.RBF{Gamma: 1e-6}, gram.Linear{}, gram.Sigmoid{Gamma: 0.1, Coef0: -3}} {
		for _, rows := range [][]int{three, two} {
			x, codes := part(all, rows, allColumns(all)), take(y, rows)
			k, n := kernelMatrix(t, kernel, x), float64(len(rows))
			got := mustAlign(t, k, codes)
			want, norm := plainAlignment(k, targetOf(codes, len(rows) == len(two)))
			// Sums of n terms round each entry of either HKH by some n·u·max|K|, which is
			// n²·u·max|K| of its norm; sums of n² terms round by n²·u at most.
			limit := 4 * n * n * u * (matrix.MaxAbs(k)/norm + 1)
			if limit > 1e-3 || math.Abs(got-want) > limit {
				t.Errorf("%v, %d rows: alignment %v, want %v, off by %.2g, allowed %.2g", kernel, len(rows), got, want, got-want, limit)
			}
			for _, scaled := range []struct{ factor, plus, limit float64 }{{0.25, 0, 0}, {0x1p900, 0, 0}, {0x1p-900, 0, 0}, {3, 0, limit}, {1, matrix.MaxAbs(k), limit}} {
				s := matrix.New(k.Rows, k.Cols)
				for i := range k.Rows {
					for j, v := range k.Row(i) {
						s.Set(i, j, float64(scaled.factor*v)+scaled.plus)
					}
				}
				if a := mustAlign(t, s, codes); math.Abs(a-got) > scaled.limit {
					t.Errorf("%v times %g plus %g: alignment %v, want %v", kernel, scaled.factor, scaled.plus, a, got)
				}
			}
			// The target is aligned with itself, and minus it against it.
			for _, signs := range []bool{false, len(rows) == len(two)} {
				own := targetOf(codes, signs)
				if a := mustAlign(t, own, codes); math.Abs(a-1) > limit {
					t.Errorf("%d rows: the alignment of the target with itself is %v", len(rows), a)
				}
				for i := range own.Rows {
					for j, v := range own.Row(i) {
						own.Set(i, j, -v)
					}
				}
				if a := mustAlign(t, own, codes); math.Abs(a+1) > limit {
					t.Errorf("%d rows: the alignment of minus the target is %v", len(rows), a)
				}
			}
		}
	}
}

// Alignments has the bits of Alignment of each kernel matrix, and those are the same for
// any number of workers.
func TestAlignmentsForAnyWorkers(t *testing.T) {
	n := 1500 // where several workers are worth it in all parts
	if testing.Short() {
		n = 400
	}
	rng := splitmix.Random(1)
	x, codes := matrix.New(n, 2), make([]int, n)
	for i := range n {
		codes[i] = int(rng.Next() % 3)
		for j := range 2 {
			x.Set(i, j, float64(rng.Next()>>11)*0x1p-53+0.3*float64(codes[i]))
		}
	}
	gammas := []float64{0.5, 8}
	var want []float64
	for _, workers := range []int{1, 3} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(workers, runtime.GOMAXPROCS(0))))
			defer matrix.SetWorkers(matrix.SetWorkers(workers))
			got := must.Get(Alignments(context.Background(), x, codes, gammas))(t)
			if want == nil {
				want = got
				if a := mustAlign(t, kernelMatrix(t, gram.RBF{Gamma: gammas[1]}, x), codes); got[1] != a {
					t.Errorf("γ = %v: %v, of its matrix %v", gammas[1], got[1], a)
				}
			}
			for i, gamma := range gammas {
				if got[i] != want[i] {
					t.Errorf("γ = %v, %d workers: %v, of one worker %v", gamma, workers, got[i], want[i])
				}
			}
		}()
	}
	if !(want[0] > 0.01 && want[0] < 0.9) {
		t.Errorf("alignment %v of classes that overlap", want[0])
	}
}

func TestAlignmentErrors(t *testing.T) {
	k, y := matrix.New(4, 4), []int{0, 1, 0, 1}
	_, err := Alignment(k, y[:3])
	must.Fail[*RowsError](t, "three labels", err)
	_, err = Alignment(k, []int{1, 1, 1, 1})
	must.Fail[*discriminant.ClassesError](t, "one class", err)
	_, err = Alignment(k, y)
	must.Fail[*ParameterError](t, "zero", err)
	for i := range 4 {
		for j := range 4 {
			k.Set(i, j, 0.1)
		}
	}
	_, err = Alignment(k, y)
	must.Fail[*ParameterError](t, "constant", err)
	k.Set(2, 1, math.NaN())
	_, err = Alignment(k, y)
	must.Fail[*matrix.NotFiniteError](t, "NaN", err)
	ctx, cancel := context.WithCancel(context.Background())
	x := matrix.New(4, 1)
	x.Set(0, 0, 1)
	_, err = Alignments(ctx, x, y, []float64{1, -1})
	must.Fail[*gram.ParameterError](t, "γ below 0", err)
	_, err = Alignments(ctx, x, y, []float64{0})
	must.Fail[*ParameterError](t, "γ = 0", err)
	_, err = Alignments(ctx, x, y[:2], []float64{1})
	must.Fail[*RowsError](t, "two labels", err)
	a, err := Alignments(ctx, matrix.New(4, 1), y, []float64{1})
	if err != nil || a[0] != 0 {
		t.Errorf("rows that coincide: %v, %v", a, err)
	}
	x.Set(1, 0, math.Inf(1))
	_, err = Alignments(ctx, x, y, []float64{1})
	must.Fail[*matrix.NotFiniteError](t, "∞", err)
	cancel()
	if _, err = Alignments(ctx, matrix.New(4, 1), y, []float64{1}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}
