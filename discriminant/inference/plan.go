package inference

import (
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/solve"
)

// planSample is what a [Sample] takes of n rows and d columns, by so many landmarks, 0 for none.
func planSample(kernel gram.Kernel, n, d, landmarks, classes int, leaveOneOut bool) discriminant.Plan {
	method := discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(1), LeaveOneOut: leaveOneOut}
	if landmarks == 0 {
		p := method.Plan(n, d, classes)
		p.ModelBytes = 0
		return p
	}
	rows, m := float64(n), float64(min(landmarks, n))
	p := method.Plan(int(m), d, classes)
	p.ModelBytes = 0
	drawn := float64(min(n, drawnFrom(landmarks)))
	p.Bytes += float64(8 * (float64(rows*(m+float64(4*d))) + float64(drawn*m) + float64(2*float64(m*m))))
	p.Flops += float64(1.5*float64(float64(rows*m)*float64(d))) + float64(2*float64(float64(rows*m)*m))
	return p
}

// PlanTest returns what a [Sample] of n rows and d columns, by so many landmarks, 0 for none, and a [Test] on
// it with so many classes and permutations will need and, with directions above 0, [Truncated].
func PlanTest(kernel gram.Kernel, n, d, landmarks, classes, permutations, directions int) discriminant.Plan {
	landmarks = min(landmarks, n)
	p := planSample(kernel, n, d, landmarks, classes, false)
	rows := float64(n)
	contrasts := float64(max(classes-1, 1))
	columns := float64(max(columnsAtOnce(landmarks), classes-1))
	p.Bytes += float64(8 * (float64(rows*float64(2*columns)) + float64(permutations)))
	if landmarks > 0 {
		product := float64(rows * float64(landmarks))
		p.Bytes += float64(8 * float64(rows*(float64(4*columns)+float64(3*contrasts))))
		p.Flops += float64(4*float64(product*float64(landmarks))) + float64(4*float64(product*float64(contrasts*float64(permutations))))
		return p
	}
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

// PlanChanges returns what a [Sample] of n rows and d columns, by so many landmarks, 0 for none, and [Changes] on
// it with so many permutations will need at most.
func PlanChanges(kernel gram.Kernel, n, d, landmarks, permutations int) discriminant.Plan {
	landmarks = min(landmarks, n)
	p := planSample(kernel, n, d, landmarks, 2, false)
	rows, m := float64(n), float64(landmarks)
	squares := float64(rows * rows)
	if landmarks > 0 && n > leastRows*landmarks {
		product := float64(rows * m)
		p.Bytes += float64(8 * (float64(2*product) + float64(rows*(3*ordersAtOnce+endsAtOnce)) + float64(permutations)))
		p.Flops += float64(6*float64(product*m)) + float64(3*float64(product*float64(permutations))) + float64(squares*m)
		return p
	}
	columns := float64(blockColumns)
	if landmarks > 0 {
		columns = float64(columns * 3)
	}
	p.Bytes += float64(8 * (float64(2*squares) + float64((rows+m)*columns) + float64(permutations)))
	p.Flops += float64(3*float64(squares*rows)) + float64(squares*float64(permutations))
	return p
}

// PlanNewRows returns what it takes to factor n rows of d columns, by so many landmarks, 0 for none, and to
// answer for some new ones in so many columns of labels or targets; the model has no bytes.
func PlanNewRows(kernel gram.Kernel, n, d, landmarks, columns, rows int) discriminant.Plan {
	landmarks = min(landmarks, n)
	p := planSample(kernel, n, d, landmarks, columns+1, true)
	each, of := float64(float64(n)*float64(rows)), n
	if landmarks > 0 {
		of = landmarks
	}
	p.Bytes += float64(float64(8*float64(n)) * float64(4*min(rows, solvedAtATime)+3*columns))
	p.Flops += float64(each*float64(2*of)) + float64(each*float64(2*d))
	return p
}
