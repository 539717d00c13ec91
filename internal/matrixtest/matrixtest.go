// Package matrixtest makes and compares matrices in tests.
package matrixtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/matrix"
)

// Rows returns the matrix of the rows.
func Rows(rows ...[]float64) *matrix.Dense {
	a, err := matrix.FromRows(rows)
	if err != nil {
		panic(err)
	}
	return a
}

// NaNs returns a matrix of NaN.
func NaNs(rows, cols int) *matrix.Dense {
	a := matrix.New(rows, cols)
	for i := range a.Data {
		a.Data[i] = math.NaN()
	}
	return a
}

// Case returns the numbers of a case's CSV file, "case/file".
func Case(t testing.TB, name string) *matrix.Dense {
	t.Helper()
	return Rows(cases.Numbers(t, name)...)
}

// LabelledCase returns the features and the labels of a case's CSV file, "case/file".
func LabelledCase(t testing.TB, name string) (*matrix.Dense, []string) {
	t.Helper()
	rows, labels := cases.Labelled(t, name)
	return Rows(rows...), labels
}

// SameBits fails the test at the first entry whose bits differ.
func SameBits(t testing.TB, what string, got, want *matrix.Dense) {
	t.Helper()
	same(t, what, got, want, false)
}

// Alike is SameBits but for NaN, which may be any NaN.
func Alike(t testing.TB, what string, got, want *matrix.Dense) {
	t.Helper()
	same(t, what, got, want, true)
}

func same(t testing.TB, what string, got, want *matrix.Dense, anyNaN bool) {
	t.Helper()
	if got.Rows != want.Rows || got.Cols != want.Cols {
		t.Fatalf("%s: %d×%d, want %d×%d", what, got.Rows, got.Cols, want.Rows, want.Cols)
	}
	for i := range got.Rows {
		for j := range got.Cols {
			g, w := got.At(i, j), want.At(i, j)
			if anyNaN && math.IsNaN(g) && math.IsNaN(w) {
				continue
			}
			if math.Float64bits(g) != math.Float64bits(w) {
				t.Fatalf("%s: entry (%d, %d) is %v (%x), want %v (%x)", what, i, j, g, g, w, w)
			}
		}
	}
}

// PanicText returns what f panics with, "" where it does not.
func PanicText(f func()) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint(p)
		}
	}()
	f()
	return ""
}

// Blobs returns n rows of d features in c overlapping classes.
func Blobs(n, d, c int) (x *matrix.Dense, codes []int) {
	x, codes = matrix.New(n, d), make([]int, n)
	state := uint64(1)
	for i := range n {
		codes[i] = i % c
		for j := range d {
			state = state*6364136223846793005 + 1442695040888963407
			x.Set(i, j, float64(float64(state>>11)/(1<<53))+float64(float64((codes[i]+j)%c)*0.4))
		}
	}
	return x, codes
}
