package discriminant

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

var blobs = matrixtest.Blobs

func mustFit[L Label](t testing.TB, m Method, x *matrix.Dense, labels []L) *Model[L] {
	t.Helper()
	return must.Get(Fit(context.Background(), m, x, labels))(t)
}

var savedModels = map[string]Method{
	"default":      KFDA{},
	"rkhs":         KFDA{Regularizer: RelativeRKHS(1e-2), Kernel: gram.NewPolynomial(2)},
	"standard":     KFDA{Scaling: Standard, Regularizer: Ridge(0.5), Kernel: gram.Linear{}, Components: 1},
	"minmax":       KFDA{Scaling: MinMax, Scatter: AveragedScatter, Kernel: gram.Scaled{Factor: 3, Kernel: gram.RBF{Gamma: 0.7}}},
	"shrink":       KFDA{Regularizer: Shrink(0.2), Kernel: gram.Laplacian{}},
	"means":        KFDA{Regularizer: Shrink(1)},
	"gaussian":     KFDA{Classifier: Gaussian{}},
	"classes":      KFDA{Classifier: Gaussian{PerClass: true}, Components: 1},
	"knn":          KFDA{Classifier: KNN{}},
	"left out":     KFDA{Regularizer: RelativeRKHS(1e-3), Classifier: Gaussian{}, LeaveOneOut: true},
	"lda":          LDA{},
	"lda gaussian": LDA{Regularizer: LedoitWolf(), Scaling: Standard, Classifier: Gaussian{}},
	"lda knn":      LDA{Regularizer: Shrink(1), Components: 1, Classifier: KNN{K: 3}},
	"svm":          SVM{},
	"svm sigmoids": SVM{Kernel: gram.NewPolynomial(2), C: 10, Scaling: Standard, Probability: true},
	"kfda svm":     KFDA{Classifier: SVM{C: 2, Tolerance: 1e-5, CacheBytes: 1 << 20, MaxIterations: 1e6}},
	"lda svm":      LDA{Classifier: SVM{Kernel: gram.Linear{}, Probability: true}},
	"kpca":         KernelPCA{Components: 1, Classifier: Gaussian{}},
	"kpca knn":     KernelPCA{Components: 1, Whiten: UnitVariance, Scaling: MinMax, Kernel: gram.Laplacian{}, Classifier: KNN{K: 3}},
	"ridge":        KernelRidge{},
	"ridge plain":  KernelRidge{Regularizer: Ridge(0.3), Intercept: NoIntercept(), Scaling: Standard},
}

func withPriors(method Method, priors []float64) Method {
	switch m := method.(type) {
	case KFDA:
		m.Priors = priors
		return m
	case LDA:
		m.Priors = priors
		return m
	case KernelPCA:
		m.Priors = priors
		return m
	case SVM:
		m.Weights = priors
		return m
	case KernelRidge: // has none
		return m
	}
	panic("no such method")
}

// A model that was written and read again gives the same bits, and the same
// bytes when it is written once more; so does a second fit.
func TestFileRoundTrip(t *testing.T) {
	for name, method := range savedModels {
		for c := 2; c <= 4; c++ {
			t.Run(fmt.Sprint(name, c), func(t *testing.T) {
				x, codes := blobs(25, 3, c)
				method := method
				if c == 2 {
					method = withPriors(method, []float64{0.25, 0.75})
				}
				m := mustFit(t, method, x, codes).WithNote("b", "two").WithNote("a", "one\x00")
				data := must.Get(m.MarshalBinary())(t)
				back := must.Get(Load[int](bytes.NewReader(data)))(t)
				again, err := back.MarshalBinary()
				if err != nil || !bytes.Equal(data, again) {
					t.Errorf("written again: %d bytes, error %v, want the same %d bytes", len(again), err, len(data))
				}
				second, err := mustFit(t, method, x, codes).WithNote("a", "one\x00").WithNote("b", "two").MarshalBinary()
				if err != nil || !bytes.Equal(data, second) {
					t.Errorf("a second fit differs, error %v", err)
				}
				want := must.Get(m.Project(nil, x))(t)
				got, err := back.Project(nil, x)
				if err != nil || !slices.Equal(got.Data, want.Data) {
					t.Errorf("projections differ after reading, error %v", err)
				}
				if !reflect.DeepEqual(m.solution, back.solution) || !reflect.DeepEqual(m.kernel(), back.kernel()) {
					t.Error("certificate, ridge or kernel differ after reading")
				}
				settings, machines := m.SVM()
				settingsBack, machinesBack := back.SVM()
				if !reflect.DeepEqual(m.Machines(), back.Machines()) || machines != machinesBack || !reflect.DeepEqual(settings, settingsBack) {
					t.Errorf("machines differ after reading: %v, want %v", settingsBack, settings)
				}
				if text, ok := back.Note("a"); text != "one\x00" || !ok {
					t.Errorf("note a = %q", text)
				}
				if d, ok := m.Details().(interface{ Classifier() Classifier }); ok && !reflect.DeepEqual(d.Classifier(), DetailsOf(back).Classifier()) {
					t.Errorf("classifier %v after reading, want %v", DetailsOf(back).Classifier(), d.Classifier())
				}
				if want, err := m.Posteriors(nil, x); err == nil {
					got, err := back.Posteriors(nil, x)
					if err != nil || !slices.Equal(got.Data, want.Data) {
						t.Errorf("posteriors differ after reading, error %v", err)
					}
				}
				if c == 2 {
					want, _ := m.Decision(nil, x)
					got, err := back.Decision(nil, x)
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("decisions differ after reading, error %v", err)
					}
				}
			})
		}
	}
}

