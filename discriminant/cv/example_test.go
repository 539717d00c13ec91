package cv_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/matrix"
)

// ring returns rows of two classes: points about the origin, and a ring about
// them.
func ring() (*matrix.Dense, []string) {
	x, err := matrix.FromRows([][]float64{
		{0.1, 0.3}, {-0.4, 0.2}, {0.3, -0.5}, {-0.2, -0.1}, {0.5, 0.4}, {-0.3, -0.6},
		{2.1, 0.2}, {-0.3, 1.9}, {-2.2, 0.1}, {0.2, -2.0}, {1.4, 1.5}, {-1.6, -1.3},
	})
	if err != nil {
		log.Fatal(err)
	}
	labels := make([]string, x.Rows)
	for i := range labels {
		labels[i] = "inside"
		if i >= 6 {
			labels[i] = "outside"
		}
	}
	return x, labels
}

func ExampleEvaluate() {
	x, labels := ring()
	folds, err := cv.Stratified(labels, 3, 0)
	if err != nil {
		log.Fatal(err)
	}
	e, err := cv.Evaluate(context.Background(), discriminant.LDA{}, x, labels, folds)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("linear:", e.Errors, "wrong of", e.Rows)
	e, err = cv.Evaluate(context.Background(), discriminant.KFDA{}, x, labels, folds)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("kernel:", e.Errors, "wrong of", e.Rows)
	fmt.Println("taken for inside, outside:", e.Confusion)
	// Output:
	// linear: 6 wrong of 12
	// kernel: 0 wrong of 12
	// taken for inside, outside: [[6 0] [0 6]]
}

func ExampleTune() {
	x, labels := ring()
	tuned, err := cv.Tune(context.Background(), cv.Search{}, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	best := tuned.Record.Candidates[tuned.Record.Best]
	fmt.Println(len(tuned.Record.Candidates), "candidates,", best.Errors, "wrong of", best.Rows)
	next, err := matrix.FromRows([][]float64{{0, 0}, {1.5, -1.5}})
	if err != nil {
		log.Fatal(err)
	}
	predicted, err := tuned.Model.Predict(nil, next)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(predicted)
	// Output:
	// 137 candidates, 0 wrong of 12
	// [inside outside]
}

// A support vector machine: the scaling, γ and C are searched.
func ExampleTune_machine() {
	x, labels := ring()
	tuned, err := cv.Tune(context.Background(), cv.Search{Method: discriminant.SVM{}}, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tuned.Record.Candidates[tuned.Record.Best])
	// Output:
	// scaling none, gamma 0.443684, C 1
}

func ExampleNested() {
	x, labels := ring()
	outer, err := cv.Stratified(labels, 3, 0)
	if err != nil {
		log.Fatal(err)
	}
	e, err := cv.Nested(context.Background(), cv.Search{Method: discriminant.SVM{}}, x, labels, outer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Errors, "wrong of", e.Rows)
	// Output:
	// 0 wrong of 12
}

func ExampleClosedForm() {
	x, labels := ring()
	h, err := cv.ClosedForm(context.Background(), discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(0.1)}, x, labels)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Errors, "wrong of", h.Rows)
	fmt.Printf("%.3f\n", h.Values[0])
	// Output:
	// 0 wrong of 12
	// -0.573
}
