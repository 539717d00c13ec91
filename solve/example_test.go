package solve_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

func ExampleFactorCholesky() {
	a, _ := matrix.FromRows([][]float64{{4, 2}, {2, 3}})
	f, _ := matrix.FromRows([][]float64{{8}, {8}})
	ctx := context.Background()
	factor, err := solve.FactorCholesky(ctx, a.Clone()) // overwrites its argument
	if err != nil {
		log.Fatal(err)
	}
	x := f.Clone()
	factor.Solve(x)
	refined, err := factor.Refine(ctx, solve.Stored{A: a}, solve.Known{}, f, x, nil, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Data, refined.Forward < 1e-15)
	// Output: [1 2] true
}

func ExampleLeading() {
	a, _ := matrix.FromRows([][]float64{{2, 1}, {1, 2}})
	pairs, err := solve.Leading(context.Background(), a, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %.3f\n", pairs.Values, pairs.Vectors.Data)
	// Output: [3.000] [0.707 0.707]
}
