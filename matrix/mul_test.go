package matrix_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/matrix"
)

var bothTrans = []matrix.Trans{matrix.NoTrans, matrix.Transposed}

// shapes are the sizes (m, k, n) of products: every combination of small ones,
// and some beyond the blocks of the loops in each direction.
func shapes() [][3]int {
	var s [][3]int
	small := []int{0, 1, 2, 3, 4, 5, 7, 8, 9}
	if testing.Short() {
		small = []int{0, 1, 3, 5, 8}
	}
	for _, m := range small {
		for _, k := range small {
			for _, n := range small {
				s = append(s, [3]int{m, k, n})
			}
		}
	}
	if !testing.Short() {
		s = append(s, [3]int{17, 63, 31}, [3]int{6, 65, 255}, [3]int{3, 66, 256}, [3]int{70, 131, 300})
	}
	return append(s, [3]int{5, 64, 33}, [3]int{2, 129, 257}, [3]int{1, 300, 1}, [3]int{300, 1, 2})
}

func TestProductsHaveTheBitsOfTheReference(t *testing.T) {
	rng := generator(1)
	for _, s := range shapes() {
		m, k, n := s[0], s[1], s[2]
		for _, ta := range bothTrans {
			for _, tb := range bothTrans {
				a, b := randomFor(rng, m, k, ta), randomFor(rng, k, n, tb)
				c := random(rng, m, n)
				mul := refProduct(matrix.New(m, n), a, ta, b, tb, k, 1)
				add, sub := refProduct(c, a, ta, b, tb, k, 1), refProduct(c, a, ta, b, tb, k, -1)
				for _, gap := range []int{0, 3} {
					name := fmt.Sprintf("%d×%d×%d trans %v %v gap %d", m, k, n, ta, tb, gap)
					pa, pb := padCopy(a, gap), padCopy(b, gap)

					dst := padCopy(matrixtest.NaNs(m, n), gap)
					if got := matrix.Mul(dst.Dense, pa.Dense, ta, pb.Dense, tb); got != dst.Dense {
						t.Fatalf("%s: Mul returned another matrix than dst", name)
					}
					matrixtest.Alike(t, "Mul "+name, dst.Dense, mul)
					dst.checkGaps(t, "Mul "+name)
					matrixtest.Alike(t, "Mul nil "+name, matrix.Mul(nil, pa.Dense, ta, pb.Dense, tb), dst.Dense)

					pc := padCopy(c, gap)
					matrix.AddMul(pc.Dense, pa.Dense, ta, pb.Dense, tb)
					matrixtest.Alike(t, "AddMul "+name, pc.Dense, add)
					pc.checkGaps(t, "AddMul "+name)

					pc = padCopy(c, gap)
					matrix.SubMul(pc.Dense, pa.Dense, ta, pb.Dense, tb)
					matrixtest.Alike(t, "SubMul "+name, pc.Dense, sub)
					pc.checkGaps(t, "SubMul "+name)

					matrixtest.Alike(t, "a of "+name, pa.Dense, a)
					matrixtest.Alike(t, "b of "+name, pb.Dense, b)
				}
			}
		}
	}
}

func TestSymRankKHasTheBitsOfTheReference(t *testing.T) {
	rng := generator(2)
	for _, s := range shapes() {
		n, k := s[0], s[1]
		if s[2] > 2 && n < 10 {
			continue // the same n and k again
		}
		for _, ta := range bothTrans {
			a := randomFor(rng, n, k, ta)
			c := random(rng, n, n)
			for _, gap := range []int{0, 5} {
				name := fmt.Sprintf("n %d k %d trans %v gap %d", n, k, ta, gap)
				pa := padCopy(a, gap)
				dst := padCopy(matrixtest.NaNs(n, n), gap)
				matrix.SymRankK(dst.Dense, pa.Dense, ta)
				matrixtest.Alike(t, "SymRankK "+name, dst.Dense, refProduct(matrix.New(n, n), a, ta, a, !ta, k, 1))
				dst.checkGaps(t, "SymRankK "+name)
				matrixtest.Alike(t, "SymRankK nil "+name, matrix.SymRankK(nil, pa.Dense, ta), dst.Dense)

				// The upper triangle is not read: poison it.
				pc := padCopy(c, gap)
				for i := range n {
					for j := i + 1; j < n; j++ {
						pc.Set(i, j, math.NaN())
					}
				}
				matrix.AddSymRankK(pc.Dense, pa.Dense, ta)
				want := refProduct(c, a, ta, a, !ta, k, 1)
				for i := range n {
					for j := range i {
						want.Set(j, i, want.At(i, j))
					}
				}
				matrixtest.Alike(t, "AddSymRankK "+name, pc.Dense, want)
				pc.checkGaps(t, "AddSymRankK "+name)
			}
		}
	}
}

