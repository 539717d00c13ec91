package gram

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
)

// Reading what was written gives the same kernel, and writing that the same
// text.
func TestFormatAndParse(t *testing.T) {
	nested := Kernel(Linear{})
	for range maxDepth {
		nested = Scaled{0.1, nested}
	}
	kernels := []Kernel{RBF{}, RBF{0.1}, RBF{0x1p-1014}, RBF{math.MaxFloat64}, Precomputed{}, NewPolynomial(0),
		Polynomial{1.0 / 3, -1e-9, 100}, NewSigmoid(), nested}
	for _, kind := range kinds {
		if !kind.unnamed {
			kernels = append(kernels, kind.kernel)
		}
	}
	for _, k := range kernels {
		text := must.Get(Format(k))(t)
		back := must.Get(Parse(text))(t)
		if again := must.Get(Format(back))(t); again != text {
			t.Errorf("%s became %s", text, again)
		}
		if !strings.Contains(text, "featuremap") && !reflect.DeepEqual(back, k) {
			t.Errorf("%s: %#v became %#v", text, k, back)
		}
	}
	for text, want := range map[string]string{
		"rbf(gamma=0x1p-1)":     "rbf(gamma=0x1p-01)",
		" rbf ( gamma = 0.5 ) ": "rbf(gamma=0x1p-01)",
		"sum(rbf(gamma=0x1p-1), scaled(factor=0x1.8p+00, linear()))": "sum(rbf(gamma=0x1p-01), scaled(factor=0x1.8p+00, linear()))",
		"polynomial(gamma=1,coef0=-2,degree=3)":                      "polynomial(gamma=0x1p+00, coef0=-0x1p+01, degree=3)",
		"product(cosine(),\n\tfeaturemap(name=\"circle\",dim=3))":    `product(cosine(), featuremap(name="circle", dim=3))`,
		"columns( 0,12 ,linear())":                                   "columns(0, 12, linear())",
		"featuremap(name=\"\\x63ircle\", dim=3)":                     `featuremap(name="circle", dim=3)`,
	} {
		k := must.Get(Parse(text))(t)
		if got := must.Get(Format(k))(t); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestUnsavableKernels(t *testing.T) {
	mine := Func{Name: "mine", K: skew}
	unnamed := FeatureMap{Dim: 2, Map: moments.Map}
	for _, k := range []Kernel{mine, unnamed, Sum{[]Kernel{Linear{}, mine}}, Scaled{2, Product{[]Kernel{unnamed}}}} {
		_, err := Format(k)
		if e, ok := errors.AsType[*UnsavableError](err); !ok || e.Kernel != mine.String() && e.Kernel != unnamed.String() {
			t.Errorf("%v: %v", k, err)
		}
	}
	if _, err := Format(nil); err == nil {
		t.Error("nil: no error")
	}
}

func TestParseErrors(t *testing.T) {
	deep := strings.Repeat("scaled(factor=1, ", maxDepth+1) + "linear()" + strings.Repeat(")", maxDepth+1)
	for _, c := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "expected '('"},
		{"rbf", 3, "expected '('"},
		{"gauss(gamma=1)", 0, "not a kernel"},
		{"(gamma=1)", 0, "not a kernel"},
		{"func(name=\"mine\")", 0, "not a kernel"},
		{"rbf()", 4, "expected gamma="},
		{"rbf(sigma=1)", 4, "expected gamma="},
		{"rbf(gamma 1)", 10, "expected '='"},
		{"rbf(gamma=)", 10, "not a finite number"},
		{"rbf(gamma=1e999)", 10, "not a finite number"},
		{"rbf(gamma=NaN)", 10, "not a finite number"},
		{"rbf(gamma=inf)", 10, "not a finite number"},
		{"rbf(gamma=0x1p)", 10, "not a finite number"},
		{"rbf(gamma=1_0)", 11, "expected ')'"},
		{"rbf(gamma=1", 11, "expected ')'"},
		{"rbf(gamma=1) ", 13, ""},
		{"rbf(gamma=1) x", 13, "more after"},
		{"linear()linear()", 8, "more after"},
		{"rbf(gamma=-1)", 0, "positive"},
		{"polynomial(gamma=1, coef0=1)", 27, "expected ','"},
		{"polynomial(gamma=1, coef0=1, degree=2.5)", 37, "expected ')'"},
		{"polynomial(gamma=1, coef0=1, degree=99999999999999999999)", 36, "not an integer"},
		{"polynomial(gamma=1, coef0=1, degree=101)", 0, "Degree"},
		{"sum()", 4, "expected '('"},
		{"sum(linear(),)", 13, "expected '('"},
		{"sum(linear(), precomputed())", 0, "precomputed"},
		{"scaled(factor=0, linear())", 0, "Factor"},
		{"featuremap(dim=3)", 11, "expected name="},
		{"featuremap(name=circle, dim=3)", 16, "double quotes"},
		{"featuremap(name='c', dim=3)", 16, "double quotes"},
		{"featuremap(name=\"circle, dim=3)", 16, "double quotes"},
		{"featuremap(name=\"nowhere\", dim=3)", 16, "register"},
		{"featuremap(name=\"circle\", dim=4)", 16, "dim 3"},
		{deep, 17 * (maxDepth + 1), "nested deeper"},
	} {
		k, err := Parse(c.text)
		if c.reason == "" {
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		if e, ok := errors.AsType[*ParseError](err); !ok || k != nil || e.Offset != c.offset || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%q: %v, want byte %d: %s", c.text, err, c.offset, c.reason)
		}
	}
	var e *ParameterError
	if _, err := Parse("rbf(gamma=-1)"); !errors.As(err, &e) || e.Value != -1 {
		t.Errorf("a parameter out of range is not a *ParameterError: %v", err)
	}
}

