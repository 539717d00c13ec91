package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// The pictures in docs/ are those that the program draws, and small.
func TestPictures(t *testing.T) {
	for name, draw := range pictures {
		if name == "accuracy.svg" && testing.Short() {
			continue // some seconds of arithmetic with 500 bits
		}
		p, err := draw(t.Context(), "../..")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", name)))(t)
		if !bytes.Equal(p.svg(), want) {
			t.Errorf("docs/%s is another picture: go run ./benchmarks/pictures", name)
		}
		if len(want) > 60<<10 {
			t.Errorf("docs/%s has %d bytes", name, len(want))
		}
	}
}
