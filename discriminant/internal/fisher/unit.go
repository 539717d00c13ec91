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

// newUnitMatrix scales k in place, and centres it if asked to.
func newUnitMatrix(k *matrix.Dense, centred bool) unitMatrix {
	m := unitMatrix{rows: k.Rows}
	if centred {
		m.scale, m.centring, m.normK, m.norm = centreInUnits(k)
	} else {
		m.scale, m.normK = scaleToUnit(k, nil)
		m.norm = m.normK
	}
	m.mean = diagonalSum(k) / float64(k.Rows)
	return m
}

// scaleToUnit brings the kernel matrix k to units in which max|K| is in [1, 2), by a power
// of two, and returns that and ‖K‖_F in these units; where K = 0 it stays. Unless means
// is nil it is set to the means of the rows.
func scaleToUnit(k *matrix.Dense, means []float64) (scale binaryScale, norm float64) {
	sizes := matrix.NewSizes(k.Rows)
	eachRow(k, func(i int, row []float64) {
		sizes.Add(i, row)
		if means != nil {
			means[i] = matrix.Sum(row) / float64(len(row))
		}
	})
	scale = scaleBy(0)
	if maxAbs := sizes.MaxAbs(); maxAbs > 0 {
		scale = unitScale(maxAbs)
	}
	if scale.exp != 0 {
		scale.matrix(k)
		if means != nil {
			matrix.RowMeans(means, k)
		}
	}
	return scale, sizes.NormFrobenius(scale.exp)
}

// centreInUnits is scaleToUnit, and then centres K. It returns ‖HKH‖_F too.
func centreInUnits(k *matrix.Dense) (scale binaryScale, centring *gram.Centring, normK, norm float64) {
	means, sizes := make([]float64, k.Rows), matrix.NewSizes(k.Rows)
	scale, normK = scaleToUnit(k, means)
	centring = gram.CentreInPlace(k, means, sizes.Add)
	return scale, centring, normK, sizes.NormFrobenius(0)
}

// unscaledCentring returns the centring of the kernel values as they are, or nil.
func (m *unitMatrix) unscaledCentring() *gram.Centring { return unscaled(m.centring, m.scale) }

// unscaled returns the centring of the kernel values as they are, given that of
// the scaled ones; nil for nil.
func unscaled(c *gram.Centring, scale binaryScale) *gram.Centring {
	if c == nil {
		return nil
	}
	back := scaleBy(-scale.exp)
	u := &gram.Centring{Shift: back.value(c.Shift), Means: make([]float64, len(c.Means)), Mean: back.value(c.Mean)}
	for i, m := range c.Means {
		u.Means[i] = back.value(m)
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
