package fisher

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

var certified = flag.Int("certified", 150, "problems of every solver whose certificate is compared with the reference")

const digits = bigref.Default

// study compares bounds with errors.
type study struct {
	t       *testing.T
	solver  string
	weighed bool                 // rows have weights
	ratios  map[string][]float64 // of errors to their bounds
}

func (s *study) add(what string, seed uint64, error, bound float64) {
	if error == 0 && bound == 0 {
		return
	}
	if !(error <= bound) {
		s.t.Errorf("%s, problem %d: the error of %s is %.4g, certified %.4g", s.solver, seed, what, error, bound)
	}
	s.ratios[what] = append(s.ratios[what], error/bound)
}

// end reports, and fails where the bounds of a kind are more than 50 times the errors in
// the median, or nowhere near one.
func (s *study) end() {
	for _, what := range []string{"the solution", "an eigenvalue"} {
		r := s.ratios[what]
		if len(r) == 0 {
			continue
		}
		slices.Sort(r)
		median, worst := r[len(r)/2], r[len(r)-1]
		s.t.Logf("%-10s %-14s %5d comparisons, error/bound: worst %.3f, median 1/%.3g", s.solver, what, len(r), worst, 1/median)
		if what == "the solution" && (median < 1.0/50 || worst < 0.6) {
			s.t.Errorf("%s: the bounds of %s say too little", s.solver, what)
		}
	}
}

// studied is a random problem: up to four classes of up to five rows.
type studied struct {
	x, k          *matrix.Dense
	codes, counts []int
	weights       Weights // or nil
	ridge         float64
	random        *rand.Rand
}

// classes returns those of the rows, with their weights.
func (p studied) classes() *Classes { return NewClasses(p.codes, len(p.counts), p.weights) }

// exactWeights returns the weights as they are, or nil.
func (p studied) exactWeights() bigref.Vector {
	if p.weights == nil {
		return nil
	}
	return digits.FromFloats(p.weights)
}

// weigh gives the rows weights: whole ones of 1 to 3, or any of four orders of magnitude.
func (p *studied) weigh(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 71))
	p.weights = make(Weights, len(p.codes))
	for i := range p.weights {
		if p.weights[i] = 1 + float64(r.IntN(3)); seed%2 == 0 {
			p.weights[i] = math.Pow(10, 4*r.Float64()-2)
		}
	}
}

func (of *study) problem(seed uint64, kernels []gram.Kernel) studied {
	t := of.t
	r := rand.New(rand.NewPCG(seed, 17))
	s := studied{random: r}
	for j := range 2 + r.IntN(3) {
		for range 1 + r.IntN(5) {
			s.codes = append(s.codes, j)
		}
	}
	s.codes = append(s.codes, 0, 1)
	s.counts = NewClasses(s.codes, slices.Max(s.codes)+1, nil).Counts
	s.x = matrix.New(len(s.codes), 1+r.IntN(3))
	whole := r.IntN(3) == 0
	apart := math.Pow(10, 3*r.Float64()-2)
	for i, j := range s.codes {
		for l := range s.x.Row(i) {
			v := r.NormFloat64() + apart*float64((j+l)%3)
			if whole {
				v = math.Round(4 * v)
			}
			s.x.Set(i, l, v)
		}
	}
	if r.IntN(5) == 0 {
		copy(s.x.Row(0), s.x.Row(len(s.codes)-1))
	}
	if len(kernels) > 0 {
		k := must.Get(gram.Matrix(nil, kernels[r.IntN(len(kernels))], s.x))(t)
		shift := []float64{0, 0, 1, 1e4}[r.IntN(4)]
		for i := range k.Data {
			k.Data[i] += shift
		}
		s.k = k
	}
	s.ridge = math.Pow(10, 16*r.Float64()-11)
	if of.weighed {
		s.weigh(seed)
	}
	return s
}

