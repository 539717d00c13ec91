package discriminant_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
)

// LDA{} has the predictions and posteriors of scikit-learn: internal/golden/testdata/lda/README.md.
func TestLDAIsThatOfScikitLearn(t *testing.T) {
	for name, features := range map[string]int{"iris": 4, "wine": 13, "unbalanced": 2} {
		values := golden.CSV(t, "lda/"+name+".csv")
		x, labels := values.View(0, 0, values.Rows, features), make([]int, values.Rows)
		for i := range labels {
			labels[i] = int(values.At(i, features))
		}
		m := fit(t, discriminant.LDA{}, x, labels)
		y := predict(t, m, x)
		p := must.Get(m.Posteriors(nil, x))(t)
		predicted := make([]int, len(m.Classes()))
		for i := range values.Rows {
			v := values.Row(i)
			must.Equal(t, fmt.Sprintf("%s: row %d", name, i), y[i], int(v[features+1]))
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
