package solve

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// solveLower overwrites b by the solution X of LX = B.
func solveLower(l, b *matrix.Dense) {
	for i := range l.Rows {
		bi, li := b.Row(i), l.Row(i)
		for k := range i {
			bk, f := b.Row(k), -li[k]
			for r, x := range bk {
				bi[r] = math.FMA(f, x, bi[r])
			}
		}
		for r := range bi {
			bi[r] /= li[i]
		}
	}
}

// solveLowerTrans overwrites b by the solution X of LᵀX = B.
func solveLowerTrans(l, b *matrix.Dense) {
	for i := l.Rows - 1; i >= 0; i-- {
		bi := b.Row(i)
		for k := l.Rows - 1; k > i; k-- {
			bk, f := b.Row(k), -l.Row(k)[i]
			for r, x := range bk {
				bi[r] = math.FMA(f, x, bi[r])
			}
		}
		for r := range bi {
			bi[r] /= l.Row(i)[i]
		}
	}
}
