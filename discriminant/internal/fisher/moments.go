package fisher

import (
	"errors"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Moments is what the triangular factor of a table says of it: with T the indicators of its c
// classes, or one column of ones, Φ its m features and Y its q targets,
//
//	[T Φ Y] = U [D^½ G G_Y; 0 R R_Y; 0 0 R_YY],   UᵀU = I
//
// where D^½ has the roots of the sizes of the classes, so that G has their means times these,
// and R and R_Y are of Φ and Y less the means of their classes. All that discriminants and
// regressions ask of Φ are inner products, and the factor has the same, with the condition
// number of Φ and not its square. A row of weight w is one times √w.
type Moments struct {
	Counts []int     // rows of the classes
	Sizes  []float64 // what they weigh
	Means  []float64 // of the features

	shape   Shape
	left    float64 // the norm of what features leave out
	rows    int
	total   float64       // of the sizes
	scale   binaryScale   // of features, to a largest element of [G; R] in [1, 2)
	norm    float64       // ‖[G; R]‖_F, scaled
	targets *matrix.Dense // [G_Y; R_Y; R_YY], or where there are no targets [D^½; 0], for T
	factor  *matrix.Dense // as it is
}

// newMoments returns those of a part, in which the sizes of classes whose rows have weights are of T.
func newMoments(p *Part) *Moments {
	shape, counts := p.shape, p.counts
	c, m, q := shape.Classes, shape.Features, shape.Targets
	factor := matrix.Transpose(nil, solve.UnpackLower(shape.columns(), p.lower))
	f := &Moments{
		Counts: counts, Sizes: make([]float64, c), Means: make([]float64, m), scale: scaleBy(0), shape: shape, left: p.left,
		factor: factor, targets: factor.View(0, c+m, factor.Rows, q),
	}
	if q == 0 {
		f.targets = matrix.New(c+m, c)
	}
	for j, count := range counts {
		f.rows += count
		if f.Sizes[j] = float64(count); shape.Weighed {
			f.Sizes[j] = float64(factor.At(j, j) * factor.At(j, j))
		}
		root := math.Sqrt(f.Sizes[j])
		if q == 0 {
			f.targets.Set(j, j, root)
		}
		for l := range m {
			f.Means[l] = math.FMA(root, factor.At(j, c+l), f.Means[l])
		}
	}
	f.total = matrix.Sum(f.Sizes)
	for l := range f.Means {
		f.Means[l] /= f.total
	}
	between, within := f.features()
	if maxAbs := math.Max(matrix.MaxAbs(between), matrix.MaxAbs(within)); maxAbs > 0 {
		f.scale = unitScale(maxAbs)
	}
	f.norm = hypotenuse(f.scale.value(matrix.NormFrobenius(between)), f.scale.value(matrix.NormFrobenius(within)))
	return f
}

// LeftShare returns the share that the features leave out of the sum, over the rows, of their squares
// and that.
func (f *Moments) LeftShare() float64 {
	if f.left == 0 {
		return 0
	}
	scale := scaleBy(-f.scale.exp)
	size := scale.value(f.norm)
	if size < f.left {
		share := size / f.left
		return 1 / math.FMA(share, share, 1)
	}
	share := f.left / size
	return float64(share*share) / math.FMA(share, share, 1)
}

// features returns G and R, as they are.
func (f *Moments) features() (between, within *matrix.Dense) {
	c, m := len(f.Counts), len(f.Means)
	return f.factor.View(0, c, c, m), f.factor.View(c, c, m, m)
}

// scaled returns G and R, scaled.
func (f *Moments) scaled() (between, within *matrix.Dense) {
	between, within = f.features()
	between, within = between.Clone(), within.Clone()
	f.scale.matrix(between)
	f.scale.matrix(within)
	return between, within
}

// hypotenuse returns √(a² + b²) of numbers whose squares are in the range of float64.
func hypotenuse(a, b float64) float64 { return math.Sqrt(math.FMA(a, a, float64(b*b))) }

// factorRounding times √(rows + columns) bounds what the rounding of the factor of that many
// rows and columns adds to these, relative to their norm: the errors of many reflections conspire
// no more than those of sums, see chainError. 0.03u is the most that was seen, of 20,000 rows.
const factorRounding = 2 * u

// rounding bounds the relative backward error of the factor.
func (f *Moments) rounding() float64 {
	return float64(factorRounding * math.Sqrt(float64(f.rows+f.factor.Rows)))
}

// contrasts returns the Helmert contrasts C of the classes that have rows, in coordinates T D^(−½).
func (f *Moments) contrasts() *matrix.Dense {
	var sizes []float64
	var at []int
	for j, size := range f.Sizes {
		if size > 0 {
			sizes, at = append(sizes, size), append(at, j)
		}
	}
	q := matrix.New(len(f.Sizes), max(0, len(sizes)-1))
	if q.Cols == 0 {
		return q
	}
	entries := classContrasts(sizes)
	for k, j := range at {
		root := math.Sqrt(sizes[k])
		for l, v := range entries.Row(k) {
			q.Set(j, l, float64(root*v))
		}
	}
	return q
}

// momentRows are rows [F; R], p columns each, that stand for the class contrasts QᵀX and the
// deviations within the classes of a matrix X. With a ridge in the RKHS X is Φ and a direction w
// itself is sought. With one on the coefficients X is K̂ = ΦΦᵀ: with A = [G; R] the inner
// products of its rows are those of AAᵀ, in c+m coordinates a, α = Ua, and
//
//	F = CᵀG Aᵀ,   R the triangular factor of R Aᵀ,   w = Φᵀα = Aᵀa
//
// so that both are one problem, and neither forms RᵀR.
type momentRows struct {
	f, r       *matrix.Dense
	base, back *matrix.Dense // CᵀG, and A or nil
	deviations *matrix.Dense // R, or RAᵀ of which R is the triangular factor
	norm       float64       // ‖X‖_F, of K̂ or of centred features
	trace      float64       // of N = (RAᵀ)ᵀRAᵀ, or of HK̂H, over the sizes: relative ridges refer to it
	error      float64       // bounds the norm of what [F; R] differs from exact rows by
	exp        int           // [F; R] are in units of 2^(−exp)
}

// rowsFor returns those for ridges on the coefficients, or in the RKHS.
func (f *Moments) rowsFor(coefficients bool) (*momentRows, error) {
	between, within := f.scaled()
	m := &momentRows{exp: f.scale.exp, r: within, base: matrix.Mul(nil, f.contrasts(), matrix.Transposed, between, matrix.NoTrans)}
	m.f, m.deviations = m.base, m.r
	m.norm, m.error = hypotenuse(matrix.NormFrobenius(m.f), matrix.NormFrobenius(m.r)), float64((f.rounding()+contrastRounding(len(f.Counts)))*f.norm)
	of := m.norm
	if coefficients {
		a := stacked(between, within)
		m.back, m.exp = a, 2*f.scale.exp
		m.f = m.times(m.base)
		m.deviations = matrix.Mul(nil, within, matrix.NoTrans, a, matrix.Transposed)
		of = matrix.NormFrobenius(m.deviations)
		m.norm = hypotenuse(of, matrix.NormFrobenius(matrix.Mul(nil, between, matrix.NoTrans, a, matrix.Transposed)))
		// K̂ is as the rows on either side are, and each product is rounded.
		rounded := float64(2*m.error) + float64((chainError(a.Cols)+float64(factorRounding*math.Sqrt(float64(2*a.Rows))))*f.norm)
		m.error = float64(rounded * math.Sqrt(m.norm))
		if float64(math.Sqrt(m.norm)) > f.norm { // ‖A‖₂ is at most both
			m.error = float64(rounded * f.norm)
		}
		var err error
		if m.r, err = factorOf(m.deviations); err != nil {
			return nil, err
		}
	}
	m.trace = float64(of*of) / f.total
	if of <= m.error {
		m.trace = 0
	}
	return m, nil
}

// times returns the rows F for contrasts of the features.
func (m *momentRows) times(contrasts *matrix.Dense) *matrix.Dense {
	if m.back == nil {
		return contrasts
	}
	return matrix.Mul(nil, contrasts, matrix.NoTrans, m.back, matrix.Transposed)
}

// rotated returns F for contrasts that v has rotated. The product is in doubled precision: in a
// row that becomes small, what has cancelled would be left.
func (m *momentRows) rotated(v *matrix.Dense) *matrix.Dense {
	contrasts := matrix.New(v.Cols, m.base.Cols)
	for k := range v.Cols {
		to, low := contrasts.Row(k), make([]float64, m.base.Cols)
		for i := range v.Rows {
			for j, x := range m.base.Row(i) {
				to[j], low[j] = f64.AddProduct(to[j], low[j], v.At(i, k), x)
			}
		}
		for j, rest := range low {
			to[j] += rest
		}
	}
	return m.times(contrasts)
}

// factorOf returns the triangular factor of some rows.
func factorOf(parts ...*matrix.Dense) (*matrix.Dense, error) {
	lower, err := lowerOf(parts...)
	if err != nil {
		return nil, err
	}
	return matrix.Transpose(nil, lower), nil
}

// lowerOf returns the transposed factor.
func lowerOf(parts ...*matrix.Dense) (*matrix.Dense, error) {
	f := solve.NewRowFactor(parts[0].Cols, 0)
	for _, rows := range parts {
		if err := f.Append(rows); err != nil {
			return nil, err
		}
	}
	if err := f.EndBlock(); err != nil {
		return nil, err
	}
	lower, err := f.Lower()
	if err != nil {
		return nil, err
	}
	return solve.UnpackLower(f.Cols(), lower), nil
}

// stacked returns [a; b].
func stacked(a, b *matrix.Dense) *matrix.Dense {
	both := matrix.New(a.Rows+b.Rows, a.Cols)
	both.View(0, 0, a.Rows, a.Cols).CopyFrom(a)
	both.View(a.Rows, 0, b.Rows, b.Cols).CopyFrom(b)
	return both
}

// ridge resolves a regulariser: the ridge as the caller has it, and its root in the units of
// the rows.
func (m *momentRows) ridge(reg Regularizer) (ridge, root float64, err error) {
	scale, asked := scaleBy(m.exp), reg
	if m.back == nil { // ε goes with the squares of features, as σ² does with those of K̂
		if reg.Kind == RelativeRKHS {
			if m.trace == 0 {
				return 0, 0, &RidgeError{Regularizer: asked, Reason: "the features are constant up to rounding, so that a relative ridge has no meaning: give an absolute one"}
			}
			reg = Regularizer{RelativeRidge, reg.Value}
		} else {
			reg = Regularizer{Ridge, reg.Value}
		}
	}
	ridge, root, err = sigmaOf(reg, scale, m.trace)
	if refused := (*RidgeError)(nil); errors.As(err, &refused) {
		refused.Regularizer = asked
	}
	return ridge, root, err
}

// certificate returns what is known of a solution with a ridge, of that root, beforehand.
func (m *momentRows) certificate(root, backward float64) Certificate {
	return Certificate{
		Solver: "factor", Growth: 1, Passes: 1, Backward: backward,
		CondBound:      math.Sqrt(math.FMA(m.norm, m.norm, float64(root*root))) / root,
		KernelRounding: float64(u*m.norm) / root,
	}
}

// weights returns w for coordinates a, for the features as they are.
func (m *momentRows) weights(a *matrix.Dense, scale binaryScale) *matrix.Dense {
	if m.back != nil {
		a = matrix.Mul(nil, m.back, matrix.Transposed, a, matrix.NoTrans)
	}
	scale.matrix(a)
	return a
}
