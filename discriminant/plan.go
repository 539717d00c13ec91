package discriminant

import "fmt"

// Plan is what a fit will need, known before anything is allocated.
type Plan struct {
	Bytes      float64 // peak memory of the fit beside the caller's table
	ModelBytes float64 // memory of the model: the training rows and coefficients
	Flops      float64 // floating-point operations of the kernel matrix and the solver
}

// String returns the plan as text, as in "240 MB, model 2.9 MB, 1.7e+11 flops".
func (p Plan) String() string {
	return fmt.Sprintf("%s, model %s, %.2g flops", bytesText(p.Bytes), bytesText(p.ModelBytes), p.Flops)
}

func bytesText(b float64) string {
	for _, unit := range []string{"B", "kB", "MB", "GB", "TB"} {
		if b < 1000 {
			return fmt.Sprintf("%.3g %s", b, unit)
		}
		b /= 1000
	}
	return fmt.Sprintf("%.3g PB", b)
}

// Plan returns what a fit of n rows, d features and that many classes will need.
// The memory is that of the n×n kernel matrix (two such matrices for
// AveragedScatter) and of some columns for each class; a fit of many rows may take a
// basis of up to n/7 vectors besides, and fewer operations.
func (m KFDA) Plan(n, d, classes int) Plan {
	rows, features, contrasts := float64(n), float64(d), float64(max(classes-1, 1))
	const columns = 8 // right-hand sides, solution and residual, complex
	square := float64(8 * float64(rows*rows))
	p := Plan{
		ModelBytes: float64(8 * float64(rows*(features+contrasts))),
		Bytes:      square + float64(8*float64(rows*(features+float64(columns*(contrasts+1))))) + 3*8*batchValues,
		Flops:      float64(1.5 * float64(float64(rows*rows)*features)),
	}
	cube := float64(float64(rows*rows) * rows)
	switch {
	case m.Regularizer.inRKHS():
		p.Flops += cube / 3
	case m.Regularizer == Shrink(1):
	case m.Scatter == AveragedScatter:
		p.Bytes += square
		p.Flops += float64(4 * cube / 3)
	default:
		p.Flops += float64(4 * cube / 3)
		if n >= krylovRows {
			p.Bytes += square / krylovVectors
		}
	}
	// One solve and two residuals in doubled precision.
	p.Flops += float64(40 * float64(float64(rows*rows)*contrasts))
	return p
}
