// Package must ends a test at an error, and fails one at a call that does not fail as it must.
package must

import (
	"errors"
	"runtime"
	"slices"
	"testing"
)

// Get returns a function that returns v, and ends its test where there was an error:
//
//	x := must.Get(f())(t)
func Get[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		Do(t, err)
		return v
	}
}

// Get2 is Get for two values.
func Get2[T, U any](v T, w U, err error) func(t testing.TB) (T, U) {
	return func(t testing.TB) (T, U) {
		t.Helper()
		Do(t, err)
		return v, w
	}
}

// Do ends a test at an error.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Panic fails a test where a call does not panic.
func Panic(t testing.TB, what string, call func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	call()
}

// Fail returns the error of type E in a chain of errors, and fails a test where there is none.
func Fail[E error](t testing.TB, what string, err error) E {
	t.Helper()
	e, ok := errors.AsType[E](err)
	if !ok {
		t.Errorf("%s: error %v, want a %T", what, err, e)
	}
	return e
}

// Refuse is Fail for a call that returns a value besides:
//
//	must.Refuse[*ShapeError](f())(t, "three columns")
func Refuse[E error, T any](_ T, err error) func(t testing.TB, what string) E {
	return func(t testing.TB, what string) E {
		t.Helper()
		return Fail[E](t, what, err)
	}
}

// Equal fails a test where two values differ.
func Equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

// EqualSlices fails a test where two slices differ.
func EqualSlices[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

// Allocated returns how many bytes the process allocates while f runs.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