var studiedKernels = []gram.Kernel{
	gram.RBF{Gamma: 0.3}, gram.Laplacian{Gamma: 1}, gram.Linear{}, gram.Polynomial{Gamma: 1, Coef0: 1, Degree: 2}, gram.Sigmoid{Gamma: 0.3, Coef0: -0.2},
}

// eigenvalues compares those of a fit with the exact ones of K, taken as exact, with its ridge.
func (s *study) eigenvalues(seed uint64, lambda []float64, c Certificate, exact bigref.Vector) {
	s.t.Helper()
	if len(lambda) > len(exact) {
		s.t.Errorf("%s, problem %d: %d eigenvalues of %d", s.solver, seed, len(lambda), len(exact))
		return
	}
	worst := 0.0
	for k, l := range lambda {
		worst = math.Max(worst, digits.RelError(l, exact[k]))
	}
	s.add("an eigenvalue", seed, worst, c.EigenvalueError)
}

// exactly returns the eigenvalues of K as rounded.
func (p studied) exactly(t *testing.T, ridge float64, averaged, rkhs bool) bigref.Vector {
	t.Helper()
	want := must.Get(digits.Solve(bigref.Problem{K: digits.FromDense(p.k), Classes: p.codes, Eps: digits.Of(ridge), Averaged: averaged, RKHS: rkhs, Weights: p.exactWeights()}))(t)
	return want.Eigenvalues
}

// solution compares w with the exact solution of (A + diag)W = F, or of (A² + σ²)Y = F, W =
// (A + iσ)Y.
func (s *study) solution(seed uint64, got [][]float64, want bigref.Matrix, bound float64) {
	worst := 0.0
	for j, w := range got {
		worst = math.Max(worst, digits.ColError(w, want[j]))
	}
	s.add("the solution", seed, worst, bound)
}

func columnOf(j int, parts ...*matrix.Dense) []float64 {
	var c []float64
	for _, a := range parts {
		for i := range a.Rows {
			c = append(c, a.At(i, j))
		}
	}
	return c
}

// exactShifted returns the columns of (K − iσI)⁻¹F, real parts before imaginary ones.
func exactShifted(t *testing.T, k, f *matrix.Dense, sigma float64) (w bigref.Matrix) {
	exact := digits.FromDense(k)
	square := digits.MatMul(exact, exact)
	of := digits.Of(sigma)
	for i := range square {
		square[i][i] = digits.Add(square[i][i], digits.Mul(of, of))
	}
	l := must.Get(digits.Cholesky(square))(t)
	for j := range f.Cols {
		y := digits.CholeskySolve(l, digits.FromFloats(columnOf(j, f)))
		w = append(w, append(digits.MulVec(exact, y), digits.Scale(of, y)...))
	}
	return w
}

// exactCentred returns the columns of (HAH + λI)⁻¹F, or without H.
func exactCentred(t *testing.T, a, f *matrix.Dense, lambda float64, centred bool) (w bigref.Matrix) {
	exact := digits.FromDense(a)
	if centred {
		exact = digits.CentreBoth(exact)
	}
	for i := range exact {
		exact[i][i] = digits.Add(exact[i][i], digits.Of(lambda))
	}
	l := must.Get(digits.Cholesky(exact))(t)
	for j := range f.Cols {
		w = append(w, digits.CholeskySolve(l, digits.FromFloats(columnOf(j, f))))
	}
	return w
}

// A certificate is never smaller than the error: against 500 bits, of random problems of
// every solver, the solutions of the linear systems and the eigenvalues.
func TestCertificates(t *testing.T) {
	count := *certified
	if testing.Short() {
		count = min(count, 40)
	}
	for _, one := range []struct {
		solver string
		check  func(*study, uint64)
	}{
		{"shifted", checkShifted}, {"band", checkReduced}, {"krylov", checkReduced}, {"centred", checkCentred},
		{"normal", checkNormal}, {"means", checkMeans}, {"ridge", checkRidge},
		{"within", checkWithin}, {"whitened", checkWhitened}, {"factor", checkMoments},
	} {
		for _, weighed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, weights %t", one.solver, weighed), func(t *testing.T) {
				s := &study{t: t, solver: one.solver, weighed: weighed, ratios: map[string][]float64{}}
				for seed := range uint64(count) {
					one.check(s, seed)
				}
				s.end()
			})
		}
	}
}

