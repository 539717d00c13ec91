package bigref

import (
	"fmt"
	"math/big"
)

// Kernel names a kernel as the golden files do; the parameters are exactly the
// float64 numbers given.
//
//	linear      x·y
//	poly        (γ x·y + coef0)^degree
//	rbf         exp(−γ ‖x−y‖²)
//	laplacian   exp(−γ ‖x−y‖₁)
//	sigmoid     tanh(γ x·y + coef0)
//	cosine      x·y/(‖x‖‖y‖), 0 if a norm is 0
//	chi2        exp(−γ Σ (x_k−y_k)²/(x_k+y_k)), 0/0 counts 0
//	circle_map  φ(x)·φ(y), φ(x) = (x₁, x₂, x₁²+x₂²)
type Kernel struct {
	Type         string
	Gamma, Coef0 float64
	Degree       int
}

// Gram returns the matrix of k(a_i, b_j), len(a)×len(b).
func (p Arith) Gram(k Kernel, a, b Matrix) (Matrix, error) {
	g := make(Matrix, len(a))
	for i := range a {
		g[i] = make(Vector, len(b))
		for j := range b {
			v, err := p.eval(k, a[i], b[j])
			if err != nil {
				return nil, err
			}
			g[i][j] = v
		}
	}
	return g, nil
}

func (p Arith) eval(k Kernel, x, y Vector) (*big.Float, error) {
	gamma, coef0 := p.Of(k.Gamma), p.Of(k.Coef0)
	switch k.Type {
	case "linear":
		return p.Dot(x, y), nil
	case "poly":
		t := p.Add(p.Mul(gamma, p.Dot(x, y)), coef0)
		v := p.Int(1)
		for range k.Degree {
			v = p.Mul(v, t)
		}
		return v, nil
	case "rbf", "laplacian", "chi2":
		return p.Exp(p.num().Neg(p.Mul(gamma, p.distance(k.Type, x, y)))), nil
	case "sigmoid":
		return p.tanh(p.Add(p.Mul(gamma, p.Dot(x, y)), coef0)), nil
	case "cosine":
		norms := p.Mul(p.Norm(x), p.Norm(y))
		if norms.Sign() == 0 {
			return norms, nil
		}
		return p.Quo(p.Dot(x, y), norms), nil
	case "circle_map":
		return p.Dot(p.circleMap(x), p.circleMap(y)), nil
	}
	return nil, fmt.Errorf("bigref: unknown kernel %q", k.Type)
}

// distance returns ‖x−y‖², ‖x−y‖₁ or the χ² distance.
func (p Arith) distance(kernel string, x, y Vector) *big.Float {
	s := p.num()
	for i := range x {
		d := p.Sub(x[i], y[i])
		switch kernel {
		case "rbf":
			s.Add(s, p.Mul(d, d))
		case "laplacian":
			s.Add(s, d.Abs(d))
		case "chi2":
			if sum := p.Add(x[i], y[i]); sum.Sign() != 0 {
				s.Add(s, p.Quo(p.Mul(d, d), sum))
			}
		}
	}
	return s
}

func (p Arith) circleMap(x Vector) Vector {
	return Vector{x[0], x[1], p.Add(p.Mul(x[0], x[0]), p.Mul(x[1], x[1]))}
}

// Exp returns e^x to about p bits: the Taylor series at x/2^m < 2^-32, squared
// m times, in a working precision with room for the m bits that squaring
// loses. Below −2^29 the result is 0.
func (p Arith) Exp(x *big.Float) *big.Float {
	if x.Sign() < 0 && x.MantExp(nil) > 29 {
		return p.num()
	}
	m := max(0, x.MantExp(nil)+32)
	q := p + Arith(m) + 64
	r := q.Ldexp(q.num().Set(x), -m)
	sum, term := q.Int(1), q.Int(1)
	for k := 1; ; k++ {
		term = q.Quo(q.Mul(term, r), q.Int(k))
		if term.Sign() == 0 || term.MantExp(nil) < -int(q) {
			break
		}
		sum.Add(sum, term)
	}
	for range m {
		sum.Mul(sum, sum)
	}
	return p.num().Set(sum)
}

// tanh returns (e^2x − 1)/(e^2x + 1).
func (p Arith) tanh(x *big.Float) *big.Float {
	q := p + 128 // e^2x − 1 cancels where x is small
	e := q.Exp(q.Ldexp(q.num().Set(x), 1))
	one := q.Int(1)
	return p.num().Set(q.Quo(q.Sub(e, one), q.Add(e, one)))
}
