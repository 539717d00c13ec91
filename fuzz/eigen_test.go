package fuzz

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// ratio is the bound of all test ratios, as LAPACK's test drivers have it.
const ratio = 30

// checkPairs checks what every complete eigensystem must have: small ratios, values
// that descend, vectors whose largest component is positive.
func checkPairs(t *testing.T, what string, a *matrix.Dense, values []float64, vectors *matrix.Dense) {
	t.Helper()
	mustBeFinite(t, what, values, vectors.Data)
	residual, orthonormal := eigenRatios(a, values, vectors)
	// Underflow in the values themselves.
	residual -= float64(a.Rows) * math.Ldexp(1, -1074-exponentOf(a)) / u
	mustBeBelow(t, what+": ‖AV − VΛ‖/(n·u·‖A‖)", residual, ratio)
	mustBeBelow(t, what+": ‖VᵀV − I‖/(n·u)", orthonormal, ratio)
	if !slices.IsSortedFunc(values, func(x, y float64) int { return -cmpFloat(x, y) }) {
		t.Fatalf("%s: values %v do not descend", what, values)
	}
	for j := range vectors.Cols {
		top := 0.0
		for i := range vectors.Rows {
			if v := vectors.At(i, j); math.Abs(v) > math.Abs(top) {
				top = v
			}
		}
		if !(top > 0) {
			t.Fatalf("%s: the largest component of vector %d is %g", what, j, top)
		}
	}
}

func cmpFloat(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// checkRange fails unless err is the *solve.RangeError of a matrix whose eigenvalues
// or singular values may leave the range of float64: ‖A‖_F is beyond it.
func checkRange(t *testing.T, what string, err error, a *matrix.Dense) {
	t.Helper()
	scaled, exponent := unscaled(a)
	if _, ok := errors.AsType[*solve.RangeError](err); !ok || math.Ldexp(matrix.NormFrobenius(scaled), exponent-1) < math.MaxFloat64/4 {
		t.Fatalf("%s: %v", what, err)
	}
}

// valuesApart returns the largest difference of two lists in units of 2^e.
func valuesApart(a, b []float64, e int) float64 {
	worst := 0.0
	for i, v := range a {
		worst = math.Max(worst, math.Abs(math.Ldexp(v, -e)-math.Ldexp(b[i], -e)))
	}
	return worst
}

// Jacobi's method, against singular values: those of a symmetric matrix are the
// magnitudes of its eigenvalues.
func FuzzJacobi(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := in.size()
		if n > 100 {
			n = 100
		}
		a := in.symmetric(n)
		p := in.place(a.Dense).hideUpper()
		values, vectors, err := solve.Jacobi(p.Dense)
		p.checkOutside(t, "Jacobi")
		if mustNameBad(t, "Jacobi", err, a.Dense, true) {
			return
		}
		if err != nil {
			checkRange(t, "Jacobi", err, a.Dense)
			return
		}
		checkPairs(t, "Jacobi", a.Dense, values, vectors)
		singular, err := solve.SingularValues(a.Dense)
		if err != nil {
			checkRange(t, "SingularValues", err, a.Dense)
			return
		}
		magnitudes := make([]float64, n)
		for i, v := range values {
			magnitudes[i] = math.Abs(v)
		}
		slices.SortFunc(magnitudes, func(x, y float64) int { return -cmpFloat(x, y) })
		scaled, e := unscaled(a.Dense)
		bound := 2 * ratio * float64(n) * u * matrix.NormFrobenius(scaled) // both methods' errors
		mustBeBelow(t, "|λ| − σ", valuesApart(magnitudes, singular, e), bound+math.Ldexp(1, -1073-e))
	})
}