func checkShifted(s *study, seed uint64) {
	p := s.problem(seed, studiedKernels)
	of := Problem{K: p.k.Clone(), Source: solve.NewUpper(p.k), Classes: p.classes(), Regularizer: Regularizer{Ridge, p.ridge * p.ridge}}
	found, err := Shifted(context.Background(), of)
	if err != nil {
		return
	}
	s.eigenvalues(seed, found.Lambda, found.Certificate, p.exactly(s.t, found.Ridge, false, false))
	form, err := Problem{K: p.k.Clone(), Source: solve.NewUpper(p.k), Classes: p.classes()}.scaled(false)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := form.findContrasts(); err != nil {
		s.t.Fatal(err)
	}
	sigma := math.Ldexp(p.ridge, form.scale.exp)
	k, f := form.K.Clone(), form.withConstant()
	factor, err := solve.FactorShifted(context.Background(), form.K, sigma)
	if err != nil {
		s.t.Fatal(err)
	}
	var cert Certificate
	w, err := (&shiftedFactor{context.Background(), factor, form.rowsOfK(), &cert}).solve(f)
	if err != nil {
		s.t.Fatal(err)
	}
	s.compareShifted(seed, w, exactShifted(s.t, k, f, sigma), cert)
}

func (s *study) compareShifted(seed uint64, w columns, want bigref.Matrix, cert Certificate) {
	var got [][]float64
	for j := range w.re.Cols {
		got = append(got, columnOf(j, w.re, w.im))
	}
	s.solution(seed, got, want, cert.Forward)
}

// Both reductions, with models and without.
func checkReduced(s *study, seed uint64) {
	ctx := context.Background()
	p := s.problem(seed, studiedKernels)
	reduce := reducers[s.solver]
	rkhs := seed%3 == 0
	reg := Regularizer{Ridge, p.ridge * p.ridge}
	if rkhs {
		reg = Regularizer{RKHS, p.ridge}
	}
	path, err := NewPath(ctx, Problem{K: p.k.Clone(), Source: solve.NewUpper(p.k), Classes: p.classes()}, []Regularizer{reg}, reduce)
	if err != nil || path.Entries[0].Err != nil {
		return
	}
	e := &path.Entries[0]
	exact := p.exactly(s.t, e.Ridge, false, rkhs)
	s.eigenvalues(seed, e.Lambda, e.Certificate, exact)
	if found, err := path.Solution(ctx, 0); err == nil {
		s.eigenvalues(seed, found.Lambda, found.Certificate, exact)
	}
	if rkhs {
		return
	}
	f := path.of.withConstant()
	var cert Certificate
	w, err := (&reducedFactor{ctx, path.reduction, path.of.rowsOfK(), path.shift(e), &cert}).solve(f)
	if err != nil {
		s.t.Fatal(err)
	}
	k := p.k.Clone()
	path.of.rowsOfK().Rows(k, 0)
	s.compareShifted(seed, w, exactShifted(s.t, k, f, e.size), cert)
}

func checkCentred(s *study, seed uint64) {
	p := s.problem(seed, studiedKernels)
	of := Problem{K: p.k.Clone(), Source: solve.NewUpper(p.k), Classes: p.classes(), Regularizer: Regularizer{RKHS, p.ridge}}
	found, err := Centred(context.Background(), of)
	if err != nil {
		return
	}
	s.eigenvalues(seed, found.Lambda, found.Certificate, p.exactly(s.t, found.Ridge, false, true))
	s.ridgeSolution(seed, p, true, contrasts(p.classes(), false))
}

