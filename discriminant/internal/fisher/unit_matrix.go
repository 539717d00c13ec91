package fisher

import (
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// unitMatrix is K or, centred, HKH with H = I − 11ᵀ/n, in units in which max|K| is in
// [1, 2).
type unitMatrix struct {
	rows     int
	scale    binaryScale
	centring *gram.Centring // of the scaled K, or nil where it is not centred
	normK    float64        // ‖K‖_F
	norm     float64        // ‖HKH‖_F or ‖K‖_F
	mean     float64        // of the diagonal of HKH or K
}

// newUnitMatrix scales k in place by a power of two, unless it is 0, and centres it if asked
// to.
func newUnitMatrix(k *matrix.Dense, centred bool) unitMatrix {
	m := unitMatrix{rows: k.Rows, scale: scaleBy(0)}
	sizes, means := matrix.NewSizes(k.Rows), make([]float64, k.Rows)
	eachRow(k, func(i int, row []float64) {
		sizes.Add(i, row)
		if centred {
			means[i] = matrix.Sum(row) / float64(len(row))
		}
	})
	if maxAbs := sizes.MaxAbs(); maxAbs > 0 {
		m.scale = unitScale(maxAbs)
	}
	if m.scale.exp != 0 {
		m.scale.matrix(k)
		if centred {
			matrix.RowMeans(means, k)
		}
	}
	m.normK = sizes.NormFrobenius(m.scale.exp)
	if m.norm = m.normK; centred {
		sizes = matrix.NewSizes(k.Rows)
		m.centring = gram.CentreInPlace(k, means, sizes.Add)
		m.norm = sizes.NormFrobenius(0)
	}
	m.mean = diagonalSum(k) / float64(k.Rows)
	return m
}

// unscaledCentring returns the centring of the kernel values as they are, or nil.
func (m *unitMatrix) unscaledCentring() *gram.Centring {
	c := m.centring
	if c == nil {
		return nil
	}
	back := scaleBy(-m.scale.exp)
	u := &gram.Centring{Shift: back.value(c.Shift), Means: make([]float64, len(c.Means)), Mean: back.value(c.Mean)}
	for i, mean := range c.Means {
		u.Means[i] = back.value(mean)
	}
	return u
}

// diagonalSum returns the trace of a.
func diagonalSum(a *matrix.Dense) float64 {
	diagonal := make([]float64, a.Rows)
	for i := range diagonal {
		diagonal[i] = a.At(i, i)
	}
	return matrix.Sum(diagonal)
}
