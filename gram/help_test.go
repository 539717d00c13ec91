package gram

import (
	"math"
	"math/rand/v2"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/matrix"
)

// circle is the map (x₁, x₂, x₁² + x₂²) of the golden files.
var circle = FeatureMap{Name: "circle", Dim: 3, Map: func(dst, x []float64) {
	dst[0], dst[1] = x[0], x[1]
	dst[2] = math.FMA(x[0], x[0], float64(x[1]*x[1]))
}}

// moments is a map for rows of any length.
var moments = FeatureMap{Name: "moments", Dim: 2, Map: func(dst, x []float64) {
	for _, v := range x {
		dst[0] += v
		dst[1] = math.FMA(v, v, dst[1])
	}
}}

func init() {
	RegisterFeatureMap(circle)
	RegisterFeatureMap(moments)
}

// kinds lists every kernel with its formula written plainly, as the package
// documents it: kernel values must have exactly those bits.
var kinds = []struct {
	kernel   Kernel
	value    func(x, y []float64) float64
	nonneg   bool // features must not be negative
	definite bool // positive semidefinite for all rows
	unnamed  bool // has no exact text
}{
	{kernel: Linear{}, value: refDot, definite: true},
	{kernel: Polynomial{Gamma: 0.75, Coef0: 1, Degree: 3}, value: refPoly(0.75, 1, 3), definite: true},
	{kernel: Polynomial{Gamma: 0.5, Coef0: -0.25, Degree: 2}, value: refPoly(0.5, -0.25, 2)},
	{kernel: Polynomial{Gamma: 2, Coef0: 0, Degree: 1}, value: refPoly(2, 0, 1), definite: true},
	{kernel: Polynomial{Gamma: 0.1, Coef0: 1, Degree: 5}, value: refPoly(0.1, 1, 5), definite: true},
	{kernel: RBF{Gamma: 0.3}, value: refRBF(0.3), definite: true},
	{kernel: Laplacian{Gamma: 0.3}, value: refLaplacian, definite: true},
	{kernel: Sigmoid{Gamma: 0.25, Coef0: 0.5}, value: refSigmoid},
	{kernel: Cosine{}, value: refCosine, definite: true},
	{kernel: ChiSquared{Gamma: 0.7}, value: refChiSquared, nonneg: true, definite: true},
	{kernel: moments, value: refMoments, definite: true},
	{kernel: FeatureMap{Dim: 2, Map: moments.Map}, value: refMoments, definite: true, unnamed: true},
	{kernel: Func{Name: "skew", K: skew}, value: refSkew, unnamed: true},
	{kernel: Sum{[]Kernel{RBF{Gamma: 0.3}, Linear{}, Scaled{Factor: 0.125, Kernel: Cosine{}}}}, definite: true,
		value: func(x, y []float64) float64 { return (refRBF(0.3)(x, y) + refDot(x, y)) + 0.125*refCosine(x, y) }},
	{kernel: Sum{[]Kernel{Cosine{}}}, value: refCosine, definite: true},
	{kernel: Product{[]Kernel{Laplacian{Gamma: 0.3}, moments, Sum{[]Kernel{Cosine{}, Linear{}}}}}, definite: true,
		value: func(x, y []float64) float64 {
			return float64(refLaplacian(x, y)*refMoments(x, y)) * (refCosine(x, y) + refDot(x, y))
		}},
	{kernel: Scaled{Factor: 3, Kernel: ChiSquared{Gamma: 0.7}}, nonneg: true, definite: true,
		value: func(x, y []float64) float64 { return 3 * refChiSquared(x, y) }},
	{kernel: Sum{[]Kernel{Columns{nil, Scaled{2, RBF{Gamma: 0.3}}}, Linear{}}}, definite: true,
		value: func(x, y []float64) float64 { return 2 + refDot(x, y) }},
}

func refDot(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s = math.FMA(x[k], y[k], s)
	}
	return s
}

