package inference

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// TestOptions say how labels are permuted. The zero value does not permute them.
type TestOptions struct {
	// Permutations is their number B, 0 for none. The smallest possible p-value is 1/(1 + B).
	Permutations int

	// Seed decides which: those of a seed are the same everywhere, with any number of workers.
	Seed uint64

	// Strata, one of any number a row, nil for one stratum: labels change places within a stratum only.
	// The test is then of groups that are alike in each stratum, which may differ from each other.
	Strata []int

	// Groups, one of any number a row, nil for each row on its own: rows of a group, such as those of one
	// patient, have one label, and keep one.
	Groups []int

	// Progress, where not nil, is called after every block of permutations.
	Progress func(done, total int)
}

func (o TestOptions) check(rows int) error {
	if o.Permutations < 0 {
		return &discriminant.ParameterError{Field: "Permutations", Value: fmt.Sprint(o.Permutations), Reason: "want 0 or more"}
	}
	for _, f := range []struct {
		name   string
		values []int
	}{{"Strata", o.Strata}, {"Groups", o.Groups}} {
		if f.values != nil && len(f.values) != rows {
			return &RestrictionError{Field: f.name, Row: -1, Reason: fmt.Sprintf("%d values for %d rows", len(f.values), rows)}
		}
	}
	return nil
}

// TestResult is what [Test] finds, for n rows in c classes.
type TestResult[L discriminant.Label] struct {
	Classes []L
	Counts  []int // rows of each class

	// Statistic is n·Σλ. For two classes it is that of Harchaoui, Bach and Moulines with γ = ε/n,
	//
	//	T = (n₁n₂/n)·‖(Σ_W + γI)^(−½)(μ₂ − μ₁)‖²
	//
	// RelativeError bounds its relative error, for the kernel values as rounded to float64: with 1 or
	// more no digit is certain. Of means that are equal, up to rounding, T is 0.
	Statistic     float64
	RelativeError float64
	Eigenvalues   []float64 // λ > 0, descending
	Ridge         float64   // ε
	Certificate   discriminant.Certificate

	// D1 = tr((Σ_W + γI)⁻¹Σ_W) and D2² = tr((Σ_W + γI)⁻²Σ_W²). If Σ_W were that of the population, T would
	// without a difference have about the distribution of a sum of (c−1) independent χ² variables for each
	// eigenvalue μ of Σ_W, with weights μ/(μ + γ): mean (c−1)D1 and variance 2(c−1)D2². Normalised is
	// (T − (c−1)D1)/√(2(c−1)D2²), for two classes (T − D1)/(√2·D2), which is asymptotically normal as γ vanishes
	// slowly. It is no test: the Σ_W of n rows has at most n−c directions, and with a small γ the difference of
	// the means outside of them makes T large where there is no difference. All three are 0 where Σ_W is,
	// up to rounding.
	D1, D2, Normalised float64

	// Between is Σⱼ lⱼ‖μⱼ − μ‖² of the class means in the feature space, and MMD, of two classes, the
	// squared distance of the means; nil for more.
	Between float64
	MMD     *MMD

	// Projections are those of the rows on the leading direction, in which they have a within-class
	// scatter (with the ridge) of 1: those far from 0 carry the difference. nil where the means are equal.
	Projections []float64

	Permuted *Permutations // nil where there were none
}

// MMD is the maximum mean discrepancy of two classes, squared (Gretton et al., JMLR 13, 2012).
type MMD struct {
	Biased   float64 // ‖μ₁ − μ₂‖² ≥ 0, Gretton's (5)
	Unbiased float64 // without the terms k(xᵢ, xᵢ), Gretton's (3), which may be negative
}

