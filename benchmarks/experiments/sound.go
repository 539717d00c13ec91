package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// The sound protocol: features scaled to mean 0 and deviation 1, relative ridges,
// everything chosen by cross-validation in the training rows, and the validation
// rows looked at once.

// family is the part of a candidate that a row of the published table shares.
type family struct {
	linear bool
	pca    bool // kernel PCA with a support vector machine; else KFDA
}

var families = []family{{false, true}, {true, true}, {false, false}, {true, false}}

// family returns the family of a published variant.
func (v variant) family() family { return family{linear: v.linear, pca: v.components > 0} }

// soundCandidate is a candidate of the sound protocol. The kernel's γ is in units of
// gram.GammaScale of the scaled rows; so is that of the machine, of the projections.
type soundCandidate struct {
	family
	gamma float64 // rbf

	ridge float64 // KFDA: relative

	components   int // kernel PCA
	c            float64
	machineGamma float64
}

func (c soundCandidate) String() string {
	s := "KFDA, "
	if c.pca {
		s = "kernel PCA, "
	}
	if c.linear {
		s += "linear"
	} else {
		s += fmt.Sprintf("rbf with %vγ₀", c.gamma)
	}
	if c.pca {
		return s + fmt.Sprintf(", k = %d; SVM with C = %v, %vγ₀", c.components, c.c, c.machineGamma)
	}
	return s + fmt.Sprintf(", relative ridge %v", c.ridge)
}

// The values that are tried. Of candidates that are equally good the first one is
// taken: fewer components and larger ridges come first.
var (
	soundGammas        = []float64{0.25, 1, 4}
	soundRidges        = []float64{100, 10, 1, 0.1, 1e-2, 1e-4, 1e-6}
	soundComponents    = []int{2, 5, 10, 20, 50}
	soundCs            = []float64{1, 10, 100}
	soundMachineGammas = []float64{0.25, 1, 4}
)

// soundKernels returns the kernels that are tried: what its candidates share.
func soundKernels() []soundCandidate {
	kernels := []soundCandidate{{family: family{linear: true}}}
	for _, gamma := range soundGammas {
		kernels = append(kernels, soundCandidate{gamma: gamma})
	}
	return kernels
}

// soundOutcome is a candidate with the number of rows that it got right in the
// cross-validation.
type soundOutcome struct {
	soundCandidate
	right   int
	refused bool // a fit was refused
}

// soundResult is what the sound protocol says about a data set.
type soundResult struct {
	best   map[family]soundOutcome
	chosen soundOutcome
	tested int // rows of the cross-validation
	right  int // validation rows that the chosen candidate gets right
	fits   int
}

// chooseSound chooses a candidate by stratified 5-fold cross-validation in the
// training rows, with new folds until about that many rows have been tested, and
// applies it to the validation rows.
func chooseSound(ctx context.Context, set challenge, tests, workers int) (soundResult, error) {
	repeats := max(1, tests/len(set.labels))
	r := soundResult{tested: repeats * len(set.labels), best: map[family]soundOutcome{}}
	kernels := soundKernels()
	parts := make([][]soundOutcome, len(kernels)*repeats*foldCount)
	err := parallel(ctx, len(parts), workers, func(i int) error {
		kernel, repeat, fold := kernels[i%len(kernels)], i/len(kernels)/foldCount, i/len(kernels)%foldCount
		outside, inside := divide(stratifiedFolds(set.labels, foldCount, foldSeed, uint64(repeat)), fold)
		data, err := newSoundData(kernel, takeRows(set.x, outside), take(set.labels, outside), takeRows(set.x, inside), take(set.labels, inside))
		if err != nil {
			return err
		}
		parts[i], err = data.tryAll(ctx, kernel)
		return err
	})
	if err != nil {
		return r, err
	}
	sums := parts[:len(kernels)]
	for i, part := range parts {
		r.fits += len(part)
		if i < len(kernels) {
			continue
		}
		for j, o := range part {
			sum := &sums[i%len(kernels)][j]
			sum.right += o.right
			sum.refused = sum.refused || o.refused
		}
	}
	for _, outcomes := range sums {
		for _, o := range outcomes {
			if best, seen := r.best[o.family]; !o.refused && (!seen || o.right > best.right) {
				r.best[o.family] = o
			}
		}
	}
	first := true
	for _, f := range families {
		if o, seen := r.best[f]; seen && (first || o.right > r.chosen.right) {
			r.chosen, first = o, false
		}
	}
	if first {
		return r, errors.New("every candidate has a refused fit")
	}
	// The validation rows are looked at here, once.
	data, err := newSoundData(r.chosen.soundCandidate, set.x, set.labels, set.validX, set.validLabels)
	if err != nil {
		return r, err
	}
	o, err := data.try(ctx, r.chosen.soundCandidate)
	r.right = o.right
	return r, err
}

