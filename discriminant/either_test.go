package discriminant

import (
	"bytes"
	"context"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Either kind of model is read by LoadEither, and nothing else.
func TestLoadEither(t *testing.T) {
	x := must.Get(matrix.FromRows([][]float64{{0}, {1}, {3}, {4}}))(t)
	targets := matrix.Column([]float64{1, 2, 4, 9})
	numbers := must.Get(FitRegression(context.Background(), KernelRidge{}, x, targets))(t)
	classes := must.Get(Fit(context.Background(), KernelRidge{}, x, []string{"p", "p", "q", "q"}))(t)
	m, r, err := LoadEither[string](bytes.NewReader(must.Get(numbers.MarshalBinary())(t)))
	if err != nil || m != nil || !r.TrainedOn(x, targets) || r.TrainedOn(x, x) {
		t.Errorf("a regression: %v, %v, %v", m, r, err)
	}
	if m, r, err = LoadEither[string](bytes.NewReader(must.Get(classes.MarshalBinary())(t))); err != nil || r != nil || m.Method() != "ridge" {
		t.Errorf("a model of classes: %v, %v, %v", m, r, err)
	}
	for _, data := range [][]byte{nil, must.Get(must.Get(FitKernelPCA(context.Background(), KernelPCA{}, x))(t).MarshalBinary())(t)} {
		if m, r, err = LoadEither[string](bytes.NewReader(data)); err == nil || m != nil || r != nil {
			t.Errorf("%d bytes: %v, %v, %v", len(data), m, r, err)
		}
	}
}
