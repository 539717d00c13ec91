package discriminant_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Four points that no straight line separates: a discriminant with an rbf kernel
// does.
func Example() {
	x, _ := matrix.FromRows([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}})
	labels := []string{"even", "even", "odd", "odd"}

	model, err := discriminant.Fit(context.Background(), discriminant.KFDA{
		Kernel:      gram.RBF{Gamma: 1},
		Regularizer: discriminant.Ridge(1e-3),
	}, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := matrix.FromRows([][]float64{{0.1, 0.9}, {0.9, 0.8}})
	y, _ := model.Predict(nil, rows)
	fmt.Println(y)
	// Output: [odd even]
}

// xor returns four points of two classes and a fit to them.
func xor() *discriminant.Model[string] {
	x, err := matrix.FromRows([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}})
	if err != nil {
		log.Fatal(err)
	}
	labels := []string{"even", "even", "odd", "odd"}
	model, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: gram.RBF{Gamma: 1}, Regularizer: discriminant.Ridge(1e-3)}, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	return model
}

// What a model has by its method: a discriminant its eigenvalues, and how well it is known.
func ExampleModel_Details() {
	found := xor().Details().(discriminant.KFDADetails)
	fmt.Printf("%v, %.1f, %v\n", found.Kernel(), found.Eigenvalues(), found.Certificate().Forward < 1e-12)
	// Output: rbf(gamma=1), [159.7], true
}

// A model is one file. What it predicts does not change by a bit.
func ExampleLoad() {
	var file bytes.Buffer // or an os.File
	if _, err := xor().WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	model, err := discriminant.Load[string](&file)
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := matrix.FromRows([][]float64{{0.1, 0.9}})
	y, err := model.Predict(nil, rows)
	fmt.Println(model.Details().(discriminant.KFDADetails).Kernel(), y, err)
	// Output: rbf(gamma=1) [odd] <nil>
}

// A model is immutable: goroutines share it without a lock. Each has its own
// destination, which makes a prediction free of allocations.
func ExampleModel_Predict_concurrent() {
	model := xor()
	var odd [3]bool
	var wait sync.WaitGroup
	for g, x2 := range []float64{0.1, 0.8, 0.9} {
		wait.Go(func() {
			row, _ := matrix.FromRows([][]float64{{0, x2}})
			y := make([]string, 1)
			if _, err := model.Predict(y, row); err == nil {
				odd[g] = y[0] == "odd"
			}
		})
	}
	wait.Wait()
	fmt.Println(odd)
	// Output: [false true true]
}

// Any symmetric positive semidefinite function of two rows is a kernel: here one of
// angles, in which 0 and 2π are the same.
func ExampleFit_kernel() {
	x, _ := matrix.FromRows([][]float64{{0.1}, {6.2}, {6.1}, {3.0}, {3.3}, {2.9}})
	labels := []string{"north", "north", "north", "south", "south", "south"}
	periodic := gram.Func{Name: "periodic", K: func(x, y []float64) float64 {
		s := math.Sin((x[0] - y[0]) / 2)
		return math.Exp(-2 * s * s)
	}}
	model, err := discriminant.Fit(context.Background(), discriminant.KFDA{Kernel: periodic}, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := matrix.FromRows([][]float64{{6.28}, {3.14}})
	y, err := model.Predict(nil, rows)
	fmt.Println(y, err)
	// Output: [north south] <nil>
}

// What depends on the data is a typed error with the data in it.
func ExampleFit_errors() {
	x, _ := matrix.FromRows([][]float64{{1}, {2}, {math.NaN()}})
	_, err := discriminant.Fit(context.Background(), discriminant.KFDA{}, x, []string{"a", "a", "b"})
	if notFinite, ok := errors.AsType[*matrix.NotFiniteError](err); ok {
		fmt.Printf("row %d, column %d is %v\n", notFinite.Row, notFinite.Col, notFinite.Value)
	}
	// Output: row 2, column 0 is NaN
}

// The separation of the classes over a range of ridges, and the model of one of them.
func ExampleFitPath() {
	x, _ := matrix.FromRows([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}})
	labels := []string{"even", "even", "odd", "odd"}
	ridges := []discriminant.Regularizer{discriminant.Ridge(1e-3), discriminant.Ridge(1e-1), discriminant.Ridge(10)}

	method := discriminant.KFDA{Kernel: gram.RBF{Gamma: 1}}
	path, err := discriminant.FitPath(context.Background(), method, x, labels, ridges)
	if err != nil {
		log.Fatal(err)
	}
	for i := range path.Len() {
		fmt.Printf("ε = %g: λ = %.4f\n", path.Ridge(i), path.Eigenvalues(i)[0])
	}
	model, err := path.Model(context.Background(), 1)
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := matrix.FromRows([][]float64{{0.1, 0.9}, {0.9, 0.8}})
	y, _ := model.Predict(nil, rows)
	fmt.Println(y)
	// Output:
	// ε = 0.001: λ = 159.6613
	// ε = 0.1: λ = 1.5966
	// ε = 10: λ = 0.0160
	// [odd even]
}

