// Command fit fits and predicts. Its size is that of a program that embeds the library.
package main

import (
	"context"
	"os"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

func main() {
	x, err := matrix.FromRows([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}})
	if err != nil {
		os.Exit(1)
	}
	model, err := discriminant.Fit(context.Background(), discriminant.KFDA{}, x, []string{"even", "even", "odd", "odd"})
	if err != nil {
		os.Exit(1)
	}
	classes, err := model.Predict(nil, x)
	if err != nil || classes[0] != "even" {
		os.Exit(1)
	}
}