func TestMulVecHasTheBitsOfMul(t *testing.T) {
	rng := generator(3)
	for _, s := range shapes() {
		if s[2] > 2 && s[0] < 10 {
			continue
		}
		for _, ta := range bothTrans {
			a, x := randomFor(rng, s[0], s[1], ta), random(rng, s[1], 1)
			pa := padCopy(a, 2)
			dst := matrixtest.NaNs(s[0], 1)
			matrix.MulVec(dst.Data, pa.Dense, ta, x.Data)
			want := matrix.Mul(nil, a, ta, x, matrix.NoTrans)
			matrixtest.Alike(t, fmt.Sprintf("%d×%d trans %v", s[0], s[1], ta), dst, want)
			got := matrix.MulVec(nil, pa.Dense, ta, x.Data)
			matrixtest.Alike(t, "nil", &matrix.Dense{Rows: s[0], Cols: 1, Stride: 1, Data: got}, want)
		}
	}
}

// A chain that starts at −0 keeps the sign of its zeros, and an infinity or NaN
// reaches every entry that its row or column meets, also times 0.
func TestProductsKeepSpecialValues(t *testing.T) {
	negZero := math.Copysign(0, -1)
	c := &matrix.Dense{Rows: 1, Cols: 2, Stride: 2, Data: []float64{negZero, negZero}}
	a := matrix.New(1, 5)
	b := matrix.New(5, 2)
	for k := range 5 {
		a.Set(0, k, negZero)
		b.Set(k, 0, 1)
		b.Set(k, 1, -1)
	}
	want := refProduct(c, a, false, b, false, 5, 1)
	matrix.AddMul(c, a, false, b, false)
	matrixtest.Alike(t, "signs of zeros", c, want)
	if !math.Signbit(c.At(0, 0)) || math.Signbit(c.At(0, 1)) {
		t.Errorf("signs of zeros: %v", c.Data)
	}
	k0 := matrix.New(0, 2)
	c.Set(0, 1, negZero)
	matrix.AddMul(c, matrix.New(1, 0), false, k0, false)
	if !math.Signbit(c.At(0, 1)) {
		t.Error("an empty chain changed −0")
	}

	a = matrix.New(3, 6)
	b = matrix.New(6, 3)
	a.Set(1, 4, math.Inf(1))
	b.Set(2, 2, math.NaN())
	p := matrix.Mul(nil, a, false, b, false)
	for i := range 3 {
		for j := range 3 {
			if bad := i == 1 || j == 2; bad != math.IsNaN(p.At(i, j)) {
				t.Errorf("entry (%d, %d) is %v", i, j, p.At(i, j))
			}
		}
	}
}

func TestTranspose(t *testing.T) {
	rng := generator(4)
	for _, s := range [][2]int{{0, 0}, {0, 3}, {1, 1}, {1, 5}, {5, 1}, {16, 17}, {33, 47}} {
		a := padCopy(random(rng, s[0], s[1]), 3)
		dst := padCopy(matrixtest.NaNs(s[1], s[0]), 2)
		matrix.Transpose(dst.Dense, a.Dense)
		dst.checkGaps(t, "Transpose")
		for i := range s[0] {
			for j := range s[1] {
				if math.Float64bits(dst.At(j, i)) != math.Float64bits(a.At(i, j)) {
					t.Fatalf("%d×%d: entry (%d, %d)", s[0], s[1], j, i)
				}
			}
		}
		matrixtest.Alike(t, "nil", matrix.Transpose(nil, a.Dense), dst.Dense)
	}
}

// Misuse panics, and the message names both shapes.
func TestShapesThatDoNotFitPanic(t *testing.T) {
	m := matrix.New
	v := func(n int) []float64 { return make([]float64, n) }
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"Mul: 3×4 times 5×2", func() { matrix.Mul(nil, m(3, 4), false, m(5, 2), false) }},
		{"Mul: 3×4 times 5×2", func() { matrix.Mul(nil, m(4, 3), true, m(2, 5), true) }},
		{"Mul: destination 2×2 for a 3×2", func() { matrix.Mul(m(2, 2), m(3, 4), false, m(4, 2), false) }},
		{"AddMul: 3×4 times 5×2", func() { matrix.AddMul(m(3, 2), m(3, 4), false, m(5, 2), false) }},
		{"SubMul: destination 3×3 for a 3×2", func() { matrix.SubMul(m(3, 3), m(3, 4), false, m(4, 2), false) }},
		{"SymRankK: destination 3×4 for a 3×3", func() { matrix.SymRankK(m(3, 4), m(3, 4), false) }},
		{"AddSymRankK: 4×4 from the rows of a 3×4", func() { matrix.AddSymRankK(m(4, 4), m(3, 4), false) }},
		{"AddSymRankK: 3×3 from the rows of a 4×3", func() { matrix.AddSymRankK(m(3, 3), m(3, 4), true) }},
		{"MulVec: 3×4 times a vector of 3", func() { matrix.MulVec(nil, m(3, 4), false, v(3)) }},
		{"MulVec: dst of 4 for 3×4", func() { matrix.MulVec(v(4), m(3, 4), false, v(4)) }},
		{"Transpose: destination 3×4 for a 4×3", func() { matrix.Transpose(m(3, 4), m(3, 4)) }},
		{"SolveLower: L is 3×3, B is 4×2", func() { matrix.SolveLower(m(3, 3), m(4, 2)) }},
		{"SolveLowerTrans: L is 4×3, B is 4×2", func() { matrix.SolveLowerTrans(m(4, 3), m(4, 2)) }},
		{"SolveRightLowerTrans: L is 2×3, B is 3×2", func() { matrix.SolveRightLowerTrans(m(2, 3), m(3, 2)) }},
		{"Dot: a vector of 2 with a vector of 3", func() { matrix.Dot(v(2), v(3)) }},
		{"RowMeans: dst of 4 for a 3×4", func() { matrix.RowMeans(v(4), m(3, 4)) }},
		{"CopyFrom: 3×4 from 4×3", func() { m(3, 4).CopyFrom(m(4, 3)) }},
		{"element (3, 0) of a 3×4", func() { m(3, 4).At(3, 0) }},
		{"element (0, -1) of a 3×4", func() { m(3, 4).Set(0, -1, 1) }},
		{"row 3 of a 3×4", func() { m(3, 4).Row(3) }},
		{"block 2×2 at (2, 0) of a 3×4", func() { m(3, 4).View(2, 0, 2, 2) }},
		{"is more than memory can hold", func() { m(1<<30, 1<<(strconv.IntSize-32)) }},
		{"negative size -1×2", func() { m(-1, 2) }},
	} {
		if got := matrixtest.PanicText(c.f); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "matrix: ") {
			t.Errorf("panic %q, want %q", got, c.want)
		}
	}
}