// ridgeSolution compares the solution of HKH + λI or K + λI as stored.
func (s *study) ridgeSolution(seed uint64, p studied, centred bool, f *matrix.Dense) {
	k := p.k.Clone()
	m := newUnitMatrix(k, centred, p.weights)
	_, lambda, err := m.ridge(Regularizer{RKHS, p.ridge})
	if err != nil {
		return
	}
	stored := k.Clone()
	factor, err := m.factor(context.Background(), k, Regularizer{RKHS, p.ridge}, p.ridge, lambda)
	if err != nil {
		return
	}
	var cert Certificate
	for i := range stored.Rows {
		stored.Row(i)[i] += lambda // as it is rounded
	}
	z, _, refined, err := factor.solve(context.Background(), f)
	if err != nil {
		s.t.Fatal(err)
	}
	cert.record(refined)
	var got [][]float64
	for j := range z.Cols {
		got = append(got, columnOf(j, z))
	}
	right := f
	if centred { // of columns that sum to zero
		right = f.Clone()
	}
	want := exactCentred(s.t, stored, right, 0, false)
	if centred {
		want = zeroSumSolution(s.t, stored, f, p.weights)
	}
	s.solution(seed, got, want, cert.Forward)
}

// zeroSumSolution returns the columns, orthogonal to √w, with H(AW − F) = 0.
func zeroSumSolution(t *testing.T, a, f *matrix.Dense, weights Weights) (w bigref.Matrix) {
	axis, total := digits.Zeros(1, a.Rows)[0], digits.Int(0)
	for i := range axis {
		axis[i] = digits.Sqrt(digits.Of(weights.Of(i)))
		total = digits.Add(total, digits.Of(weights.Of(i)))
	}
	axis = digits.Scale(digits.Quo(digits.Int(1), digits.Sqrt(total)), axis)
	exact := digits.WithoutAxis(digits.FromDense(a), axis)
	for i := range exact {
		for j := range exact {
			exact[i][j] = digits.Add(exact[i][j], digits.Mul(axis[i], axis[j]))
		}
	}
	l := must.Get(digits.Cholesky(exact))(t)
	for j := range f.Cols {
		column := digits.FromFloats(columnOf(j, f))
		share := digits.Dot(axis, column)
		for i, v := range column {
			column[i] = digits.Sub(v, digits.Mul(share, axis[i]))
		}
		w = append(w, digits.CholeskySolve(l, column))
	}
	return w
}

func checkRidge(s *study, seed uint64) {
	p := s.problem(seed, studiedKernels)
	f := matrix.New(p.k.Rows, 2)
	for i := range f.Data {
		f.Data[i] = p.random.NormFloat64()
	}
	s.ridgeSolution(seed, p, false, f)
}

func checkNormal(s *study, seed uint64) {
	p := s.problem(seed, studiedKernels)
	averaged := seed%2 == 1
	of := Problem{K: p.k.Clone(), Source: solve.NewUpper(p.k), Classes: p.classes(), Averaged: averaged, Regularizer: Regularizer{Ridge, p.ridge}}
	found, err := Averaged(context.Background(), of)
	if err != nil {
		return
	}
	s.eigenvalues(seed, found.Lambda, found.Certificate, p.exactly(s.t, found.Ridge, averaged, false))
}

func checkMeans(s *study, seed uint64) {
	p := s.problem(seed, studiedKernels)
	averaged := seed%2 == 1
	of := Problem{K: p.k.Clone(), Source: solve.NewUpper(p.k), Classes: p.classes(), Averaged: averaged, Regularizer: Regularizer{Shrink, 1}}
	found, err := Shrunk(context.Background(), of)
	if err != nil {
		return
	}
	want, err := digits.Solve(bigref.Problem{K: digits.FromDense(p.k), Classes: p.codes, Eps: digits.Of(1), Averaged: averaged, Weights: p.exactWeights()})
	if err != nil {
		s.t.Fatal(err)
	}
	// M = UUᵀ, as golden has it; UᵀU has the same eigenvalues.
	factor, c, sizes := want.ClassMeans, len(p.counts), digits.Zeros(1, len(p.counts))[0]
	for i, j := range p.codes {
		sizes[j] = digits.Add(sizes[j], digits.Of(p.weights.Of(i)))
	}
	for i, row := range factor {
		centre := want.OverallMean[i]
		if averaged {
			centre = digits.Int(0)
			for _, v := range row {
				centre = digits.Add(centre, digits.Quo(v, digits.Int(c)))
			}
		}
		for j, v := range row {
			weight := sizes[j]
			if averaged {
				weight = digits.Int(c)
			}
			// The ridge is diag(1/wᵢ).
			row[j] = digits.Mul(digits.Sqrt(digits.Mul(weight, digits.Of(p.weights.Of(i)))), digits.Sub(v, centre))
		}
	}
	values, _, err := digits.Eigen(digits.MatMul(factor.Transpose(), factor))
	if err != nil {
		s.t.Fatal(err)
	}
	for k, v := range values {
		values[k] = digits.Quo(v, digits.Of(found.Ridge))
	}
	s.eigenvalues(seed, found.Lambda, found.Certificate, values)
}

