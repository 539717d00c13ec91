// Package must ends a test at an error.
package must

import "testing"

// Get returns a function that returns v, and ends its test where there was an error:
//
//	x := must.Get(f())(t)
func Get[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
