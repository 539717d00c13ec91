package discriminant

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// streamMethod returns what an unprepared method is, and an error for what a [Stream] does not do.
func streamMethod(method Method) (*methodFacts, error) {
	refuse := func(field string, value any, reason string) (*methodFacts, error) {
		return nil, &ParameterError{Field: field, Value: fmt.Sprint(value), Reason: reason}
	}
	set := method.Settings()
	if set.Scaling == AutoScaling {
		return refuse("Scaling", set.Scaling, "a stream can't choose one: want NoScaling, Standard or MinMax")
	}
	if isPrecomputed(set.Kernel) {
		return refuse("Kernel", set.Kernel, "a stream needs rows of features")
	}
	switch c := set.Classifier.(type) {
	case nil, NearestCentroid:
	case Gaussian:
		if c.PerClass {
			return refuse("Classifier", c, "covariances of each class take all rows a second time: want Gaussian{} or NearestCentroid{}")
		}
	default:
		return refuse("Classifier", c, "it keeps rows: want Gaussian{} or NearestCentroid{}")
	}
	switch m := method.(type) {
	case KFDA:
		switch {
		case m.Scatter != SummedScatter:
			return refuse("Scatter", m.Scatter, "want SummedScatter for a stream")
		case m.Conjugate != nil:
			return nil, m.conjugateRefuses("a stream", "leave out Conjugate")
		case m.LeaveOneOut && set.Classifier == Classifier(NearestCentroid{}):
			return refuse("LeaveOneOut", true, "it calibrates posteriors in a stream: want Gaussian{}")
		case m.Regularizer.kind == fisher.Shrink:
			return refuse("Regularizer", m.Regularizer, "want a ridge for a stream")
		}
		return methodKFDA, nil
	case KernelRidge:
		if m.Intercept != FittedIntercept() {
			return refuse("Intercept", m.Intercept, "want FittedIntercept() for a stream")
		}
		return methodKernelRidge, nil
	case LDA:
		if m.Regularizer.kind == fisher.LedoitWolf {
			return refuse("Regularizer", m.Regularizer, "its intensity takes all rows a second time: want Shrink, or a ridge")
		}
		return methodLDA, nil
	case KernelPCA:
		return methodKernelPCA, nil
	}
	return refuse("Method", fmt.Sprintf("%T", method), "want KFDA, KernelRidge, KernelPCA or LDA for a stream")
}

// streamRegularizer returns that of a method for a stream, with the default made explicit.
func streamRegularizer(method Method) Regularizer {
	switch m := method.(type) {
	case KFDA:
		return m.Regularizer.or(LeaveOneOutRKHS())
	case KernelRidge:
		return m.Regularizer.or(LeaveOneOutRidge())
	case LDA:
		return m.regularizer()
	}
	return Regularizer{}
}

// featureRegularizer returns what a regulariser of a method is on features: that of kernel
// ridge regression is on the norm of f.
func featureRegularizer(kind *methodFacts, r Regularizer) fisher.Regularizer {
	if kind == methodKernelRidge {
		switch r.kind {
		case fisher.Ridge:
			return RKHS(r.value).solved()
		case fisher.RelativeRidge:
			return RelativeRKHS(r.value).solved()
		}
	}
	return r.solved()
}

// Model fits method to the rows so far, which the stream keeps: more can follow. The kernel and the
// scaling are those that the stream was started with; ridge, components, classifier and priors may
// be others than those of the method that started it.
//
// By default, which LeaveOneOutRidge and LeaveOneOutRKHS name too, the ridge is chosen from 5 folds
// drawn by the numbers of the rows: of the relative ridges that [Fit] tries the one with the least
// squared differences between the class indicators and the predictions of the rows of each fold by
// kernel ridge regression on the others. The classifier is [Gaussian] with a ridge in the RKHS, by
// rows that are left out (see [Stream]), and else [NearestCentroid]. A stream of a file without such
// rows fits it to the projections as they are.
// The model's [Training] has no hash. A stream that its holder drops is not in memory during the fit.
//
// Errors are those of Fit, a *[ParameterError] where the stream was started for another kind of
// method or a class has no row, and a *[solve.BlockError] where rows in between are missing.
func (s *Stream[L]) Model(ctx context.Context, method Method) (*Model[L], error) {
	s.needs("Model")
	misuse.NotNil("discriminant: Stream.Model", "ctx", ctx, "the method", method)
	classes := s.Classes() // s itself is of no use after start
	fit, err := s.start(ctx, method)
	if err != nil {
		return nil, err
	}
	for j, count := range fit.moments.Counts {
		if count == 0 {
			return nil, &ParameterError{Field: "Stream", Value: fmt.Sprint(classes[j]), Reason: "the class has no row"}
		}
	}
	f, err := fit.model(ctx)
	if err != nil {
		return nil, publicError(err)
	}
	f.counts = fit.moments.Counts
	return &Model[L]{classes: classes, fitted: f}, nil
}

