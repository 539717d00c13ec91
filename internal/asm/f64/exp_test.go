package f64

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

// uniform returns n arguments in [lo, hi).
func uniform(rng *rand.Rand, n int, lo, hi float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = lo + float64((hi-lo)*rng.Float64())
	}
	return x
}

// logUniform returns n arguments ±2^e·m, e in [lo, hi), m in [1, 2).
func logUniform(rng *rand.Rand, n, lo, hi int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Ldexp(1+rng.Float64(), lo+rng.IntN(hi-lo))
		if rng.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	return x
}

func testRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// expArguments covers the range of Exp: everywhere, near 0, the arguments of
// the rbf kernel, subnormal results, the ends, and multiples of ln 2/16, where
// the reduced argument is largest or smallest.
func expArguments(n int) []float64 {
	rng := testRand()
	x := uniform(rng, n, -745.2, 709.8)
	x = append(x, uniform(rng, n, -1, 1)...)
	x = append(x, uniform(rng, n, -40, 0)...)
	x = append(x, uniform(rng, n/4, -745.2, -708)...)
	x = append(x, logUniform(rng, n/4, -60, 0)...)
	for i := range n {
		k := float64(i%23000 - 12000)
		c := float64(k * (math.Ln2 / 16))
		if c > -745 && c < 709.7 {
			x = append(x, float64(c*(1+float64((rng.Float64()-0.5)*0x1p-20))))
		}
	}
	return x
}

// count is the number of arguments per group in tests against references of
// 240 bits, about 20 µs each.
func count() int {
	if testing.Short() {
		return 2000
	}
	return 20000
}

// The bounds are the ones that the functions promise.
func TestExpULP(t *testing.T) {
	const subnormal = -0x1.6232bdd7abcd2p+9 // e^x < 2^-1022 below
	var normal, small []float64
	for _, x := range expArguments(count()) {
		if x < subnormal {
			small = append(small, x)
		} else {
			normal = append(normal, x)
		}
	}
	for _, c := range []struct {
		results string
		args    []float64
		bound   float64
	}{{"normal", normal, 0.6}, {"subnormal", small, 0.8}} {
		worst, at := maxULP(Exp, bigExp, c.args)
		t.Logf("%s results: largest error %.4f units in the last place, at %x", c.results, worst, at)
		if !(worst < c.bound) {
			t.Errorf("Exp(%x): error of %.4f units, want less than %g", at, worst, c.bound)
		}
	}
}

func TestTanhULP(t *testing.T) {
	rng, n := testRand(), count()
	x := uniform(rng, n, -20, 20)
	x = append(x, uniform(rng, n, -1, 1)...)
	x = append(x, uniform(rng, n, -0.1, 0.1)...)
	x = append(x, logUniform(rng, n/4, -1074, 5)...)
	worst, at := maxULP(Tanh, bigTanh, x)
	t.Logf("largest error %.4f units in the last place, at %x", worst, at)
	if !(worst < 0.56) {
		t.Errorf("Tanh(%x): error of %.4f units", at, worst)
	}
}

