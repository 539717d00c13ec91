package fisher

import (
	"context"
	"errors"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// Mapped is what [Unlabelled] is, for a kernel of features K = ΦΦᵀ: with G = HΦ/√ε and M = GᵀG + I
// (Woodbury),
//
//	ε(HKH + εI)⁻¹b = b − Gd,   d = M⁻¹Gᵀb   for b that sums to zero
//
// in the memory of the n×m features.
type Mapped struct {
	low   *lowRank // of G
	means []float64
	scale binaryScale // of Φ
	sigma float64     // √ε in its units
	ridge float64
	mean  float64 // eigenvalue of HKH, as the caller has it

	rounding float64 // u·tr K/ε
	moved    float64 // how far the features are from exact ones in A = HKH + εI: within (1 ± moved)A
}

// NewMapped takes the features phi, which it overwrites, of an error of norm at most off in ΦΦᵀ, with a ridge in
// the RKHS. Cost: nm² + m³/3 flops.
func NewMapped(ctx context.Context, phi *matrix.Dense, off float64, reg Regularizer) (*Mapped, error) {
	n, m := phi.Rows, phi.Cols
	f := &Mapped{means: scaledBy(columnSums(phi), 1/float64(n)), scale: scaleBy(0)}
	largest := matrix.MaxAbs(phi)
	if largest > 0 {
		f.scale = unitScale(largest)
	}
	whole := f.scale.value(matrix.NormFrobenius(phi))
	eachRow(phi, func(_ int, row []float64) {
		for j, mean := range f.means {
			row[j] -= mean
		}
	})
	f.scale.matrix(phi)
	size := matrix.NormFrobenius(phi)
	if size <= float64(float64(float64(n)*u)*math.Sqrt(float64(n*m))*f.scale.value(largest)) {
		size = 0 // no more than the rounding of means
	}
	mean := float64(size*size) / float64(n)
	f.mean = math.Ldexp(mean, -2*f.scale.exp)
	kind := Ridge
	if reg.Kind == RelativeRKHS {
		if kind = RelativeRidge; mean == 0 {
			return nil, &RidgeError{Regularizer: reg, Reason: "the kernel matrix has no positive trace above rounding, so that a relative ridge has no meaning: give an absolute one"}
		}
	}
	var err error
	if f.ridge, f.sigma, err = sigmaOf(Regularizer{Kind: kind, Value: reg.Value}, f.scale, mean); err != nil {
		if refused := (*RidgeError)(nil); errors.As(err, &refused) {
			refused.Regularizer = reg
		}
		return nil, err
	}
	epsilon := float64(f.sigma * f.sigma)
	f.rounding = float64(u*float64(whole*whole)) / epsilon
	f.moved = float64(12*f.rounding) + f.scale.value(f.scale.value(off))/epsilon
	cert := Certificate{KernelRounding: f.Rounding()}
	if err := cert.checkKernelRounding("ε"); err != nil {
		return nil, err
	}
	f.low, err = newLowRank(ctx, phi, repeated(epsilon, n))
	return f, err
}

// Order returns n, Ridge ε, and Mean the mean eigenvalue of HKH, 0 where it is no more than rounding.
func (f *Mapped) Order() int     { return f.low.g.Rows }
func (f *Mapped) Ridge() float64 { return f.ridge }
func (f *Mapped) Mean() float64  { return f.mean }

// Rounding bounds the relative error that the rounding of kernel values makes in solutions: u·tr K/ε.
func (f *Mapped) Rounding() float64 { return f.rounding }

// moments are those of G for classes. Cost: 2nm² flops.
func (f *Mapped) moments(ctx context.Context, classes *Classes) (*Moments, error) {
	const batch = 1024
	g := f.low.g
	a := NewAccumulator(Shape{Classes: len(classes.Sizes), Features: g.Cols, Folds: 1}, 0)
	for first := 0; first < g.Rows; first += batch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some := min(batch, g.Rows-first)
		if err := a.Append(Rows{Features: g.View(first, 0, some, g.Cols), Codes: classes.Codes[first : first+some]}); err != nil {
			return nil, err
		}
	}
	if err := a.End(); err != nil {
		return nil, err
	}
	parts, err := a.Parts()
	if err != nil {
		return nil, err
	}
	return Joined(parts), nil
}

// Solve finds the directions of classes, by their moments in the features, and the projections of the
// rows; of equal class means there are none.
func (f *Mapped) Solve(ctx context.Context, classes *Classes) (*Solution, error) {
	moments, err := f.moments(ctx, classes)
	if err != nil {
		return nil, err
	}
	all, errs := moments.Fisher([]Regularizer{{RKHS, 1}}, 0)
	if errors.As(errs[0], new(*CoincidentMeansError)) {
		return f.Coincident(), nil
	}
	if errs[0] != nil {
		return nil, errs[0]
	}
	found := all[0]
	found.Certificate.KernelRounding = f.rounding
	most := 0.0
	for _, l := range found.Lambda { // 1 + λ is within (1 ± moved) of that of exact features
		most = math.Max(most, (1+l)/l)
	}
	found.Certificate.EigenvalueError = math.Min(math.MaxFloat64, found.Certificate.EigenvalueError+float64(relativeToExact(f.moved)*most))
	z := matrix.Mul(nil, f.low.g, matrix.NoTrans, found.Weights, matrix.NoTrans)
	return &Solution{Lambda: found.Lambda, Projections: z, Ridge: f.ridge, Certificate: found.Certificate, Negated: found.Negated}, nil
}

