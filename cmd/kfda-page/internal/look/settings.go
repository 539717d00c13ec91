// Package look fits a model to a table as the command kfda does, to the same bytes, and says what a page
// shows of it. It has no part of a browser.
package look

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Settings are what the page asks for.
type Settings struct {
	Label   string  // column, "" for the last
	Missing string  // what is done about missing cells, "" to refuse them
	Model   string  // kfda, lda, ridge, svm or kpca
	Kernel  string  // rbf, laplacian, poly, linear or cosine
	Gamma   float64 // of the kernel; 0: one that leaving out rows chooses
	Ridge   float64 // relative; of an svm C; 0: what the command takes
}

// scaled is how columns are scaled before the kernel sees them, with γ in the units of these.
const scaled = discriminant.Standard

// kernel returns the kernel, and the flags of the command that make it.
func (s Settings) kernel() (k gram.Kernel, flags string, err error) {
	switch s.Kernel {
	case "rbf":
		k = gram.RBF{Gamma: s.Gamma}
	case "laplacian":
		k = gram.Laplacian{Gamma: s.Gamma}
	case "poly":
		p := gram.NewPolynomial(0)
		p.Gamma = s.Gamma
		k = p
	case "linear":
		return gram.Linear{}, " --kernel linear", nil
	case "cosine":
		return gram.Cosine{}, " --kernel cosine", nil
	default:
		return nil, "", fmt.Errorf("no kernel %q", s.Kernel)
	}
	if s.Kernel != "rbf" {
		flags = " --kernel " + s.Kernel
	}
	if s.Gamma > 0 {
		flags += " --gamma " + decimal(s.Gamma)
	}
	return k, flags, nil
}

// method returns the method that the command makes of the flags.
func (s Settings) method() (m discriminant.Method, flags string, err error) {
	var k gram.Kernel
	if s.Model != "lda" {
		if k, flags, err = s.kernel(); err != nil {
			return nil, "", err
		}
	}
	if s.Model != "kfda" {
		flags = " --model " + s.Model + flags
	}
	ridge, reg := s.Ridge > 0, discriminant.RelativeRidge(s.Ridge)
	switch s.Model {
	case "kfda":
		f := discriminant.KFDA{Kernel: k, Scaling: scaled, LeaveOneOut: true, Regularizer: discriminant.LeaveOneOutRKHS()}
		if ridge {
			f.Regularizer = discriminant.RelativeRKHS(s.Ridge)
		}
		m, flags = f, flags+" --scale standard"
	case "ridge":
		if !ridge {
			reg = discriminant.LeaveOneOutRidge()
		}
		m, flags = discriminant.KernelRidge{Kernel: k, Scaling: scaled, Regularizer: reg}, flags+" --scale standard"
	case "lda":
		l := discriminant.LDA{Scaling: scaled}
		if ridge {
			l.Regularizer = reg
		}
		m = l
	case "svm":
		v := discriminant.SVM{Kernel: k, Scaling: scaled, C: 1, Tolerance: 1e-3}
		if ridge {
			v.C, flags = s.Ridge, flags+" --C "+decimal(s.Ridge)
		}
		m, ridge = v, false
	case "kpca":
		m, ridge = discriminant.KernelPCA{Kernel: k, Scaling: scaled, Components: 100, Share: 0.95}, false
	default:
		return nil, "", fmt.Errorf("no model %q", s.Model)
	}
	if ridge {
		flags += " --relative-ridge " + decimal(s.Ridge)
	}
	return m, flags, m.Validate()
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// hasWidth reports whether leaving out rows can choose γ.
func (s Settings) hasWidth() bool {
	return s.Model != "lda" && (s.Kernel == "rbf" || s.Kernel == "laplacian")
}

// choiceRows is the number of rows that decide about γ at most.
const choiceRows = 120

// chosenGamma returns the γ, of seven, with the least squared error of the rows that are left out of a kernel
// ridge regression on the classes, by its closed form and with the better of two ridges; 0 where there is none.
func (s Settings) chosenGamma(ctx context.Context, x *matrix.Dense, labels []string) (float64, error) {
	rows := min(x.Rows, choiceRows)
	some, of := matrix.New(rows, x.Cols), make([]string, rows)
	for i := range rows {
		from := i * x.Rows / rows
		copy(some.Row(i), x.Row(from))
		of[i] = labels[from]
	}
	gammas, err := cv.DefaultGammas(scaled, some)
	if err != nil {
		return 0, nil // the fit says so
	}
	classes := discriminant.Classes(of)
	best, least := 0.0, math.Inf(1)
	for _, gamma := range gammas {
		gamma, _ = strconv.ParseFloat(strconv.FormatFloat(gamma, 'g', 3, 64), 64) // to be typed
		s.Gamma = gamma
		k, _, err := s.kernel()
		if err != nil {
			return 0, err
		}
		for _, r := range []float64{0.1, 0.001} {
			m := discriminant.KernelRidge{Kernel: k, Scaling: scaled, Regularizer: discriminant.RelativeRidge(r)}
			values, err := discriminant.LeaveOneOut(ctx, m, some, of)
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			if err != nil {
				continue
			}
			if loss := squares(values, classes, of); loss < least {
				best, least = gamma, loss
			}
		}
	}
	return best, nil
}

// squares is the sum of the squared differences of values to the targets of the classes.
func squares(values *matrix.Dense, classes, labels []string) (sum float64) {
	for i := range values.Rows {
		for j, v := range values.Row(i) {
			own, other := 1.0, 0.0
			if values.Cols == 1 {
				own, other, j = -1, 1, 0 // the first of two classes is −1
			}
			target := other
			if labels[i] == classes[j] {
				target = own
			}
			sum += float64((v - target) * (v - target))
		}
	}
	return sum
}
