package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Errors on the odd rows of public data after a fit with a ridge on the coefficients to
// the even ones.
// The numbers are those of a plain program that forms N and M, factors N + εI by
// Cholesky and solves the dense eigenproblem.
func TestPublicData(t *testing.T) {
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("KFDA_DATA is not set: the data sets outside of the repository are not tested")
	}
	for _, c := range []struct {
		name              string
		errors, n         float64
		gamma, ridge, top float64 // top: the largest eigenvalue
	}{
		{"iris", 3, 75, 0.25, 0.00184504760494053, 703.65825154},
		{"wine", 2, 89, 0.0769230769230769, 0.0013679113043236994, 552.77384143},
		{"sonar", 11, 104, 0.016666666666666666, 0.002506379052290426, 94.52983471},
		{"ionosphere", 9, 175, 0.030303030303030304, 0.006760470321241049, 20.86634006},
		{"digits", 28, 898, 0.016393442622950838, 0.007358374594247086, 164.90246297},
	} {
		if c.name == "digits" && testing.Short() {
			t.Skip("digits is left to the long tests")
		}
		model := filepath.Join(t.TempDir(), "m")
		file := filepath.Join(data, "classic", c.name+".csv")
		r := object(t, works(t, "fit", file, "--rows", "0::2", "--scale", "standard", "--regularizer", "ridge", "--relative-ridge", "0.001", "--json", "-o", model))
		s := object(t, works(t, "score", model, file, "--rows", "1::2", "--json"))
		if s["errors"] != c.errors || s["n"] != c.n {
			t.Errorf("%s: %v errors in %v rows, want %v in %v", c.name, s["errors"], s["n"], c.errors, c.n)
		}
		// The reference lost some eight digits of the eigenvalue at most, and
		// prints ten.
		for what, v := range map[string][3]float64{
			"gamma":      {r["gamma"].(float64), c.gamma, 1e-14},
			"ridge":      {r["ridge"].(float64), c.ridge, 1e-12},
			"eigenvalue": {r["eigenvalues"].([]any)[0].(float64), c.top, 1e-8},
		} {
			if math.Abs(v[0]/v[1]-1) > v[2] {
				t.Errorf("%s: %s %v, want %v", c.name, what, v[0], v[1])
			}
		}
	}
}
