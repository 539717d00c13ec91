package matrix_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func TestCaseEmptyInput(t *testing.T) {
	p := matrix.Mul(nil, matrix.New(3, 0), false, matrix.New(0, 2), false)
	matrixtest.Alike(t, "3×0 times 0×2", p, matrix.New(3, 2))
	for _, s := range [][2]int{{0, 0}, {0, 3}, {3, 0}} {
		a := matrix.New(s[0], s[1])
		matrixtest.Alike(t, "product", matrix.Mul(nil, a, false, a, true), matrix.New(s[0], s[0]))
		matrixtest.Alike(t, "rank-k", matrix.SymRankK(nil, a, true), matrix.New(s[1], s[1]))
		matrixtest.Alike(t, "transpose", matrix.Transpose(nil, a), matrix.New(s[1], s[0]))
		matrix.SolveLower(matrix.New(0, 0), matrix.New(0, s[0]))
		matrix.SolveRightLowerTrans(matrix.New(0, 0), matrix.New(s[0], 0))
	}
	if got := matrix.Sum(nil); got != 0 || math.Signbit(got) {
		t.Errorf("sum of nothing is %v", got)
	}
}

func TestCaseDestinationIsAlsoASource(t *testing.T) {
	const name = "41-destination-is-also-a-source"
	a, b := matrixtest.Case(t, name+"/A.csv"), matrixtest.Case(t, name+"/B.csv")
	whole := matrix.New(3, 2)
	window, shifted := whole.View(0, 0, 2, 2), whole.View(1, 0, 2, 2)
	window.CopyFrom(a)
	for what, f := range map[string]func(){
		"dst = A":         func() { matrix.Mul(a, a, false, b, false) },
		"dst = B":         func() { matrix.Mul(b, a, false, b, false) },
		"dst = A, Aᵀ":     func() { matrix.Mul(a, a, true, b, false) },
		"dst one row off": func() { matrix.Mul(shifted, window, false, b, false) },
	} {
		if matrixtest.PanicText(f) == "" {
			t.Errorf("%s was not refused", what)
		}
	}
	want, _ := matrix.FromRows([][]float64{{19, 22}, {43, 50}})
	backing := make([]float64, 4)
	matrix.Mul(&matrix.Dense{Rows: 2, Cols: 2, Stride: 2, Data: backing}, a, false, b, false)
	matrixtest.Alike(t, "A·B", &matrix.Dense{Rows: 2, Cols: 2, Stride: 2, Data: backing}, want)
	want, _ = matrix.FromRows([][]float64{{23, 34}, {31, 46}})
	matrixtest.Alike(t, "B·A", matrix.Mul(nil, b, false, a, false), want)
}

func TestCaseGemmEveryTailSize(t *testing.T) {
	sizes := matrixtest.Case(t, "44-gemm-every-tail-size/sizes.csv")
	for r := range sizes.Rows {
		row := sizes.Row(r)
		m, k, n := int(row[0]), int(row[1]), int(row[2])
		a, b := matrix.New(m, k), matrix.New(k, n)
		for i := range m {
			for l := range k {
				a.Set(i, l, float64((3*i+5*l)%7-3))
			}
		}
		for l := range k {
			for j := range n {
				b.Set(l, j, float64((2*l+7*j)%5-2))
			}
		}
		for _, ta := range bothTrans {
			for _, tb := range bothTrans {
				opA, opB := a, b
				if ta {
					opA = matrix.Transpose(nil, a)
				}
				if tb {
					opB = matrix.Transpose(nil, b)
				}
				for _, gap := range []int{0, 1, 5} {
					c := padCopy(matrixtest.NaNs(m, n), gap)
					matrix.Mul(c.Dense, padCopy(opA, gap).Dense, ta, padCopy(opB, gap).Dense, tb)
					for _, beta := range []float64{0, 1} {
						if beta == 1 {
							c.Zero()
							matrix.AddMul(c.Dense, padCopy(opA, gap).Dense, ta, padCopy(opB, gap).Dense, tb)
						}
						sum, weighted := 0.0, 0.0
						for i := range m {
							for j := range n {
								sum += c.At(i, j)
								weighted += float64((i+1)*(j+1)) * c.At(i, j)
							}
						}
						if sum != row[3] || c.At(m-1, n-1) != row[4] || weighted != row[5] {
							t.Errorf("%d×%d×%d trans %v %v: sum %v last %v weighted %v, want %v",
								m, k, n, ta, tb, sum, c.At(m-1, n-1), weighted, row[3:])
						}
					}
					c.checkGaps(t, "case")
				}
			}
		}
	}
}

func TestCaseDotEveryLength(t *testing.T) {
	want := matrixtest.Case(t, "45-dot-every-length/dot.csv")
	for off := range 8 {
		x, y := make([]float64, off+131), make([]float64, off+131)
		for i := range x {
			x[i], y[i] = math.NaN(), math.NaN()
		}
		for r := range want.Rows {
			n := int(want.At(r, 0))
			for i := range n {
				x[off+i], y[off+i] = float64(i%5+1), float64(i%7-3)
			}
			p, q := x[off:off+n], y[off:off+n]
			must.Equal(t, fmt.Sprintf("n = %d: dot", n), matrix.Dot(p, q), want.At(r, 1))
			a := &matrix.Dense{Rows: 1, Cols: n, Stride: n, Data: p}
			must.Equal(t, fmt.Sprintf("n = %d: product", n), matrix.MulVec(nil, a, false, q)[0], want.At(r, 1))
			sum, squares, largest := 0, 0, 0
			for i := range n {
				v := i%5 + 1
				sum, squares, largest = sum+v, squares+v*v, max(largest, v)
			}
			if matrix.Sum(p) != float64(sum) || matrix.SumSquares(p) != float64(squares) || matrix.MaxAbs(a) != float64(largest) {
				t.Errorf("n = %d: sum %v, squares %v, max %v", n, matrix.Sum(p), matrix.SumSquares(p), matrix.MaxAbs(a))
			}
		}
	}
}

func TestCaseBetaZeroMustNotReadC(t *testing.T) {
	sizes := matrixtest.Case(t, "47-beta-zero-must-not-read-c/sizes.csv")
	ones := func(rows, cols int) *matrix.Dense {
		a := matrix.New(rows, cols)
		for i := range a.Data {
			a.Data[i] = 1
		}
		return a
	}
	for r := range sizes.Rows {
		for _, empty := range []bool{false, true} {
			m, k, n := int(sizes.At(r, 0)), int(sizes.At(r, 1)), int(sizes.At(r, 2))
			if empty {
				k = 0
			}
			for _, stale := range []float64{math.NaN(), math.Inf(1)} {
				fill := func(rows, cols int) *matrix.Dense {
					a := matrix.New(rows, cols)
					for i := range a.Data {
						a.Data[i] = stale
					}
					return a
				}
				check := func(what string, a *matrix.Dense) {
					t.Helper()
					want := ones(a.Rows, a.Cols)
					for i := range want.Data {
						want.Data[i] = float64(k)
					}
					matrixtest.Alike(t, what, a, want)
				}
				check("product", matrix.Mul(fill(m, n), ones(m, k), false, ones(k, n), false))
				check("rank-k", matrix.SymRankK(fill(m, m), ones(m, k), false))
				y := fill(m, 1)
				matrix.MulVec(y.Data, ones(m, k), false, ones(k, 1).Data)
				check("product with a vector", y)
				matrix.MulVec(y.Data, ones(k, m), true, ones(k, 1).Data)
				check("transposed product with a vector", y)
			}
		}
	}
}
