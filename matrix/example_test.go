package matrix_test

import (
	"fmt"

	"github.com/seed92411348/kfda/matrix"
)

func ExampleMul() {
	a, _ := matrix.FromRows([][]float64{{1, 2}, {3, 4}})
	b, _ := matrix.FromRows([][]float64{{5, 6}, {7, 8}})
	c := matrix.Mul(nil, a, matrix.NoTrans, b, matrix.Transposed) // A·Bᵀ
	fmt.Println(c.Row(0), c.Row(1))
	// Output: [17 23] [39 53]
}

func ExampleSolveLower() {
	l, _ := matrix.FromRows([][]float64{{2, 0}, {1, 4}})
	x, _ := matrix.FromRows([][]float64{{2}, {9}})
	matrix.SolveLower(l, x)
	fmt.Println(x.Data)
	// Output: [1 2]
}
