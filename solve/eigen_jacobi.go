package solve

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// maxSweeps bounds the sweeps of the Jacobi methods. They need six to ten, or up
// to 27 for 300 columns where many eigenvalues coincide to working accuracy and
// the rounding errors among them have to be diagonalized too; that number grows
// like the logarithm of the order.
const maxSweeps = 60

// patience is the number of sweeps after which what is slow to converge is taken another
// way. Two-sided rotations then take the largest diagonal elements first: where elements
// grow along the diagonal and many eigenvalues are rounding errors, the order of the
// positions settles about one eigenvalue a sweep, and the order of the sizes all of them
// in five to fifteen. One-sided ones then leave a pair of columns alone that are orthogonal up to a few
// roundings: their rotation may be too small to change them.
const patience = 30

// The Jacobi methods scale the largest element to 2^topExponent, so that small ones
// keep their digits, and rotate nothing that is below leastMagnitude, where rounding
// is that of subnormal numbers and rotations would not make it smaller.
const (
	topExponent    = 960
	leastMagnitude = 0x1p-1000
)

// Jacobi returns all eigenvalues of the symmetric n×n matrix a, descending, and
// orthonormal eigenvectors: column k of vectors belongs to values[k]. Equal
// eigenvalues keep the order of the diagonal positions that they were found in.
// The component of largest magnitude of each eigenvector, the first such, is
// positive. Only the lower triangle of a is read; a is destroyed.
//
// The method is the two-sided cyclic Jacobi method with small rotation angles
// and the stopping rule |a_pq| ≤ u√(a_pp a_qq). For a positive definite matrix
// every eigenvalue, however small, then has a relative error of a small multiple
// of n·u·κ, κ being the condition number of D^(−½)AD^(−½) with D the diagonal of
// A (Demmel & Veselić, "Jacobi's method is more accurate than QR", SIAM J. Matrix
// Anal. Appl. 13, 1992). Where the matrix is not definite, the rule takes the
// magnitudes of the diagonal, and the error is a small multiple of n·u·‖A‖.
//
// What is below 2⁻¹⁹⁰⁰‖A‖ counts as zero. An element that is not finite is a
// *matrix.NotFiniteError, an eigenvalue that is not a *RangeError; should the
// sweeps not suffice, the error is a *NotConvergedError. Cost: about 8n³ flops a
// sweep, six to ten sweeps; more, up to about 50, where many eigenvalues coincide or
// are rounding errors.
func Jacobi(a *matrix.Dense) (values []float64, vectors *matrix.Dense, err error) {
	misuse.NotNil("solve: Jacobi", "a", a)
	mustSquare("Jacobi", a)
	return jacobi(a, maxSweeps)
}

func jacobi(a *matrix.Dense, sweeps int) (values []float64, vectors *matrix.Dense, err error) {
	maxAbs, err := maxLower(nil, a)
	if err != nil {
		return nil, nil, err
	}
	// Powers of two cost no accuracy. Nothing is squared below, so that the top
	// of the range is free for matrices whose small eigenvalues matter.
	n := a.Rows
	shift := shiftTo(maxAbs, topExponent)
	for i := range n {
		for j, v := range a.Row(i)[:i+1] {
			v = math.Ldexp(v, shift)
			a.Row(i)[j], a.Row(j)[i] = v, v
		}
	}
	vt := identity(n)       // eigenvectors in rows
	order := make([]int, n) // in which a sweep takes the diagonal positions
	for i := range order {
		order[i] = i
	}
	for sweep := 0; ; sweep++ {
		if sweep == sweeps {
			return nil, nil, &NotConvergedError{Method: "Jacobi eigenvalue method", Order: n, Sweeps: sweeps}
		}
		if sweep >= patience {
			order = largestFirst(a)
		}
		rotated := false
		for i, p := range order {
			for _, q := range order[i+1:] {
				rotated = annihilate(a, vt, p, q) || rotated
			}
		}
		if !rotated {
			break
		}
	}
	diag := make([]float64, n)
	for i := range diag {
		if diag[i] = math.Ldexp(a.Row(i)[i], -shift); math.IsInf(diag[i], 0) {
			return nil, nil, &RangeError{What: "eigenvalue", Size: maxAbs}
		}
	}
	order = descending(diag)
	values, vectors = make([]float64, n), matrix.New(n, n)
	for k, from := range order {
		values[k] = diag[from]
		setColumn(vectors, k, vt.Row(from))
	}
	return values, vectors, nil
}

