package gram

import "testing"

func TestKept(t *testing.T) {
	const n, d, dim = 100, 3, 50
	first := FeatureMap{Name: "first", Dim: dim, Map: func(dst, x []float64) {}}
	second := FeatureMap{Name: "second", Dim: dim, Map: first.Map}
	for _, c := range []struct {
		k              Kernel
		kept, repeated float64 // numbers a row
	}{
		{RBF{Gamma: 1}, d, 0},
		{Cosine{}, d + d + 1, d + 1},
		{first, 2 * dim, 0},
		{Sum{Terms: []Kernel{RBF{Gamma: 1}, Linear{}}}, 0, 0},
		{Product{Factors: []Kernel{Cosine{}, Scaled{2, Cosine{}}}}, 2 * (d + 1), 2 * (d + 1)},
		{Columns{[]int{0, 2}, RBF{Gamma: 1}}, 2, 2},
		{Sum{Terms: []Kernel{first, second, first}}, 3 * dim, dim},
	} {
		if kept, repeated := Kept(c.k, n, d); kept != 8*n*c.kept || repeated != 8*n*c.repeated {
			t.Errorf("%v keeps %v bytes and repeats %v, want %v and %v", c.k, kept, repeated, 8*n*c.kept, 8*n*c.repeated)
		}
	}
}