// Points on a parabola: three components of an rbf kernel describe the curve, so
// that the pre-image of the scores of a point beside it lies on it.
func ExampleFitKernelPCA() {
	var points [][]float64
	for i := range 41 {
		t := float64(i-20) / 10
		points = append(points, []float64{t, t * t})
	}
	x, _ := matrix.FromRows(points)

	pca, err := discriminant.FitKernelPCA(context.Background(), discriminant.KernelPCA{
		Kernel:     gram.RBF{Gamma: 0.5},
		Components: 3,
	}, x)
	if err != nil {
		log.Fatal(err)
	}
	off, _ := matrix.FromRows([][]float64{{1, 1.4}}) // above the curve
	z, _ := pca.Project(nil, off)
	back, _, err := pca.PreImages(context.Background(), nil, z)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", back.Row(0))
	// Output: [1.1 1.2]
}

func ExampleFitRegression() {
	x, _ := matrix.FromRows([][]float64{{0}, {1}, {2}, {3}, {4}, {5}})
	y := []float64{0, 1, 4, 9, 16, 25}

	model, err := discriminant.FitRegression(context.Background(), discriminant.KernelRidge{
		Kernel:      gram.Polynomial{Gamma: 1, Coef0: 1, Degree: 2},
		Regularizer: discriminant.Ridge(1e-6),
	}, x, matrix.Column(y))
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := matrix.FromRows([][]float64{{2.5}, {6}})
	f, _ := model.Predict(nil, rows)
	fmt.Printf("%.3f\n", f.Data)
	// Output: [6.250 36.000]
}

