package fuzz

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

var write = flag.Bool("write", false, "write the seeds to testdata/fuzz")

// class is a sort of symmetric matrix, in the order in which the bytes say it.
type class struct {
	name     string
	size     int
	kind     string
	p        int
	exponent int // in units of 2⁸
	grading  int
	special  []int // row, column, number in special
}

// classes are the inputs that every target with a symmetric matrix has in its corpus.
func classes() []class {
	list := []class{
		{name: "empty", kind: "random"},
		{name: "one", size: 1, kind: "identity"},
		{name: "two", size: 2, kind: "dominant"},
		{name: "odd", size: 17, kind: "random"},
		{name: "forty", size: 40, kind: "dominant"},
		{name: "larger than a block", size: 251, kind: "dominant"}, // 97 rows
		{name: "shared by workers", size: 254, kind: "dominant"},   // 320 rows
		{name: "huge", size: 9, kind: "dominant", exponent: 127},
		{name: "large", size: 9, kind: "dominant", exponent: 62},
		{name: "small", size: 9, kind: "dominant", exponent: -62},
		{name: "tiny", size: 9, kind: "dominant", exponent: -125},
		{name: "subnormal", size: 9, kind: "integer", exponent: -128},
		{name: "subnormal ones", size: 9, kind: "ones", exponent: -128},
		{name: "graded down", size: 25, kind: "dominant", grading: -96},
		{name: "graded up", size: 25, kind: "dominant", grading: 96},
		{name: "graded over the whole range", size: 30, kind: "dominant", exponent: 100, grading: -128},
		{name: "NaN", size: 9, kind: "dominant", special: []int{4, 2, 0}},
		{name: "NaN at the end", size: 13, kind: "dominant", special: []int{12, 12, 0}},
		{name: "infinite", size: 9, kind: "dominant", special: []int{0, 0, 1}},
		{name: "NaN and infinite", size: 9, kind: "dominant", special: []int{8, 1, 0, 3, 3, 2}},
		{name: "one subnormal element", size: 9, kind: "identity", special: []int{5, 5, 5}},
		{name: "one largest element", size: 9, kind: "dominant", special: []int{5, 5, 8}},
		{name: "negative zero", size: 9, kind: "dominant", special: []int{5, 1, 4, 6, 6, 4}},
		{name: "one large off the diagonal", size: 9, kind: "dominant", special: []int{5, 1, 10}},
	}
	for _, k := range kinds {
		c := class{name: k.name, size: 12, kind: k.name, p: 3}
		switch k.name {
		case "dominant", "random":
			continue // above
		case "geometric":
			c.p = 200
		case "clustered", "one small", "equal rows":
			c.p = 45
		}
		list = append(list, c)
	}
	return list
}

// symmetric returns the bytes of the matrix without its size.
func (c class) symmetric() []byte {
	kind := slices.IndexFunc(kinds, func(k kind) bool { return k.name == c.kind })
	if kind < 0 {
		panic(c.kind)
	}
	b := []byte{byte(kind), byte(c.p), 1, byte(int8(c.exponent)), byte(int8(c.grading)), byte(len(c.special) / 3)}
	for _, v := range c.special {
		b = append(b, byte(v))
	}
	return b
}

// tails are the bytes after the matrix, by target: in most, two workers and a gap.
var tails = map[string][]byte{
	"FuzzCholesky":   {1, 2 /* 2 columns */, 2, 1, 0, 0 /* gap */, 1 /* steps */, 5},
	"FuzzShifted":    {1, 196 /* σ = 2⁻³⁰ */, 2, 2, 1, 0, 0, 1, 1, 1, 5},
	"FuzzJacobi":     {2},
	"FuzzEigen":      {1, 2},
	"FuzzLeading":    {1, 2},
	"FuzzPencil":     {2 /* Σ */, 3, 9, 0, 0, 0, 1, 1},
	"FuzzReduction":  {1, 1, 0, 0, 1, 2, 236, 196},
	"FuzzSingular":   {7, 0, 1, 1},
	"FuzzSMO":        {0b0110_0110, 0, 10, 1},
	"FuzzTriangular": {1, 1, 3, 0, 0, 1, 4, 0, 0, 0, 5, 0, 0, 0},
}

// between are bytes that a target reads between the size and the matrix.
var between = map[string][]byte{
	"FuzzEigen":      {1},
	"FuzzLeading":    {0, 3},
	"FuzzReduction":  {1},
	"FuzzTriangular": {5},
}

// seeds returns the bytes of the corpus by the names of targets and files.
func seeds() map[string][]byte {
	all := map[string][]byte{}
	for target, tail := range tails {
		for _, c := range classes() {
			b := append([]byte{byte(c.size)}, between[target]...)
			all[filepath.Join(target, strings.ReplaceAll(c.name, " ", "-"))] = append(append(b, c.symmetric()...), tail...)
		}
	}
	for name, b := range found {
		all[name] = b
	}
	return all
}