// Coincident is the solution of classes of equal means.
func (f *Mapped) Coincident() *Solution {
	return &Solution{Ridge: f.ridge, Certificate: Certificate{Solver: "factor", Growth: 1, Passes: 1, KernelRounding: f.rounding}}
}

// Whiten overwrites b, whose columns sum to zero, and returns X = [b − Gd; d] with XᵀX = εbᵀ(HKH + εI)⁻¹b:
// the terms of min ‖b − Gd‖² + ‖d‖², in which an error of d counts squared. Cost: 4nmr flops.
func (f *Mapped) Whiten(b *matrix.Dense) (x []*matrix.Dense) {
	d := matrix.Mul(nil, f.low.g, matrix.Transposed, b, matrix.NoTrans)
	f.low.factor.Solve(d)
	matrix.SubMul(b, f.low.g, matrix.NoTrans, d, matrix.NoTrans)
	return []*matrix.Dense{b, d}
}

// Inverse overwrites the columns of b, which sum to zero, by ε(HKH + εI)⁻¹b. Cost: 4nmr flops.
func (f *Mapped) Inverse(b *matrix.Dense) { b.CopyFrom(f.low.inverse(b)) }

// InverseDiagonal returns the diagonal of εH(HKH + εI)⁻¹H. Of a single row there is none, an
// *AccuracyError. Cost: nm² flops.
func (f *Mapped) InverseDiagonal(context.Context) ([]float64, error) {
	if f.Order() == 1 {
		return nil, &AccuracyError{What: "the rounding of a leave-one-out value, relative to it", Value: math.Inf(1), Limit: 1, Remedy: largerRidge}
	}
	return f.low.diagonal(), nil
}

// Features returns G, which must not be changed, and the largest k(x, x)/ε of the rows, not centred. Cost: 3nm flops.
func (f *Mapped) Features() (g *matrix.Dense, largest float64) {
	means, row := make([]float64, len(f.means)), make([]float64, len(f.means))
	for j, mean := range f.means {
		means[j] = f.scale.value(mean) / f.sigma
	}
	for i := range f.Order() {
		for j, v := range f.low.g.Row(i) {
			row[j] = v + means[j]
		}
		largest = math.Max(largest, matrix.SumSquares(row))
	}
	return f.low.g, largest
}

// Half returns the n×m matrix W = GL⁻ᵀ, M = LLᵀ, with εH(HKH + εI)⁻¹H = H − WWᵀ. Cost: nm² flops.
func (f *Mapped) Half() *matrix.Dense {
	w := f.low.g.Clone()
	matrix.SolveRightLowerTrans(f.low.l, w)
	return w
}

// Block returns εH(HKH + εI)⁻¹H on b rows. Cost: bm(b + m) flops.
func (f *Mapped) Block(rows []int) *matrix.Dense {
	w := matrix.New(len(rows), f.low.g.Cols)
	for k, i := range rows {
		copy(w.Row(k), f.low.g.Row(i))
	}
	matrix.SolveRightLowerTrans(f.low.l, w)
	g := matrix.New(len(rows), len(rows))
	for k := range rows {
		row := g.Row(k)
		for j := range row {
			row[j] = -1 / float64(f.Order())
		}
		row[k]++
	}
	matrix.SubMul(g, w, matrix.NoTrans, w, matrix.Transposed)
	return g
}

// Product returns HKHb for columns that sum to zero or not, and Own the diagonal of HKH. Cost: 4nmr flops.
func (f *Mapped) Product(b *matrix.Dense) *matrix.Dense {
	c := matrix.Mul(nil, f.low.g, matrix.Transposed, b, matrix.NoTrans)
	return scaledIn(nil, matrix.Mul(nil, f.low.g, matrix.NoTrans, c, matrix.NoTrans), f.ridge)
}

func (f *Mapped) Own() []float64 {
	own := make([]float64, f.Order())
	for i := range own {
		own[i] = float64(f.ridge * matrix.SumSquares(f.low.g.Row(i)))
	}
	return own
}

// Within returns the within-class scatter of G, m×m, and its class contrasts B = QᵀG: P centres within
// the classes, and the eigenvalues of PKP other than 0 are ε times those of the scatter, GᵀG − BᵀB.
func (f *Mapped) Within(classes *Classes) (scatter, contrasts *matrix.Dense) {
	contrasts = matrix.Mul(nil, Contrasts(classes), matrix.Transposed, f.low.g, matrix.NoTrans)
	scatter = matrix.SymRankK(nil, f.low.g, matrix.Transposed)
	matrix.SubMul(scatter, contrasts, matrix.Transposed, contrasts, matrix.NoTrans)
	return scatter, contrasts
}

// Augment returns for r new rows, whose features, r×m, it overwrites: as rows G times their centred kernel
// values over ε with the n rows, r×n, and their spread fᵀM⁻¹f, f = (φ − mean)/√ε, which is k_c(x, x)/ε less the
// squares of these in that metric. Cost: 2nm + m² flops a row.
func (f *Mapped) Augment(phi *matrix.Dense) (v *matrix.Dense, spread []float64) {
	for i := range phi.Rows {
		row := phi.Row(i)
		for j, mean := range f.means {
			row[j] -= mean
		}
	}
	f.scale.matrix(phi)
	d := scaledIn(nil, matrix.Transpose(nil, phi), 1/f.sigma)
	f.low.factor.SolveLower(d)
	spread = columnNorms(d)
	for k, v := range spread {
		spread[k] = float64(v * v)
	}
	matrix.SolveLowerTrans(f.low.l, d)
	return matrix.Mul(nil, d, matrix.Transposed, f.low.g, matrix.Transposed), spread
}
