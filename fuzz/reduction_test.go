package fuzz

import (
	"errors"
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// The reductions to a Krylov space and to a band, and the solutions that they give, as
// those of a factorization are checked: by their residuals.
func FuzzReduction(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		in := input(data)
		n, c := max(in.size(), 1), 1+in.below(5)
		if n > 130 {
			n = 130
		}
		k := in.symmetric(n)
		in.workers(t)
		rhs := in.dense(n, c)
		real := in.below(4) == 0
		var shifts []solve.Shift
		for range 1 + in.below(3) {
			s := math.Abs(in.sigma(k.Dense))
			if real {
				shifts = append(shifts, solve.Shift{Real: s})
			} else {
				shifts = append(shifts, solve.Shift{Imag: s})
			}
		}
		a, fp := in.place(k.Dense), in.place(rhs)
		var r *solve.Reduction
		var err error
		switch in.below(3) {
		case 0:
			r, err = solve.Lanczos(background, a.Dense, fp.Dense, shifts, solve.LanczosLimit{Cost: math.Inf(1), Vectors: 2 * n})
		case 1:
			r, err = solve.Reduce(background, a.Dense, fp.Dense, nil)
		case 2:
			r, err = solve.Reduce(background, a.Dense, fp.Dense, shifts)
		}
		a.checkOutside(t, "K")
		fp.checkOutside(t, "F")
		mustBeAlike(t, "F", fp.Dense, rhs)
		if mustNameBad(t, "K", err, k.Dense, true) {
			return
		}
		var shift *solve.ShiftError
		if m := matrix.MaxAbs(k.Dense); m > 0x1p500 || m > 0 && m < 0x1p-500 {
			if !errors.As(err, &shift) {
				t.Fatalf("error %v, want a *ShiftError for elements up to %g", err, m)
			}
			return
		}
		if mustNameBad(t, "F", err, rhs, false) {
			return
		}
		if _, ok := errors.AsType[*solve.NotConvergedError](err); ok && r == nil {
			mustBeAlike(t, "K after a refusal", a.Dense, k.Dense)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		m := r.Size()
		if r.Order() != n || m > n || r.Complete() != (m == n) {
			t.Fatalf("order %d, size %d of %d", r.Order(), m, n)
		}
		v := r.Vectors(filled(m, func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] }))
		mustBeFinite(t, "V", v.Data)
		mustBeBelow(t, "‖VᵀV − I‖/(n·u)", orthogonality(v), ratio)
		for _, s := range shifts {
			in.checkSolution(t, r, k, rhs, s)
		}
	})
}

func (in *input) checkSolution(t *testing.T, r *solve.Reduction, k symmetric, f *matrix.Dense, s solve.Shift) {
	t.Helper()
	n := k.Rows
	re, im, reported, err := r.Solve(s, r.Start())
	size := max(s.Real, s.Imag)
	if !(size >= 0x1p-500 && size <= 0x1p500) {
		if _, ok := errors.AsType[*solve.ShiftError](err); !ok {
			t.Fatalf("Solve: error %v, want a *ShiftError for %+v", err, s)
		}
		return
	}
	if err != nil {
		if _, ok := errors.AsType[*solve.NotPositiveDefiniteError](err); !ok || s.Imag > 0 {
			t.Fatalf("Solve with %+v: %v", s, err)
		}
		return
	}
	if _, bad := firstBad(below(re, im), false); bad || math.IsNaN(reported) {
		if exponentOf(f) < 400 && s.Imag > 0 && size > 1e-9*matrix.NormFrobenius(k.Dense) {
			t.Fatalf("Solve with %+v: the solution is not finite, backward error %g", s, reported)
		}
		return
	}
	wre, wim := r.Vectors(re), r.Vectors(im)
	if _, bad := firstBad(below(wre, wim), false); bad {
		if exponentOf(below(re, im)) < 1010 {
			t.Fatalf("V times %g is not finite", matrix.MaxAbs(below(re, im)))
		}
		return
	}
	shiftedK := k.Dense.Clone()
	for i := range n {
		shiftedK.Set(i, i, shiftedK.At(i, i)+s.Real)
	}
	system, sides := realSystem(shiftedK, s.Imag), below(f, matrix.New(n, f.Cols))
	if e := exponentOf(below(wre, wim)); vanishing(below(wre, wim), sides) || e > 400 || e < -400 {
		return
	}
	norm := max(matrix.NormFrobenius(k.Dense), 0x1p-1000)
	// backward divides by the norm of the real system, the report by ‖K‖_F.
	ratioOfNorms := min(matrix.NormFrobenius(system)/norm, math.MaxFloat64)
	bound := reported + ratio*float64(n)*u
	measured := backward(system, below(wre, wim), sides)
	if s.Imag > 0 && bound < 0.1 {
		mustBeBelow(t, "the backward error of a reduced solution", measured, bound)
	}
	if s.Imag == 0 {
		return
	}
	refined, err := r.Refine(background, solve.Stored{A: k.Dense}, s, f, wre, wim, nil, 4)
	if err != nil {
		t.Fatalf("Refine: %v", err)
	}
	mustBeFinite(t, "Refine", []float64{refined.Backward}, wre.Data, wim.Data)
	after := backward(system, below(wre, wim), sides)
	if !(after <= max(1.01*refined.Backward, ratioOfNorms*refined.Backward)+1e-9*u && refined.Backward <= 1.01*(ratioOfNorms*after)+u) {
		t.Fatalf("Refine with %+v reports the backward error %g, of the real system it is %g, its norm %g times that of K", s, refined.Backward, after, ratioOfNorms)
	}
}