func TestFilePrecomputed(t *testing.T) {
	x, codes := blobs(12, 2, 3)
	k := must.Get(gram.Matrix(nil, gram.RBF{Gamma: 1}, x))(t)
	before := k.Clone()
	m := mustFit(t, KFDA{Kernel: gram.Precomputed{}}, k, codes)
	if !slices.Equal(k.Data, before.Data) {
		t.Error("the fit changed the caller's kernel matrix")
	}
	data := must.Get(m.MarshalBinary())(t)
	if most := 12*2*8 + 2000; len(data) > most {
		t.Errorf("%d bytes, want at most %d: the model holds its kernel matrix", len(data), most)
	}
	back := must.Get(Load[int](bytes.NewReader(data)))(t)
	want, _ := m.Project(nil, k)
	got, err := back.Project(nil, k)
	if err != nil || !slices.Equal(got.Data, want.Data) {
		t.Errorf("projections differ after reading, error %v", err)
	}
	must.Refuse[*gram.ShapeError](back.Project(nil, matrix.New(2, 11)))(t, "11 kernel values for 12 rows")
}

func roundTrip[L Label](t *testing.T, labels []L) {
	t.Helper()
	x, _ := blobs(len(labels), 2, 2)
	m := mustFit(t, KFDA{Regularizer: Ridge(1)}, x, labels)
	data := must.Get(m.MarshalBinary())(t)
	back := must.Get(Load[L](bytes.NewReader(data)))(t)
	if !slices.Equal(m.Classes(), back.Classes()) || !slices.Equal(m.Counts(), back.Counts()) {
		t.Errorf("classes %v %v after reading, want %v %v", back.Classes(), back.Counts(), m.Classes(), m.Counts())
	}
}

func TestFileLabels(t *testing.T) {
	type species string
	roundTrip(t, []species{"10", "9", "b", "B", "ä", "10"})
	roundTrip(t, []string{"", "\xff\x00", "a\nb", ""})
	roundTrip(t, []int64{math.MinInt64, math.MaxInt64, 0, 0})
	roundTrip(t, []uint64{math.MaxUint64, 0, 1, 1})
	roundTrip(t, []int8{-128, 127, 0, 0})

	x, _ := blobs(4, 2, 2)
	data := must.Get(mustFit(t, KFDA{Regularizer: Ridge(1)}, x, []int{1000, -1000, 1000, -1000}).MarshalBinary())(t)
	must.Refuse[*LabelTypeError](Load[string](bytes.NewReader(data)))(t, "integers as strings")
	must.Refuse[*LabelTypeError](Load[uint](bytes.NewReader(data)))(t, "signed as unsigned")
	must.Refuse[*LabelTypeError](Load[int8](bytes.NewReader(data)))(t, "1000 as int8")
	if _, err := Load[int16](bytes.NewReader(data)); err != nil {
		t.Errorf("1000 as int16: %v", err)
	}
}

