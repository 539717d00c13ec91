package cv

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// HeldOut is what the fits without each row say of that row.
type HeldOut[L discriminant.Label] struct {
	Classes     []L
	Predictions []L // of each row

	// Values is, for two classes, where each row lies between the means of the
	// others: −½ at the first class's, ½ at the second's, 0 in the middle. It is nil
	// for more classes.
	Values []float64

	// Ridge is the ε of the fit to all rows, at which it is held.
	Ridge float64

	// Scores are those of the predictions. AUC compares the Values of all rows.
	Scores
}

// ClosedForm returns the leave-one-out predictions of a kernel discriminant with
// the classifier NearestCentroid, for any number of classes, at the cost of two fits.
//
// For a ridge in the RKHS they are exact: those of the n fits without one row each, with the
// scaling, the kernel's parameters and ε of the fit to all rows. The contrasts and the
// centroids between which a row is classified are those without the row.
//
// For a ridge on the coefficients they are those of Cawley and Talbot (2003), with
// fixed centres: the row is left out of the means and the scatters, but the
// discriminant may still have a share of its k(xᵢ, ·). That is the method on the n
// features k(x₁, ·), …, k(xₙ, ·) with a ridge in their space, whose kernel matrix is
// K², and it is exact for that method; the fit without the row has a coefficient
// fewer. It squares the condition number, and a ridge that is lost in the rounding
// of K² is an *[discriminant.AccuracyError].
//
// With C = H(HKH + εI)⁻¹H, the n×c class indicators T, G = CT and S = TᵀCT, and
// counts lⱼ without row i, the fit without row i has
//
//	S′ = S − GᵢᵀGᵢ/Cᵢᵢ,   fᵢ = Tᵢ − Gᵢ/Cᵢᵢ,   μⱼ = eⱼ − ε S′ⱼ/lⱼ
//	Σ = ε RᵀS′R,   Ψ = I − Σ,   ΨΓ = ΣΓ diag(λ),   ΓᵀΣΓ = I
//
// where fᵢ and μⱼ are the row and the centroids in the values of the kernel
// ridge regression of T, with intercept, R is the c×(c−1) matrix of the contrasts by class, and
// distances are taken of f R Γ diag(√((1+λ)/λ)), the discriminants.
//
// The errors are those of [discriminant.Fit], a *[RareClassError] for a class of one row, and
// a *[ParameterError] for a regulariser, a scatter or a classifier that has no such form. Cost:
// beside a fit, 2n³/3 flops, with a ridge on the coefficients another n³.
func ClosedForm[L discriminant.Label](ctx context.Context, m discriminant.KFDA, x *matrix.Dense, labels []L) (*HeldOut[L], error) {
	misuse.NotNil("cv: ClosedForm", "ctx", ctx)
	if err := checkClosedForm(m); err != nil {
		return nil, err
	}
	m.Classifier = discriminant.NearestCentroid{}
	fit, err := discriminant.Fit(ctx, m, x, labels)
	if err != nil {
		return nil, err
	}
	found, groups := fit.Details().(discriminant.KFDADetails), rowsOf(labels)
	h := &HeldOut[L]{Classes: fit.Classes(), Ridge: found.Ridge(), Predictions: make([]L, len(labels))}
	codes, counts := make([]int, len(labels)), make([]int, len(groups))
	for j, c := range groups {
		if len(c.rows) < 2 {
			return nil, &RareClassError{Class: fmt.Sprint(c.label), Rows: len(c.rows), Folds: len(labels)}
		}
		counts[j] = len(c.rows)
		for _, i := range c.rows {
			codes[i] = j
		}
	}
	if s := fit.Scaler(); s != nil {
		if x, err = s.Transform(nil, x); err != nil {
			return nil, err
		}
	}
	k, err := gram.Matrix(nil, found.Kernel(), x)
	if err != nil {
		return nil, err
	}
	if r := found.Regularizer(); r != discriminant.RKHS(r.Value()) && r != discriminant.RelativeRKHS(r.Value()) {
		k = matrix.SymRankK(nil, k, matrix.NoTrans)
		if err := matrix.CheckFinite(k); err != nil {
			return nil, err
		}
	}
	r, err := newResponses(ctx, k, found.Ridge(), codes, len(groups))
	if err != nil {
		return nil, err
	}
	results := &tested{truth: codes, predicted: make([]int, len(codes))}
	if len(groups) == 2 {
		h.Values = make([]float64, len(codes))
		results.values = matrix.New(len(codes), 2)
	}
	for i, j := range codes {
		others := slices.Clone(counts)
		others[j]--
		w, err := r.without(i, others)
		if err != nil {
			return nil, fmt.Errorf("cv: without row %d: %w", i, err)
		}
		if results.predicted[i], err = w.nearest(fit.Components()); err != nil {
			return nil, fmt.Errorf("cv: without row %d: %w", i, err)
		}
		h.Predictions[i] = h.Classes[results.predicted[i]]
		if h.Values != nil {
			v := w.between()
			h.Values[i] = v
			results.values.Set(i, 0, -v)
			results.values.Set(i, 1, v)
		}
	}
	h.Scores = *newScores([]*tested{results}, len(groups))
	return h, nil
}

