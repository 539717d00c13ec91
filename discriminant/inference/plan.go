package inference

import (
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/solve"
)

// PlanTest returns what a [Sample] of n rows and d columns and a [Test] on it with so many classes and
// permutations will need and, with directions above 0, [Truncated].
func PlanTest(kernel gram.Kernel, n, d, classes, permutations, directions int) discriminant.Plan {
	p := discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(1)}.Plan(n, d, classes)
	p.ModelBytes = 0
	rows := float64(n)
	contrasts := float64(max(classes-1, 1))
	columns := float64(max(blockColumns, classes-1))
	p.Bytes += float64(8 * (float64(rows*float64(2*columns)) + float64(permutations)))
	squares := float64(rows * rows)
	p.Flops += float64(2*float64(squares*rows)) + float64(squares*float64(contrasts*float64(permutations)))
	if directions > 0 {
		bytes, all := solve.LeadingBytes(max(n, 1), min(max(n, 1), directions))
		p.Bytes += float64(8*squares) + bytes
		if p.Flops += float64(20 * float64(32*squares)); all {
			p.Flops += float64(4 * float64(squares*rows))
		}
	}
	return p
}

// PlanWeighKernels returns what [WeighKernels] of so many kernels, each as large as that one, will need
// for n rows and d columns, in 15 steps.
func PlanWeighKernels(kernel gram.Kernel, n, d, classes, kernels int) discriminant.Plan {
	p := discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(1)}.Plan(n, d, classes)
	p.ModelBytes = 0
	squares := float64(float64(n) * float64(n))
	columns := float64(float64(kernels) * float64(max(classes-1, 1)))
	curvature := float64(float64(n) * float64(columns*float64(kernels)))
	p.Bytes += float64(8*squares) + float64(8*float64(float64(n)*float64(columns+float64(d)))) + float64(8*float64(float64(kernels)*float64(kernels)))
	p.Flops = float64(15 * (float64(squares*float64(n))/3 + curvature + float64(4*float64(squares*columns)) + float64(float64(2*mapSteps)*float64(squares*float64(kernels)))))
	return p
}

// mapSteps is about the work of a kernel value in operations.
const mapSteps = 16

// PlanChanges returns what a [Sample] of n rows and d columns and [Changes] on it with so many
// permutations will need.
func PlanChanges(kernel gram.Kernel, n, d, permutations int) discriminant.Plan {
	p := discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(1)}.Plan(n, d, 2)
	rows := float64(n)
	squares := float64(rows * rows)
	p.ModelBytes = 0
	p.Bytes += float64(8 * (float64(2*squares) + float64(rows*float64(blockColumns)) + float64(permutations)))
	p.Flops += float64(3*float64(squares*rows)) + float64(squares*float64(permutations))
	return p
}
