package fisher

import (
	"sync"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// unitMatrix is K or, centred, HKH with H = I − 11ᵀ/n, in units in which max|K| is in
// [1, 2). With weights K stands for DKD, and H for I − √w√wᵀ/Σw: see [Weights].
type unitMatrix struct {
	rows     int
	weights  Weights
	total    float64 // of the weights
	scale    binaryScale
	unit     binaryScale    // that of K without its weights
	weighed  binaryScale    // then of DKD
	centring *gram.Centring // of K in that unit, or nil where it is not centred
	largest  float64        // max|K|
	normK    float64        // ‖K‖_F
	norm     float64        // ‖HKH‖_F or ‖K‖_F
	mean     float64        // of the diagonal of HKH or K, over the weights
}

// newUnitMatrix scales k in place by a power of two, unless it is 0, and centres it if asked
// to, and multiplies it by the roots of the weights.
func newUnitMatrix(k *matrix.Dense, centred bool, weights Weights) unitMatrix {
	if weights != nil {
		return newWeighedMatrix(k, centred, weights)
	}
	m := unitMatrix{rows: k.Rows, total: float64(k.Rows), scale: scaleBy(0), weighed: scaleBy(0)}
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
	m.unit, m.largest = m.scale, m.scale.value(sizes.MaxAbs())
	m.normK = sizes.NormFrobenius(m.scale.exp)
	if m.norm = m.normK; centred {
		sizes = matrix.NewSizes(k.Rows)
		m.centring = gram.CentreInPlace(k, means, sizes.Add)
		m.norm = sizes.NormFrobenius(0)
	}
	m.mean = diagonalSum(k) / float64(k.Rows)
	return m
}

// newWeighedMatrix is newUnitMatrix with weights. K is centred by weighted means before it is
// multiplied: HDKDH = D(K − 1mᵀ − m1ᵀ + μ11ᵀ)D for the means m of its rows and μ of all.
func newWeighedMatrix(k *matrix.Dense, centred bool, weights Weights) unitMatrix {
	m := unitMatrix{rows: k.Rows, weights: weights, total: weights.Total(k.Rows), unit: scaleBy(0), weighed: scaleBy(0)}
	if maxAbs := matrix.MaxAbs(k); maxAbs > 0 {
		m.unit = unitScale(maxAbs)
		m.unit.matrix(k)
	}
	roots, sizes := weights.roots(), matrix.NewSizes(k.Rows)
	buffers := sync.Pool{New: func() any { return matrix.New(1, k.Cols) }}
	eachRow(k, func(i int, row []float64) {
		weighed := buffers.Get().(*matrix.Dense)
		defer buffers.Put(weighed)
		copy(weighed.Data, row)
		weigh(weighed.Data, roots, i)
		sizes.Add(i, weighed.Data)
	})
	if maxAbs := sizes.MaxAbs(); maxAbs > 0 {
		m.weighed = unitScale(maxAbs)
	}
	m.scale = scaleBy(m.unit.exp + m.weighed.exp)
	m.largest, m.normK = m.weighed.value(sizes.MaxAbs()), sizes.NormFrobenius(m.weighed.exp)
	if centred {
		m.centring = gram.WeightedCentring(k, weights)
		m.centring.Matrix(k, k)
	}
	eachRow(k, func(i int, row []float64) { weigh(row, roots, i) })
	m.weighed.matrix(k)
	if m.norm = m.normK; centred {
		m.norm = matrix.NormFrobenius(k)
	}
	m.mean = diagonalSum(k) / m.total
	return m
}

// rounded returns the relative errors that weights make in the entries of the matrix and of
// the contrasts.
func (m *unitMatrix) rounded() (entries, contrasts float64) {
	if m.weights == nil {
		return 0, 0
	}
	return entryRounding, contrastsRounding
}

// kernelRounding returns u‖K‖_F, with the errors of the weights.
func (m *unitMatrix) kernelRounding(norm float64) float64 {
	entries, _ := m.rounded()
	return float64((u + entries) * norm)
}

// q0 returns the unit vector along the constant one, or √w, as a column.
func (m *unitMatrix) q0() *matrix.Dense {
	if m.weights == nil {
		return constantColumn(m.rows)
	}
	return matrix.Column(m.weights.axis(m.rows))
}

// rowsOf returns the rows of the same matrix, which is not centred, or is by c, and not
// weighed in the source.
func (m *unitMatrix) rowsOf(source solve.Source, c *gram.Centring) solve.Source {
	return unitSource{source, m.unit, c, m.weights.roots(), m.weighed}
}

// unitSource is a matrix that is not stored, scaled, centred and weighed.
type unitSource struct {
	solve.Source
	unit     binaryScale
	centring *gram.Centring
	roots    []float64
	weighed  binaryScale
}

func (s unitSource) Rows(dst *matrix.Dense, i0 int) {
	s.Source.Rows(dst, i0)
	s.unit.matrix(dst)
	if s.centring != nil {
		s.centring.Cross(dst, dst)
	}
	if s.roots == nil {
		return
	}
	for r := range dst.Rows {
		weigh(dst.Row(r), s.roots, i0+r)
	}
	s.weighed.matrix(dst)
}

// unscaledCentring returns the centring of the kernel values as they are, or nil.
func (m *unitMatrix) unscaledCentring() *gram.Centring {
	c := m.centring
	if c == nil {
		return nil
	}
	back := scaleBy(-m.unit.exp)
	u := &gram.Centring{Shift: back.value(c.Shift), Means: make([]float64, len(c.Means)), Mean: back.value(c.Mean), Shares: c.Shares, Total: c.Total}
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