// exactLinear returns the eigenvalues of S_B w = λ(S_W + εI)w.
func exactLinear(t *testing.T, x *matrix.Dense, of *Classes, ridge float64) bigref.Vector {
	t.Helper()
	codes := of.Codes
	rows, c, k := digits.FromDense(x), len(of.Counts), x.Cols
	means, mean := digits.Zeros(c, k), digits.Zeros(1, k)[0]
	sizes, total := digits.Zeros(1, c)[0], digits.Int(0)
	for i, j := range codes {
		w := digits.Of(of.Weights.Of(i))
		sizes[j], total = digits.Add(sizes[j], w), digits.Add(total, w)
	}
	for i, j := range codes {
		for l, v := range rows[i] {
			v = digits.Mul(v, digits.Of(of.Weights.Of(i)))
			means[j][l] = digits.Add(means[j][l], digits.Quo(v, sizes[j]))
			mean[l] = digits.Add(mean[l], digits.Quo(v, total))
		}
	}
	within, b := digits.Zeros(k, k), digits.Zeros(k, c)
	for i, j := range codes {
		for l := range k {
			for m := range k {
				product := digits.Mul(digits.Sub(rows[i][l], means[j][l]), digits.Sub(rows[i][m], means[j][m]))
				within[l][m] = digits.Add(within[l][m], digits.Mul(digits.Of(of.Weights.Of(i)), product))
			}
		}
	}
	for l := range k {
		within[l][l] = digits.Add(within[l][l], digits.Of(ridge))
		for j := range c {
			b[l][j] = digits.Mul(digits.Sqrt(sizes[j]), digits.Sub(means[j][l], mean[l]))
		}
	}
	f, err := digits.Cholesky(within)
	if err != nil {
		return nil // features are collinear
	}
	columns := b.Transpose()
	for j, v := range columns {
		columns[j] = digits.CholeskySolve(f, v)
	}
	values, _ := must.Get2(digits.Eigen(digits.MatMul(b.Transpose(), columns.Transpose())))(t)
	return values
}

// spreadOut makes of x features of different scales and offsets, some nearly collinear.
func (p studied) spreadOut() {
	r := p.random
	for j := range p.x.Cols {
		scale, offset, collinear := math.Pow(10, 6*r.Float64()-3), 0.0, 0.0
		if r.IntN(3) == 0 {
			offset = math.Pow(10, 5*r.Float64())
		}
		if j > 0 && r.IntN(2) == 0 {
			collinear = math.Pow(10, 8*r.Float64()-2)
		}
		for i := range p.x.Rows {
			v := p.x.At(i, j)
			if j > 0 {
				v += collinear * p.x.At(i, 0)
			}
			p.x.Set(i, j, scale*v+offset)
		}
	}
}