func TestLogULP(t *testing.T) {
	rng, n := testRand(), count()
	x := logUniform(rng, n, -1074, 1024)
	x = append(x, uniform(rng, n, 0.4, 3)...)
	x = append(x, uniform(rng, n, 0.99, 1.01)...)
	x = append(x, uniform(rng, n/4, 0, 1e6)...)
	for i := range n / 4 {
		x = append(x, math.Float64frombits(oneBits-5000+uint64(i)%10000), float64(math.Ldexp(math.Sqrt2, i%200-100)*(1+float64(rng.Float64()*0x1p-40))))
	}
	for i := range x {
		x[i] = math.Abs(x[i])
	}
	worst, at := maxULP(Log, bigLog, x)
	t.Logf("largest error %.4f units in the last place, at %x", worst, at)
	if !(worst < 0.65) {
		t.Errorf("Log(%x): error of %.4f units", at, worst)
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	const tiny = math.SmallestNonzeroFloat64
	for _, c := range []struct {
		name    string
		f       func(float64) float64
		x, want float64
	}{
		{"Exp", Exp, inf, inf}, {"Exp", Exp, -inf, 0}, {"Exp", Exp, nan, nan},
		{"Exp", Exp, 0, 1}, {"Exp", Exp, zero, 1}, {"Exp", Exp, tiny, 1}, {"Exp", Exp, -tiny, 1},
		{"Exp", Exp, math.MaxFloat64, inf}, {"Exp", Exp, -math.MaxFloat64, 0},
		{"Exp", Exp, 0x1.62e42fefa39f0p+9, inf}, {"Exp", Exp, -0x1.74910d52d3052p+9, 0},
		{"Exp", Exp, -0x1.74910d52d3051p+9, tiny},
		{"Tanh", Tanh, inf, 1}, {"Tanh", Tanh, -inf, -1}, {"Tanh", Tanh, nan, nan},
		{"Tanh", Tanh, 0, 0}, {"Tanh", Tanh, zero, zero}, {"Tanh", Tanh, tiny, tiny}, {"Tanh", Tanh, -tiny, -tiny},
		{"Tanh", Tanh, 20, 1}, {"Tanh", Tanh, -22, -1}, {"Tanh", Tanh, math.MaxFloat64, 1},
		{"Log", Log, inf, inf}, {"Log", Log, -inf, nan}, {"Log", Log, nan, nan},
		{"Log", Log, 0, -inf}, {"Log", Log, zero, -inf}, {"Log", Log, -1, nan}, {"Log", Log, -tiny, nan},
		{"Log", Log, 1, 0},
	} {
		if got := c.f(c.x); !asmtest.Same(got, c.want) {
			t.Errorf("%s(%g) = %g, want %g", c.name, c.x, got, c.want)
		}
	}
}

func TestTanhOddSubnormal(t *testing.T) {
	rng := testRand()
	for _, x := range logUniform(rng, 20000, -1074, 6) {
		if y, z := Tanh(x), Tanh(-x); !asmtest.Same(y, -z) || math.Abs(y) > 1 {
			t.Fatalf("Tanh(±%x) = %x, %x", x, y, z)
		}
		if math.Abs(x) < 0x1p-1022 && Tanh(x) != x {
			t.Fatalf("Tanh(%x) = %x, want the subnormal argument", x, Tanh(x))
		}
	}
	// 1 - tanh x = 2⁻⁵⁴, the rounding boundary, at x = 19.0615474653984958….
	if Tanh(0x1.30fc1931f09cap+4) != 1 || Tanh(19.0615474653) == 1 {
		t.Error("Tanh does not reach 1 where the rounded value does")
	}
}

// TestMonotone walks through consecutive floats around every place where the
// computation changes: the table entry, the binade, overflow, underflow, and
// where Tanh becomes 1.
func TestMonotone(t *testing.T) {
	walk := func(name string, f func(float64) float64, start float64, steps int) {
		t.Helper()
		x := start
		for range steps / 2 {
			x = math.Nextafter(x, -math.MaxFloat64)
		}
		y := f(x)
		for range steps {
			x = math.Nextafter(x, math.MaxFloat64)
			next := f(x)
			if !(next >= y) {
				t.Errorf("%s falls from %x to %x at %x", name, y, next, x)
				return
			}
			y = next
		}
	}
	walk("Exp", Exp, 709.782712893384, 2000)
	walk("Exp", Exp, -745.1332191019412, 2000)
	walk("Exp", Exp, -708.3964185322641, 2000)
	walk("Exp", Exp, 0, 2000)
	for k := -17000; k < 16370; k += 3 {
		walk("Exp", Exp, float64(float64(k)*(math.Ln2/16)), 40)
	}
	for k := range 450 {
		walk("Tanh", Tanh, float64(float64(k)*(math.Ln2/32)), 40)
	}
	walk("Tanh", Tanh, 19.06154746539849, 2000)
	walk("Tanh", Tanh, 22, 100)
	for k := -1060; k < 1024; k += 7 {
		walk("Log", Log, math.Ldexp(math.Sqrt2, k), 40)
	}
	walk("Log", Log, 1, 2000)
	walk("Log", Log, 0x1p-1022, 200)
}

// TestMathBits holds the bits of the three functions over 10⁴ arguments, the
// same on every platform.
func TestMathBits(t *testing.T) {
	rng := testRand()
	bounded := uniform(rng, 3000, -750, 715)
	bounded = append(bounded, uniform(rng, 2000, -3, 3)...)
	bounded = append(bounded, logUniform(rng, 1000, -1074, 1024)...)
	positive := logUniform(rng, 3000, -1074, 1024)
	positive = append(positive, uniform(rng, 1000, 0.5, 2)...)

	h := sha256.New()
	put := func(x float64) { binary.Write(h, binary.LittleEndian, math.Float64bits(x)) }
	for _, x := range bounded {
		put(Exp(x))
		put(Tanh(x))
	}
	for _, x := range positive {
		put(Log(math.Abs(x)))
	}
	const want = "bea1822c008800fb3e30e0fb5066503d1dec144a4fd2ab861361afd2b29f1970"
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != want {
		t.Errorf("the bits of Exp, Tanh, Log have the hash %s, want %s", got, want)
	}
}

// interpolate returns the coefficients of the polynomial of lowest degree
// through (x_i, y_i), by elimination in refPrec bits.
func interpolate(x, y []*big.Float) []*big.Float {
	n := len(x)
	a := make([][]*big.Float, n)
	for i := range a {
		a[i] = make([]*big.Float, n+1)
		p := bigFloat(1)
		for j := range n {
			a[i][j] = p
			p = newBig().Mul(p, x[i])
		}
		a[i][n] = newBig().Copy(y[i])
	}
	for k := range n {
		for i := range n {
			if i == k {
				continue
			}
			f := newBig().Quo(a[i][k], a[k][k])
			for j := k; j <= n; j++ {
				a[i][j] = newBig().Sub(a[i][j], newBig().Mul(f, a[k][j]))
			}
		}
	}
	c := make([]*big.Float, n)
	for i := range c {
		c[i] = newBig().Quo(a[i][n], a[i][i])
	}
	return c
}

// TestCoefficients derives the polynomials and the table as the comments of
// Exp, Tanh and Log describe them. The places of interpolation need not be
// accurate; the coefficients are compared to 2⁻⁴⁴ of what they contribute at
// the end of the interval, relative to the first.
func TestCoefficients(t *testing.T) {
	radius := math.Ln2 / 16
	check := func(name string, got []float64, nodes []float64, f func(x float64) *big.Float, scale float64) {
		t.Helper()
		var x, y []*big.Float
		for _, v := range nodes {
			x = append(x, bigFloat(v))
			y = append(y, f(v))
		}
		for i, c := range interpolate(x, y) {
			w, _ := c.Float64()
			if d := math.Abs(w-got[i]) * math.Pow(scale, float64(i)); d > 0x1p-44*got[0] {
				t.Errorf("%s: coefficient %d is %x, want %x", name, i, got[i], w)
			}
		}
	}
	expq := func(r float64) *big.Float { // (e^r - 1 - r)/r²
		if math.Abs(r) < 1e-12 {
			return bigFloat(0.5)
		}
		y := newBig().Sub(bigExpm1(bigFloat(r)), bigFloat(r))
		return y.Quo(y, newBig().Mul(bigFloat(r), bigFloat(r)))
	}
	var nodes []float64
	edge := math.Cos(math.Pi / 8)
	for i := range 3 {
		v := radius * math.Sqrt((math.Cos(float64(2*i+1)*math.Pi/8)+edge)/(1+edge))
		nodes = append(nodes, v, -v)
	}
	check("Exp", []float64{expC2, expC3, expC4, expC5, expC6, expC7}, nodes, expq, radius)

	nodes = nil
	for i := range 7 {
		nodes = append(nodes, radius*math.Cos(float64(2*i+1)*math.Pi/14))
	}
	check("Tanh", []float64{tanhC2, tanhC3, tanhC4, tanhC5, tanhC6, tanhC7, tanhC8}, nodes, expq, radius)

	nodes = nil
	top := 3 - 2*math.Sqrt2
	for i := range 8 {
		nodes = append(nodes, top*top*(1+math.Cos(float64(2*i+1)*math.Pi/16))/2)
	}
	check("Log", []float64{logP0, logP1, logP2, logP3, logP4, logP5, logP6, logP7}, nodes, func(w float64) *big.Float {
		s := newBig().Sqrt(bigFloat(w)) // (2 artanh s - 2s)/s³
		y := newBig().Sub(bigArtanh(s), s)
		y.Quo(y, newBig().Mul(s, bigFloat(w)))
		return y.Mul(y, bigFloat(2))
	}, top*top)

	root := bigFloat(2)
	for range 3 {
		root.Sqrt(root)
	}
	pow := bigFloat(1)
	for j, entry := range expTable {
		if w, _ := pow.Float64(); w != entry.pow {
			t.Errorf("expTable[%d].pow = %x, want %x", j, entry.pow, w)
		}
		rest := newBig().Quo(pow, bigFloat(entry.pow))
		w, _ := rest.Sub(rest, bigFloat(1)).Float64()
		if math.Abs(w-entry.rest) > 0x1p-19*math.Abs(w) {
			t.Errorf("expTable[%d].rest = %x, want %x", j, entry.rest, w)
		}
		if b := math.Float64bits(entry.rest); b>>32 != b&(1<<32-1) {
			t.Errorf("expTable[%d].rest = %#x: the halves differ", j, b)
		}
		pow.Mul(pow, root)
	}
	if w, _ := newBig().Sub(bigLn2, bigFloat(ln2Hi)).Float64(); w != ln2Lo || ln2Hi != float64(math.Ln2) || log2e != float64(math.Log2E) {
		t.Errorf("ln2Lo = %x, want %x", ln2Lo, w)
	}
}
