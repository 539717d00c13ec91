package solve

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

func BenchmarkResidual(b *testing.B) {
	const n = 900
	k := randomGram(newRand(1), n, 20)
	for _, r := range []int{1, 3, 10} {
		b.Run(fmt.Sprint(r), func(b *testing.B) {
			f := randomMatrix(newRand(2), n, r)
			re, im := matrix.New(n, r), matrix.New(n, r)
			for b.Loop() {
				complexResidual(re, im, Stored{k}, 0.1, f, f, f)
			}
		})
	}
}

func BenchmarkJacobi(b *testing.B) {
	for _, n := range []int{9, 30, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k, a := randomGram(newRand(1), n, n+5), matrix.New(n, n)
			for b.Loop() {
				a.CopyFrom(k)
				if _, _, err := Jacobi(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