// largestFirst returns the diagonal positions of a in descending order of the
// magnitudes of their elements.
func largestFirst(a *matrix.Dense) []int {
	sizes := make([]float64, a.Rows)
	for i := range sizes {
		sizes[i] = math.Abs(a.Row(i)[i])
	}
	return descending(sizes)
}

// annihilate makes element (p, q) of a zero by a rotation of rows and columns p
// and q, which it also applies to rows p and q of vt, unless the element is
// negligible.
func annihilate(a, vt *matrix.Dense, p, q int) bool {
	ap, aq := a.Row(p), a.Row(q)
	app, aqq, apq := ap[p], aq[q], ap[q]
	limit := float64(unit * float64(math.Sqrt(math.Abs(app))*math.Sqrt(math.Abs(aqq))))
	if math.Abs(apq) <= max(limit, leastMagnitude) {
		return false
	}
	r := newRotation(tangent(aqq-app, apq))
	ap[p] = f64.FMA(-r.t, apq, app)
	aq[q] = f64.FMA(r.t, apq, aqq)
	ap[q], aq[p] = 0, 0
	for k := range ap {
		if k != p && k != q {
			x, y := r.apply(ap[k], aq[k])
			ap[k], aq[k] = x, y
			a.Row(k)[p], a.Row(k)[q] = x, y
		}
	}
	r.rows(vt.Row(p), vt.Row(q))
	return true
}

// tangent returns the tangent t of smaller magnitude with
//
//	t² + 2θt − 1 = 0,  θ = diff / (2·off):  t = sign(θ) / (|θ| + √(1+θ²))
//
// For large |θ|, where the square could overflow, it is off/diff to the last bit.
func tangent(diff, off float64) float64 {
	if math.Abs(diff) > float64(0x1p60*math.Abs(off)) {
		return off / diff
	}
	theta := diff / float64(2*off)
	return math.Copysign(1/(math.Abs(theta)+math.Sqrt(math.FMA(theta, theta, 1))), theta)
}

// rotation is a plane rotation with tangent t, sine s and tau = s/(1 + cosine):
// (x, y) becomes (cx − sy, sx + cy), computed as the small corrections x −
// s(y + tau·x), y + s(x − tau·y).
type rotation struct{ t, s, tau float64 }

func newRotation(t float64) rotation {
	c := 1 / math.Sqrt(math.FMA(t, t, 1))
	s := float64(t * c)
	return rotation{t: t, s: s, tau: s / (1 + c)}
}

func (r rotation) apply(x, y float64) (float64, float64) {
	return f64.FMA(-r.s, f64.FMA(r.tau, x, y), x), f64.FMA(r.s, f64.FMA(-r.tau, y, x), y)
}

// rows rotates the pairs (x[k], y[k]).
func (r rotation) rows(x, y []float64) {
	f64.Rotate(x, y, r.s, r.tau)
}

// descending returns the positions of values in descending order of the values,
// ties in ascending order of the positions.
func descending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(values[j], values[i]), cmp.Compare(i, j))
	})
	return order
}

// setColumn copies v into column k with the sign that makes its component of
// largest magnitude, the first such, positive.
func setColumn(dst *matrix.Dense, k int, v []float64) {
	top := largest(v)
	for i, x := range v {
		if top < 0 {
			x = -x
		}
		dst.Row(i)[k] = x
	}
}

// largest returns the component of largest magnitude, the first such.
func largest(v []float64) (top float64) {
	for _, x := range v {
		if math.Abs(x) > math.Abs(top) {
			top = x
		}
	}
	return top
}

// identity returns the n×n identity matrix.
func identity(n int) *matrix.Dense {
	a := matrix.New(n, n)
	for i := range n {
		a.Row(i)[i] = 1
	}
	return a
}