// soundData is what the candidates with one kernel share in one division of rows:
// kernel values of the scaled rows to train on, and of those to test with.
type soundData struct {
	k, cross           *matrix.Dense
	labels, testLabels []int
	z, testZ           *matrix.Dense // scores of kernel PCA, once they are wanted
}

func newSoundData(c soundCandidate, x *matrix.Dense, labels []int, test *matrix.Dense, testLabels []int) (*soundData, error) {
	scaler, err := discriminant.FitScaler(discriminant.Standard, x)
	if err != nil {
		return nil, err
	}
	if x, err = scaler.Transform(nil, x); err != nil {
		return nil, err
	}
	if test, err = scaler.Transform(nil, test); err != nil {
		return nil, err
	}
	kernel := gram.Kernel(gram.Linear{})
	if !c.linear {
		gamma, err := gram.GammaScale(x)
		if err != nil {
			return nil, err
		}
		kernel = gram.RBF{Gamma: c.gamma * gamma}
	}
	d := &soundData{labels: labels, testLabels: testLabels}
	if d.k, err = gram.Matrix(nil, kernel, x); err != nil {
		return nil, err
	}
	d.cross, err = gram.Cross(nil, kernel, test, x)
	return d, err
}

// tryAll tries all candidates with the kernel of c.
func (d *soundData) tryAll(ctx context.Context, c soundCandidate) ([]soundOutcome, error) {
	var candidates []soundCandidate
	for _, ridge := range soundRidges {
		candidates = append(candidates, soundCandidate{family: family{linear: c.linear}, gamma: c.gamma, ridge: ridge})
	}
	for _, components := range soundComponents {
		for _, price := range soundCs {
			for _, factor := range soundMachineGammas {
				candidates = append(candidates, soundCandidate{family: family{c.linear, true}, gamma: c.gamma, components: components, c: price, machineGamma: factor})
			}
		}
	}
	outcomes := make([]soundOutcome, len(candidates))
	for i, candidate := range candidates {
		var err error
		if outcomes[i], err = d.try(ctx, candidate); err != nil {
			return nil, fmt.Errorf("%v: %w", candidate, err)
		}
	}
	return outcomes, nil
}

// try trains a candidate and counts the rows to test with that get their label.
func (d *soundData) try(ctx context.Context, c soundCandidate) (soundOutcome, error) {
	o := soundOutcome{soundCandidate: c}
	var method discriminant.Method = discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: discriminant.RelativeRidge(c.ridge)}
	x, test := d.k, d.cross
	if c.pca {
		if err := d.score(ctx); err != nil {
			return o, err
		}
		x, test = d.z.View(0, 0, d.z.Rows, c.components), d.testZ.View(0, 0, d.testZ.Rows, c.components)
		gamma, err := gram.GammaScale(x)
		if err != nil {
			return o, err
		}
		method = discriminant.SVM{Kernel: gram.RBF{Gamma: c.machineGamma * gamma}, C: c.c}
	}
	model, err := discriminant.Fit(ctx, method, x, d.labels)
	if refused(err) {
		o.refused = true
		return o, nil
	}
	if err != nil {
		return o, err
	}
	wrong, err := countWrong(model, test, d.testLabels)
	o.right = len(d.testLabels) - wrong
	return o, err
}

// score computes the most scores of kernel PCA that a candidate wants.
func (d *soundData) score(ctx context.Context) error {
	if d.z != nil {
		return nil
	}
	pca, err := discriminant.FitKernelPCA(ctx, discriminant.KernelPCA{Kernel: gram.Precomputed{}, Components: soundComponents[len(soundComponents)-1]}, d.k)
	if err != nil {
		return err
	}
	if d.z, err = pca.Project(nil, d.k); err != nil {
		return err
	}
	d.testZ, err = pca.Project(nil, d.cross)
	return err
}
