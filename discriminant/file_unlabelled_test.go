package discriminant

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// mapper is what models without classes do, whatever their method.
type mapper interface {
	Dim() int
	Kernel() gram.Kernel
	Scaler() *Scaler
	Training() Training
	Certificate() Certificate
	Note(key string) (string, bool)
	WriteTo(w io.Writer) (int64, error)
	MarshalBinary() ([]byte, error)
}

// project calls Project or Predict.
func mapRows(m mapper, dst, x *matrix.Dense) (*matrix.Dense, error) {
	switch m := m.(type) {
	case *PCA:
		return m.Project(dst, x)
	case *Regression:
		return m.Predict(dst, x)
	}
	panic("no such model")
}

func withNotes(m mapper, notes ...[2]string) mapper {
	for _, n := range notes {
		switch t := m.(type) {
		case *PCA:
			m = t.WithNote(n[0], n[1])
		case *Regression:
			m = t.WithNote(n[0], n[1])
		}
	}
	return m
}

func loadLike(m mapper, data []byte) (mapper, error) {
	if _, ok := m.(*PCA); ok {
		p := new(PCA)
		err := p.UnmarshalBinary(data)
		return p, err
	}
	r := new(Regression)
	err := r.UnmarshalBinary(data)
	return r, err
}

// unlabelledModels fits every kind of model without classes to n rows.
func unlabelledModels(t testing.TB, n, d int) map[string]mapper {
	t.Helper()
	x, codes := blobs(n, d, 2)
	targets := matrix.New(n, 2)
	for i := range n {
		targets.Set(i, 0, x.At(i, 0)*x.At(i, d-1)+float64(codes[i]))
		targets.Set(i, 1, x.At(i, 0)-1e3)
	}
	models := make(map[string]mapper)
	for name, m := range map[string]KernelPCA{
		"kpca":          {},
		"kpca scaled":   {Scaling: MinMax, Whiten: UnitLength, Components: 2},
		"kpca variance": {Scaling: Standard, Whiten: UnitVariance, Kernel: gram.NewPolynomial(2), Components: 1},
	} {
		p := must.Get(FitKernelPCA(context.Background(), m, x))(t)
		models[name] = p
	}
	for name, m := range map[string]KernelRidge{
		"ridge":       {},
		"ridge plain": {Intercept: NoIntercept(), Scaling: Standard, Regularizer: Ridge(0.5), Kernel: gram.Laplacian{}},
	} {
		r := must.Get(FitRegression(context.Background(), m, x, targets))(t)
		models[name] = r
	}
	return models
}

func TestUnlabelledFileRoundTrip(t *testing.T) {
	x, _ := blobs(20, 3, 2)
	again := unlabelledModels(t, 20, 3)
	for name, plain := range unlabelledModels(t, 20, 3) {
		t.Run(name, func(t *testing.T) {
			m := withNotes(plain, [2]string{"b", "two"}, [2]string{"a", "one\x00"})
			data := must.Get(m.MarshalBinary())(t)
			var b bytes.Buffer
			if n, err := m.WriteTo(&b); err != nil || n != int64(len(data)) || !bytes.Equal(b.Bytes(), data) {
				t.Errorf("WriteTo: %d bytes, error %v", n, err)
			}
			back := must.Get(loadLike(m, data))(t)
			if same, err := back.MarshalBinary(); err != nil || !bytes.Equal(data, same) {
				t.Errorf("written again: %d bytes, error %v, want the same %d bytes", len(same), err, len(data))
			}
			if second, err := withNotes(again[name], [2]string{"a", "one\x00"}, [2]string{"b", "two"}).MarshalBinary(); err != nil || !bytes.Equal(data, second) {
				t.Errorf("a second fit differs, error %v", err)
			}
			want := must.Get(mapRows(m, nil, x))(t)
			if got, err := mapRows(back, nil, x); err != nil || !slices.Equal(got.Data, want.Data) {
				t.Errorf("projections differ after reading, error %v", err)
			}
			if text, ok := back.Note("a"); text != "one\x00" || !ok {
				t.Errorf("note a = %q", text)
			}
			if _, ok := plain.Note("a"); ok {
				t.Error("a note reached the model that it was not added to")
			}
			if m.Certificate() != back.Certificate() || m.Training() != back.Training() || m.Dim() != back.Dim() ||
				!reflect.DeepEqual(m.Kernel(), back.Kernel()) || !reflect.DeepEqual(m.Scaler(), back.Scaler()) {
				t.Error("certificate, training, kernel or scaler differ after reading")
			}
			switch m := m.(type) {
			case *PCA:
				p := back.(*PCA)
				least, known := m.Least()
				least2, known2 := p.Least()
				if !slices.Equal(m.Eigenvalues(), p.Eigenvalues()) || !slices.Equal(m.ExplainedRatio(), p.ExplainedRatio()) || m.Whitening() != p.Whitening() || least != least2 || known != known2 {
					t.Error("eigenvalues, ratios, whitening or least eigenvalue differ after reading")
				}
			case *Regression:
				r := back.(*Regression)
				if m.Ridge() != r.Ridge() || m.Regularizer() != r.Regularizer() || !slices.Equal(m.Intercept(), r.Intercept()) || m.Outputs() != 2 || r.Outputs() != 2 {
					t.Error("ridge, regulariser or intercept differ after reading")
				}
			}
		})
	}
}