// streamFit is a fit to the rows of a stream.
type streamFit struct {
	*streamStart
	kept    *keptRows
	kind    *methodFacts
	method  Method
	reg     Regularizer // chosen
	moments *fisher.Moments
}

// start checks a method for the rows so far, and chooses the ridge.
func (s *streamed) start(ctx context.Context, method Method) (*streamFit, error) {
	if err := method.Validate(); err != nil {
		return nil, err
	}
	method = unprepared(method)
	kind, err := streamMethod(method)
	if err != nil {
		return nil, err
	}
	reg := streamRegularizer(method)
	if (kind == methodLDA) != (s.landmarks == nil) || reg.byLeaveOneOut() && s.rows.Folds == 1 {
		return nil, &ParameterError{Field: "Method", Value: kind.name, Reason: "the stream was started for another, or without the folds by which a ridge is chosen"}
	}
	folds, err := s.rows.Parts()
	if err != nil {
		return nil, err
	}
	fit := &streamFit{s.streamStart, s.kept, kind, method, reg, nil} // the accumulator is of no use any more
	if reg.byLeaveOneOut() {
		return fit, fit.chooseByFolds(ctx, folds)
	}
	fit.moments = fisher.Joined(folds)
	return fit, ctx.Err()
}

// chooseByFolds sets the relative ridge with the least held-out squares, those of each of several
// targets in units of its own, and the moments of all folds, which it gives up.
func (s *streamFit) chooseByFolds(ctx context.Context, folds []*fisher.Part) error {
	c := choice{reg: s.reg}
	candidates := c.candidates()
	solved := make([]fisher.Regularizer, len(candidates))
	for i, r := range candidates {
		solved[i] = featureRegularizer(s.kind, r)
	}
	losses, errs, all, err := fisher.HeldOut(ctx, folds, solved)
	if err != nil {
		return err
	}
	s.moments = all.Moments()
	for j, squares := range s.moments.TargetSquares() {
		for i := range candidates {
			if squares > 0 {
				losses.Row(i)[j] /= squares
			}
		}
	}
	best, least := c.made(fallbackRidge), math.Inf(1)
	for i, r := range candidates {
		if loss := matrix.Sum(losses.Row(i)); errs[i] == nil && fisher.Less(loss, least) {
			best, least = r, loss
		}
	}
	s.reg = best
	return ctx.Err()
}

// model fits the method, to what has rows.
func (s *streamFit) model(ctx context.Context) (f *fitted, err error) {
	f = &fitted{
		method: s.kind, notes: s.notes, pipeline: &pipeline{preparation: s.preparation, scaler: s.scaler},
		solution: solution{regularizer: s.reg}, training: Training{Cols: s.columns},
	}
	for _, count := range s.moments.Counts {
		f.training.Rows += count
	}
	switch m := s.method.(type) {
	case KernelRidge:
		return f, s.regress(f)
	case KernelPCA:
		return s.principal(ctx, f, m)
	}
	set, components := s.method.Settings(), 0
	switch m := s.method.(type) {
	case KFDA:
		components = m.Components
	case LDA:
		components = m.Components
	}
	if err := checkClasses(components, set.Priors, len(s.moments.Counts)); err != nil {
		return nil, err
	}
	found, err := s.directions(ctx, components)
	if err != nil {
		return nil, err
	}
	f.lambda, f.solution.shrinkage, f.solution.ridge, f.solution.certificate = found.Lambda, found.Shrinkage, found.Ridge, Certificate(found.Certificate)
	if s.kind == methodLDA {
		f.pipeline.embedding = &linearEmbedding{origin: found.Means, weights: found.Weights}
	} else {
		found.Means = make([]float64, len(found.Means)) // projections are of the kernel as it is
		if f.pipeline.embedding, err = s.expansion(found.Weights); err != nil {
			return nil, err
		}
	}
	c := set.Classifier
	if c == nil && (s.kind == methodLDA || s.reg.inRKHS()) {
		c = Gaussian{}
	}
	p, err := standIns(s.moments, found)
	if err != nil {
		return nil, err
	}
	if m, ok := s.method.(KFDA); ok && m.leavesOneOut() && s.kept != nil {
		if p, err = s.leaveOut(ctx, f, p, found); err != nil {
			return nil, err
		}
		f.solution.leaveOneOut = true
	}
	p.priors, p.unitScatter = set.Priors, s.kind == methodLDA
	return f.finish(ctx, c, nil, p, nil)
}