// found are inputs that found a fault, and what it was.
var found = map[string][]byte{
	// An inverse beyond the range of a matrix that is graded by its kind.
	"FuzzCholesky/inverse-beyond-the-range": []byte("2c\xea\xea\xea"),
	// Elements grow along the diagonal, and most eigenvalues are rounding errors: a sweep
	// in the order of the positions settled about one of them.
	"FuzzJacobi/growing-with-equal-rows": []byte("\xfc\xee\xf5i\x92-"),
	// The least eigenvalue is beyond the range, the leading ones are not.
	"FuzzLeading/least-beyond-the-range": {162, 1, 35, 16, 55, 24, 153, 161, 82, 151, 225, 163, 108, 77, 105, 231, 251, 13, 102, 211, 236, 202},
	// The largest eigenvalue is the largest number, up to rounding.
	"FuzzLeading/at-the-end-of-the-range": []byte("\x01#\x107\u08eb\xfc\x0fy~9\xc6\xddh\xdc\xf0\x18\x99\xa1R\x97\xe1\xa3lMi\xe7\xfb\rf\xd3\xec\xca"),
	// L⁻¹ΨL⁻ᵀ of a subnormal Ψ.
	"FuzzPencil/subnormal-and-ill-conditioned": {48, 49, 48, 48, 128, 0, 48, 56, 48},
	// A column of F whose norm is beyond the range spoilt V.
	"FuzzReduction/norm-beyond-the-range": []byte("1000000000070100180270100001"),
	// V times coordinates near the end of the range.
	"FuzzReduction/product-beyond-the-range": []byte("08201\x00\x001YY701\x7f010\xec"),
	// The products of right-hand sides and pivots lost their digits below the range.
	"FuzzShifted/products-below-the-range": []byte("\xa9\xa9\xa9\xa9\xd5\xd5\xd5\xd5\u0569\xa9\xa9\xa9"),
	// Refinement did not converge, and took its small corrections for convergence.
	"FuzzShifted/small-corrections": []byte("1000 \x0222202270\xb5010000009"),
	// The second orthogonalization left rounding errors of the first.
	"FuzzSingular/graded-and-dependent": {7, 9, 50, 48, 48, 48, 48, 7},
	// Later columns had a part along what was left of one that depends on others.
	"FuzzSingular/growing-and-dependent": {12, 66, 0, 67, 48, 122, 48, 48},
	// Each column of QR shrinks by 2⁻¹⁵, and orthogonality was lost more and more.
	"FuzzSingular/steep-and-banded": {65, 50, 49, 48, 48, 131, 48, 65},
	// Each column of QR lies close to the one before it, and the passes over a panel,
	// each of which makes a few more orthogonal, ended before the last one.
	"FuzzSingular/steep-chain": []byte("\xbf\xbf\xbf\xbf\xbf\xb8\xbfy"),
	// A diagonal element of R became 0 below the range, and its row was left out.
	"FuzzSingular/diagonal-below-the-range": []byte("9x0A\x88\xd9108Z2"),
	// A rotation that is needed and changes nothing.
	"FuzzSingular/two-nearly-orthogonal": {43, 122, 120, 56, 48, 0, 48, 48},
	// The same over several panels of QR.
	"FuzzSingular/steep-band-of-100": {253, 50, 50, 48, 48, 199, 48, 254},
	// A rotation by an angle below the range of float64.
	"FuzzSingular/norms-too-far-apart": []byte("2008\x00 10080000"),
	// The objective overflows, the gradient does not.
	"FuzzSMO/objective-beyond-the-range": {48, 48, 48, 48, 48, 48, 50, 48, 48, 55, 48, 50, 56},
}

// The corpora hold what the table says, and nothing else: where the meaning of bytes
// changes, -write makes them anew.
func TestSeeds(t *testing.T) {
	all := seeds()
	if *write {
		must.Do(t, os.RemoveAll("testdata/fuzz"))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		file := filepath.Join("testdata", "fuzz", name)
		text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", all[name])
		if *write {
			must.Do(t, os.MkdirAll(filepath.Dir(file), 0o777))
			must.Do(t, os.WriteFile(file, []byte(text), 0o666))
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%s is not what the table says (%v); run go test ./fuzz -run TestSeeds -write", file, err)
		}
	}
	files, err := filepath.Glob("testdata/fuzz/*/*")
	if err != nil || len(files) != len(all) {
		t.Errorf("%d files (%v), %d in the table: name what an input has found and add it there", len(files), err, len(all))
	}
}
