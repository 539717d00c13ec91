package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// variant is a row of the published table: kernel PCA or, with 0 components, KFDA.
type variant struct {
	linear     bool
	components int
}

var variants = []variant{{false, 10}, {false, 100}, {true, 10}, {true, 100}, {false, 0}, {true, 0}}

func (v variant) String() string {
	kernel := "rbf"
	if v.linear {
		kernel = "linear"
	}
	if v.components == 0 {
		return "KFDA, " + kernel
	}
	return fmt.Sprintf("kernel PCA, %s, k = %d", kernel, v.components)
}

// publication is a data set with its published accuracies on the validation rows,
// in the order of variants.
type publication struct {
	name       string
	accuracies []float64
}

var publications = []publication{
	{"arcene", []float64{0.56, 0.56, 0.64, 0.53, 0.56, 0.72}},
	{"madelon", []float64{331. / 600, 356. / 600, 349. / 600, 357. / 600, 305. / 600, 298. / 600}},
}

func (p publication) title() string { return p.name }

// soundTests is the number of tested rows in the cross-validation of the sound
// protocol: all 2000 of Madelon once, the 100 of Arcene in 20 different folds.
const soundTests = 2000

// published runs the experiment on the data sets, each in its folder below data, and
// prints its tables.
func published(ctx context.Context, data string, sets []publication, tests, workers int, stdout, stderr io.Writer) error {
	for _, p := range sets {
		start := time.Now()
		set, err := readChallenge(filepath.Join(data, p.name), p.name)
		if err != nil {
			return err
		}
		repeated := make([]int, len(variants)) // right labels
		for i, v := range variants {
			if repeated[i], err = v.countRight(ctx, set); err != nil {
				return fmt.Errorf("%s: %v: %w", p.name, v, err)
			}
		}
		fmt.Fprintf(stderr, "%s: the published protocol: %.1f s\n", p.name, time.Since(start).Seconds())
		start = time.Now()
		sound, err := chooseSound(ctx, set, tests, workers)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Fprintf(stderr, "%s: the sound protocol: %.1f s\n", p.name, time.Since(start).Seconds())
		if err := writePublished(stdout, p, set, repeated, sound); err != nil {
			return err
		}
	}
	return nil
}

// The published protocol: features as they are, coefficients of kernel PCA or of
// KFDA, projections without centring, and a support vector machine on them.
const (
	publishedGamma = 1e-10
	publishedRidge = 1e-3
)

// countRight returns how many validation rows get their label in the published
// protocol.
func (v variant) countRight(ctx context.Context, set challenge) (int, error) {
	coefficients, err := v.coefficients(ctx, set)
	if err != nil {
		return 0, err
	}
	train, err := v.project(set.x, set.x, coefficients)
	if err != nil {
		return 0, err
	}
	valid, err := v.project(set.validX, set.x, coefficients)
	if err != nil {
		return 0, err
	}
	return v.machine(ctx, set, train, valid)
}

func (v variant) kernel() gram.Kernel {
	if v.linear {
		return gram.Linear{}
	}
	return gram.RBF{Gamma: publishedGamma}
}

// coefficients returns v/λ of each component of kernel PCA, or the one column
// α_b = (N + εI)⁻¹(M₂ − M₁). n rows have n − 1 components.
func (v variant) coefficients(ctx context.Context, set challenge) (*matrix.Dense, error) {
	if v.components > 0 {
		pca, err := discriminant.FitKernelPCA(ctx, discriminant.KernelPCA{
			Kernel:     v.kernel(),
			Components: min(v.components, set.x.Rows-1),
			Whiten:     discriminant.UnitLength,
		}, set.x)
		if err != nil {
			return nil, err
		}
		return pca.Alpha(), nil
	}
	model, err := discriminant.Fit(ctx, discriminant.KFDA{Kernel: v.kernel(), Regularizer: discriminant.Ridge(publishedRidge)}, set.x, set.labels)
	if err != nil {
		return nil, err
	}
	return binaryCoefficients(model), nil
}

// project returns the projections of the rows of y, with kernel values or, in the
// linear variants, with squared distances in place of dot products.
func (v variant) project(y, x, coefficients *matrix.Dense) (*matrix.Dense, error) {
	k, err := gram.Cross(nil, v.kernel(), y, x)
	if err != nil {
		return nil, err
	}
	if v.linear {
		ofX, err := gram.Diag(nil, gram.Linear{}, x)
		if err != nil {
			return nil, err
		}
		ofY, err := gram.Diag(nil, gram.Linear{}, y)
		if err != nil {
			return nil, err
		}
		for i := range k.Rows {
			for j, dot := range k.Row(i) {
				k.Row(i)[j] = ofY[i] + ofX[j] - float64(2*dot) // exact: the features are integers
			}
		}
	}
	return matrix.Mul(nil, k, matrix.NoTrans, coefficients, matrix.NoTrans), nil
}

// machine trains the support vector machine on projections, with C = 1 and for rbf
// γ = 1/(columns), and returns how many validation rows get their label. The
// published program kept kernel values in single precision while it trained, and
// not to predict; where the projections hardly differ, that decides.
func (v variant) machine(ctx context.Context, set challenge, train, valid *matrix.Dense) (int, error) {
	kernel := gram.Kernel(gram.RBF{Gamma: 1 / float64(train.Cols)})
	if v.linear {
		kernel = gram.Linear{}
	}
	k, err := gram.Matrix(nil, kernel, train)
	if err != nil {
		return 0, err
	}
	for i, value := range k.Data {
		k.Data[i] = float64(float32(value))
	}
	model, err := discriminant.Fit(ctx, discriminant.SVM{Kernel: gram.Precomputed{}}, k, set.labels)
	if err != nil {
		return 0, err
	}
	if k, err = gram.Cross(nil, kernel, valid, train); err != nil {
		return 0, err
	}
	wrong, err := countWrong(model, k, set.validLabels)
	return len(set.validLabels) - wrong, err
}