// directions finds those of a KFDA or an LDA.
func (s *streamFit) directions(ctx context.Context, components int) (*fisher.LinearSolution, error) {
	if s.kind == methodLDA {
		return s.moments.Linear(ctx, s.reg.solved(), components)
	}
	solutions, errs := s.moments.Fisher([]fisher.Regularizer{s.reg.solved()}, components)
	return solutions[0], errs[0]
}

// principal completes f as a kernel principal component analysis.
func (s *streamFit) principal(ctx context.Context, f *fitted, m KernelPCA) (*fitted, error) {
	if err := checkClasses(0, m.Priors, len(s.moments.Counts)); err != nil {
		return nil, err
	}
	if most := s.width(); m.Share == 0 && m.Components > most {
		return nil, &ParameterError{Field: "Components", Value: fmt.Sprint(m.Components), Reason: fmt.Sprintf("at most %d, the number of landmarks", most)}
	}
	found, err := s.moments.Principal(ctx, m.Components, m.Share)
	if err != nil {
		return nil, err
	}
	m.take(f, found, matrix.Sum(s.moments.Sizes))
	e, err := s.expansion(found.Alpha)
	if err != nil {
		return nil, err
	}
	directions := &fisher.LinearSolution{Weights: found.Alpha, Means: s.moments.Means}
	offset := matrix.Mul(nil, matrix.Column(directions.Means), matrix.Transposed, found.Alpha, matrix.NoTrans).Row(0)
	for k, v := range offset {
		offset[k] = -v
	}
	f.pipeline.embedding = &offsetEmbedding{*e, offset}
	p, err := standIns(s.moments, directions)
	if err != nil {
		return nil, err
	}
	p.priors = m.Priors
	return f.finish(ctx, m.Classifier, nil, p, nil)
}

// regress sets f to the kernel ridge regression.
func (s *streamFit) regress(f *fitted) error {
	fits, errs := s.moments.Regress([]fisher.Regularizer{featureRegularizer(s.kind, s.reg)})
	if errs[0] != nil {
		return errs[0]
	}
	fit := fits[0]
	w, offset := fit.Weights, fit.Offset
	if len(s.moments.Counts) == 2 { // targets ∓1 are 2t − 1 for the indicators t of the second class
		w, offset = w.View(0, 1, w.Rows, 1).Clone(), []float64{math.FMA(2, offset[1], -1)}
		for i, v := range w.Data {
			w.Data[i] = float64(2 * v)
		}
	}
	e, err := s.expansion(w)
	if err != nil {
		return err
	}
	f.pipeline.embedding, f.rule = &offsetEmbedding{*e, offset}, ridgeRule{}
	f.solution.ridge, f.solution.certificate = fit.Ridge, Certificate(fit.Certificate)
	return nil
}

// expansion returns z = wᵀφ(x) in kernel values of the landmarks.
func (s *streamFit) expansion(w *matrix.Dense) (*kernelEmbedding, error) {
	features, alpha := s.landmarks.features, w.Clone()
	matrix.SolveLowerTrans(features.Factor(), alpha)
	e, err := gram.NewEvaluator(features.Kernel(), features.Landmarks())
	return &kernelEmbedding{evaluator: e, alpha: alpha, landmarks: &landmarkShare{s.moments.LeftShare()}}, err
}

// standIns returns projections of few weighted rows with the class means, the sizes and the
// pooled scatter S of all rows: of each class its mean, but of the largest, of size l, 2p rows at
// its mean ± √(p/l) d_k, where the p rows d_k have DᵀD = S.
func standIns(moments *fisher.Moments, s *fisher.LinearSolution) (projections, error) {
	centroids, spread, err := moments.Projected(s)
	if err != nil {
		return projections{}, err
	}
	c, p := centroids.Rows, centroids.Cols
	z := matrix.New(2*p+c-1, p)
	codes, weights := make([]int, 0, z.Rows), make(fisher.Weights, 0, z.Rows)
	add := func(class int, weight float64) []float64 {
		row := z.Row(len(codes))
		copy(row, centroids.Row(class))
		codes, weights = append(codes, class), append(weights, weight)
		return row
	}
	largest := slices.Max(moments.Sizes)
	wide := slices.Index(moments.Sizes, largest)
	for j, size := range moments.Sizes {
		if j != wide {
			add(j, size)
		}
	}
	size := math.Sqrt(float64(p) / largest)
	for k := range p {
		for _, by := range [2]float64{size, -size} {
			row := add(wide, largest/float64(2*p))
			for l, d := range spread.Row(k) {
				row[l] = math.FMA(by, d, row[l])
			}
		}
	}
	return projections{z: z, classes: fisher.NewClasses(codes, c, weights), lambda: s.Lambda, negated: s.Negated}, nil
}