func TestAliasingPanics(t *testing.T) {
	a, b := matrix.New(4, 4), matrix.New(4, 4)
	big := matrix.New(8, 8)
	row := func(a *matrix.Dense) []float64 { return a.Row(1) }
	for name, f := range map[string]func(){
		"Mul a":                func() { matrix.Mul(a, a, false, b, false) },
		"Mul b":                func() { matrix.Mul(b, a, true, b, true) },
		"Mul shifted":          func() { matrix.Mul(big.View(1, 0, 4, 4), big.View(0, 0, 4, 4), false, b, false) },
		"Mul shifted column":   func() { matrix.Mul(big.View(0, 3, 4, 4), big.View(0, 0, 4, 4), false, b, false) },
		"AddMul":               func() { matrix.AddMul(a, b, false, a, true) },
		"SubMul":               func() { matrix.SubMul(a, a, false, b, false) },
		"SymRankK":             func() { matrix.SymRankK(a, a, false) },
		"AddSymRankK":          func() { matrix.AddSymRankK(a, a, true) },
		"MulVec x":             func() { matrix.MulVec(row(a), b, false, row(a)) },
		"MulVec a":             func() { matrix.MulVec(row(a), a, false, row(b)) },
		"Transpose":            func() { matrix.Transpose(a, a) },
		"CopyFrom shifted":     func() { big.View(1, 0, 4, 4).CopyFrom(big.View(0, 0, 4, 4)) },
		"SolveLower":           func() { matrix.SolveLower(a, a) },
		"SolveLowerTrans":      func() { matrix.SolveLowerTrans(a, a) },
		"SolveRightLowerTrans": func() { matrix.SolveRightLowerTrans(a, a) },
		"RowMeans":             func() { matrix.RowMeans(row(a), a) },
	} {
		if got := matrixtest.PanicText(f); !strings.Contains(got, "overlaps") {
			t.Errorf("%s: panic %q", name, got)
		}
	}
	// Copying a matrix onto itself, and neighbouring blocks, are fine.
	a.CopyFrom(a)
	matrix.AddMul(big.View(4, 0, 4, 4), big.View(4, 4, 4, 4), false, big.View(0, 0, 4, 4), true)
	matrix.SolveLower(big.View(0, 0, 4, 4), big.View(0, 4, 4, 4))
	matrix.MulVec(big.Row(7)[4:], big.View(4, 0, 4, 4), false, big.Row(0)[:4])
}

// Overlap agrees with looking at every element, for all pairs of blocks of a
// small matrix.
func TestOverlap(t *testing.T) {
	const n = 4
	whole := matrix.New(n, n)
	var blocks []*matrix.Dense
	for i := range n {
		for j := range n {
			for r := 0; r <= n-i; r++ {
				for c := 0; c <= n-j; c++ {
					blocks = append(blocks, whole.View(i, j, r, c))
				}
			}
		}
	}
	marks := func(a *matrix.Dense, v float64) {
		for i := range a.Rows {
			for j := range a.Cols {
				a.Set(i, j, v)
			}
		}
	}
	for _, a := range blocks {
		whole.Zero()
		marks(a, 1)
		for _, b := range blocks {
			want := false
			for i := range b.Rows {
				for j := range b.Cols {
					want = want || b.At(i, j) == 1
				}
			}
			if got := matrix.Overlap(a, b); got != want {
				t.Fatalf("%d×%d and %d×%d: %v, want %v", a.Rows, a.Cols, b.Rows, b.Cols, got, want)
			}
		}
	}
}
