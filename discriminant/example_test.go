package discriminant_test

import (
	"context"
	"fmt"
	"log"

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
