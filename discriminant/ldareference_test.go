package discriminant_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// LDA{} has the predictions and posteriors of scikit-learn: testdata/lda/README.md.
func TestLDAIsThatOfScikitLearn(t *testing.T) {
	for name, features := range map[string]int{"iris": 4, "wine": 13, "unbalanced": 2} {
		values := floats(t, "testdata/lda/"+name+".csv")
		x, labels := matrix.New(len(values), features), make([]int, len(values))
		for i, v := range values {
			copy(x.Row(i), v)
			labels[i] = int(v[features])
		}
		m := fit(t, discriminant.LDA{}, x, labels)
		y := predict(t, m, x)
		p, err := m.Posteriors(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		predicted := make([]int, len(m.Classes()))
		for i, v := range values {
			if want := int(v[features+1]); y[i] != want {
				t.Errorf("%s: row %d is %d, want %d", name, i, y[i], want)
			}
			predicted[y[i]]++
			for j, want := range v[features+2:] {
				// The file has 12 digits, of a method that is good for some 1e-12.
				if got := p.At(i, j); math.Abs(got-want) > 1e-10 {
					t.Errorf("%s: posterior %d of row %d is %v, want %v", name, j, i, got, want)
				}
			}
		}
		for j, n := range predicted {
			if n == 0 {
				t.Errorf("%s: class %d is never predicted", name, j)
			}
		}
	}
}

func floats(t *testing.T, name string) [][]float64 {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	values := make([][]float64, len(records))
	for i, record := range records {
		for _, cell := range record {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			values[i] = append(values[i], v)
		}
	}
	return values
}
