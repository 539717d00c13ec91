package solve

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Shift is the number Real − i·Imag, Real and Imag ≥ 0, that is added to the
// diagonal of a real symmetric matrix K:  K + Real·I − i·Imag·I.
type Shift struct{ Real, Imag float64 }

// modulus returns |Real − i·Imag|.
func (s Shift) modulus() float64 { return hypotenuse(s.Real, s.Imag) }

// band is a real symmetric band matrix T: T[i,j] = 0 for |i − j| > width.
type band struct {
	n, width int
	a        []float64 // T[i, i−width … i], by rows; places left of column 0 hold zeros
	spare    *spare    // memory for its solvers
}

func newBand(n, width int) *band {
	return &band{n: n, width: width, a: make([]float64, n*(width+1))}
}

// row returns the elements of row i from the first column of the band, which is
// returned too, to the diagonal.
func (t *band) row(i int) (elements []float64, first int) {
	first = max(0, i-t.width)
	end := (i + 1) * (t.width + 1)
	return t.a[end-(i-first+1) : end], first
}

// at returns T[i,j].
func (t *band) at(i, j int) float64 {
	i, j = max(i, j), min(i, j)
	row, first := t.row(i)
	if j < first {
		return 0
	}
	return row[j-first]
}

// set sets T[i,j] = T[j,i], i ≥ j.
func (t *band) set(i, j int, v float64) {
	row, first := t.row(i)
	row[j-first] = v
}

// norm returns ‖T‖_F.
func (t *band) norm() float64 {
	a := &matrix.Dense{Rows: t.n, Cols: t.width + 1, Stride: t.width + 1, Data: t.a}
	m := matrix.MaxAbs(a)
	scale := unitScale(m)
	var off, diag float64
	for i := range t.n {
		row, _ := t.row(i)
		for j, v := range row {
			v = float64(v * scale)
			if j == len(row)-1 {
				diag = math.FMA(v, v, diag)
			} else {
				off = math.FMA(v, v, off)
			}
		}
	}
	return math.Sqrt(math.FMA(2, off, diag)) / scale
}

// multiply returns Tz.
func (t *band) multiply(z *matrix.Dense) *matrix.Dense {
	y := matrix.New(z.Rows, z.Cols)
	for i := range t.n {
		row, first := t.row(i)
		for k, v := range row {
			addMultiple(y.Row(i), v, z.Row(first+k))
			if first+k < i {
				addMultiple(y.Row(first+k), v, z.Row(i))
			}
		}
	}
	return y
}