// Test tests whether the rows of c ≥ 2 classes come from one distribution, by kernel Fisher
// discriminant analysis (Harchaoui, Bach and Moulines, NIPS 2008, for two classes). With the orthonormal
// contrasts Q of the labels and G of the package, λ are those of
//
//	QᵀGQ = Γ diag(1/(1 + λ)) Γᵀ
//
// The p-value of permutations is exact: for rows that may change places if the classes do not differ (in
// their stratum, with their group), it is at most α with a probability of at most α, for any n, kernel
// and ridge that do not depend on the labels. A permutation counts as at least as large where Σ1/(1+λ)
// is smaller by less than 4(n·u + Certificate.KernelRounding) in relative terms, u = 2⁻⁵³, so that one that
// makes the same classes counts.
//
// Labels of a length other than n are a *[discriminant.RowsError], one class a
// *[discriminant.ClassesError], a class of one row a *[FewRowsError]. Cost: 3n² flops and as many kernel
// values for the statistic, 2n³ for D1 and D2, and n²(c−1) for each permutation; memory of some 480 columns.
func Test[L discriminant.Label](ctx context.Context, s *Sample, labels []L, o TestOptions) (*TestResult[L], error) {
	misuse.NotNil("inference: Test", "ctx", ctx, "s", s)
	classes, of, err := classesOf(s, labels, o)
	if err != nil {
		return nil, err
	}
	var relabelled *relabelling
	if o.Permutations > 0 {
		if relabelled, err = newRelabelling(of.Codes, len(classes), o); err != nil {
			return nil, err
		}
	}
	found, err := s.solve(ctx, of)
	if err != nil {
		return nil, err
	}
	r := &TestResult[L]{Classes: classes, Counts: of.Counts, Eigenvalues: found.Lambda, Ridge: found.Ridge, Certificate: discriminant.Certificate(found.Certificate)}
	n := float64(s.Rows())
	r.Statistic = float64(n * matrix.Sum(found.Lambda))
	r.RelativeError = r.Certificate.EigenvalueError + float64(float64(len(found.Lambda)+1)*f64.Roundoff)
	if len(found.Lambda) > 0 {
		if r.Projections, err = leading(found.Projections); err != nil {
			return nil, err
		}
	}
	if err := s.compareMeans(ctx, of, &r.Between, &r.MMD); err != nil {
		return nil, err
	}
	if r.D1, r.D2, err = s.rows.traceNorms(ctx, of); err != nil {
		return nil, err
	}
	if r.D2 <= s.tie(r.Certificate.KernelRounding) {
		r.D1, r.D2 = 0, 0
	} else {
		m := float64(len(classes) - 1)
		r.Normalised = (r.Statistic - float64(m*r.D1)) / float64(math.Sqrt(float64(2*m))*r.D2)
	}
	if relabelled != nil {
		r.Permuted, err = s.permute(ctx, relabelled, o, r.Statistic, r.Certificate.KernelRounding)
	}
	return r, err
}

// solve finds the directions, none where those of means that differ by rounding are nothing else.
func (s *Sample) solve(ctx context.Context, of *fisher.Classes) (*fisher.Solution, error) {
	found, err := s.rows.Solve(ctx, of)
	if !errors.As(err, new(*fisher.AccuracyError)) {
		return found, fisher.Public(err)
	}
	m := float64(len(of.Sizes) - 1)
	as, e := newRelabelling(of.Codes, len(of.Sizes), TestOptions{})
	if e != nil {
		return nil, e
	}
	trace, e := s.traces(ctx, as.contrasts(s.Rows(), as.unchanged), 1, nil)
	if e != nil {
		return nil, e
	}
	if more := trace[0] - m; !(more <= float64(m*s.tie(s.rows.Rounding()))) {
		return nil, fisher.Public(err)
	}
	return s.rows.Coincident(), nil
}

