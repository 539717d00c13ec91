package discriminant

import (
	"fmt"
	"strings"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/asm/f64"
)

// u is the unit roundoff of float64.
const u = f64.Roundoff

// Certificate says how far a fit can be trusted.
type Certificate struct {
	// Solver is the form that was solved: "shifted" (K − i√ε I, for a ridge on
	// N), "centred" (HKH + εI, for a ridge in the RKHS, and LDA with more features
	// than rows), "normal" (N + εI formed, for averaged scatter) or "means" (a
	// multiple of I, for Shrink(1)); for LDA also "within" (S) or "whitened" (S_W in
	// coordinates of unit total scatter). "krylov" is K − i√ε I (in a [Path] in the
	// RKHS, HKH + εI) on a Krylov space of the class contrasts, which a fit of many
	// rows takes where that is predicted to be much cheaper, and "band" the same
	// matrix reduced to a band, in a Path. "conjugate gradients" is HKH + εI without the
	// matrix, solved as far as EigenvalueError says in so many steps as Refinements: Backward and
	// Forward are not about rounding there, and may be large.
	Solver string
	// Backward bounds the normwise backward error of the refined solution of the
	// linear system, the largest over its columns: max ‖r‖/(‖A‖_F‖w‖ + ‖f‖). It
	// is near u = 2⁻⁵³ ≈ 1.1e-16 where all is well, and 0 where nothing is refined.
	// The solution on a Krylov space is refined only where K is simple outside of it.
	Backward float64
	// Forward bounds the relative error ‖δw‖/‖w‖ of that solution, the largest over its
	// columns, for the matrix A as the solver has it in memory (K, HKH or N rounded; for
	// "within" and "whitened" that of the table): by the rounding of w and ‖A⁻¹‖ times the
	// residual, in doubled precision, of w before it was rounded. It is at least u.
	// It is relative to the whole solution of K − iσI: its real part, which makes the
	// coefficients, may be off by more where the imaginary part is much larger, as under
	// a large ridge, or a small one where K is singular.
	Forward float64
	// EigenvalueError bounds the relative error of the eigenvalues, the largest over those
	// that the model has: against the exact ones of the kernel matrix (or, for LDA, of the
	// features on the space that "whitened" keeps) as rounded to float64, with the ridge that
	// the model has. It takes in Forward, the rounding of HKH and N, and that of all sums,
	// which makes it some hundred times the error as a rule. With 1 or more no digit is
	// certain; a direction with 2¹⁰ or more is taken for rounding, and left out or refused. It is
	// 0 where a model has no eigenvalues, and in files of models that do not say.
	EigenvalueError float64
	// Refinements is the number of refinement steps.
	Refinements int
	// CondBound is an upper bound of the 2-norm condition number of the matrix
	// that was factored: √(‖K‖² + ε)/√ε for "shifted", whose square bounds that
	// of N + εI. For "within" and "whitened" its square bounds that of S, the
	// features scaled to about equal spread within the classes.
	CondBound float64
	// Growth is the largest entry that the factorization met over the largest
	// entry of the matrix.
	Growth float64
	// KernelRounding is u‖K‖_F/√ε (for "centred" u‖K‖_F/ε, for "normal" u‖N‖_F/ε):
	// about the relative change of the solution of the linear system that the rounding
	// of the entries of K, or of N where that is formed, to float64 makes. A fit is refused
	// above 0.01. It is 0 where there is no K. What it says of the solution does not hold
	// for α, which can change much more (see Forward): along directions that K takes to
	// zero, and along the one that adds a constant to all projections. Eigenvalues and
	// differences of projections hardly feel that.
	KernelRounding float64
	// Rank is the numerical rank of the between-class scatter.
	Rank int
	// Passes is 2 where the contrasts were rotated to the discriminants and
	// solved for again, for the sake of small eigenvalues, else 1.
	Passes int
	// CutsCluster says that Components keeps some of several equal eigenvalues
	// and leaves out others: the directions that are kept are then not determined
	// by the data.
	CutsCluster bool
}

// String returns the certificate as text, a line a figure; those that a method does not
// have are left out.
func (c Certificate) String() string {
	var b strings.Builder
	line := func(name, format string, values ...any) {
		fmt.Fprintf(&b, "%-18s"+format+"\n", append([]any{name}, values...)...)
	}
	line("solver", "%s", c.Solver)
	line("backward error", "%.2g", c.Backward)
	if c.Forward > 0 {
		steps := "refined %d×"
		if c.Solver == fisher.ConjugateSolver {
			steps = "step %d"
		}
		line("forward error", "%.2g ("+steps+")", c.Forward, c.Refinements)
	}
	if c.EigenvalueError > 0 {
		line("eigenvalue error", "%.2g", c.EigenvalueError)
	}
	line("condition bound", "%.3g", c.CondBound)
	line("element growth", "%.3g", c.Growth)
	if c.KernelRounding > 0 {
		line("kernel rounding", "%.2g", c.KernelRounding)
	}
	if c.Rank > 0 {
		line("rank", "%d", c.Rank)
	}
	line("passes", "%d", c.Passes)
	return b.String()
}
