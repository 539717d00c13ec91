package solve

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// SingularValues returns the min(n, k) singular values of the n×k matrix a,
// descending. a is not changed.
//
// The method is the one-sided Jacobi method: columns are rotated in pairs until
// all are orthogonal to working accuracy; their norms are the singular values.
// Each has a relative error of a small multiple of √n·k·u·κ, κ being the
// condition number of the matrix with its columns scaled to unit norm (Demmel &
// Veselić, SIAM J. Matrix Anal. Appl. 13, 1992); one below 2⁻¹⁹⁰⁰ times the largest
// may have no digits. A matrix with more columns than rows is transposed first.
//
// An element that is not finite is a *matrix.NotFiniteError, a value that is not a
// *RangeError; should the sweeps not suffice, the error is a *NotConvergedError.
// Cost: about 6nk² flops a sweep, six to ten sweeps.
func SingularValues(a *matrix.Dense) ([]float64, error) {
	misuse.NotNil("solve: SingularValues", "a", a)
	return singularValues(a, maxSweeps)
}

func singularValues(a *matrix.Dense, sweeps int) ([]float64, error) {
	if err := matrix.CheckFinite(a); err != nil {
		return nil, err
	}
	maxAbs := matrix.MaxAbs(a)
	shift := shiftTo(maxAbs, topExponent)
	cols := columnsOf(a, shift)
	if err := orthogonalizeAll(cols, nil, sweeps); err != nil {
		return nil, err
	}
	values := make([]float64, len(cols))
	for i, c := range cols {
		if values[i] = math.Ldexp(scaledNorm(c), -shift); math.IsInf(values[i], 1) {
			return nil, &RangeError{What: "singular value", Size: maxAbs}
		}
	}
	slices.SortFunc(values, func(x, y float64) int { return cmp.Compare(y, x) })
	return values, nil
}

// orthogonalizeAll rotates the columns in pairs until all are orthogonal to
// working accuracy, and the rows of rotations, if not nil, with them. Each sweep
// takes the longest columns first: columns that grow from the first to the last,
// and depend on one another to working accuracy, would need many times the sweeps.
func orthogonalizeAll(cols [][]float64, rotations *matrix.Dense, sweeps int) error {
	negligible := unit
	for sweep := range sweeps {
		if sweep == patience {
			negligible = 4 * unit
		}
		longestFirst(cols, rotations)
		rotated := false
		for p := range cols {
			for q := p + 1; q < len(cols); q++ {
				r, needed := orthogonalize(cols[p], cols[q], negligible)
				if needed && rotations != nil {
					r.rows(rotations.Row(p), rotations.Row(q))
				}
				rotated = rotated || needed
			}
		}
		if !rotated {
			return nil
		}
	}
	return &NotConvergedError{Method: "one-sided Jacobi method", Order: len(cols), Sweeps: sweeps}
}

// longestFirst puts the columns in descending order of their norms, and the rows of
// rotations, if not nil, with them.
func longestFirst(cols [][]float64, rotations *matrix.Dense) {
	norms := make([]float64, len(cols))
	for i, c := range cols {
		norms[i] = scaledNorm(c)
	}
	order := descending(norms)
	before := slices.Clone(cols)
	for to, from := range order {
		cols[to] = before[from]
	}
	if rotations != nil {
		before := rotations.Clone()
		for to, from := range order {
			copy(rotations.Row(to), before.Row(from))
		}
	}
}

// columnsOf returns the columns of a, or the rows where they are fewer, times
// 2^shift.
func columnsOf(a *matrix.Dense, shift int) [][]float64 {
	n, k := a.Rows, a.Cols
	at := a.At
	if k > n {
		n, k = k, n
		at = func(i, j int) float64 { return a.At(j, i) }
	}
	cols := make([][]float64, k)
	for j := range cols {
		cols[j] = make([]float64, n)
		for i := range cols[j] {
			cols[j][i] = math.Ldexp(at(i, j), shift)
		}
	}
	return cols
}

// orthogonalize rotates the columns x and y of length n so that their product becomes
// zero, unless one of them is negligible, or the cosine between them is no more than √n
// times what is given as negligible. It returns the rotation and whether there was one.
func orthogonalize(x, y []float64, negligible float64) (rotation, bool) {
	sx, xx := scaledSquares(x)
	sy, yy := scaledSquares(y)
	if xx == 0 || yy == 0 {
		return rotation{}, false
	}
	// Norms of the scaled columns lie in [1/2, √n); cosine between the columns.
	nx, ny := math.Sqrt(xx), math.Sqrt(yy)
	cosine := scaledDot(x, sx, y, sy) / float64(nx*ny)
	if math.Abs(cosine) <= float64(negligible*math.Sqrt(float64(len(x)))) {
		return rotation{}, false
	}
	nx, ny = nx/sx, ny/sy
	if min(nx, ny) < leastMagnitude {
		return rotation{}, false
	}
	t := tangent(ny/nx-nx/ny, cosine)
	if math.Abs(t) < leastTangent {
		if nx > ny {
			subtractPart(y, sy, x, sx, xx)
		} else {
			subtractPart(x, sx, y, sy, yy)
		}
		return rotation{}, true
	}
	r := newRotation(t)
	r.rows(x, y)
	return r, true
}

// leastTangent is where tangents come near the subnormal numbers. A rotation by less
// changes the shorter of two vectors only.
const leastTangent = 0x1p-900

// subtractPart subtracts from y its part along x; sy·y and sx·x have elements near one,
// and the square of the latter is xx.
func subtractPart(y []float64, sy float64, x []float64, sx, xx float64) {
	f := scaledDot(x, sx, y, sy) / xx
	for i, v := range x {
		y[i] = math.FMA(-f, float64(v*sx), float64(y[i]*sy)) / sy
	}
}

func scaledNorm(x []float64) float64 {
	scale, squares := scaledSquares(x)
	return math.Sqrt(squares) / scale
}

// scaledSquares returns the power of two that scales x to a largest component in
// [1/2, 1), and the sum of squares of x so scaled.
func scaledSquares(x []float64) (scale, sum float64) {
	scale = unitScale(f64.MaxAbs(x))
	return scale, scaledDot(x, scale, x, scale)
}

// scaledDot returns the product of sx·x and sy·y.
func scaledDot(x []float64, sx float64, y []float64, sy float64) float64 {
	var s f64.Lanes
	s.AddScaledProducts(x, sx, y, sy)
	return s.Total()
}
