package discriminant_test

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// The later class is predicted exactly where the decision is positive: for every method and
// classifier, with classes of equal and of very different size, with and without priors.
func TestDecisionIsThePrediction(t *testing.T) {
	kernel := gram.RBF{Gamma: 0.5}
	classifiers := []discriminant.Classifier{
		nil, discriminant.NearestCentroid{}, discriminant.Gaussian{}, discriminant.Gaussian{PerClass: true}, discriminant.KNN{}, discriminant.KNN{K: 4},
		discriminant.SVM{}, discriminant.SVM{Kernel: gram.Linear{}, Probability: true},
	}
	var methods []discriminant.Method
	for _, priors := range [][]float64{nil, {0.5, 0.5}, {0.9, 0.1}} {
		for _, c := range classifiers {
			methods = append(methods,
				discriminant.KFDA{Kernel: kernel, Classifier: c, Priors: priors},
				discriminant.KFDA{Kernel: kernel, Scatter: discriminant.AveragedScatter, Classifier: c, Priors: priors},
				discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RelativeRKHS(0.1), LeaveOneOut: true, Classifier: c, Priors: priors},
				discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.Shrink(1), Classifier: c, Priors: priors},
				discriminant.LDA{Classifier: c, Priors: priors},
				discriminant.KernelPCA{Kernel: kernel, Components: 3, Classifier: c, Priors: priors},
			)
		}
	}
	methods = append(methods, discriminant.KernelRidge{Kernel: kernel}, discriminant.KernelRidge{Kernel: kernel, Intercept: discriminant.Offset(-0.3)},
		discriminant.SVM{Kernel: kernel}, discriminant.SVM{Kernel: kernel, Scaling: discriminant.Standard, Probability: true})
	for _, counts := range [][2]int{{20, 20}, {57, 3}, {4, 36}} {
		x, codes := blobs(71, 3, counts[0], counts[1])
		// The training rows, rows between them, and far ones.
		rows := matrix.New(3*x.Rows, x.Cols)
		for i := range rows.Rows {
			for j := range rows.Cols {
				v := x.At(i%x.Rows, j)
				switch i / x.Rows {
				case 1:
					v = 0.5 * (v + x.At((i+1)%x.Rows, j))
				case 2:
					v *= 30
				}
				rows.Set(i, j, v)
			}
		}
		for _, method := range methods {
			m := fit(t, method, x, codes)
			values, classes := decisions(t, m, rows), predict(t, m, rows)
			for i, v := range values {
				if (v > 0) != (classes[i] == 1) {
					t.Errorf("%T%+v, classes of %v: row %d has the decision %v and the class %d", method, method, counts, i, v, classes[i])
					break
				}
			}
		}
	}
}

// At a value of exactly 0 every rule predicts the first class.
func TestDecisionOfZero(t *testing.T) {
	x := rowsOf(t, []float64{-2}, []float64{-1}, []float64{1}, []float64{2})
	codes := []int{0, 0, 1, 1}
	middle := rowsOf(t, []float64{0})
	linear := gram.Linear{}
	for _, m := range []discriminant.Method{
		discriminant.SVM{Kernel: linear}, discriminant.KernelRidge{Kernel: linear, Regularizer: discriminant.Ridge(1)},
		discriminant.KFDA{Kernel: linear, Classifier: discriminant.NearestCentroid{}}, discriminant.KFDA{Kernel: linear, Classifier: discriminant.Gaussian{}},
		discriminant.KFDA{Kernel: linear, Classifier: discriminant.Gaussian{PerClass: true}}, discriminant.KFDA{Kernel: linear, Classifier: discriminant.KNN{K: 4}},
		discriminant.KFDA{Kernel: linear, Classifier: discriminant.SVM{Kernel: linear}},
		discriminant.LDA{Classifier: discriminant.NearestCentroid{}}, discriminant.LDA{Classifier: discriminant.Gaussian{}},
		discriminant.KernelPCA{Kernel: linear, Components: 1, Classifier: discriminant.NearestCentroid{}},
	} {
		model := fit(t, m, x, codes)
		if d := decisions(t, model, middle)[0]; d != 0 {
			t.Errorf("%s: decision %v in the middle, want 0", fmt.Sprintf("%T%+v", m, m), d)
		}
		if got := predict(t, model, middle)[0]; got != 0 {
			t.Errorf("%s: class %d at the decision 0, want the first", fmt.Sprintf("%T%+v", m, m), got)
		}
	}
}