// smallModels returns the files of small models, with every kind of section.
func smallModels(t testing.TB) map[string][]byte {
	x, codes := blobs(4, 1, 2)
	files := make(map[string][]byte)
	for name, method := range map[string]Method{
		"kfda":      KFDA{Regularizer: RKHS(1), Scaling: Standard, Classifier: NearestCentroid{}, LeaveOneOut: true},
		"gaussian":  KFDA{Classifier: Gaussian{}},
		"per class": KFDA{Classifier: Gaussian{PerClass: true}},
		"knn":       KFDA{Classifier: KNN{}},
		"lda":       LDA{},
		"svm":       SVM{Weights: []float64{1, 2}},
		"sigmoids":  SVM{Kernel: gram.NewPolynomial(2), Scaling: MinMax, Probability: true},
		"kfda svm":  KFDA{Classifier: SVM{Probability: true}},
		"kpca":      KernelPCA{Scaling: Standard, Whiten: UnitLength},
		"ridge":     KernelRidge{},
	} {
		data := must.Get(mustFit(t, method, x, codes).WithNote("k", "v").MarshalBinary())(t)
		files[name] = data
	}
	return files
}

// reader reads a model and returns what it says of rows, as far as it says anything.
type reader func(data []byte, x *matrix.Dense) ([]*matrix.Dense, error)

