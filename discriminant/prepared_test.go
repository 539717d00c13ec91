package discriminant_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

var gap = math.NaN()

// A number with gaps, a category of four levels of which two occur, with a gap, and a number
// without one.
var rawColumns = [][]float64{{1, 2, 5}, {gap, 0, 6}, {4, 0, 7}, {4, gap, 9}, {9, 2, 9}, {2, 2, 8}}

// The middle of weighed values does not depend on the unit of the weights.
func TestWeighedMiddle(t *testing.T) {
	x := matrix.Column([]float64{1, 2, 3})
	for _, c := range []struct {
		weights []float64
		want    float64
	}{{[]float64{1, 2, 3}, 2.5}, {[]float64{0.1, 0.2, 0.3}, 2.5}, {[]float64{1, 2, 4}, 3}, {[]float64{4, 2, 1}, 1}, {nil, 2}} {
		p := must.Get(discriminant.Prepared{Method: discriminant.LDA{}, Missing: discriminant.FillMedian}.Learn(x, c.weights...))(t)
		if got := p.Columns()[0].Missing; got != c.want {
			t.Errorf("weights %v: %v, want %v", c.weights, got, c.want)
		}
	}
}

func TestPreparationByHand(t *testing.T) {
	x := must.Get(matrix.FromRows(rawColumns))(t)
	rows := must.Get(matrix.FromRows([][]float64{{gap, gap, gap}, {3, 1, 0}, {3, 7, 0}}))(t) // levels that are not known
	for missing, want := range map[discriminant.Missing][][]float64{
		discriminant.FillMean:         {{4, 0, 1, 44. / 6}, {3, 0, 0, 0}, {3, 0, 0, 0}},
		discriminant.FillMedian:       {{4, 0, 1, 7.5}, {3, 0, 0, 0}, {3, 0, 0, 0}},
		discriminant.FillMostFrequent: {{4, 0, 1, 9}, {3, 0, 0, 0}, {3, 0, 0, 0}},
		discriminant.FillIndicator:    {{4, 1, 0, 0, 1, 44. / 6}, {3, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}},
	} {
		p := must.Get(discriminant.Prepared{Method: discriminant.LDA{}, Levels: []int{0, 4, 0}, Missing: missing}.Learn(x))(t)
		got := must.Get(p.Transform(nil, rows))(t)
		if expected := must.Get(matrix.FromRows(want))(t); !reflect.DeepEqual(got, expected) {
			t.Errorf("%v: %v, want %v", missing, got, expected)
		}
		if seen := must.Get(p.Transform(nil, x.View(4, 0, 1, 3)))(t).Row(0); seen[0] != 9 || !slices.Contains([]float64{seen[2], seen[3]}, 1) {
			t.Errorf("%v: the row of level 2 is %v", missing, seen)
		}
		var filled []float64
		for k, c := range p.Columns() {
			filled = append(filled, c.Missing)
			if (c.Level >= 0) != (c.From == 1 && !c.Indicator) || c.From != []int{0, 1, 1, 2, 0, 0}[k] && missing != discriminant.FillIndicator {
				t.Errorf("%v: column %d is %+v", missing, k, c)
			}
		}
		if !slices.Equal(filled, want[0]) {
			t.Errorf("%v: filled with %v, want %v", missing, filled, want[0])
		}
	}
	// Nothing is known of a column without a cell.
	empty := must.Get(matrix.FromRows([][]float64{{gap, gap, 1}, {gap, gap, 2}}))(t)
	p := must.Get(discriminant.Prepared{Method: discriminant.LDA{}, Levels: []int{0, 2, 0}, Missing: discriminant.FillMedian}.Learn(empty))(t)
	if got := must.Get(p.Transform(nil, empty))(t); !slices.Equal(got.Row(1), []float64{0, 2}) {
		t.Errorf("columns without cells give %v", got.Row(1))
	}
}

// noisyTable has 60 rows: a number with gaps, a category of five levels with gaps, a number,
// and the class, which depends on all.
func noisyTable() (x *matrix.Dense, labels []string) {
	x = matrix.New(60, 3)
	for i := range x.Rows {
		a, level, b := float64(i%7), float64(i*i%11%5), float64(i*3%13)
		score := a - 0.5*b + 4*float64(int(level)%2)
		labels = append(labels, map[bool]string{true: "p", false: "q"}[score > 1])
		if i%9 == 4 {
			a = gap
		}
		if i%10 == 3 {
			level = gap
		}
		copy(x.Row(i), []float64{a, level, b})
	}
	return x, labels
}

