// Package trust says in words how far a fit can be trusted.
package trust

import (
	"fmt"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/plural"
)

// MostRounding is what the rounding of kernel values may change of a solution without a word.
const MostRounding = 1e-6

// ConjugateSolver is how a certificate calls conjugate gradients.
const ConjugateSolver = "conjugate gradients"

// Words says what the bounds of the errors of a computation come to: sentences, and warnings that stand out.
func Words(c discriminant.Certificate) (said, warnings []string) {
	say := func(to *[]string, format string, args ...any) { *to = append(*to, fmt.Sprintf(format, args...)) }
	if c.Solver == ConjugateSolver {
		say(&said, "The fit is by %s of conjugate gradients, after which the relative error of the eigenvalues is at most %.1e.", plural.Count(c.Refinements, "step"), c.EigenvalueError)
	} else if e := max(c.Forward, c.Backward); e > 0 {
		say(&said, "The equations of the fit are solved to about %d digits (%s: relative error at most %.1e).", digits(e), solverText(c), e)
	}
	switch k := c.KernelRounding; {
	case k > MostRounding:
		say(&warnings, "The rounding of the kernel values alone changes the solution by about %.0e: a larger ridge or scaled columns make it more certain.", k)
	case k > 0:
		say(&said, "The rounding of the kernel values to 16 digits changes the solution by about %.0e, which plays no part.", k)
	}
	if c.EigenvalueError >= 1 {
		say(&warnings, "No digit of the smallest eigenvalue is certain: its direction may be rounding.")
	}
	if c.CutsCluster {
		say(&warnings, "A direction that was left out has the same eigenvalue as the last one kept: the data do not determine which are kept.")
	}
	return said, warnings
}

// digits is how many decimal digits an error of e leaves.
func digits(e float64) (n int) {
	for e = float64(10 * e); e <= 1; e = float64(10 * e) {
		n++
	}
	return n
}

func solverText(c discriminant.Certificate) string {
	switch c.Refinements {
	case 0:
		return "not refined"
	case 1:
		return "refined once"
	}
	return fmt.Sprintf("refined %d times", c.Refinements)
}