// Each reader refuses the files of the others, with a word on what they are.
func TestFileOfAnotherKind(t *testing.T) {
	x, codes := blobs(10, 2, 2)
	files := map[string][]byte{}
	for name, m := range unlabelledModels(t, 10, 2) {
		files[name], _ = m.MarshalBinary()
	}
	for name, method := range map[string]Method{"kfda": KFDA{}, "labelled kpca": KernelPCA{}, "classifier": KernelRidge{}} {
		files[name], _ = mustFit(t, method, x, codes).MarshalBinary()
	}
	for name, data := range files {
		var format *FormatError
		_, isPCA := map[string]bool{"kpca": true, "kpca scaled": true, "kpca variance": true}[name]
		_, isRegression := map[string]bool{"ridge": true, "ridge plain": true}[name]
		if _, err := LoadPCA(bytes.NewReader(data)); (err == nil) != isPCA || err != nil && !errors.As(err, &format) {
			t.Errorf("%s: LoadPCA: error %v", name, err)
		}
		if _, err := LoadRegression(bytes.NewReader(data)); (err == nil) != isRegression || err != nil && !errors.As(err, &format) {
			t.Errorf("%s: LoadRegression: error %v", name, err)
		}
		if _, err := Load[int](bytes.NewReader(data)); (err == nil) != (!isPCA && !isRegression) || err != nil && !errors.As(err, &format) {
			t.Errorf("%s: Load: error %v", name, err)
		}
	}
}

// readMapper reads the file of a model like m.
func readMapper(m mapper, data []byte, x *matrix.Dense) (results []*matrix.Dense, err error) {
	read, err := loadLike(m, data)
	if err != nil {
		return nil, err
	}
	if z, err := mapRows(read, nil, x); err == nil {
		results = append(results, z)
		if p, ok := read.(*PCA); ok {
			p.ReconstructionErrors(nil, x)
		}
	}
	return results, nil
}

func TestUnlabelledAllocatesNothing(t *testing.T) {
	x, _ := blobs(40, 3, 2)
	for name, m := range unlabelledModels(t, 40, 3) {
		z := must.Get(mapRows(m, nil, x))(t)
		if n := testing.AllocsPerRun(50, func() { mapRows(m, z, x) }); n > 0 && !raceEnabled {
			t.Errorf("%s: %v allocations a call, want none", name, n)
		}
		want := z.Clone()
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				for i := range x.Rows {
					if f, err := mapRows(m, nil, x.View(i, 0, 1, 3)); err != nil || !slices.Equal(f.Row(0), want.Row(i)) {
						t.Errorf("%s: row %d alone: %v, in a batch %v, error %v", name, i, f, want.Row(i), err)
					}
				}
			})
		}
		wait.Wait()
	}
}
