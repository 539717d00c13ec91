package discriminant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// fixture is what the program that wrote a model file of testdata/models said of some rows;
// the classes of kfda-centroid-threshold and lda-centroid are by the sign of its decision.
type fixture struct {
	Rows        [][]float64
	Labels      string // "int", "uint", "string"; "pca" and "regression" have none
	Projections [][]float64
	Classes     []string
	Posteriors  [][]float64
	Decision    []float64
}

// Model files that were written once, of every method, embedding, rule and kind of label,
// load for ever, say the same of new rows to the last bit, and are written again with the
// same bytes.
func TestFixtures(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/models/expected.json"))(t)
	var fixtures map[string]fixture
	must.Do(t, json.Unmarshal(text, &fixtures))
	files, err := filepath.Glob("testdata/models/*.kfda")
	if err != nil || len(files) != len(fixtures) || len(files) == 0 {
		t.Errorf("%d model files, %d expected, error %v", len(files), len(fixtures), err)
	}
	for name, f := range fixtures {
		t.Run(name, func(t *testing.T) {
			data := must.Get(os.ReadFile("testdata/models/" + name + ".kfda"))(t)
			switch f.Labels {
			case "int":
				checkFixture[int](t, f, data)
			case "uint":
				checkFixture[uint](t, f, data)
			case "string":
				checkFixture[string](t, f, data)
			case "pca":
				m := must.Get(LoadPCA(bytes.NewReader(data)))(t)
				checkBytes(t, m, data)
				checkValuesOf(t, "scores", m.Project, f.Rows, f.Projections)
			case "regression":
				m := must.Get(LoadRegression(bytes.NewReader(data)))(t)
				checkBytes(t, m, data)
				checkValuesOf(t, "predictions", m.Predict, f.Rows, f.Projections)
			default:
				t.Errorf("labels %q", f.Labels)
			}
		})
	}
}

// Files of streams are read for ever and written again with the same bytes; the models of the same
// names are theirs.
func TestStreamFixtures(t *testing.T) {
	read := func(name string) []byte { return must.Get(os.ReadFile("testdata/models/" + name))(t) }
	near := func(got, want *matrix.Dense) {
		t.Helper()
		for i, v := range want.Data {
			if !(math.Abs(got.Data[i]-v) <= 1e-9*matrix.MaxAbs(want)) {
				t.Fatalf("%v, want %v", got.Data, want.Data)
			}
		}
	}
	s, r := new(Stream[string]), new(RegressionStream)
	data := read("kfda-landmarks.acc")
	must.Do(t, s.UnmarshalBinary(data))
	checkBytes(t, s, data)
	note, _ := s.Note("columns")
	must.Equal(t, "state", fmt.Sprintf("%v %v %v %v", s.Next(), s.Spans(), note, s.Classes()), "68616 [{0 68616}] u, v, w [a b c]")
	x := must.Get(matrix.FromRows([][]float64{{0.5, 1, 2}, {math.NaN(), 4, 0.1}}))(t)
	fit := must.Get(s.Model(context.Background(), KFDA{}))(t)
	near(must.Get(fit.Project(nil, x))(t), must.Get(must.Get(Load[string](bytes.NewReader(read("kfda-landmarks.kfda"))))(t).Project(nil, x))(t))
	must.Equal(t, "left out", fit.Details().(KFDADetails).LeaveOneOut(), false)

	data = read("kfda-landmarks-kept.acc") // with weights and missing cells
	must.Do(t, s.UnmarshalBinary(data))
	checkBytes(t, s, data)
	fit = must.Get(s.Model(context.Background(), KFDA{Regularizer: RelativeRKHS(0.1)}))(t)
	near(must.Get(fit.Posteriors(nil, must.Get(matrix.FromRows([][]float64{{0.5, 1}, {math.NaN(), 0.1}}))(t)))(t),
		must.Get(matrix.FromRows([][]float64{{0.7242843161058496, 0.2757156838941504}, {0.3965129672776008, 0.6034870327223992}}))(t))

	data = read("regression-landmarks.acc")
	must.Do(t, r.UnmarshalBinary(data))
	checkBytes(t, r, data)
	y := must.Get(matrix.FromRows([][]float64{{0.5, 1}, {-1, 0.1}}))(t)
	g := must.Get(r.Model(context.Background(), KernelRidge{Regularizer: RelativeRidge(0.01)}))(t)
	near(must.Get(g.Predict(nil, y))(t), must.Get(must.Get(LoadRegression(bytes.NewReader(read("regression-landmarks.kfda"))))(t).Predict(nil, y))(t))
}

func checkFixture[L Label](t *testing.T, f fixture, data []byte) {
	t.Helper()
	m := must.Get(Load[L](bytes.NewReader(data)))(t)
	checkBytes(t, m, data)
	checkValuesOf(t, "projections", m.Project, f.Rows, f.Projections)
	x := must.Get(matrix.FromRows(f.Rows))(t)
	predicted := must.Get(m.Predict(nil, x))(t)
	for i, l := range predicted {
		if fmt.Sprint(l) != f.Classes[i] {
			t.Errorf("row %d: class %v, want %v", i, l, f.Classes[i])
		}
	}
	if f.Posteriors != nil {
		checkValuesOf(t, "posteriors", m.Posteriors, f.Rows, f.Posteriors)
	} else if _, err := m.Posteriors(nil, x); err == nil {
		t.Error("posteriors of a model that had none")
	}
	if d, _ := m.Decision(nil, x); !reflect.DeepEqual(d, f.Decision) {
		t.Errorf("decision %v, want %v", d, f.Decision)
	}
}

func checkBytes(t *testing.T, m interface{ MarshalBinary() ([]byte, error) }, want []byte) {
	t.Helper()
	if again, err := m.MarshalBinary(); err != nil || !bytes.Equal(again, want) {
		t.Errorf("written again: %d bytes, error %v, want the same %d bytes", len(again), err, len(want))
	}
}

func checkValuesOf(t *testing.T, what string, of func(dst, x *matrix.Dense) (*matrix.Dense, error), rows, want [][]float64) {
	t.Helper()
	x := must.Get(matrix.FromRows(rows))(t)
	got := must.Get(of(nil, x))(t)
	for i := range want {
		if !reflect.DeepEqual(got.Row(i), want[i]) {
			t.Errorf("%s of row %d: %v, want %v", what, i, got.Row(i), want[i])
		}
	}
}