// Linear discriminant analysis with normal densities says how probable each class
// is.
func ExampleLDA() {
	x, _ := matrix.FromRows([][]float64{{1, 2}, {2, 3}, {3, 3}, {2, 1}, {6, 5}, {7, 8}, {8, 7}, {7, 5}})
	labels := []string{"a", "a", "a", "a", "b", "b", "b", "b"}

	model, err := discriminant.Fit(context.Background(), discriminant.LDA{
		Classifier: discriminant.Gaussian{},
	}, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	rows, _ := matrix.FromRows([][]float64{{2, 2}, {4.6, 4}})
	y, _ := model.Predict(nil, rows)
	p, _ := model.Posteriors(nil, rows)
	for i := range y {
		fmt.Printf("%s %.4f\n", y[i], p.Row(i))
	}
	// Output:
	// a [1.0000 0.0000]
	// b [0.3356 0.6644]
}

// A category, the number of a level, and a number with a gap.
func ExamplePrepared() {
	gap := math.NaN()
	x, err := matrix.FromRows([][]float64{{0, 1}, {0, 2}, {0, gap}, {1, 7}, {1, 6}, {2, 9}})
	if err != nil {
		log.Fatal(err)
	}
	labels := []string{"p", "p", "p", "q", "q", "q"}
	var method discriminant.Method = discriminant.Prepared{
		Method:  discriminant.KFDA{},
		Levels:  []int{3, 0},
		Missing: discriminant.FillMedian,
	}
	model, err := discriminant.Fit(context.Background(), method, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	class, err := model.PredictRow([]float64{0, gap})
	if err != nil {
		log.Fatal(err)
	}
	columns := model.Preparation().Columns()
	fmt.Println(class, len(columns), columns[3].Missing)
	// Output: p 4 6
}

// A table of any length, row by row: a sample of it starts the stream, and its rows follow in a
// sequence. Streams of parts, of whole blocks of rows but the last, give the same model.
func ExampleStream() {
	ctx := context.Background()
	text := "kind,width,length\n" + strings.Repeat("round,1.0,1.1\nlong,1.2,4.0\nround,2.1,2.0\nlong,0.9,2.9\n", 30)

	sample, _ := matrix.FromRows([][]float64{{1, 1.1}, {1.2, 4}, {2.1, 2}, {0.9, 2.9}})
	method := discriminant.KFDA{Scaling: discriminant.Standard, Regularizer: discriminant.RelativeRKHS(0.1)}
	stream, err := discriminant.NewStream(ctx, method, sample, []string{"round", "long", "round", "long"}, discriminant.Landmarks{Count: 4})
	if err != nil {
		log.Fatal(err)
	}

	file := csv.NewReader(strings.NewReader(text)) // or an os.File
	file.Read()                                    // the names
	var failed error
	rows := func(yield func(row []float64, kind string) bool) {
		for {
			record, err := file.Read()
			if err == io.EOF {
				return
			}
			row := make([]float64, 2)
			for j := range row {
				if err == nil {
					row[j], err = strconv.ParseFloat(record[1+j], 64)
				}
			}
			if failed = err; err != nil || !yield(row, record[0]) {
				return
			}
		}
	}
	if err := cmp.Or(stream.AppendSeq(ctx, rows), failed); err != nil {
		log.Fatal(err)
	}
	model, err := stream.Model(ctx, method)
	if err != nil {
		log.Fatal(err)
	}
	y, _ := model.PredictRow([]float64{1, 3.5})
	fmt.Println(stream.Next(), y)
	// Output: 120 long
}

// Parts of a table on several machines: each takes its rows, from a multiple of BlockRows on, and
// sends its state.
func ExampleStream_Merge() {
	ctx := context.Background()
	rows := func(from, n int) (*matrix.Dense, []int) {
		x, labels := matrix.New(n, 1), make([]int, n)
		for i := range n {
			labels[i] = (from + i) % 2
			x.Set(i, 0, float64(labels[i])+math.Sin(float64(from+i)))
		}
		return x, labels
	}
	sample, labels := rows(0, 100)
	method := discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(0.1)}
	start, err := discriminant.NewStream(ctx, method, sample, labels, discriminant.Landmarks{Count: 10})
	if err != nil {
		log.Fatal(err)
	}
	const block = discriminant.BlockRows
	var files [][]byte
	for _, part := range []discriminant.RowSpan{{First: block, End: block + 1000}, {First: 0, End: block}} {
		stream := start.From(part.First)
		x, labels := rows(part.First, part.End-part.First)
		if err := stream.Append(ctx, x, labels); err != nil {
			log.Fatal(err)
		}
		file, err := stream.MarshalBinary()
		if err != nil {
			log.Fatal(err)
		}
		files = append(files, file)
	}

	all := start.From(0)
	for _, file := range files {
		var part discriminant.Stream[int]
		if err := part.UnmarshalBinary(file); err != nil {
			log.Fatal(err)
		}
		if err := all.Merge(&part); err != nil {
			log.Fatal(err)
		}
	}
	model, err := all.Model(ctx, method)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all.Spans(), model.Training().Rows)
	// Output: [{0 66536}] 66536
}
