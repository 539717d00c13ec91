package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/matrix"
)

// factored returns the factorization of a copy of a.
func factored(t *testing.T, a *matrix.Dense) *Cholesky {
	t.Helper()
	c, err := FactorCholesky(context.Background(), a.Clone())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// factorRatio returns ‖A − LLᵀ‖ in units of n·u·size.
func factorRatio(c *Cholesky, a *matrix.Dense, size float64) float64 {
	n := a.Rows
	l := matrix.New(n, n)
	for i := range n {
		copy(l.Row(i), c.l.Row(i)[:i+1])
	}
	r := a.Clone()
	matrix.SubSymRankK(r, l, matrix.NoTrans)
	return matrix.NormFrobenius(r) / size / (float64(n) * unit)
}

// checkNorm compares the norm that refinement uses.
func checkNorm(t *testing.T, what string, c *Cholesky, a *matrix.Dense) {
	t.Helper()
	want := matrix.NormFrobenius(a)
	if e := math.Abs(c.norm-want) / want; !(e < 1e-6) {
		t.Errorf("%s: ‖A‖ = %g, want %g", what, c.norm, want)
	}
}

func plusOuter(a *matrix.Dense, x []float64, sign float64) *matrix.Dense {
	b := a.Clone()
	for i, v := range x {
		for j, w := range x {
			b.Set(i, j, math.FMA(sign*v, w, b.At(i, j)))
		}
	}
	return b
}

// The factor of A + xxᵀ, and again of A after taking xxᵀ out, against the
// matrices themselves; x as large as the diagonal of A, smaller and larger.
func TestUpdateAndDowndate(t *testing.T) {
	worst := map[string]float64{}
	for _, m := range definiteMatrices() {
		n := m.a.Rows
		for _, size := range []float64{1e-8, 1, 1e3} {
			x := randomMatrix(newRand(uint64(n)), n, 1).Data
			for i := range x {
				x[i] *= math.Sqrt(m.a.At(i, i)) * size
			}
			given := append([]float64(nil), x...)
			larger := plusOuter(m.a, x, 1)
			largest := matrix.NormFrobenius(larger)
			c := factored(t, m.a)
			if err := c.Update(x); err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			up := factorRatio(c, larger, largest)
			checkNorm(t, m.name, c, larger)
			err := c.Downdate(x)
			if lost := (*DowndateError)(nil); errors.As(err, &lost) && size > 1 {
				continue // A is lost in the rounding of xxᵀ
			} else if err != nil {
				t.Errorf("%s, x of size %g: %v", m.name, size, err)
				continue
			}
			// What xxᵀ has rounded away does not come back.
			down := factorRatio(c, m.a, largest)
			worst["update"], worst["downdate"] = max(worst["update"], up), max(worst["downdate"], down)
			if !(up < 30) || !(down < 30) {
				t.Errorf("%s, x of size %g: ‖A − LLᵀ‖ is %.3g n u ‖A + xxᵀ‖ after the update, %.3g after the downdate, want less than 30", m.name, size, up, down)
			}
			for i, v := range given {
				if x[i] != v {
					t.Fatalf("%s: x was changed", m.name)
				}
			}
		}
	}
	t.Logf("largest ratios: %v", worst)
}

// A well-conditioned matrix that is updated many times keeps a small residual, and
// solves.
func TestManyUpdates(t *testing.T) {
	const n = 40
	a := randomGram(newRand(1), n, n+10)
	c := factored(t, a)
	for k := range 100 {
		x := randomMatrix(newRand(uint64(k)), n, 1).Data
		sign := 1.0
		if k%2 == 1 {
			x, sign = randomMatrix(newRand(uint64(k-1)), n, 1).Data, -1
		}
		a = plusOuter(a, x, sign)
		step := c.Update
		if sign < 0 {
			step = c.Downdate
		}
		if err := step(x); err != nil {
			t.Fatal(err)
		}
	}
	checkNorm(t, "100 updates", c, a)
	if q := factorRatio(c, a, c.norm) / 100; !(q < 30) {
		t.Errorf("‖A − LLᵀ‖ after 100 updates is %.3g n u ‖A‖ an update, want less than 30", q)
	}
	f := randomMatrix(newRand(9), n, 2)
	w := f.Clone()
	c.Solve(w)
	r, err := c.Refine(context.Background(), stored{a}, f, w, 5)
	if err != nil || r.Backward > 4*unit {
		t.Errorf("refined with the updated factor: backward error %.3g, %v", r.Backward, err)
	}
}

// A downdate that leaves no positive definite matrix is refused, and nothing is
// changed; one that just leaves one is made.
func TestDowndateLosesDefiniteness(t *testing.T) {
	const n = 12
	a := randomGram(newRand(1), n, n+3)
	c := factored(t, a)
	x := randomMatrix(newRand(2), n, 1)
	y := x.Clone()
	c.Solve(y)
	q := matrix.Dot(x.Data, y.Data) // xᵀA⁻¹x
	before := append([]float64(nil), c.l.Data...)
	for _, share := range []float64{4, 1.0001, 1 + 1e-15, 1, 1 - 1e-15} {
		z := make([]float64, n)
		for i, v := range x.Data {
			z[i] = v * math.Sqrt(share/q)
		}
		var lost *DowndateError
		if err := c.Downdate(z); !errors.As(err, &lost) || lost.Gap > lost.Limit || lost.Limit != n*unit {
			t.Errorf("xᵀA⁻¹x = %v: %v", share, err)
		}
	}
	for i, v := range c.l.Data {
		if v != before[i] {
			t.Fatal("a refused downdate changed the factor")
		}
	}
	for i := range x.Data {
		x.Data[i] *= math.Sqrt((1 - 1e-10) / q)
	}
	if err := c.Downdate(x.Data); err != nil {
		t.Error(err)
	}
	if r := factorRatio(c, plusOuter(a, x.Data, -1), matrix.NormFrobenius(a)); !(r < 30) {
		t.Errorf("‖A − xxᵀ − LLᵀ‖ is %.3g n u ‖A‖, want less than 30", r)
	}
	var bad *matrix.NotFiniteError
	x.Data[3] = math.NaN()
	if err := c.Downdate(x.Data); !errors.As(err, &bad) || bad.Row != 3 {
		t.Errorf("NaN: %v", err)
	}
	if err := c.Update(x.Data); !errors.As(err, &bad) || bad.Row != 3 {
		t.Errorf("NaN: %v", err)
	}
}

// A factor built row by row has the bits of the one of the whole matrix.
func TestAppendEqualsFactor(t *testing.T) { asmtest.EachTier(t, appendEqualsFactor) }

func appendEqualsFactor(t *testing.T) {
	for _, n := range []int{1, 2, 9, 40, 75} {
		a := randomGram(newRand(uint64(n)), n, n+3)
		want := factored(t, a)
		start := min(n, 3)
		c := factored(t, a.View(0, 0, start, start).Clone())
		for i := start; i < n; i++ {
			if err := c.Append(a.Row(i)[:i], a.At(i, i)); err != nil {
				t.Fatal(err)
			}
		}
		if c.Order() != n {
			t.Fatalf("order %d, want %d", c.Order(), n)
		}
		checkNorm(t, fmt.Sprint(n), c, a)
		for i := range n {
			for j := range i + 1 {
				if !equalBits(c.l.At(i, j), want.l.At(i, j)) {
					t.Fatalf("n = %d: L(%d,%d) = %v, want %v", n, i, j, c.l.At(i, j), want.l.At(i, j))
				}
			}
		}
	}
}

func TestAppendErrors(t *testing.T) {
	a := randomGram(newRand(1), 5, 8)
	c := factored(t, a)
	// The last row again: the larger matrix is singular.
	var pivot *NotPositiveDefiniteError
	if err := c.Append(a.Row(2), a.At(2, 2)-1e-3); !errors.As(err, &pivot) || pivot.Pivot != 5 {
		t.Errorf("singular: %v", err)
	}
	var bad *matrix.NotFiniteError
	if err := c.Append([]float64{0, 0, 0, math.Inf(1), 0}, 1); !errors.As(err, &bad) || bad.Row != 5 || bad.Col != 3 {
		t.Errorf("infinite: %v", err)
	}
	if c.Order() != 5 || !(factorRatio(c, a, matrix.NormFrobenius(a)) < 30) {
		t.Error("a refused row changed the factor")
	}
}

// Rows are removed, first, last and in the middle, and put back at the end.
func TestRemove(t *testing.T) {
	for _, m := range definiteMatrices() {
		n := m.a.Rows
		if n < 2 {
			continue
		}
		norm := matrix.NormFrobenius(m.a)
		for _, i := range []int{0, n / 2, n - 1} {
			less := matrix.New(n-1, n-1)
			var row []float64
			for r := range n {
				if r == i {
					continue
				}
				row = append(row, m.a.At(i, r))
				to := r
				if r > i {
					to--
				}
				for s := range n {
					if s < i {
						less.Set(to, s, m.a.At(r, s))
					} else if s > i {
						less.Set(to, s-1, m.a.At(r, s))
					}
				}
			}
			c := factored(t, m.a)
			c.Remove(i)
			if q := factorRatio(c, less, norm); !(q < 30) {
				t.Errorf("%s without row %d: ‖A − LLᵀ‖ is %.3g n u ‖A‖, want less than 30", m.name, i, q)
			}
			if n > 3 {
				if want := matrix.NormFrobenius(less); math.Abs(c.norm-want) > 1e-6*norm {
					t.Errorf("%s without row %d: ‖A‖ = %g, want %g", m.name, i, c.norm, want)
				}
			}
			if err := c.Append(row, m.a.At(i, i)); err != nil {
				t.Errorf("%s: row %d put back: %v", m.name, i, err)
				continue
			}
			back := matrix.New(n, n)
			back.View(0, 0, n-1, n-1).CopyFrom(less)
			for j, v := range row {
				back.Set(n-1, j, v)
				back.Set(j, n-1, v)
			}
			back.Set(n-1, n-1, m.a.At(i, i))
			if q := factorRatio(c, back, norm); !(q < 30) {
				t.Errorf("%s with row %d at the end: ‖A − LLᵀ‖ is %.3g n u ‖A‖, want less than 30", m.name, i, q)
			}
		}
	}
	c := factored(t, identity(1))
	c.Remove(0)
	if c.Order() != 0 {
		t.Error("order of an empty factor")
	}
	if err := c.Append(nil, 4); err != nil || c.l.At(0, 0) != 2 {
		t.Error("first row of an empty factor")
	}
}

// What is added may be so much larger than A that the square of their ratio is out
// of range.
func TestNormOfLargeChanges(t *testing.T) {
	for _, size := range []float64{1e-300, 1, 1e100} {
		a := matrix.New(2, 2)
		copy(a.Data, []float64{2 * size, size, size, 3 * size})
		for _, root := range []float64{1e-180, 1e-80, 1, 1e80, 1e150} {
			x := []float64{root, -0.5 * root}
			c := factored(t, a)
			if err := c.Update(x); err != nil {
				t.Fatal(err)
			}
			checkNorm(t, fmt.Sprintf("A of size %g, x of %g", size, root), c, plusOuter(a, x, +1))

			c = factored(t, a)
			diagonal := 2*size + float64(root*root)
			if err := c.Append([]float64{size, 0}, diagonal); err != nil {
				t.Fatal(err)
			}
			larger := matrix.New(3, 3)
			larger.View(0, 0, 2, 2).CopyFrom(a)
			larger.Set(2, 0, size)
			larger.Set(0, 2, size)
			larger.Set(2, 2, diagonal)
			checkNorm(t, fmt.Sprintf("A of size %g, diagonal %g", size, diagonal), c, larger)
		}
	}
}

// Changed factors have the same bits everywhere: a hash, recorded once.
func TestUpdateBits(t *testing.T) { asmtest.EachTier(t, updateBits) }

func updateBits(t *testing.T) {
	const n = 40
	a := matrix.SymRankK(nil, uniformMatrix(5, n, n+5), matrix.NoTrans)
	c := factored(t, a)
	x, y := uniformMatrix(6, n, 1).Data, uniformMatrix(7, n, 1).Data
	for i := range y {
		y[i] /= 16
	}
	if err := c.Update(x); err != nil {
		t.Fatal(err)
	}
	if err := c.Downdate(y); err != nil {
		t.Fatal(err)
	}
	c.Remove(11)
	if err := c.Append(uniformMatrix(8, n-1, 1).Data, 50); err != nil {
		t.Fatal(err)
	}
	var l [][]float64
	for i := range n {
		l = append(l, c.l.Row(i)[:i+1])
	}
	const want = "887c0645bf7de85b"
	if got := hashOf(append(l, []float64{c.norm})...); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}