// No text makes Parse panic, and what it accepts can be written and read again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"linear()", "rbf(gamma=0x1p-01)", "polynomial(gamma=1, coef0=1, degree=3)",
		"sum(sigmoid(gamma=1,coef0=0), product(cosine(), chi2(gamma=1)))", "scaled(factor=2, precomputed())", "columns(0, 3, linear())",
		`featuremap(name="circle", dim=3)`, "sum(((", "rbf(gamma=1)\x00", strings.Repeat("sum(", 1000)} {
		f.Add(text)
		for i := range text {
			f.Add(text[:i])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := Parse(text)
		if err != nil {
			if e, ok := errors.AsType[*ParseError](err); !ok || e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		once := must.Get(Format(k))(t)
		if twice := must.Get(Format(must.Get(Parse(once))(t)))(t); twice != once {
			t.Fatalf("%q: %s, then %s", text, once, twice)
		}
	})
}

func TestRegisterFeatureMap(t *testing.T) {
	for want, m := range map[string]FeatureMap{
		"there is a map":  circle,
		"has no name":     {Dim: 1, Map: moments.Map},
		"featuremap: Dim": {Name: "x", Map: moments.Map},
		"featuremap: Map": {Name: "x", Dim: 1},
	} {
		if got := matrixtest.PanicText(func() { RegisterFeatureMap(m) }); !strings.Contains(got, want) {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
}

// Fit and Load take the same numbers of parts.
func TestMostParts(t *testing.T) {
	for _, n := range []int{maxParts - 1, maxParts} { // and the sum itself
		k := Sum{Terms: make([]Kernel, n)}
		for i := range k.Terms {
			k.Terms[i] = Linear{}
		}
		err := k.Validate()
		text := "sum(" + strings.TrimSuffix(strings.Repeat("linear(), ", n), ", ") + ")"
		_, parsed := Parse(text)
		if want := n < maxParts; (err == nil) != want || (parsed == nil) != want {
			t.Errorf("%d terms: %v, %v", n, err, parsed)
		}
	}
}