func checkWithin(s *study, seed uint64) {
	p := s.problem(seed, nil)
	p.spreadOut()
	ridge := []float64{0, p.ridge}[seed%2]
	found, err := SolveLinear(context.Background(), LinearProblem{X: p.x, Classes: p.classes(), Regularizer: Regularizer{Ridge, ridge}})
	if err != nil || found.Certificate.Solver != s.solver {
		return
	}
	s.eigenvalues(seed, found.Lambda, found.Certificate, exactLinear(s.t, p.x, p.classes(), ridge))
	// The system itself.
	a, b := p.x.Clone(), matrix.New(p.x.Cols, 2)
	d := repeated(ridge, p.x.Cols)
	for i := range b.Data {
		b.Data[i] = p.random.NormFloat64()
	}
	scatter := matrix.SymRankK(nil, a, matrix.Transposed)
	exact := digits.MatMul(digits.FromDense(a).Transpose(), digits.FromDense(a))
	for j, v := range d {
		scatter.Row(j)[j] += v
		exact[j][j] = digits.Add(exact[j][j], digits.Of(v))
	}
	factor, err := solve.FactorCholesky(context.Background(), scatter)
	if err != nil {
		return
	}
	_, root := factorNorms(scatter)
	y := b.Clone()
	factor.Solve(y)
	refined, err := factor.RefineNormal(context.Background(), a, d, 2*root*root, b, y, refinementSteps)
	if err != nil {
		s.t.Fatal(err)
	}
	if !(refined.Forward < forwardLimit) {
		return
	}
	l, err := digits.Cholesky(exact)
	if err != nil {
		s.t.Fatal(err)
	}
	var got [][]float64
	var want bigref.Matrix
	for j := range y.Cols {
		got, want = append(got, columnOf(j, y)), append(want, digits.CholeskySolve(l, digits.FromFloats(columnOf(j, b))))
	}
	s.solution(seed, got, want, refined.Forward)
}

// Features that are exactly collinear, and so whole numbers, and others nearly so.
func checkWhitened(s *study, seed uint64) {
	p := s.problem(seed, nil)
	k := p.x.Cols
	x := matrix.New(p.x.Rows, k+1)
	for i := range x.Rows {
		for j, v := range p.x.Row(i) {
			x.Set(i, j, math.Round(1e6*v))
		}
	}
	near := math.Round(math.Pow(10, 8*p.random.Float64()))
	for i := range x.Rows {
		if k > 1 {
			x.Set(i, 1, x.At(i, 1)+near*x.At(i, 0))
		}
		x.Set(i, k, x.At(i, 0)+2*x.At(i, k-1))
	}
	found, err := SolveLinear(context.Background(), LinearProblem{X: x, Classes: p.classes(), Regularizer: Regularizer{Ridge, 0}})
	if err != nil || found.Certificate.Solver != s.solver || found.Certificate.Rank == 0 {
		return
	}
	if exact := exactLinear(s.t, x.View(0, 0, x.Rows, k), p.classes(), 0); exact != nil {
		s.eigenvalues(seed, found.Lambda, found.Certificate, exact)
	}
}

