package gram

import (
	"math"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

// The messages say what is wrong, where, and what to do.
func TestErrorMessages(t *testing.T) {
	_, noGamma := GammaScale(matrix.New(3, 2))
	_, unreadable := Parse("rbf(gamma=1")
	_, unsavable := Format(Func{Name: "mine", K: skew})
	_, noColumns := Resolve(Laplacian{}, matrix.New(2, 0))
	for _, c := range []struct {
		err  error
		want string
	}{
		{RBF{-1}.Validate(), "gram: rbf: Gamma is -1; it must be positive and finite, or 0 for the default"},
		{Sum{}.Validate(), "gram: sum: Terms is empty; there must be at least one"},
		{Product{[]Kernel{Linear{}, nil}}.Validate(), "gram: product: Factors holds nil, at index 1"},
		{Scaled{2, Precomputed{}}.Validate(), "gram: precomputed: Kernel cannot be part of another kernel; combine the matrices instead"},
		{Func{}.Validate(), "gram: func: K is nil"},
		{noGamma, "gram: rbf: Gamma has no default here: all entries are equal, so the variance is 0; give an explicit gamma"},
		{noColumns, "gram: laplacian: Gamma is 0, for the default 1/d, and the 2×0 training rows have no columns"},
		{&ShapeError{"new rows", 3, 5, 3, 6}, "gram: new rows must be 3×6, not 3×5"},
		{&NotFiniteError{"kernel value", 1, 0, math.Inf(1)},
			"gram: kernel value (1, 0) is +Inf, not finite; if it overflows, scale the features or change the kernel's parameters"},
		{&NotSymmetricError{2, 1, 0.5, 0.25},
			"gram: precomputed kernel matrix is not symmetric: entry (2, 1) is 0.5, entry (1, 2) is 0.25; further apart than rounding makes them; gram.Symmetrize takes the mean of both"},
		{&DomainError{"chi2", 4, 0, -1, "features must not be negative; shift or rescale the column"},
			"gram: chi2: feature (4, 0) is -1: features must not be negative; shift or rescale the column"},
		{unreadable, "gram: kernel text, byte 11: expected ')'"},
		{unsavable, `gram: func(name="mine"): a function cannot be saved; use a registered feature map, or save the kernel matrix`},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