func checkClosedForm(m discriminant.KFDA) error {
	r := m.Regularizer
	if r == discriminant.Shrink(r.Value()) {
		return &ParameterError{Field: "Regularizer", Value: r.String(), Reason: "leave-one-out has a closed form for ridges only"}
	}
	if m.Conjugate != nil {
		return &ParameterError{Field: "Conjugate", Value: "set", Reason: "the closed form needs the factored kernel matrix"}
	}
	if m.LeaveOneOut {
		return &ParameterError{Field: "LeaveOneOut", Value: "true", Reason: "the centroids of leave-one-out projections are not those of the closed form"}
	}
	if m.Scatter != discriminant.SummedScatter {
		return &ParameterError{Field: "Scatter", Value: m.Scatter.String(), Reason: "leave-one-out has a closed form for the summed scatter only"}
	}
	if m.Classifier != nil && m.Classifier != (discriminant.NearestCentroid{}) {
		return &ParameterError{Field: "Classifier", Value: m.Classifier.String(), Reason: "leave-one-out has a closed form for NearestCentroid only"}
	}
	return nil
}

// responses is kernel ridge regression with an intercept on the indicators of the
// classes.
type responses struct {
	epsilon  float64
	codes    []int
	g        *matrix.Dense // n×c, G = CT
	s        *matrix.Dense // c×c, S = TᵀCT
	diagonal []float64     // of C
}

// newResponses factors HKH + εI + (τ/n)11ᵀ, τ = ‖HKH‖_F, in place of k; its inverse
// is C + 11ᵀ/(n(ε + τ)), and gives C times columns that sum to zero.
func newResponses(ctx context.Context, k *matrix.Dense, epsilon float64, codes []int, c int) (*responses, error) {
	n := k.Rows
	norm := matrix.NormFrobenius(k)
	gram.NewCentring(k).Matrix(k, k)
	tau := matrix.NormFrobenius(k)
	const u = f64.Roundoff
	if rounding := float64(float64(float64(n)*u) * norm); !(epsilon > rounding) {
		return nil, &discriminant.AccuracyError{What: "the rounding of the kernel matrix of leave-one-out, relative to the ridge,", Value: rounding / epsilon, Limit: 1, Remedy: "a larger ridge"}
	}
	common := tau / float64(n)
	for i := range n {
		row := k.Row(i)
		for j := range row {
			row[j] += common
		}
		row[i] += epsilon
	}
	factor, err := solve.FactorCholesky(ctx, k)
	if err != nil {
		return nil, err
	}
	r := &responses{epsilon: epsilon, codes: codes, g: matrix.New(n, c), s: matrix.New(c, c)}
	shares := make([]float64, c)
	for _, j := range codes {
		shares[j]++
	}
	for j := range shares {
		shares[j] /= float64(n)
	}
	for i, j := range codes { // HT
		row := r.g.Row(i)
		for l, share := range shares {
			row[l] = -share
		}
		row[j] += 1
	}
	factor.Solve(r.g)
	for i, j := range codes {
		sums := r.s.Row(j)
		for l, v := range r.g.Row(i) {
			sums[l] += v
		}
	}
	for j := range c {
		for l := range j {
			v := float64(0.5 * (r.s.At(j, l) + r.s.At(l, j)))
			r.s.Set(j, l, v)
			r.s.Set(l, j, v)
		}
	}
	if r.diagonal, err = factor.InverseDiagonal(ctx); err != nil {
		return nil, err
	}
	for i := range r.diagonal {
		r.diagonal[i] -= 1 / float64(float64(n)*(epsilon+tau))
	}
	return r, nil
}

