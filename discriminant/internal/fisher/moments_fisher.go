package fisher

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Fisher finds the directions S_B w = λ(S_W + εI)w of a ridge in the RKHS, which for Φ = k(·, L)R⁻¹
// are those of N + εK̂, or w = Φᵀα of those of N + εI, K̂ = ΦΦᵀ. With the rows [F; R]
//
//	[R; √ε I] = U R_ε,   Y = F R_ε⁻¹ = V diag(√λ) Pᵀ,   w = R_ε⁻¹P
//
// where wᵀ(RᵀR + εI)w = 1. Nothing is squared: the error of √λ is that of the rows over √ε. A
// further ridge costs 2m³/3 flops, less than a Cholesky factorization of two.
// Projections are (φ(x) − Means)ᵀw. Of each regulariser, Ridge, RelativeRidge, RKHS or
// RelativeRKHS, there is a solution or an error.
func (f *Moments) Fisher(regularizers []Regularizer, components int) (solutions []*LinearSolution, errs []error) {
	solutions, errs = make([]*LinearSolution, len(regularizers)), make([]error, len(regularizers))
	forms := map[bool]*momentRows{}
	for i, reg := range regularizers {
		coefficients := !reg.Kind.InRKHS()
		if forms[coefficients] == nil {
			if forms[coefficients], errs[i] = f.rowsFor(coefficients); errs[i] != nil {
				continue
			}
		}
		solutions[i], errs[i] = f.fisher(forms[coefficients], reg, components)
	}
	return solutions, errs
}

func (f *Moments) fisher(rows *momentRows, reg Regularizer, components int) (*LinearSolution, error) {
	if f.norm == 0 || rows.f.Rows == 0 {
		return nil, &CoincidentMeansError{}
	}
	ridge, root, err := rows.ridge(reg)
	if err != nil {
		return nil, err
	}
	rank, err := contrastRank(rows.f, rows.error, rows.norm)
	if err != nil {
		return nil, err
	}
	take, err := directions(components, rank, len(f.Counts))
	if err != nil {
		return nil, err
	}
	cert := rows.certificate(root, f.rounding())
	cert.Rank = rank
	if err := cert.checkKernelRounding("√ε"); err != nil {
		return nil, err
	}
	l := solve.JoinRidge(nil, matrix.Transpose(nil, rows.r), root, rows.r.Cols)
	p, values, err := rows.pairs(l, rank, &cert)
	if err != nil {
		return nil, err
	}
	matrix.SolveLowerTrans(l, p)
	// An error E of [F; R_ε] moves √λ by at most ‖E‖/√ε (1 + √λ), where ‖R_ε⁻¹‖ is 1/√ε at most.
	moved := (rows.error + float64(chainError(l.Rows)*matrix.NormFrobenius(l))) / root
	decomposed := float64(float64(16*math.Sqrt(float64(len(p.Data)))) * float64(u*values[0]))
	lambda, errors := make([]float64, rank), make([]float64, rank)
	for k, s := range values[:rank] {
		lambda[k] = float64(s * s)
		r := math.Inf(1)
		if moved < 0.5 {
			r = (moved + (moved+decomposed)/s) / (1 - moved)
		}
		errors[k] = relativeToExact(float64(2*r) + float64(r*r))
	}
	cert.Forward = float64(2*moved) + float64(chainError(l.Rows)*cert.CondBound)
	if !(cert.Forward <= kernelRoundingLimit) {
		return nil, &AccuracyError{What: "the bound of the error of the directions", Value: cert.Forward, Limit: kernelRoundingLimit, Remedy: largerRidge}
	}
	if lambda, err = leading(lambda, errors, take, components, ridge, &cert); err != nil {
		return nil, err
	}
	s := &LinearSolution{
		Lambda: lambda, Means: f.Means, Ridge: ridge, Certificate: cert, errors: errors[:len(lambda)],
		Weights: rows.weights(p.View(0, 0, p.Rows, len(lambda)).Clone(), f.scale),
	}
	if rows.back != nil {
		s.Means = make([]float64, len(f.Means))
	}
	if err := matrix.CheckFinite(s.Weights); err != nil {
		return nil, &AccuracyError{What: "the largest weight, relative to the range of float64,", Value: math.Inf(1), Limit: 1}
	}
	s.Negated = fixSigns(s.Weights)[0]
	return s, nil
}

// pairs returns P and the singular values √λ of Y = FL⁻ᵀ. Where small ones would suffer from
// large ones, they are found once more from rows F that are already those of the directions.
func (m *momentRows) pairs(l *matrix.Dense, rank int, cert *Certificate) (p *matrix.Dense, values []float64, err error) {
	for f := m.f; ; cert.Passes++ {
		y := matrix.Transpose(nil, f)
		matrix.SolveLower(l, y)
		var v *matrix.Dense
		if p, values, v, err = solve.SVD(y); err != nil || rank == 1 || cert.Passes == 2 {
			return p, values, err
		}
		first, last := float64(values[0]*values[0]), float64(values[rank-1]*values[rank-1])
		if float64(u*(1+first)) <= float64(secondPassTolerance*math.Min(1, last)) {
			return p, values, nil
		}
		f = m.rotated(v)
	}
}

// Projected returns the means of the classes on directions, c×p, as they project, and the
// triangular factor D of the scatter DᵀD of the projections within the classes.
func (f *Moments) Projected(s *LinearSolution) (centroids, spread *matrix.Dense, err error) {
	between, within := f.features()
	m := len(f.Means)
	centroids = matrix.Mul(nil, between, matrix.NoTrans, s.Weights, matrix.NoTrans)
	mean := matrix.Mul(nil, &matrix.Dense{Rows: 1, Cols: m, Stride: m, Data: s.Means}, matrix.NoTrans, s.Weights, matrix.NoTrans)
	for j, size := range f.Sizes {
		if size == 0 {
			continue
		}
		row, root := centroids.Row(j), math.Sqrt(size)
		for k := range row {
			row[k] = row[k]/root - mean.At(0, k)
		}
	}
	spread, err = factorOf(matrix.Mul(nil, within, matrix.NoTrans, s.Weights, matrix.NoTrans))
	return centroids, spread, err
}
