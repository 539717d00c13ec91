// Package golden reads the golden values that tests compare with: problems
// solved with 150 decimal digits and rounded once to float64. The files are
// embedded, so that tests on other platforms need no file system.
// testdata/README.md defines every field and every compare mode.
//
// Only tests import this package. It imports package matrix, so the tests of
// matrix, and of the packages below it, that use golden must be in the external
// test package (package matrix_test).
//
// A typical test:
//
//	for _, p := range golden.Dir(t, "kpca") {
//		t.Run(p.Name, func(t *testing.T) {
//			x := p.Input.Matrix("X")
//			…
//			p.Compare(t, "eigenvalues", values, false)
//		})
//	}
package golden