// withoutRow is the regression without one row, as far as its classification goes.
type withoutRow struct {
	epsilon   float64
	counts    []int
	f         []float64     // the row's values
	centroids *matrix.Dense // of the classes' values, μ
	s         *matrix.Dense // S′
}

// without returns the regression without row i; counts are those without it.
func (r *responses) without(i int, counts []int) (*withoutRow, error) {
	c := len(counts)
	w := &withoutRow{epsilon: r.epsilon, counts: counts, f: make([]float64, c), centroids: matrix.New(c, c), s: matrix.New(c, c)}
	gi, cii := r.g.Row(i), r.diagonal[i]
	if !(cii > 0) {
		return nil, &discriminant.AccuracyError{What: "the rounding error of the row's weight, relative to it,", Value: 1, Limit: 1, Remedy: "a larger ridge"}
	}
	for j := range c {
		w.f[j] = -gi[j] / cii
	}
	w.f[r.codes[i]] += 1
	for j := range c {
		for l := range c {
			s := math.FMA(-gi[j], gi[l]/cii, r.s.At(j, l))
			if l > j { // the same bits as its mirror image
				s = math.FMA(-gi[l], gi[j]/cii, r.s.At(l, j))
			}
			w.s.Set(j, l, s)
			mean := -float64(r.epsilon*s) / float64(counts[j])
			if j == l {
				mean += 1
			}
			w.centroids.Set(j, l, mean)
		}
	}
	return w, nil
}

// between returns, for two classes, (f − (μ₁+μ₂)/2)/(μ₂ − μ₁) of the second
// class's values.
func (w *withoutRow) between() float64 {
	low, high := w.centroids.At(0, 1), w.centroids.At(1, 1)
	return (w.f[1] - (low + float64(0.5*(high-low)))) / (high - low)
}

// nearest returns the class with the nearest centroid in the space of the leading
// discriminants, the first of them in a tie.
func (w *withoutRow) nearest(components int) (int, error) {
	c := len(w.counts)
	r := classContrasts(w.counts)
	sigma := matrix.Mul(nil, matrix.Mul(nil, r, matrix.Transposed, w.s, matrix.NoTrans), matrix.NoTrans, r, matrix.NoTrans)
	psi := matrix.New(c-1, c-1)
	for i := range c - 1 {
		for j := range c - 1 {
			sigma.Set(i, j, float64(w.epsilon*sigma.At(i, j)))
			psi.Set(i, j, -sigma.At(i, j))
		}
		psi.Row(i)[i] += 1
	}
	lambda, gamma, err := solve.Pencil(psi, sigma)
	if err != nil {
		return 0, err
	}
	toDiscriminants := matrix.Mul(nil, r, matrix.NoTrans, gamma, matrix.NoTrans)
	scales := make([]float64, min(components, c-1))
	for k := range scales {
		square := 0.0
		for i := range gamma.Rows {
			v := gamma.At(i, k)
			square = math.FMA(v, v, square)
		}
		l := lambda[k]
		if square > 2 {
			l = square - 1
		}
		if !(l > 0) {
			remedy := "fewer components"
			if k == 0 {
				remedy = "a smaller ridge"
			}
			return 0, &discriminant.AccuracyError{What: fmt.Sprintf("the rounding error of eigenvalue %d, relative to it,", k), Value: 1, Limit: 1, Remedy: remedy}
		}
		scales[k] = math.Sqrt((1 + l) / l)
	}
	best, at := 0.0, 0
	for j := range c {
		d := 0.0
		for k, scale := range scales {
			z := 0.0
			for l, mean := range w.centroids.Row(j) {
				z = math.FMA(w.f[l]-mean, toDiscriminants.At(l, k), z)
			}
			z = float64(z * scale)
			d = math.FMA(z, z, d)
		}
		if j == 0 || d < best {
			best, at = d, j
		}
	}
	return at, nil
}

// classContrasts returns the c×(c−1) Helmert contrasts of classes of those counts,
// by class: entry (j, k) is that of every row of class j.
func classContrasts(counts []int) *matrix.Dense {
	c := len(counts)
	r := matrix.New(c, c-1)
	before := float64(counts[0])
	for k := range c - 1 {
		l := float64(counts[k+1])
		total := before + l
		for j := range k + 1 {
			r.Set(j, k, -math.Sqrt(l/float64(before*total)))
		}
		r.Set(k+1, k, math.Sqrt(before/float64(l*total)))
		before = total
	}
	return r
}