func readLabelled(data []byte, x *matrix.Dense) (results []*matrix.Dense, err error) {
	m, err := Load[int](bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if z, err := m.Project(nil, x); err == nil {
		results = append(results, z)
	}
	if d, err := m.Decision(nil, x); err == nil {
		results = append(results, matrix.Column(d))
		m.Predict(nil, x)
	}
	if p, err := m.Posteriors(nil, x); err == nil {
		results = append(results, p)
	}
	return results, nil
}

// eachSmallFile runs f for the file of a small model of every kind.
func eachSmallFile(t *testing.T, f func(t *testing.T, data []byte, read reader)) {
	for name, data := range smallModels(t) {
		t.Run(name, func(t *testing.T) { f(t, data, readLabelled) })
	}
	for name, m := range unlabelledModels(t, 4, 1) {
		data := must.Get(withNotes(m, [2]string{"k", "v"}).MarshalBinary())(t)
		t.Run("unlabelled "+name, func(t *testing.T) {
			f(t, data, func(data []byte, x *matrix.Dense) ([]*matrix.Dense, error) { return readMapper(m, data, x) })
		})
	}
}

// A file that is cut anywhere, or in which any bit has flipped, gives a typed
// error and no model.
func TestDamagedFile(t *testing.T) { eachSmallFile(t, testDamagedFile) }

func testDamagedFile(t *testing.T, data []byte, read reader) {
	x := matrix.New(3, 1)
	refused := func(what string, damaged []byte) {
		t.Helper()
		must.Refuse[*FormatError](read(damaged, x))(t, what)
	}
	for n := range data {
		refused(fmt.Sprintf("cut to %d bytes", n), data[:n])
	}
	for bit := range 8 * len(data) {
		damaged := slices.Clone(data)
		damaged[bit/8] ^= 1 << (bit % 8)
		refused(fmt.Sprintf("bit %d flipped", bit), damaged)
	}
	refused("a byte more", append(slices.Clone(data), 0))
}

// A file whose sections are well formed but do not go together is refused, and
// never panics, at reading or when the model is used. Every 8-byte word of every
// section is replaced by telling values, with the right checksums.
func TestInconsistentFile(t *testing.T) { eachSmallFile(t, testInconsistentFile) }

func testInconsistentFile(t *testing.T, data []byte, read reader) {
	sections := must.Get(section.Read(bytes.NewReader(data)))(t)
	x := matrix.New(3, 1)
	tried, accepted, step := 0, 0, 1
	if testing.Short() {
		step = 3
	}
	file := func(sections []section.Section) []byte {
		var file bytes.Buffer
		must.Get(section.Write(&file, sections))(t)
		return file.Bytes()
	}
	for i := range sections {
		for at := 0; at+8 <= len(sections[i].Data); at += step {
			for _, word := range []uint64{0, 1, 2, 3, 255, 1 << 40, math.MaxUint64, math.Float64bits(math.NaN()), math.Float64bits(math.Inf(-1)), math.Float64bits(-1), math.Float64bits(math.MaxFloat64)} {
				changed := slices.Clone(sections)
				changed[i].Data = slices.Clone(sections[i].Data)
				binary.LittleEndian.PutUint64(changed[i].Data[at:], word)
				tried++
				results, err := read(file(changed), x)
				if err != nil {
					continue
				}
				accepted++
				for _, r := range results {
					if err := matrix.CheckFinite(r); err != nil {
						t.Fatalf("section %s, byte %d, word %#x: a result is not finite: %v", sections[i].Name, at, word, err)
					}
				}
			}
		}
	}
	if accepted == 0 || accepted == tried {
		t.Errorf("%d of %d changed files were accepted: the test tells nothing", accepted, tried)
	}
	for i := range sections {
		_, err := read(file(slices.Delete(slices.Clone(sections), i, i+1)), x)
		if optional := !sections[i].Critical; optional != (err == nil) {
			t.Errorf("without section %q: error %v", sections[i].Name, err)
		}
	}
	if _, err := read(file(append(slices.Clone(sections), section.Section{Name: "later", Critical: true})), x); err == nil {
		t.Error("an unknown critical section was accepted")
	}
}

func TestUnsavable(t *testing.T) {
	x, codes := blobs(6, 2, 2)
	m := mustFit(t, KFDA{Kernel: gram.Func{Name: "mine", K: func(x, y []float64) float64 { return x[0]*y[0] + 1 }}, Regularizer: Ridge(1)}, x, codes)
	var unsavable *gram.UnsavableError
	if data, err := m.MarshalBinary(); !errors.As(err, &unsavable) || data != nil {
		t.Errorf("a user's function: %d bytes, error %v", len(data), err)
	}
}

// With a destination, Project, Predict, Decision, Posteriors and Votes allocate nothing
// once a workspace has been made, and are safe from many goroutines.
func TestPredictionAllocatesNothing(t *testing.T) {
	for name, method := range savedModels {
		t.Run(name, func(t *testing.T) {
			x, codes := blobs(40, 3, 2)
			m := mustFit(t, method, x, codes)
			z, y, d, p := matrix.New(40, 1), make([]int, 40), make([]float64, 40), matrix.New(40, 2)
			row := x.View(7, 0, 1, 3)
			z1 := matrix.New(1, 1)
			calls := map[string]func(){
				"Project":      func() { m.Project(z, x) },
				"Predict":      func() { m.Predict(y, x) },
				"Decision":     func() { m.Decision(d, x) },
				"Project, row": func() { m.Project(z1, row) },
				"PredictRow":   func() { m.PredictRow(row.Data) },
			}
			if _, err := m.Votes(p, x); err == nil {
				calls["Votes"] = func() { m.Votes(p, x) }
			}
			if _, err := m.Posteriors(p, x); err == nil {
				calls["Posteriors"] = func() { m.Posteriors(p, x) }
			}
			for name, call := range calls {
				if n := testing.AllocsPerRun(20, call); n > 0 && !raceEnabled {
					t.Errorf("%s: %v allocations a call, want none", name, n)
				}
			}
		})
	}
}

func TestConcurrentPrediction(t *testing.T) {
	for name, method := range savedModels {
		t.Run(name, func(t *testing.T) {
			x, codes := blobs(40, 3, 3)
			m := mustFit(t, method, x, codes)
			want := must.Get(m.Project(nil, x))(t)
			shares, none := m.Posteriors(nil, x)
			file, _ := m.MarshalBinary()
			var wait sync.WaitGroup
			for range 8 {
				wait.Go(func() {
					if again, err := m.MarshalBinary(); err != nil || !bytes.Equal(again, file) {
						t.Errorf("written at the same time: %d bytes, error %v, want %d", len(again), err, len(file))
					}
					for i := range x.Rows {
						row := x.View(i, 0, 1, 3)
						z, err := m.Project(nil, row)
						if err != nil || !slices.Equal(z.Row(0), want.Row(i)) {
							t.Errorf("row %d alone: %v, in a batch %v, error %v", i, z, want.Row(i), err)
						}
						if none != nil {
							continue
						}
						if p, err := m.Posteriors(nil, row); err != nil || !slices.Equal(p.Row(0), shares.Row(i)) {
							t.Errorf("row %d alone: %v, in a batch %v, error %v", i, p, shares.Row(i), err)
						}
					}
				})
			}
			wait.Wait()
		})
	}
}
