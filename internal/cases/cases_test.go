package cases

import (
	"path/filepath"
	"slices"
	"testing"
)

// Each case says what is right, and has something to try it with.
func TestCasesAreWhole(t *testing.T) {
	for _, folder := range Files(t, "*") {
		name := filepath.Base(folder)
		if files := Files(t, name+"/*"); len(files) < 2 || !slices.Contains(files, filepath.Join(folder, "expected.md")) {
			t.Errorf("%s has only %v", name, files)
		}
	}
}

func TestNumbers(t *testing.T) {
	want := [][]float64{{0, 1}, {0, 1}, {0, 4}}
	if got := Numbers(t, "07-duplicate-rows-singular-gram/train.csv"); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("below a header %v, want %v", got, want)
	}
	if got := Numbers(t, "38-one-row-transform/train.csv"); len(got) != 8 {
		t.Errorf("%d rows without a header, want 8", len(got))
	}
}
