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
		p.Bytes += float64(8 * float64(192*rows))
		p.Flops += cube / 3
		if m.LeaveOneOut {
			p.Flops += cube / 3
		}
	case m.Regularizer == Shrink(1):
	case m.Scatter == AveragedScatter:
		p.Bytes += square
		p.Flops += float64(4 * cube / 3)
	default:
		p.Bytes += float64(8 * float64(384*rows))
		p.Flops += float64(4 * cube / 3)
		if n >= krylovRows {
			p.Bytes += square / krylovVectors
		}
	}
	// One solve and two residuals in doubled precision.
	p.Flops += float64(40 * float64(float64(rows*rows)*contrasts))
	return p
}

// Plan returns what a fit of n rows and d features will need; the classes, 0 for
// none, play no part. All components need five matrices of the size of the kernel
// matrix, a few need that and the memory of the iteration, whose length the plan
// can only guess.
func (m KernelPCA) Plan(n, d, classes int) Plan {
	rows, features := float64(n), float64(d)
	components := float64(m.Components)
	square, table := float64(8*float64(rows*rows)), float64(8*float64(rows*features))
	p := Plan{Flops: float64(1.5 * float64(float64(rows*rows)*features))}
	// As solve.LeadingOf chooses: all pairs where the blocks are large for n.
	block := components + 8
	if m.Components == 0 || n <= 128 || rows <= float64(6*block) {
		if m.Components == 0 {
			components = rows
		}
		p.Bytes = float64(5*square) + table
		p.Flops += float64(4 * float64(float64(rows*rows)*rows))
	} else {
		block = max(block, 24)
		p.Bytes = square + table + float64(8*float64(24*float64(rows*block)))
		p.Flops += float64(20 * float64(2*float64(float64(rows*rows)*block)))
	}
	p.ModelBytes = table + float64(8*float64(rows*components))
	return p
}

// Plan returns what a fit of n rows, d features and that many classes will need.
// For a regression, classes stands for the number of columns of the targets.
func (m KernelRidge) Plan(n, d, classes int) Plan {
	rows, features, columns := float64(n), float64(d), float64(classes)
	if classes == 2 {
		columns = 1
	}
	return Plan{
		Bytes:      float64(8*float64(rows*rows)) + float64(8*float64(rows*(features+float64(4*columns)))) + 3*8*batchValues,
		ModelBytes: float64(8 * float64(rows*(features+columns))),
		Flops: float64(1.5*float64(float64(rows*rows)*features)) + float64(float64(rows*rows)*rows)/3 +
			float64(40*float64(float64(rows*rows)*columns)),
	}
}

// Plan returns what a fit of n rows, d features and that many classes will need. How
// many rows support the machines, and how many steps the solver takes, depends on
// the data: the plan takes all rows, and for each machine as many steps as rows.
func (m SVM) Plan(n, d, classes int) Plan {
	m = m.resolved()
	rows, features, c := float64(n), float64(d), float64(max(classes, 2))
	square, table := float64(rows*rows), float64(8*float64(rows*features))
	p := Plan{
		Bytes:      min(float64(m.CacheBytes), float64(16*square)) + float64(3*table),
		ModelBytes: table + float64(8*float64(rows*(c-1))),
		Flops:      float64(1.5*float64(square*features)) + float64(20*square),
	}
	if m.Probability {
		p.Flops = float64(5 * p.Flops)
	}
	return p
}
