package fuzz

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// A factor that is changed up to eight times by vectors, rows appended and rows
// removed, beside the matrix itself.
func FuzzCholeskyUpdate(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n := in.size() % 20
		a := in.symmetric(n)
		rng := in.numbers()
		l := in.place(a.Dense)
		c, err := solve.FactorCholesky(background, l.Dense)
		if err != nil {
			return // FuzzCholesky's concern
		}
		s := changed{a: a.Dense.Clone(), factor: c, largest: matrix.NormFrobenius(a.Dense)}
		root := exponentOf(a.Dense) / 2 // x of this size makes xxᵀ of the size of A
		for range in.below(9) {
			n := s.a.Rows
			x := matrix.New(n, 1)
			e := root + in.signed()/4
			for i := range x.Data {
				x.Data[i] = math.Ldexp(rng.NormFloat64(), e)
			}
			in.disturb(x, false)
			given := slices.Clone(x.Data)
			before := c.LogDet()
			var err error
			switch op := in.below(4); op {
			case 0:
				err = c.Update(x.Data)
				s.updated(t, err, x, +1)
			case 1:
				err = c.Downdate(x.Data)
				s.updated(t, err, x, -1)
			case 2:
				for i := range x.Data {
					x.Data[i] = math.Ldexp(x.Data[i], root)
				}
				given = slices.Clone(x.Data)
				diagonal := math.Ldexp(1, 2*root+in.signed()/4)
				for _, v := range x.Data {
					diagonal += float64(in.below(2)) * math.Abs(v)
				}
				err = c.Append(x.Data, diagonal)
				s.appended(t, err, x.Data, diagonal)
			case 3:
				if n > 0 {
					i := in.below(n)
					c.Remove(i)
					s.removed(i)
				}
			}
			l.checkOutside(t, "a change")
			if !slices.EqualFunc(given, x.Data, alike) {
				t.Fatal("the vector was changed")
			}
			if c.Order() != s.a.Rows {
				t.Fatalf("order %d, want %d", c.Order(), s.a.Rows)
			}
			if after := c.LogDet(); err != nil && !alike(before, after) {
				t.Fatalf("a refused change has changed log det A from %v to %v", before, after)
			} else {
				mustBeFinite(t, "LogDet", []float64{after})
			}
			if !s.check(t) {
				return
			}
		}
	})
}

// changed is the matrix whose factor was changed.
type changed struct {
	a       *matrix.Dense
	factor  *solve.Cholesky
	largest float64 // ‖A‖_F so far
	changes int
}

// updated makes A + sign·xxᵀ unless there was a right error.
func (s *changed) updated(t *testing.T, err error, x *matrix.Dense, sign float64) {
	t.Helper()
	if mustNameBad(t, "the change", err, x, false) {
		return
	}
	if err != nil {
		var e *solve.DowndateError
		if sign > 0 || !errors.As(err, &e) || e.Gap > e.Limit {
			t.Fatalf("the change: %v", err)
		}
		s.checkGap(t, x, e)
		return
	}
	for i := range x.Rows {
		for j := range x.Rows {
			s.a.Set(i, j, math.FMA(sign*x.At(i, 0), x.At(j, 0), s.a.At(i, j)))
		}
		s.largest = math.Max(s.largest, x.At(i, 0)*x.At(i, 0)) // of a vector that was taken out, too
	}
	s.note()
}

// checkGap checks that a refused 1 − xᵀA⁻¹x is not clearly positive, with A⁻¹x from
// the factor.
func (s *changed) checkGap(t *testing.T, x *matrix.Dense, e *solve.DowndateError) {
	t.Helper()
	n := float64(x.Rows)
	d, err := s.factor.InverseDiagonal(background)
	if err != nil {
		return
	}
	cond := s.largest * slices.Max(append(d, 0))
	y := x.Clone()
	s.factor.Solve(y)
	if _, bad := firstBad(y, false); bad {
		return
	}
	gap, size := 1.0, 1.0 // the sum, and that of the magnitudes
	for i, v := range x.Data {
		gap, size = math.FMA(-v, y.Data[i], gap), size+math.Abs(float64(v*y.Data[i]))
	}
	if math.IsNaN(gap-gap) || math.IsNaN(size-size) {
		return // x or A⁻¹x is near the end of the range
	}
	// The error of xᵀA⁻¹x is a small multiple of n·u·cond(A) of its terms.
	mustBeBelow(t, "1 − xᵀA⁻¹x of a refused downdate", gap, e.Limit+float64(20*n*u*cond*size))
}

func (s *changed) appended(t *testing.T, err error, row []float64, diagonal float64) {
	t.Helper()
	n := s.a.Rows
	all := matrix.New(1, n+1)
	copy(all.Data, row)
	all.Data[n] = diagonal
	if bad, found := firstBad(all, false); found {
		var e *matrix.NotFiniteError
		if !errors.As(err, &e) || e.Row != n || e.Col != bad.Col {
			t.Fatalf("Append: error %v, want one that names element (%d, %d)", err, n, bad.Col)
		}
		return
	}
	if err != nil {
		var e *solve.NotPositiveDefiniteError
		if !errors.As(err, &e) || e.Pivot != n || e.Value > 0 {
			t.Fatalf("Append: %v", err)
		}
		return
	}
	larger := matrix.New(n+1, n+1)
	larger.View(0, 0, n, n).CopyFrom(s.a)
	for j, v := range all.Data {
		larger.Set(n, j, v)
		larger.Set(j, n, v)
	}
	s.a = larger
	s.note()
}

func (s *changed) removed(i int) {
	n := s.a.Rows
	less := matrix.New(n-1, n-1)
	for r := range n - 1 {
		for c := range n - 1 {
			from := func(k int) int { return k + map[bool]int{true: 1}[k >= i] }
			less.Set(r, c, s.a.At(from(r), from(c)))
		}
	}
	s.a = less
	s.note()
}

func (s *changed) note() {
	s.changes++
	s.largest = math.Max(s.largest, matrix.NormFrobenius(s.a))
}

// check solves a system and refines it. It reports false where A is out of the range
// in which products of its factors keep their digits.
func (s *changed) check(t *testing.T) bool {
	t.Helper()
	n := s.a.Rows
	if e := exponentOf(s.a); s.largest > 0x1p900 || e < -900 || n == 0 {
		return n == 0
	}
	b := matrix.New(n, 1)
	for i := range n {
		b.Set(i, 0, 1/float64(i+1))
	}
	x := b.Clone()
	s.factor.Solve(x)
	if _, bad := firstBad(x, false); bad || vanishing(x, b) {
		return true
	}
	before := x.Clone()
	refined, err := s.factor.Refine(background, solve.Stored{A: s.a}, b, x, 0)
	checkRefined(t, refined, err, s.a, x, b, before, 0, 0)
	// Each change leaves ‖A − LLᵀ‖ ≤ 30n·u of the largest ‖A‖, as every test ratio
	// here; in the solve that is relative to the present one.
	growth := s.largest / matrix.NormFrobenius(s.a)
	order := float64(n)
	measured := backward(s.a, x, b)
	mustBeBelow(t, "the backward error of a solution with the changed factor", measured, 30*order*u*float64(1+s.changes)*growth)
	if growth < 100 {
		// The norm that Refine knows is updated, with an error of √u·growth.
		if !(math.Abs(refined.Backward-measured) <= 1e-4*measured+4*order*order*u*u) {
			t.Fatalf("Refine reports the backward error %g, it is %g", refined.Backward, measured)
		}
	}
	return true
}