// Ridges that rounding swallows where the rest is far from singular, or where there is
// nothing along the directions that they are for.
func TestTinyRidges(t *testing.T) {
	x, codes := matrixtest.Blobs(11, 3, 2)
	counts := NewClasses(codes, 2, nil).Counts
	twice := matrix.New(11, 6)
	twice.View(0, 0, 11, 3).CopyFrom(x)
	twice.View(0, 3, 11, 3).CopyFrom(x)
	wide, _ := matrixtest.Blobs(11, 30, 2)
	check := func(name string, lambda []float64, c Certificate, err error, exact bigref.Vector) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for k, l := range lambda {
			if e := digits.RelError(l, exact[k]); !(e <= c.EigenvalueError && c.EigenvalueError < 1e-8) {
				t.Errorf("%s: eigenvalue %v, want %v: error %.3g, certified %.3g", name, l, bigref.Float64(exact[k]), e, c.EigenvalueError)
			}
		}
	}
	linear := func(x *matrix.Dense, kind Kind, value float64) (*LinearSolution, error) {
		return SolveLinear(t.Context(), LinearProblem{X: x, Classes: NewClasses(codes, len(counts), nil), Regularizer: Regularizer{kind, value}})
	}
	centred := func(kernel gram.Kernel, ridge float64) (k *matrix.Dense, found *Solution, err error) {
		k = must.Get(gram.Matrix(nil, kernel, x))(t)
		found, err = Solve(t.Context(), nil, Problem{K: k.Clone(), Source: solve.NewUpper(k), Classes: NewClasses(codes, len(counts), nil), Regularizer: Regularizer{RKHS, ridge}})
		return k, found, err
	}
	for _, ridge := range []float64{1e-30, 1e-20, 1e-18, 1e-16, 1e-15, 1e-14, 1e-12, 1e-6} {
		for name, table := range map[string]*matrix.Dense{"twice": twice, "wide": wide} {
			s, err := linear(table, Ridge, ridge)
			check(name, s.Lambda, s.Certificate, err, exactLinear(t, table, NewClasses(codes, len(counts), nil), ridge))
		}
		k, s, err := centred(gram.Laplacian{Gamma: 1}, ridge)
		check("RKHS", s.Lambda, s.Certificate, err, studied{k: k, codes: codes}.exactly(t, ridge, false, true))
		if _, err := linear(twice, Shrink, ridge); err != nil {
			t.Error(err)
		}
		// A matrix of rank 3 is singular without a ridge.
		var refused *RidgeError
		if _, _, err := centred(gram.Linear{}, ridge); ridge < 1e-15 && !errors.As(err, &refused) {
			t.Errorf("a linear kernel, ridge %g: error %v, want a *RidgeError", ridge, err)
		}
	}
}

// Indefinite kernels are called that, and their eigenvalues no rounding errors: one along
// the class means that a ridge keeps from breaking the factorization, and a negative trace.
func TestIndefiniteAlongTheMeans(t *testing.T) {
	codes := []int{0, 0, 0, 1, 1, 1}
	k := matrix.New(6, 6)
	for i := range 6 {
		for j := range 6 {
			k.Set(i, j, map[bool]float64{true: -0.2, false: 0.1}[codes[i] == codes[j]])
		}
		k.Set(i, i, 0.5)
	}
	var indefinite *IndefiniteKernelError
	problem := Problem{K: k.Clone(), Source: solve.NewUpper(k), Classes: NewClasses(codes, 2, nil), Regularizer: Regularizer{RKHS, 2}}
	if _, err := Solve(t.Context(), nil, problem); !errors.As(err, &indefinite) {
		t.Errorf("error %v, want an *IndefiniteKernelError", err)
	}
	for i := range 6 {
		k.Set(i, i, -0.5)
	}
	problem.K, problem.Regularizer = k, Regularizer{RelativeRKHS, 1}
	if _, err := Solve(t.Context(), nil, problem); err == nil || !strings.Contains(err.Error(), "the kernel is indefinite") {
		t.Errorf("a negative trace: error %v", err)
	}
}

// What is accepted ends where the limits say.
func TestLimitsOfAcceptance(t *testing.T) {
	for _, c := range []struct {
		rows     int
		at       Certificate
		accepted bool
	}{
		{10, Certificate{Forward: 0x1p-27}, true}, {10, Certificate{Forward: 0x1p-25}, false},
		{100, Certificate{Backward: 60 * u}, true}, {100, Certificate{Backward: 160 * u}, false},
		{2, Certificate{Backward: 5 * u}, true}, {2, Certificate{Backward: 12 * u}, false},
		{10, Certificate{Forward: math.Inf(1)}, false}, {10, Certificate{Backward: math.NaN()}, false},
	} {
		var refused *AccuracyError
		if err := c.at.checkAccuracy(c.rows); errors.As(err, &refused) == c.accepted {
			t.Errorf("%d rows, backward error %.3g, forward error %.3g: %v", c.rows, c.at.Backward, c.at.Forward, err)
		}
	}
	for rounding, accepted := range map[float64]bool{0.006: true, 0.016: false} {
		if err := (&Certificate{KernelRounding: rounding}).checkKernelRounding("ε"); (err == nil) != accepted {
			t.Errorf("kernel rounding %g: %v", rounding, err)
		}
	}
	// Two features that come nearer and nearer are solved by their scatter as long as the
	// condition bound is at most 2²⁴.
	x, codes := matrixtest.Blobs(40, 2, 2)
	largest := 0.0
	for apart := 1.0; apart > 1e-9; apart /= 1.25 {
		near := x.Clone()
		for i := range near.Rows {
			near.Set(i, 1, x.At(i, 0)+apart*x.At(i, 1))
		}
		found := must.Get(SolveLinear(t.Context(), LinearProblem{X: near, Classes: NewClasses(codes, 2, nil), Regularizer: Regularizer{Ridge, 0}}))(t)
		if c := found.Certificate; c.Solver == "within" {
			largest = math.Max(largest, c.CondBound)
		}
	}
	if !(largest > 0x1p23 && largest <= 0x1p24) {
		t.Errorf("the largest condition bound of a scatter that was factored is %g, want little less than 2²⁴", largest)
	}
}

