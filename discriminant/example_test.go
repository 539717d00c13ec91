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
