package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// writePublished prints the table of a data set in Markdown: accuracies as
// published, in the published protocol, and in the sound one, for which the
// validation rows are used for the chosen candidate alone.
func writePublished(w io.Writer, p publication, set challenge, repeated []int, sound soundResult) error {
	var b strings.Builder
	n := len(set.validLabels)
	fmt.Fprintf(&b, "\n| %s | published | same protocol | sound protocol, cross-validated | validated |\n|---|--:|--:|---|--:|\n", p.name)
	var before family
	for i, v := range variants {
		best, validated := "", ""
		if f := v.family(); i == 0 || f != before {
			o := sound.best[f]
			best = fmt.Sprintf("%.3f: %v", float64(o.right)/float64(sound.tested), o.soundCandidate)
			if o.soundCandidate == sound.chosen.soundCandidate {
				validated = fmt.Sprintf("**%.3f** (%d of %d)", float64(sound.right)/float64(n), sound.right, n)
			}
			before = f
		}
		fmt.Fprintf(&b, "| %v | %.3f (%.0f) | %.3f (%d) | %s | %s |\n", v, p.accuracies[i], math.Round(p.accuracies[i]*float64(n)),
			float64(repeated[i])/float64(n), repeated[i], best, validated)
	}
	fmt.Fprintf(&b, "\n%d rows to train on, %d to validate with, %d columns; %d fits of the sound protocol.\n", set.x.Rows, n, set.x.Cols, sound.fits)
	_, err := io.WriteString(w, b.String())
	return err
}

// binaryCoefficients returns α_b = ±√q α of a model of two classes, with
// λ = (l₁l₂/n) q for summed scatter. Its sign is that of α: a machine on the
// projections does not tell.
func binaryCoefficients(model *discriminant.Model[int]) *matrix.Dense {
	found, counts := model.Details().(discriminant.KFDADetails), model.Counts()
	alpha := found.Alpha()
	l1, l2 := float64(counts[0]), float64(counts[1])
	scale := math.Sqrt(found.Eigenvalues()[0] * (l1 + l2) / (l1 * l2))
	for i := range alpha.Data {
		alpha.Data[i] *= scale
	}
	return alpha
}