func refPoly(gamma, coef0 float64, degree int) func(x, y []float64) float64 {
	return func(x, y []float64) float64 {
		t := math.FMA(gamma, refDot(x, y), coef0)
		p := t
		for i := 1; i < degree; i++ {
			p = float64(p * t)
		}
		return p
	}
}

func refRBF(gamma float64) func(x, y []float64) float64 {
	return func(x, y []float64) float64 {
		s := 0.0
		for k := range x {
			d := x[k] - y[k]
			s = math.FMA(d, d, s)
		}
		return f64.Exp(-gamma * s)
	}
}

func refLaplacian(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += math.Abs(x[k] - y[k])
	}
	return f64.Exp(-0.3 * s)
}

func refSigmoid(x, y []float64) float64 { return f64.Tanh(math.FMA(0.25, refDot(x, y), 0.5)) }

// refCosine is for features of ordinary size.
func refCosine(x, y []float64) float64 {
	squares := float64(refDot(x, x) * refDot(y, y))
	if squares == 0 {
		return 0
	}
	return max(-1, min(1, refDot(x, y)/math.Sqrt(squares)))
}

func refChiSquared(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		if d := x[k] - y[k]; d != 0 {
			s = math.FMA(d, d/(x[k]+y[k]), s)
		}
	}
	return f64.Exp(-0.7 * s)
}

func refMoments(x, y []float64) float64 {
	var p, q [2]float64
	moments.Map(p[:], x)
	moments.Map(q[:], y)
	return refDot(p[:], q[:])
}

// skew is symmetric but for rounding.
func skew(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += float64(float64(x[k]*0.3) * y[k])
	}
	return s
}

func refSkew(x, y []float64) float64 {
	for k := range x {
		if p, q := math.Float64bits(x[k]), math.Float64bits(y[k]); p != q {
			if p > q {
				x, y = y, x
			}
			break
		}
	}
	return skew(x, y)
}

// random returns n×d features, with some equal rows, zeros and, unless nonneg,
// both signs. They lie in a larger matrix of NaN.
func random(seed uint64, n, d int, nonneg bool) *matrix.Dense {
	rng := rand.New(rand.NewPCG(seed, uint64(n*1000+d)))
	whole := matrixtest.NaNs(n+1, d+3)
	x := whole.View(1, 2, n, d)
	for i := range n {
		for j := range d {
			v := rng.Float64() * 2
			if !nonneg && rng.IntN(2) == 0 {
				v = -v
			}
			if rng.IntN(8) == 0 {
				v = 0
			}
			x.Set(i, j, v)
		}
		if i > 0 && rng.IntN(10) == 0 {
			copy(x.Row(i), x.Row(rng.IntN(i)))
		}
	}
	return x
}

// eigenvalues returns the eigenvalues of a symmetric matrix by cyclic Jacobi
// rotations, unsorted.
func eigenvalues(k *matrix.Dense) []float64 {
	a := k.Clone()
	n := a.Rows
	for sweep := 0; sweep < 30; sweep++ {
		off := 0.0
		for p := range n {
			for q := p + 1; q < n; q++ {
				apq := a.At(p, q)
				off = max(off, math.Abs(apq))
				if apq == 0 {
					continue
				}
				theta := (a.At(q, q) - a.At(p, p)) / (2 * apq)
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(theta*theta+1))
				c := 1 / math.Sqrt(t*t+1)
				s := t * c
				for r := range n {
					u, v := a.At(r, p), a.At(r, q)
					a.Set(r, p, c*u-s*v)
					a.Set(r, q, s*u+c*v)
				}
				for r := range n {
					u, v := a.At(p, r), a.At(q, r)
					a.Set(p, r, c*u-s*v)
					a.Set(q, r, s*u+c*v)
				}
			}
		}
		if off <= 1e-18*matrix.MaxAbs(k) {
			break
		}
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = a.At(i, i)
	}
	return values
}
