package cv

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
)

var weighedSearch = Search{
	Method:        discriminant.Prepared{Method: discriminant.KFDA{}, Levels: []int{0, 4, 0}, Missing: discriminant.FillMean},
	KernelWeights: 0.1, Values: []float64{0.1, 1},
}

// A kernel for each column of the table, a category's for all its levels, is weighed by the prepared
// and scaled rows; the model is that of a fit with the sum, in which columns are those of the table.
func TestTuneWeighsColumns(t *testing.T) {
	ctx := context.Background()
	x, labels := gapped()
	tuned := must.Get(Tune(ctx, weighedSearch, x, labels))(t)
	found := tuned.Record.Weighed

	p := must.Get(weighedSearch.Method.(discriminant.Prepared).Learn(x))(t)
	rows := must.Get(p.Transform(nil, x))(t)
	scaler := must.Get(discriminant.FitScaler(discriminant.Standard, rows))(t)
	rows = must.Get(scaler.Transform(nil, rows))(t)
	var kernels []gram.Kernel
	for _, at := range [][]int{{0}, {1, 2, 3, 4}, {5}} {
		kernels = append(kernels, gram.Columns{At: at, Of: gram.RBF{}})
	}
	want := must.Get(inference.WeighKernels(ctx, kernels, 0.1, rows, labels, nil))(t)
	for j, k := range found.Kernels {
		if float64(k.Weight) != want.Weights[j] || k.Column != j || k.Useless != want.Useless[j] {
			t.Errorf("column %d: %+v, want the weight %v", j, k, want.Weights[j])
		}
	}
	if float64(found.Objective) != want.Objective || float64(found.Gap) != want.Gap || found.Steps != want.Steps {
		t.Errorf("%+v, want %+v", found, want)
	}

	method := weighedSearch.Method.(discriminant.Prepared)
	best := tuned.Record.Candidates[tuned.Record.Best]
	method.Method = discriminant.KFDA{
		Kernel: must.Get(gram.Parse(found.Kernel))(t), Scaling: discriminant.Standard, Regularizer: discriminant.RelativeRKHS(float64(best.Ridge)),
		Classifier: discriminant.Gaussian{}, LeaveOneOut: true,
	}
	again := must.Get(discriminant.Fit(ctx, method, x, labels))(t)
	if a, b := must.Get(tuned.Model.Project(nil, x))(t), must.Get(again.Project(nil, x))(t); !reflect.DeepEqual(a, b) {
		t.Error("a fit with the kernel of the record is another model")
	}
	var record Record
	if text, _ := tuned.Model.Note(RecordNote); record.UnmarshalText([]byte(text)) != nil || !reflect.DeepEqual(record.Weighed, found) {
		t.Errorf("the note of the model has the weights %+v", record.Weighed)
	}
}

// A nested search finds weights by the training rows of each fold.
func TestNestedWeighsInEachFold(t *testing.T) {
	ctx := context.Background()
	x, labels := gapped()
	outer := must.Get(Stratified(labels, 2, 0))(t)
	e := must.Get(Nested(ctx, weighedSearch, x, labels, outer))(t)
	for k, record := range e.Records {
		train := outer.Train(k)
		want := must.Get(Tune(ctx, weighedSearch, part(x, train, allColumns(x)), take(labels, train)))(t)
		if !reflect.DeepEqual(record.Weighed, want.Record.Weighed) {
			t.Errorf("fold %d: %+v, want %+v", k, record.Weighed, want.Record.Weighed)
		}
	}
	if reflect.DeepEqual(e.Records[0].Weighed, e.Records[1].Weighed) {
		t.Error("both folds have the same weights")
	}
}

// Kernels of all columns are weighed each with the gammas that would be searched; a constant column
// has no kernel of its own.
func TestTuneWeighsKernels(t *testing.T) {
	ctx := context.Background()
	x, labels := gapped()
	x = part(x, allRows(x), []int{0, 0})
	for i := range x.Rows {
		x.Set(i, 1, 7)
	}
	s := Search{KernelWeights: 1, Kernels: []gram.Kernel{gram.RBF{}, gram.Linear{}}, Gammas: []float64{0.1, 1}, Values: []float64{1}}
	found := must.Get(Tune(ctx, s, x, labels))(t).Record.Weighed
	var texts []string
	for _, k := range found.Kernels {
		texts = append(texts, k.Kernel)
		if k.Column != -1 {
			t.Errorf("%+v has a column", k)
		}
	}
	if want := []string{"linear()", "rbf(gamma=0.1)", "rbf(gamma=1)"}; !reflect.DeepEqual(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
	s.Kernels, s.Gammas = nil, nil
	if found := must.Get(Tune(ctx, s, x, labels))(t).Record.Weighed.Kernels; found[0].Weight != 1 || found[1].Weight != 0 || !found[1].Useless {
		t.Errorf("%+v, want all weight on the column that varies", found)
	}
}

func TestWeightsThatAreRefused(t *testing.T) {
	ctx := context.Background()
	x, labels := gapped()
	x = part(x, allRows(x), []int{0})
	weights := make([]float64, x.Rows)
	for i := range weights {
		weights[i] = 1 + float64(i%2)
	}
	k := must.Get(gram.Matrix(nil, gram.RBF{}, x))(t)
	for what, f := range map[string]func() error{
		"a ridge of −1": func() error { _, err := Tune(ctx, Search{KernelWeights: -1}, x, labels); return err },
		"an infinite ridge": func() error {
			_, err := Tune(ctx, Search{KernelWeights: math.Inf(1)}, x, labels)
			return err
		},
		"weights of rows": func() error { _, err := Tune(ctx, Search{KernelWeights: 1}, x, labels, weights...); return err },
		"no kernel": func() error {
			_, err := Tune(ctx, Search{KernelWeights: 1, Method: discriminant.LDA{}}, x, labels)
			return err
		},
		"kernel values": func() error {
			_, err := Tune(ctx, Search{KernelWeights: 1, Method: discriminant.KFDA{Kernel: gram.Precomputed{}}}, k, labels)
			return err
		},
		"two scalings": func() error {
			_, err := Tune(ctx, Search{KernelWeights: 1, Scalings: []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard}}, x, labels)
			return err
		},
		"gammas of columns": func() error {
			_, err := Tune(ctx, Search{KernelWeights: 1, Gammas: []float64{1}}, x, labels)
			return err
		},
		"a regression": func() error {
			_, err := TuneRegression(ctx, Search{KernelWeights: 1}, x, weights)
			return err
		},
	} {
		var bad *ParameterError
		if err := f(); !errors.As(err, &bad) || bad.Field != "KernelWeights" {
			t.Errorf("%s: %v", what, err)
		}
	}
	if p := (Search{Method: discriminant.KFDA{}}).PlanKernelWeights(10, 2000, 2); !(p.Bytes > 8*2000*2000) || !(p.Flops > 15*10*2000*2000) {
		t.Errorf("of many kernels %+v", p)
	}
	if p := (Search{Method: discriminant.KFDA{}}).PlanKernelWeights(1000, 50, 3); !(p.Bytes > 2*8*1000*1000) || !(p.Flops > 15*1e9/3) {
		t.Errorf("%+v", p)
	}
}
