package discriminant

import (
	"fmt"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/solve"
)

// Plan is what a fit will need, known before anything is allocated.
type Plan struct {
	// Bytes is the peak memory of a process that fits and saves a model: a program of its
	// own, the caller's table, the fit and its classifier.
	Bytes      float64
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

// processBytes is what a Go program takes before it does anything, with the constants of
// this package.
const processBytes = 12e6

// planner adds up what a fit takes.
type planner struct {
	rows, features, square float64 // n, d, and the bytes of an n×n matrix
	Plan
}

// newPlanner starts with the table in copies: the caller's and the scaled one, and what
// is written of the model, twice. The kernel may be nil for the default, or for none.
func newPlanner(kernel gram.Kernel, n, d int) planner {
	p := planner{rows: float64(n), features: float64(d)}
	p.square = float64(8 * float64(p.rows*p.rows))
	table := p.numbers(p.features)
	kernel = kernelOr(kernel)
	p.Bytes = processBytes + table
	if !isPrecomputed(kernel) {
		kept, _ := gram.Kept(kernel, n, d)
		p.Bytes += float64(3*table) + kept
		p.ModelBytes = table
	}
	return p
}

// numbers returns the bytes of so many numbers for each row.
func (p planner) numbers(each float64) float64 { return float64(8 * float64(p.rows*each)) }

// matrix adds the kernel matrix.
func (p *planner) matrix() {
	p.Bytes += p.square
	p.Flops += float64(1.5 * float64(float64(p.rows*p.rows)*p.features))
}

// choice adds what the choice of a scaling and a ridge takes, in some of the rows: two
// matrices, and one for the inverses, which may not be collected before those of the fit, and
// two thirds of a cube of flops for each candidate.
func (p *planner) choice(scaling Scaling, reg Regularizer) {
	if scaling != AutoScaling && !reg.byLeaveOneOut() {
		return
	}
	candidates := 1.0
	if reg.byLeaveOneOut() {
		candidates = float64(len(relativeRidges))
	}
	if scaling == AutoScaling {
		candidates = float64(2 * candidates)
	}
	rows := min(p.rows, choiceRows)
	squares := float64(rows * rows)
	p.Bytes += float64(8 * float64(3*squares))
	p.Flops += float64(candidates * float64(float64(squares*rows)*2/3))
}

// coefficients adds those of the model, in so many columns, with what they are solved and
// classified by.
func (p *planner) coefficients(columns, copies float64) {
	p.Bytes += p.numbers(float64(columns * copies))
	p.ModelBytes += p.numbers(columns)
}

// classifier adds the kernel values that a machine of the projections may keep, where there
// is no kernel matrix before them whose memory is free by then.
func (p *planner) classifier(c Classifier, matrix bool) {
	if m, ok := c.(SVM); ok && !matrix {
		p.machines(m)
	}
}

// machines adds the kernel values of an SVM: how many depends on the data.
func (p *planner) machines(m SVM) {
	p.Bytes += min(float64(m.resolved().CacheBytes), p.square)
	if _, linear := m.Kernel.(gram.Linear); linear {
		p.Bytes += p.numbers(p.features + 20)
	}
}

// Plan returns what a fit of n rows, d features and that many classes will need.
// The memory is that of the n×n kernel matrix (two such matrices for
// AveragedScatter) and of some columns for each class; a fit of many rows may take a
// basis of up to n/7 vectors besides, and fewer operations. LeaveOneOut takes a third
// of the matrix more, a choice by leaving out rows up to three matrices of 1000 rows or fewer.
// With [ConjugateGradients] it is that of n×Rank numbers and some columns; how many steps they
// take is a guess by the relative ridge.
func (m KFDA) Plan(n, d, classes int) Plan {
	if m.Conjugate != nil {
		return m.planConjugate(n, d, classes)
	}
	reg := m.regularizer()
	p := newPlanner(m.Kernel, n, d)
	contrasts := float64(max(classes-1, 1))
	p.matrix()
	p.coefficients(contrasts, 8)
	p.classifier(m.Classifier, true)
	p.choice(m.Scaling, reg)
	cube := float64(float64(p.rows*p.rows) * p.rows)
	switch {
	case reg.inRKHS():
		p.Bytes += p.numbers(192)
		p.Flops += cube / 3
		if m.leavesOneOut() {
			p.Bytes += p.square / 3
			p.Flops += cube / 3
		}
	case m.Regularizer == Shrink(1):
	case m.Scatter == AveragedScatter:
		p.Bytes += p.square
		p.Flops += float64(4 * cube / 3)
	default:
		p.Bytes += p.numbers(384)
		p.Flops += float64(4 * cube / 3)
		if n >= fisher.KrylovRows {
			p.Bytes += p.square / fisher.KrylovVectors
		}
	}
	// One solve and two residuals in doubled precision.
	p.Flops += float64(40 * float64(float64(p.rows*p.rows)*contrasts))
	return p.Plan
}

// Plan returns what a fit of n rows and d features will need; the classes, 0 for
// none, play no part. All components need six matrices of the size of the kernel
// matrix, a few need that and the memory of the iteration; how long it is the plan can
// only guess.
func (m KernelPCA) Plan(n, d, classes int) Plan {
	p := newPlanner(m.Kernel, n, d)
	p.matrix()
	p.classifier(m.Classifier, true)
	components := m.Components
	if components == 0 || components > n {
		components = n
	}
	bytes, all := solve.LeadingBytes(max(n, 1), max(components, 1))
	p.Bytes += bytes
	squares := float64(p.rows * p.rows)
	if all {
		p.Flops += float64(4 * float64(squares*p.rows))
	} else {
		p.Flops += float64(20 * float64(2*float64(squares*float64(max(components+8, 24)))))
	}
	p.coefficients(float64(components), 1.3) // those of the model, and what becomes of some of them
	return p.Plan
}

// Plan returns what a fit of n rows, d features and that many classes will need.
// For a regression, classes stands for the number of columns of the targets.
func (m KernelRidge) Plan(n, d, classes int) Plan {
	p := newPlanner(m.Kernel, n, d)
	columns := float64(classes)
	if classes == 2 {
		columns = 1
	}
	p.matrix()
	p.coefficients(columns, 4)
	p.Bytes += p.numbers(192)
	p.choice(m.Scaling, m.Regularizer.or(LeaveOneOutRidge()))
	p.Flops += float64(float64(p.rows*p.rows)*p.rows)/3 + float64(40*float64(float64(p.rows*p.rows)*columns))
	return p.Plan
}

// Plan returns what a fit of n rows, d features and that many classes will need at
// most. How many rows support the machines, of how many the kernel values are kept, and
// how many steps the solver takes depends on the data: the plan takes all rows, and for
// each machine as many steps as rows.
func (m SVM) Plan(n, d, classes int) Plan {
	p := newPlanner(m.Kernel, n, d)
	p.machines(m)
	p.coefficients(float64(max(classes, 2)-1), 4)
	p.Flops = float64(1.5*float64(float64(p.rows*p.rows)*p.features)) + float64(20*float64(p.rows*p.rows))
	if m.Probability { // four fifths of the rows, while the values of all may not be collected
		p.machines(m)
		p.Flops = float64(5 * p.Flops)
	}
	return p.Plan
}

// Plan returns what a fit of n rows, d features and that many classes will need,
// where the scatter is regularised or well conditioned.
func (m LDA) Plan(n, d, classes int) Plan {
	p := newPlanner(gram.Precomputed{}, n, d) // of which the model keeps no rows
	c := float64(max(classes-1, 1))
	small, large := min(p.rows, p.features), max(p.rows, p.features)
	table := float64(p.rows * p.features)
	p.Bytes += float64(8 * (float64(5*table) + float64(3*float64(small*small)) + float64(6*float64(large*c))))
	p.ModelBytes = float64(8 * float64(p.features*(c+1)))
	p.Flops = float64(table*small) + float64(float64(small*small)*small) + float64(20*float64(table*c))
	p.classifier(m.Classifier, false)
	return p.Plan
}
