package bigref

import (
	"math"
	"math/big"

	"github.com/seed92411348/kfda/matrix"
)

// Arith is arithmetic with a fixed precision in bits. Every result is a new
// number; operands are never changed.
type Arith uint

// Default leaves more than 300 correct bits on every problem with a condition
// number below 1e50.
const Default Arith = 500

// Vector and Matrix hold numbers of one precision; a Matrix is a list of rows.
type (
	Vector []*big.Float
	Matrix []Vector
)

func (p Arith) num() *big.Float { return new(big.Float).SetPrec(uint(p)) }

// Of converts a finite float64 exactly.
func (p Arith) Of(x float64) *big.Float { return p.num().SetFloat64(x) }

// Int converts an integer exactly.
func (p Arith) Int(k int) *big.Float { return p.num().SetInt64(int64(k)) }

// Add returns a + b.
func (p Arith) Add(a, b *big.Float) *big.Float { return p.num().Add(a, b) }

// Sub returns a − b.
func (p Arith) Sub(a, b *big.Float) *big.Float { return p.num().Sub(a, b) }

// Mul returns a·b.
func (p Arith) Mul(a, b *big.Float) *big.Float { return p.num().Mul(a, b) }

// Quo returns a/b.
func (p Arith) Quo(a, b *big.Float) *big.Float { return p.num().Quo(a, b) }

// Sqrt returns the square root of a ≥ 0.
func (p Arith) Sqrt(a *big.Float) *big.Float { return p.num().Sqrt(a) }

// Ldexp returns a·2^e.
func (p Arith) Ldexp(a *big.Float, e int) *big.Float { return p.num().SetMantExp(a, e) }

// Dot returns Σ x_i y_i.
func (p Arith) Dot(x, y Vector) *big.Float {
	s := p.num()
	t := p.num()
	for i := range x {
		s.Add(s, t.Mul(x[i], y[i]))
	}
	return s
}

// Norm returns ‖x‖₂.
func (p Arith) Norm(x Vector) *big.Float { return p.Sqrt(p.Dot(x, x)) }

// Zeros returns a rows×cols matrix of zeros.
func (p Arith) Zeros(rows, cols int) Matrix {
	a := make(Matrix, rows)
	for i := range a {
		a[i] = make(Vector, cols)
		for j := range a[i] {
			a[i][j] = p.num()
		}
	}
	return a
}

// FromFloats converts a slice exactly.
func (p Arith) FromFloats(x []float64) Vector {
	v := make(Vector, len(x))
	for i := range x {
		v[i] = p.Of(x[i])
	}
	return v
}

// FromDense converts a matrix exactly.
func (p Arith) FromDense(a *matrix.Dense) Matrix {
	b := make(Matrix, a.Rows)
	for i := range b {
		b[i] = p.FromFloats(a.Row(i))
	}
	return b
}

// Transpose returns Aᵀ; the numbers are shared.
func (a Matrix) Transpose() Matrix {
	if len(a) == 0 {
		return nil
	}
	t := make(Matrix, len(a[0]))
	for j := range t {
		t[j] = a.Col(j)
	}
	return t
}

// Col returns column j; the numbers are shared.
func (a Matrix) Col(j int) Vector {
	v := make(Vector, len(a))
	for i := range a {
		v[i] = a[i][j]
	}
	return v
}

// MatMul returns A·B.
func (p Arith) MatMul(a, b Matrix) Matrix {
	bt := b.Transpose()
	c := make(Matrix, len(a))
	for i := range a {
		c[i] = make(Vector, len(bt))
		for j := range bt {
			c[i][j] = p.Dot(a[i], bt[j])
		}
	}
	return c
}

// MulVec returns A·x.
func (p Arith) MulVec(a Matrix, x Vector) Vector {
	y := make(Vector, len(a))
	for i := range a {
		y[i] = p.Dot(a[i], x)
	}
	return y
}

// Combine returns a·x + b·y.
func (p Arith) Combine(a *big.Float, x Vector, b *big.Float, y Vector) Vector {
	z := make(Vector, len(x))
	for i := range x {
		z[i] = p.Add(p.Mul(a, x[i]), p.Mul(b, y[i]))
	}
	return z
}

// Scale returns a·x.
func (p Arith) Scale(a *big.Float, x Vector) Vector {
	z := make(Vector, len(x))
	for i := range x {
		z[i] = p.Mul(a, x[i])
	}
	return z
}

// frobenius returns √(Σ a_ij²).
func (p Arith) frobenius(a Matrix) *big.Float {
	s := p.num()
	for _, row := range a {
		s.Add(s, p.Dot(row, row))
	}
	return s.Sqrt(s)
}

// Float64 rounds to nearest, ties to even.
func Float64(a *big.Float) float64 {
	x, _ := a.Float64()
	return x
}

// Floats rounds every entry.
func Floats(v Vector) []float64 {
	x := make([]float64, len(v))
	for i := range v {
		x[i] = Float64(v[i])
	}
	return x
}

// Dense rounds every entry.
func Dense(a Matrix) *matrix.Dense {
	cols := 0
	if len(a) > 0 {
		cols = len(a[0])
	}
	d := matrix.New(len(a), cols)
	for i := range a {
		copy(d.Row(i), Floats(a[i]))
	}
	return d
}

// The errors below are what the tests compare with their tolerances. A value
// that is not finite has error +Inf.

// RelError returns |got − want|/|want|, 0 where both are 0.
func (p Arith) RelError(got float64, want *big.Float) float64 {
	return p.ColError([]float64{got}, Vector{want})
}

// ColError returns ‖got − want‖₂/‖want‖₂, 0 where both are 0.
func (p Arith) ColError(got []float64, want Vector) float64 {
	plus, _ := p.colErrors(got, want)
	return plus
}

// ColErrorUpToSign is the smaller of the errors of got and −got.
func (p Arith) ColErrorUpToSign(got []float64, want Vector) float64 {
	plus, minus := p.colErrors(got, want)
	return min(plus, minus)
}

func (p Arith) colErrors(got []float64, want Vector) (plus, minus float64) {
	if len(got) != len(want) {
		return math.Inf(1), math.Inf(1)
	}
	for _, x := range got {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return math.Inf(1), math.Inf(1)
		}
	}
	g := p.FromFloats(got)
	norm := p.Norm(want)
	one, minusOne := p.Int(1), p.Int(-1)
	ratio := func(d Vector) float64 {
		r := p.Norm(d)
		if r.Sign() == 0 {
			return 0
		}
		if norm.Sign() == 0 {
			return math.Inf(1)
		}
		return Float64(p.Quo(r, norm))
	}
	return ratio(p.Combine(one, g, minusOne, want)), ratio(p.Combine(one, g, one, want))
}
