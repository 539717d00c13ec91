package gram_test

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

func rows(r ...[]float64) *matrix.Dense {
	x, err := matrix.FromRows(r)
	if err != nil {
		panic(err)
	}
	return x
}

func ExampleEvaluator() {
	x := rows([]float64{0, 0}, []float64{1, 0}, []float64{0, 2})
	e, err := gram.NewEvaluator(gram.RBF{Gamma: 0.5}, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := e.Matrix(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range k.Rows {
		fmt.Printf("%.4f\n", k.Row(i))
	}
	values, err := e.Cross(nil, rows([]float64{1, 1}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("new row: %.4f\n", values.Row(0))
	// Output:
	// [1.0000 0.6065 0.1353]
	// [0.6065 1.0000 0.0821]
	// [0.1353 0.0821 1.0000]
	// new row: [0.3679 0.6065 0.3679]
}

// Points on two circles around the origin are linearly separable once the
// squared radius is a feature.
func ExampleFeatureMap() {
	k := gram.FeatureMap{Name: "radius", Dim: 3, Map: func(dst, x []float64) {
		dst[0], dst[1] = x[0], x[1]
		dst[2] = x[0]*x[0] + x[1]*x[1]
	}}
	m, err := gram.Matrix(nil, k, rows([]float64{1, 0}, []float64{0, 3}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Row(0), m.Row(1))
	// Output: [2 9] [9 90]
}

func ExampleSum() {
	k := gram.Sum{Terms: []gram.Kernel{
		gram.RBF{Gamma: 2},
		gram.Scaled{Factor: 0.5, Kernel: gram.Linear{}},
	}}
	text, err := gram.Format(k)
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := gram.Parse(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text)
	fmt.Println(back)
	// Output:
	// sum(rbf(gamma=0x1p+01), scaled(factor=0x1p-01, linear()))
	// sum(rbf(gamma=2), scaled(factor=0.5, linear()))
}

func ExampleResolve() {
	x := rows([]float64{0, 10}, []float64{2, 12}, []float64{4, 14})
	k, err := gram.Resolve(gram.Sum{Terms: []gram.Kernel{gram.RBF{}, gram.NewPolynomial(2)}}, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k)
	// Output: sum(rbf(gamma=0.018072289156626505), polynomial(gamma=0.5, coef0=1, degree=2))
}

func ExampleCentring() {
	x := rows([]float64{1}, []float64{2}, []float64{6})
	e, err := gram.NewEvaluator(gram.Linear{}, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := e.Matrix(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := gram.NewCentring(k)
	c.Matrix(k, k) // in place: the products of −2, −1 and 3
	for i := range k.Rows {
		fmt.Printf("%.1f\n", k.Row(i))
	}
	// Output:
	// [4.0 2.0 -6.0]
	// [2.0 1.0 -3.0]
	// [-6.0 -3.0 9.0]
}

// Three of 200 points on a line stand for all of them.
func ExampleFeatures() {
	x := matrix.New(200, 1)
	for i := range x.Rows {
		x.Set(i, 0, float64(i)/200)
	}
	e, err := gram.NewEvaluator(gram.RBF{Gamma: 1}, x)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	l, err := e.Landmarks(ctx, 3, gram.RPCholesky, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	landmarks := matrix.New(len(l.Rows), x.Cols)
	for r, i := range l.Rows {
		copy(landmarks.Row(r), x.Row(i))
	}
	f, err := gram.NewFeatures(ctx, e.Kernel(), landmarks)
	if err != nil {
		fmt.Println(err)
		return
	}
	phi := matrix.New(2, f.Dim())
	if err := f.Map(ctx, phi, rows([]float64{0.2}, []float64{0.7})); err != nil {
		fmt.Println(err)
		return
	}
	k, err := gram.Cross(nil, e.Kernel(), rows([]float64{0.2}), rows([]float64{0.7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rows %d leave %.1g of the trace\n", l.Rows, l.LeftShare())
	fmt.Printf("k = %.4f, φ·φ = %.4f\n", k.At(0, 0), matrix.Dot(phi.Row(0), phi.Row(1)))
	// Output:
	// rows [113 194 79] leave 0.003 of the trace
	// k = 0.7788, φ·φ = 0.7781
}