// Eigen, against Jacobi's method; above 32 rows they have nothing in common.
func FuzzEigen(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := in.size()
		if b := in.byte(); b%2 == 1 && n < 40 { // beyond what is left to Jacobi's method
			if b%16 == 1 {
				n += 33
			} else {
				n = 33 + n%8
			}
		}
		a := in.symmetric(n)
		in.workers(t)
		p := in.place(a.Dense).hideUpper()
		values, vectors, err := solve.Eigen(background, p.Dense)
		p.checkOutside(t, "Eigen")
		if mustNameBad(t, "Eigen", err, a.Dense, true) {
			return
		}
		if err != nil {
			checkRange(t, "Eigen", err, a.Dense)
			return
		}
		checkPairs(t, "Eigen", a.Dense, values, vectors)
		if n > 40 {
			return
		}
		other, _, err := solve.Jacobi(a.Dense.Clone())
		if err != nil {
			checkRange(t, "Jacobi", err, a.Dense)
			return
		}
		scaled, e := unscaled(a.Dense)
		bound := 2 * ratio * float64(n) * u * matrix.NormFrobenius(scaled) // both methods' errors
		mustBeBelow(t, "the difference of Eigen's and Jacobi's values", valuesApart(values, other, e), bound+math.Ldexp(1, -1073-e))
	})
}

// Leading, against Eigen, of a matrix with gaps and of one without.
func FuzzLeading(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := max(in.size(), 1)
		if b := in.byte(); b%2 == 1 { // beyond what is left to Eigen
			if b%16 == 1 {
				n = min(n+129, 200)
			} else {
				n = 129 + n%8
			}
		}
		k := 1 + in.below(min(n, 12))
		a := in.symmetric(n)
		in.workers(t)
		p := in.place(a.Dense)
		pairs, err := solve.Leading(background, p.Dense, k)
		p.checkOutside(t, "Leading")
		if mustNameBad(t, "Leading", err, a.Dense, false) {
			mustBeAlike(t, "Leading: the matrix", p.Dense, a.Dense)
			return
		}
		if err != nil {
			checkRange(t, "Leading", err, a.Dense)
			return
		}
		if len(pairs.Values) != k || pairs.Vectors.Rows != n || pairs.Vectors.Cols != k {
			t.Fatalf("Leading: %d values, %d×%d vectors, want %d", len(pairs.Values), pairs.Vectors.Rows, pairs.Vectors.Cols, k)
		}
		mustBeFinite(t, "Leading", pairs.Vectors.Data, []float64{pairs.Residual})
		all, _, err := solve.Eigen(background, a.Dense.Clone())
		if err != nil { // an eigenvalue beyond the range, ±Inf above
			checkRange(t, "Eigen", err, a.Dense)
			return
		}
		if max(math.Abs(all[0]), math.Abs(all[n-1])) > math.MaxFloat64/2 {
			return // by its rounding the other can be beyond the range
		}
		mustBeFinite(t, "Leading", pairs.Values, pairs.All, []float64{pairs.Norm, pairs.Least})
		if math.IsNaN(pairs.Next) || math.IsInf(pairs.Next, 1) {
			t.Fatalf("Leading: the next eigenvalue is %v", pairs.Next)
		}
		scaled, e := unscaled(a.Dense)
		norm := math.Ldexp(max(math.Abs(all[0]), math.Abs(all[n-1])), -e)
		// Leading's own test, twice for its estimate of ‖A‖, and Eigen's error.
		bound := 64*math.Sqrt(float64(n))*u*norm + ratio*float64(n)*u*matrix.NormFrobenius(scaled) + math.Ldexp(1, -1073-e)
		mustBeBelow(t, "the difference of Leading's and Eigen's values", valuesApart(pairs.Values, all, e), bound)
		mustBeBelow(t, "‖VᵀV − I‖/(n·u)", orthogonality(pairs.Vectors), ratio)
		if least := math.Ldexp(pairs.Least, -e) - math.Ldexp(all[n-1], -e); least < -bound || pairs.Complete && least > bound {
			t.Fatalf("Leading: the least eigenvalue is %g, want %g", pairs.Least, all[n-1])
		}
		if k < n && math.Ldexp(pairs.Next, -e) > math.Ldexp(all[k], -e)+bound {
			t.Fatalf("Leading: the next eigenvalue is at least %g, and it is %g", pairs.Next, all[k])
		}
	})
}