// Both forms from the factor of the features, and regressions.
func checkMoments(s *study, seed uint64) {
	p := s.problem(seed, nil)
	f := &featured{phi: p.x, codes: p.codes, weights: p.weights}
	exact := digits.FromDense(p.x)
	f.k = digits.MatMul(exact, exact.Transpose())
	m := f.moments(s.t, Shape{Classes: len(p.counts), Folds: 1}, nil)
	reg := Regularizer{RKHS, p.ridge}
	if seed%2 == 0 {
		reg = Regularizer{Ridge, p.ridge * p.ridge}
	}
	solutions, errs := m.Fisher([]Regularizer{reg}, 0)
	if errs[0] == nil {
		want := must.Get(digits.Solve(bigref.Problem{K: f.k, Classes: p.codes, Eps: digits.Of(reg.Value), RKHS: reg.Kind.InRKHS(), Weights: p.exactWeights()}))(s.t)
		s.eigenvalues(seed, solutions[0].Lambda, solutions[0].Certificate, want.Eigenvalues)
	}
	if fits, errs := m.Regress([]Regularizer{reg}); errs[0] == nil && reg.Kind.InRKHS() {
		worst := 0.0
		for j, want := range f.exactWeights(s.t, p, reg.Value) {
			worst = math.Max(worst, digits.ColError(columnOf(j, fits[0].Weights), want))
		}
		s.add("the weights", seed, worst, fits[0].Certificate.Forward)
	}
}

// exactWeights returns the columns of (ΦᵀHDHΦ + λI)⁻¹ΦᵀHDT.
func (f *featured) exactWeights(t *testing.T, p studied, lambda float64) (w bigref.Matrix) {
	n, d := f.phi.Rows, f.phi.Cols
	total, means := digits.Int(0), digits.Zeros(1, d)[0]
	weight := func(i int) float64 { return f.weights.Of(i) }
	for i := range n {
		total = digits.Add(total, digits.Of(weight(i)))
		for j := range d {
			means[j] = digits.Add(means[j], digits.Mul(digits.Of(weight(i)), digits.Of(f.phi.At(i, j))))
		}
	}
	scatter, right := digits.Zeros(d, d), digits.Zeros(len(p.counts), d)
	for i := range n {
		for j := range d {
			x := digits.Mul(digits.Of(weight(i)), digits.Sub(digits.Of(f.phi.At(i, j)), digits.Quo(means[j], total)))
			right[f.codes[i]][j] = digits.Add(right[f.codes[i]][j], x)
			for l := range d {
				scatter[j][l] = digits.Add(scatter[j][l], digits.Mul(x, digits.Sub(digits.Of(f.phi.At(i, l)), digits.Quo(means[l], total))))
			}
		}
	}
	for j := range d {
		scatter[j][j] = digits.Add(scatter[j][j], digits.Of(lambda))
	}
	l := must.Get(digits.Cholesky(scatter))(t)
	for _, b := range right {
		w = append(w, digits.CholeskySolve(l, b))
	}
	return w
}
