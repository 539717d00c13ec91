package fuzz

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

const u = f64.Roundoff

// input is what is left of the bytes of an input. Past their end it is zeros.
type input []byte

func (in *input) byte() int {
	if len(*in) == 0 {
		return 0
	}
	b := (*in)[0]
	*in = (*in)[1:]
	return int(b)
}

// below returns a number from 0 to n−1.
func (in *input) below(n int) int { return in.byte() % n }

// signed returns a number from −128 to 127.
func (in *input) signed() int { return int(int8(in.byte())) }

// size returns 0 to 40 for most bytes, and one of a few larger sizes for the last, but
// in short tests none above 100. While inputs are made, none is above 150: one of 320 takes
// half a second, and an input that is new is tried 20 times over to shorten it, which is a
// stretch of many seconds without another.
func (in *input) size() int {
	b := in.byte()
	larger := []int{41, 48, 63, 64, 65, 97, 128, 150, 320}
	if at := b - 246; at >= 0 && at < len(larger) {
		switch {
		case testing.Short():
			return min(larger[at], 97)
		case making():
			return min(larger[at], 150)
		}
		return larger[at]
	}
	return b % 41
}

// making reports whether the inputs are those that the fuzzer makes.
func making() bool {
	worker := flag.Lookup("test.fuzzworker")
	return worker != nil && worker.Value.String() == "true"
}

// workers bounds the workers until the test ends, to 1 for the first byte value.
func (in *input) workers(t *testing.T) {
	former := block.SetWorkers(1 + in.below(4))
	t.Cleanup(func() { block.SetWorkers(former) })
}

// numbers returns a source of random numbers.
func (in *input) numbers() *rand.Rand { return rand.New(rand.NewPCG(uint64(in.byte()), 7)) }

// exponent returns an exponent of two over the whole range of float64, 0 for the first
// byte value.
func (in *input) exponent() int {
	e := 8 * in.signed()
	if e < -1000 {
		e -= 50
	}
	return e
}

// special values that an element may have instead of its own.
var special = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1),
	0, math.Copysign(0, -1), 0x1p-1074, -0x1p-1074, 0x1p-1022,
	math.MaxFloat64, -math.MaxFloat64, 1e308, 1e154, 1e-154, 1, -1, 1e16,
}

// disturb replaces up to three elements of a by special values, for a symmetric a
// together with their mirror images. Half of the byte values do nothing.
func (in *input) disturb(a *matrix.Dense, symmetric bool) {
	count := max(in.signed(), 0) % 4
	if a.Rows == 0 || a.Cols == 0 {
		return
	}
	for range count {
		i, j, v := in.below(a.Rows), in.below(a.Cols), special[in.below(len(special))]
		a.Set(i, j, v)
		if symmetric {
			a.Set(j, i, v)
		}
	}
}

// dense returns a matrix of standard normal numbers times a power of two, some of them
// special.
func (in *input) dense(rows, cols int) *matrix.Dense {
	rng := in.numbers()
	a := matrix.New(rows, cols)
	e := in.exponent()
	for i := range a.Data {
		a.Data[i] = math.Ldexp(rng.NormFloat64(), e)
	}
	in.disturb(a, false)
	return a
}

// placed is a copy of a matrix as a view inside a larger one.
type placed struct {
	*matrix.Dense
	whole    *matrix.Dense
	row, col int
}

// guard fills what is outside of a view: a NaN that no operation makes.
var guard = math.Float64frombits(0x7ff8_0000_dead_beef)

// place returns a as a view, without gaps for the first byte value.
func (in *input) place(a *matrix.Dense) placed {
	gap := []int{0, 1, 3, 8}[in.below(4)]
	p := placed{row: gap, col: gap / 2}
	p.whole = matrix.New(a.Rows+2*gap, a.Cols+gap)
	for i := range p.whole.Data {
		p.whole.Data[i] = guard
	}
	p.Dense = p.whole.View(p.row, p.col, a.Rows, a.Cols)
	p.CopyFrom(a)
	return p
}

// hideUpper makes what is above the diagonal NaN, for functions that do not read it.
func (p placed) hideUpper() placed {
	for i := range p.Rows {
		for j := i + 1; j < p.Cols; j++ {
			p.Set(i, j, guard)
		}
	}
	return p
}

// checkOutside fails where something outside of the view was written.
func (p placed) checkOutside(t *testing.T, what string) {
	t.Helper()
	for i := range p.whole.Rows {
		for j, v := range p.whole.Row(i) {
			inside := i >= p.row && i < p.row+p.Rows && j >= p.col && j < p.col+p.Cols
			if !inside && !sameBits(v, guard) {
				t.Fatalf("%s: (%d, %d) outside of the view was written", what, i-p.row, j-p.col)
			}
		}
	}
}

// checkUpperHidden fails where something above the diagonal was written.
func (p placed) checkUpperHidden(t *testing.T, what string) {
	t.Helper()
	for i := range p.Rows {
		for j := i + 1; j < p.Cols; j++ {
			if !sameBits(p.At(i, j), guard) {
				t.Fatalf("%s: (%d, %d) in the unread triangle was written", what, i, j)
			}
		}
	}
}

func sameBits(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }

// alike reports whether x and y have the same bits, or both are NaN.
func alike(x, y float64) bool { return sameBits(x, y) || math.IsNaN(x) && math.IsNaN(y) }

// mustBeAlike fails where two matrices are not alike.
func mustBeAlike(t *testing.T, what string, got, want *matrix.Dense) {
	t.Helper()
	if got.Rows != want.Rows || got.Cols != want.Cols {
		t.Fatalf("%s: %d×%d, want %d×%d", what, got.Rows, got.Cols, want.Rows, want.Cols)
	}
	for i := range got.Rows {
		for j, v := range got.Row(i) {
			if !alike(v, want.At(i, j)) {
				t.Fatalf("%s: (%d, %d) is %v, want %v", what, i, j, v, want.At(i, j))
			}
		}
	}
}

// firstBad returns the first element of the lower triangle, or of the whole matrix, by
// rows, that is not finite.
func firstBad(a *matrix.Dense, lower bool) (bad matrix.NotFiniteError, found bool) {
	for i := range a.Rows {
		row := a.Row(i)
		if lower {
			row = row[:i+1]
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return matrix.NotFiniteError{Row: i, Col: j, Value: v}, true
			}
		}
	}
	return bad, false
}

// mustNameBad fails unless err is the *matrix.NotFiniteError of the first element that
// is not finite. It reports whether there is one.
func mustNameBad(t *testing.T, what string, err error, a *matrix.Dense, lower bool) bool {
	t.Helper()
	want, found := firstBad(a, lower)
	if !found {
		return false
	}
	if got, ok := errors.AsType[*matrix.NotFiniteError](err); !ok || got.Row != want.Row || got.Col != want.Col || !alike(got.Value, want.Value) {
		t.Fatalf("%s: error %v, want one that names element (%d, %d), %v", what, err, want.Row, want.Col, want.Value)
	}
	return true
}

// mustBeFinite fails where a result holds a NaN or an infinity.
func mustBeFinite(t *testing.T, what string, results ...[]float64) {
	t.Helper()
	for _, r := range results {
		for i, v := range r {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s: number %d is %v, without an error", what, i, v)
			}
		}
	}
}

// mustBeBelow fails unless value is below bound.
func mustBeBelow(t *testing.T, what string, value, bound float64) {
	t.Helper()
	if !(value <= bound) {
		t.Fatalf("%s is %.3g, want at most %.3g", what, value, bound)
	}
}
