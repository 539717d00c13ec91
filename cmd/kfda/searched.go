package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
)

// writeSearch prints what tune searched to come to a model, and its estimate; nil is no search.
func writeSearch(p *printer, r *cv.Record) {
	if r == nil || len(r.Candidates) == 0 {
		return
	}
	best := r.Candidates[r.Best]
	var scalings, kernels, classifiers []string
	var gammas, values []float64
	add := func(names *[]string, name string) {
		if name != "" && !slices.Contains(*names, name) {
			*names = append(*names, name)
		}
	}
	for _, c := range r.Candidates {
		add(&scalings, c.Scaling.String())
		add(&kernels, kernelName(c))
		add(&classifiers, c.Classifier)
		gammas, values = append(gammas, float64(c.Gamma)), append(values, float64(acrossOf(c)))
	}
	across := "relative ridge"
	if best.Parameter != "" {
		across = best.Parameter
	}
	texts := []string{"scaling " + strings.Join(scalings, ", ")}
	if kernels != nil {
		texts = append(texts, "kernel "+strings.Join(kernels, ", "))
	}
	gammas = slices.DeleteFunc(gammas, func(v float64) bool { return v == 0 })
	if len(gammas) > 0 {
		texts = append(texts, "gamma "+rangeText(gammas))
	}
	texts = append(texts, across+" "+rangeText(values))
	if len(classifiers) > 1 {
		texts = append(texts, "classifier "+strings.Join(classifiers, ", "))
	}
	p.printf("tuned\t%s by %s in %s\n", plural.Count(len(r.Candidates), "candidate"), r.Criterion, r.Folds)
	p.printf("searched\t%s\n", strings.Join(texts, "; "))
	p.printf("best\t%s: %s\n", candidateText(best), estimateText(r))
}

// rangeText shows the least and the largest of values.
func rangeText(values []float64) string {
	least, most := slices.Min(values), slices.Max(values)
	if least == most {
		return fmt.Sprintf("%.4g", least)
	}
	return fmt.Sprintf("%.4g to %.4g", least, most)
}

// estimateText is what cross-validation says of the best of a search, which is optimistic.
func estimateText(r *cv.Record) string {
	c, criterion := r.Candidates[r.Best], r.Criterion
	if r.Regression() {
		return fmt.Sprintf("RMSE %s in cross-validation, optimistic", digitsText(rmseOf(c)))
	}
	text, optimistic := fmt.Sprintf("%d wrong of %d in cross-validation", c.Errors, c.Rows), "optimistic"
	if r.Weighed != nil {
		optimistic = weightsSaw
	}
	switch criterion {
	case cv.ByErrors.String():
	case cv.ByBalancedAccuracy.String():
		text += fmt.Sprintf(", %s %.4f", criterion, float64(c.Balanced))
	default:
		text += fmt.Sprintf(", %s %.4f", criterion, float64(c.Score))
	}
	return text + ", " + optimistic
}

// weightsSaw is what to say of errors of a search whose kernel was weighed by the rows that it is
// tried in.
const weightsSaw = "far too optimistic: the weights of the kernel saw the rows that it was tested in; what it does, --nested or --holdout of 'kfda tune' says"

// learntWeights is what to say of cross-validation with a kernel of that text, "" where it has no weights.
func learntWeights(kernel string) string {
	if !strings.Contains(kernel, "scaled(") {
		return ""
	}
	return ", far too optimistic if the weights of the kernel were learnt of these rows, as by --kernel-weights of 'kfda tune'"
}

// cautionOf is what to say of estimateLine for a model.
func cautionOf(m learnt) string {
	if r, _ := searchOf(m); r != nil && r.Weighed != nil || kernelOf(m) == nil {
		return ""
	}
	return learntWeights(kernelOf(m).String())
}

// estimateLine is what estimates models like that of a search, nil for none.
func estimateLine(r *cv.Record) string {
	if r != nil && r.Weighed != nil {
		return fmt.Sprintf("kfda tune TRAIN --nested --kernel-weights=%v", r.Weighed.Ridge)
	}
	return "kfda cv TRAIN"
}
