package solve

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

func BenchmarkFactorShifted(b *testing.B) {
	for _, n := range []int{200, 900, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k, a := randomGram(newRand(1), n, 20), matrix.New(n, n)
			for b.Loop() {
				a.CopyFrom(k)
				if _, err := FactorShifted(context.Background(), a, 0.1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(4./3*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
		})
	}
}

func BenchmarkFactorCholesky(b *testing.B) {
	for _, n := range []int{200, 900, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			k, a := randomGram(newRand(1), n, n+20), matrix.New(n, n)
			for b.Loop() {
				a.CopyFrom(k)
				if _, err := FactorCholesky(context.Background(), a); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(1./3*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
		})
	}
}

func BenchmarkShiftedSolve(b *testing.B) {
	const n = 900
	s, err := FactorShifted(context.Background(), randomGram(newRand(1), n, 20), 0.1)
	if err != nil {
		b.Fatal(err)
	}
	for _, r := range []int{1, 3, 10} {
		b.Run(fmt.Sprint(r), func(b *testing.B) {
			re, im := matrix.New(n, r), matrix.New(n, r)
			for b.Loop() {
				s.Solve(re, im)
			}
		})
	}
}

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