// classesOf returns the classes of labels, of at least two rows each, after all checks.
func classesOf[L discriminant.Label](s *Sample, labels []L, o TestOptions) ([]L, *fisher.Classes, error) {
	if len(labels) != s.Rows() {
		return nil, nil, &discriminant.RowsError{Rows: s.Rows(), Labels: len(labels)}
	}
	if err := o.check(s.Rows()); err != nil {
		return nil, nil, err
	}
	classes, of := encode(labels)
	if len(classes) < 2 {
		return nil, nil, tooFew(classes)
	}
	for j, count := range of.Counts {
		if count < 2 {
			return nil, nil, &FewRowsError{Class: fmt.Sprint(classes[j]), Rows: count, Want: 2}
		}
	}
	return classes, of, nil
}

// permute returns the statistics n(tr Σ⁻¹ − (c−1)) of permutations. They are taken relative to that of
// the labels as they are, found in the same way, so that equal ones are equal.
func (s *Sample) permute(ctx context.Context, r *relabelling, o TestOptions, statistic, kernelRounding float64) (*Permutations, error) {
	n, tie := float64(s.Rows()), s.tie(kernelRounding)
	own, err := s.traces(ctx, r.contrasts(s.Rows(), r.unchanged), 1, nil)
	if err != nil {
		return nil, err
	}
	null, err := s.traces(ctx, r.contrasts(s.Rows(), r.draw), o.Permutations, o.Progress)
	if err != nil {
		return nil, err
	}
	for i, trace := range null {
		more := trace - own[0]
		if math.Abs(more) <= float64(tie*own[0]) {
			more = 0
		}
		null[i] = math.Max(0, statistic+float64(n*more))
	}
	return newPermutations(statistic, null, r.distinct()), nil
}

// tie is how far traces are apart, in relative terms, that count as equal.
func (s *Sample) tie(kernelRounding float64) float64 {
	return float64(4 * (float64(float64(s.Rows())*f64.Roundoff) + kernelRounding))
}

// leading returns the first column of projections.
func leading(all *matrix.Dense) ([]float64, error) {
	z := make([]float64, all.Rows)
	for i := range z {
		if z[i] = all.At(i, 0); math.IsInf(z[i], 0) || math.IsNaN(z[i]) {
			return nil, &discriminant.OverflowError{Row: i}
		}
	}
	return z, nil
}

// compareMeans sets Between and the MMD. With centred kernel values, by which neither changes, S the
// c×c sums of those between classes and Dⱼ that of k(xᵢ, xᵢ) in one:
//
//	Between = Σⱼ Sⱼⱼ/lⱼ
//	biased = S₁₁/l₁² + S₂₂/l₂² − 2S₁₂/(l₁l₂)
//	unbiased = (S₁₁ − D₁)/(l₁(l₁−1)) + (S₂₂ − D₂)/(l₂(l₂−1)) − 2S₁₂/(l₁l₂)
func (s *Sample) compareMeans(ctx context.Context, of *fisher.Classes, between *float64, mmd **MMD) error {
	c := len(of.Sizes)
	members := matrix.New(s.Rows(), c)
	for i, j := range of.Codes {
		members.Set(i, j, 1)
	}
	sums, err := s.rows.product(ctx, members) // of each row with each class
	if err != nil {
		return err
	}
	within := matrix.Mul(nil, members, matrix.Transposed, sums, matrix.NoTrans)
	*between = 0
	for j, l := range of.Sizes {
		*between += math.Max(0, within.At(j, j)) / l
	}
	if c > 2 {
		return nil
	}
	own := make([]float64, c)
	for i, v := range s.rows.own() {
		own[of.Codes[i]] += v
	}
	*mmd = new(MMD)
	for j, l := range of.Sizes {
		(*mmd).Biased += within.At(j, j) / float64(l*l)
		(*mmd).Unbiased += (within.At(j, j) - own[j]) / float64(l*(l-1))
	}
	cross := float64(2*within.At(0, 1)) / float64(of.Sizes[0]*of.Sizes[1])
	(*mmd).Biased = math.Max(0, (*mmd).Biased-cross)
	(*mmd).Unbiased -= cross
	return nil
}