var preparedMethods = []discriminant.Method{
	discriminant.KFDA{}, discriminant.KFDA{Regularizer: discriminant.RelativeRidge(1e-3), Scaling: discriminant.Standard},
	discriminant.LDA{Scaling: discriminant.Standard}, discriminant.SVM{Probability: true}, discriminant.KernelRidge{Scaling: discriminant.AutoScaling},
	discriminant.KernelPCA{Components: 3, Classifier: discriminant.KNN{K: 3}},
}

// A model of prepared columns says of every row what a model of the table that is prepared by
// hand says, to the last bit, and so does its file.
func TestPreparedIsByHand(t *testing.T) {
	x, labels := noisyTable()
	ctx := context.Background()
	rows := x.Clone()
	for j := range 3 {
		rows.Set(j, j, gap)
	}
	rows.Set(5, 1, 4) // may be of no training row
	for _, m := range preparedMethods {
		for missing := discriminant.FillMean; missing <= discriminant.FillIndicator; missing++ {
			method := discriminant.Prepared{Method: m, Levels: []int{0, 5, 0}, Missing: missing}
			p := must.Get(method.Learn(x))(t)
			hand := must.Get(discriminant.Fit(ctx, m, must.Get(p.Transform(nil, x))(t), labels))(t)
			model := must.Get(discriminant.Fit(ctx, discriminant.Method(method), x, labels))(t)
			if model.Dim() != 3 || !model.TrainedOn(x, labels) || model.TrainedOn(rows, labels) || !reflect.DeepEqual(model.Preparation(), p) {
				t.Errorf("%T, %v: dimension %d, trained on its rows %t", m, missing, model.Dim(), model.TrainedOn(x, labels))
			}
			data := must.Get(model.MarshalBinary())(t)
			read := must.Get(discriminant.Load[string](bytes.NewReader(data)))(t)
			if again := must.Get(read.MarshalBinary())(t); !bytes.Equal(again, data) {
				t.Errorf("%T, %v: the file is written again with other bytes", m, missing)
			}
			prepared := must.Get(p.Transform(nil, rows))(t)
			want := must.Get(hand.Project(nil, prepared))(t)
			classes := must.Get(hand.Predict(nil, prepared))(t)
			far := must.Get(hand.Far(nil, prepared))(t)
			for _, same := range []*discriminant.Model[string]{model, read} {
				if got := must.Get(same.Project(nil, rows))(t); !reflect.DeepEqual(got, want) || matrix.CheckFinite(got) != nil {
					t.Errorf("%T, %v: other projections", m, missing)
				}
				if got := must.Get(same.Predict(nil, rows))(t); !slices.Equal(got, classes) {
					t.Errorf("%T, %v: other classes", m, missing)
				}
				if got := must.Get(same.Far(nil, rows))(t); !slices.Equal(got, far) {
					t.Errorf("%T, %v: other rows are far", m, missing)
				}
				if got := must.Get(same.PredictRow(rows.Row(2)))(t); got != classes[2] {
					t.Errorf("%T, %v: row 2 alone is %s", m, missing, got)
				}
			}
		}
	}
}

func TestPreparedRegression(t *testing.T) {
	x, _ := noisyTable()
	ctx := context.Background()
	targets := matrix.Column(x.Clone().Data[:60])
	for i := range targets.Data {
		targets.Data[i] = float64(i % 17)
	}
	method := discriminant.Prepared{Method: discriminant.KernelRidge{}, Levels: []int{0, 5, 0}, Missing: discriminant.FillIndicator}
	p := must.Get(method.Learn(x))(t)
	prepared := must.Get(p.Transform(nil, x))(t)
	want := values(t, regress(t, discriminant.KernelRidge{}, prepared, targets), prepared)
	model := must.Get(discriminant.FitRegression(ctx, method, x, targets))(t)
	data := must.Get(model.MarshalBinary())(t)
	read := must.Get(discriminant.LoadRegression(bytes.NewReader(data)))(t)
	for _, m := range []*discriminant.Regression{model, read} {
		if got := values(t, m, x); !reflect.DeepEqual(got, want) || m.Dim() != 3 || m.Preparation().Missing() != discriminant.FillIndicator {
			t.Error("other predictions than of the table prepared by hand")
		}
	}
	var parameter *discriminant.ParameterError
	if _, err := discriminant.FitRegression(ctx, discriminant.LDA{}, x, targets); !errors.As(err, &parameter) {
		t.Errorf("a regression by LDA: %v", err)
	}
}

func TestPreparedRefused(t *testing.T) {
	x, labels := noisyTable()
	ctx := context.Background()
	var parameter *discriminant.ParameterError
	for _, m := range []discriminant.Prepared{
		{Method: discriminant.KFDA{Kernel: gram.Precomputed{}}},
		{Method: discriminant.Prepared{Method: discriminant.LDA{}}},
		{Method: discriminant.LDA{}, Levels: []int{0, -1, 0}},
		{Method: discriminant.LDA{}, Missing: discriminant.FillIndicator + 1},
		{Method: discriminant.LDA{Components: -1}},
	} {
		if _, err := discriminant.Fit(ctx, discriminant.Method(m), x, labels); !errors.As(err, &parameter) {
			t.Errorf("%+v: %v", m, err)
		}
	}
	var cell *matrix.NotFiniteError
	refusing := discriminant.Prepared{Method: discriminant.LDA{}, Levels: []int{0, 5, 0}}
	if _, err := discriminant.Fit(ctx, discriminant.Method(refusing), x, labels); !errors.As(err, &cell) || cell.Row != 3 || cell.Col != 1 {
		t.Errorf("a missing cell without a rule: %v", err)
	}
	filling := refusing
	filling.Missing = discriminant.FillMean
	model := must.Get(discriminant.Fit(ctx, discriminant.Method(filling), x, labels))(t)
	x.Set(7, 2, math.Inf(1))
	if _, err := model.Predict(nil, x); !errors.As(err, &cell) || cell.Row != 7 || cell.Col != 2 {
		t.Errorf("an infinite cell: %v", err)
	}
	if _, err := discriminant.Fit(ctx, discriminant.Method(filling), x, labels); !errors.As(err, &cell) || cell.Row != 7 {
		t.Errorf("an infinite cell in training: %v", err)
	}
	// The column of an error is that of the table.
	var domain *gram.DomainError
	filling.Method = discriminant.SVM{Kernel: gram.ChiSquared{}}
	x.Set(7, 2, 0)
	model = must.Get(discriminant.Fit(ctx, discriminant.Method(filling), x, labels))(t)
	x.Set(9, 2, -1)
	if _, err := model.Predict(nil, x); !errors.As(err, &domain) || domain.Row != 9 || domain.Col != 2 {
		t.Errorf("a cell that the kernel does not take: %v", err)
	}
	if _, err := discriminant.Fit(ctx, discriminant.Method(filling), x, labels); !errors.As(err, &domain) || domain.Row != 9 || domain.Col != 2 {
		t.Errorf("the same in training: %v", err)
	}
}

// The columns of a kernel are those of the table, whatever becomes of them.
func TestPreparedKernelOfColumns(t *testing.T) {
	x := must.Get(matrix.FromRows(rawColumns))(t)
	labels := []int{0, 1, 0, 1, 0, 1}
	kernel := func(number, category int, more ...int) gram.Kernel {
		return gram.Sum{Terms: []gram.Kernel{
			gram.Columns{At: append([]int{category}, more...), Of: gram.RBF{}},
			gram.Scaled{Factor: 2, Kernel: gram.Columns{At: []int{number}, Of: gram.Linear{}}},
		}}
	}
	for _, inner := range []discriminant.Method{discriminant.KFDA{Scaling: discriminant.Standard}, discriminant.SVM{}, discriminant.KernelRidge{}} {
		with := func(k gram.Kernel) discriminant.Method {
			s := inner.Settings()
			s.Kernel = k
			return inner.With(s)
		}
		prepared := discriminant.Prepared{Method: with(kernel(2, 1)), Levels: []int{0, 4, 0}, Missing: discriminant.FillMean}
		p := must.Get(prepared.Learn(x))(t)
		seen := must.Get(p.Transform(nil, x))(t)
		want := must.Get(discriminant.Fit(context.Background(), with(kernel(3, 1, 2)), seen, labels))(t)
		m := must.Get(discriminant.Fit(context.Background(), prepared, x, labels))(t)
		var file bytes.Buffer
		must.Get(m.WriteTo(&file))(t)
		m = must.Get(discriminant.Load[int](&file))(t)
		if a, b := must.Get(m.Project(nil, x))(t), must.Get(want.Project(nil, seen))(t); !reflect.DeepEqual(a, b) {
			t.Errorf("%T: %v, want %v", inner, a, b)
		}
		prepared.Method = with(kernel(3, 1))
		var parameter *gram.ParameterError
		if _, err := discriminant.Fit(context.Background(), prepared, x, labels); !errors.As(err, &parameter) || parameter.Value != 3 {
			t.Errorf("%T: column 3 of 3: %v", inner, err)
		}
	}
}
