package main

import (
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/inference"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
)

// The weights are printed, and a fit with the kernel of the model is that model.
func TestTuneKernelWeights(t *testing.T) {
	folder := t.TempDir()
	path, other := filepath.Join(folder, "m"), filepath.Join(folder, "other")
	out := works(t, "tune", "demo/wine.csv", "--kernel-weights", "--folds", "3", "-o", path)
	for _, want := range []string{
		"kernel weights at the relative ridge 10, of 13 kernels; ", "  column 7 (flavanoids), columns(6, …) of the kernel\n", " it is proved that they weigh nothing at the least objective\n",
		"search, columns scaled: standard; wrong rows by relative ridge\n", "kernel       sum of ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	r := object(t, works(t, "inspect", path, "--json"))
	works(t, "fit", "demo/wine.csv", "--kernel", r["kernel"].(string), "--scale", "standard", "--ridge", number(r["ridge"]), "-o", other)
	if a, b := works(t, "predict", path, "demo/wine.csv"), works(t, "predict", other, "demo/wine.csv"); a != b {
		t.Error("the predictions are not those of a fit with the kernel of the model")
	}
	card, page := works(t, "export", path, "--format", "card", "-o", "-"), filepath.Join(folder, "m.html")
	works(t, "report", path, "demo/wine.csv", "-o", page)
	for _, said := range []string{out, works(t, "inspect", path), card, strings.ReplaceAll(read(t, page), "&#39;", "'")} {
		says(t, said, weightsSaw)
		if strings.Contains(said, "kfda cv TRAIN") {
			t.Errorf("cv with the kernel of the model is advised in\n%s", said)
		}
	}
	says(t, card, "`kfda tune TRAIN --nested --kernel-weights=10`")
	const weights = "flavanoids 0.2617, proline 0.2224, color_intensity 0.1868, alcohol 0.1317, hue 0.1157, od280_od315_of_diluted_wines 0.0744, malic_acid 0.0073; the other 6 weigh nothing"
	for _, said := range []string{works(t, "inspect", path), card, read(t, page)} {
		says(t, said, weights)
	}
	// Of the kernel's text alone it is not known what its weights saw.
	works(t, "report", other, "demo/wine.csv", "-o", page)
	for _, said := range []string{works(t, "fit", "demo/wine.csv", "--kernel", r["kernel"].(string), "-o", other), works(t, "export", other, "--format", "card", "-o", "-"), read(t, page)} {
		says(t, said, "far too optimistic if the weights of the kernel were learnt of these rows")
	}
	plan := object(t, works(t, "tune", "demo/wine.csv", "--kernel-weights", "--json"))["plan"].(map[string]any)
	method := discriminant.KFDA{Kernel: gram.RBF{}, Regularizer: discriminant.RKHS(1)}
	if want := method.Plan(178, 13, 3).Flops + inference.PlanWeighKernels(gram.RBF{}, 178, 13, 3, 13).Flops; math.Abs(plan["flops"].(float64)/want-1) > 0.1 {
		t.Errorf("%v flops, want about %v", plan["flops"], want)
	}
	fails(t, statusData, []string{"the weights of the kernel saw these rows", "'kfda tune TRAIN --nested --kernel-weights=10'"}, "plot", "learning", path, "demo/wine.csv", "-o", other+".svg")
	works(t, "plot", "search", path, "-o", other+".svg")
	says(t, strings.Join(strings.Fields(regexp.MustCompile("<[^>]*>").ReplaceAllString(read(t, other+".svg"), " ")), " "), "far too optimistic")
	fails(t, statusData, []string{"a kernel of some columns, columns(…)", "a card only"}, "export", path, "--format", "c", "-o", other+".c")
	out = works(t, "tune", "demo/wine.csv", "--kernel-weights=0.5", "--kernels", "rbf,linear", "--rows", "::3")
	for _, want := range []string{"at the relative ridge 0.5, of 8 kernels; ", "  rbf(gamma="} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"--kernel-weights=0: want a relative ridge from 1e-06 to 1e+06", []string{"--kernel-weights=0"}},
		{"--kernel-weights=inf: want", []string{"--kernel-weights=inf"}},
		{"--kernel-weights=1e-300: want", []string{"--kernel-weights=1e-300"}},
		{"say --kernel-weights=3", []string{"--kernel-weights", "3"}},
		{"say --scale standard", []string{"--kernel-weights", "--scale", "none,standard"}},
		{"leave --class-weight out", []string{"--kernel-weights", "--class-weight", "balanced"}},
		{"leave sigmoid out of --kernels", []string{"--kernel-weights", "--kernels", "rbf,sigmoid"}},
		{"--kernel-weights does not apply to tune --model lda", []string{"--kernel-weights", "--model", "lda"}},
		{"--kernel-weights is for classes", []string{"--kernel-weights", "--target", "alcohol"}},
	} {
		fails(t, statusUsage, []string{c.says}, append([]string{"tune", "demo/wine.csv"}, c.args...)...)
	}
	follow(t, []string{"tune", "demo/wine.csv", "--kernel-weights", "--kernels", "chi2", "--rows", "::3"}, 1)
	write(t, other, "x,y,z\n1,2,a\n1,2,a\n1,2,b\n1,2,b\n")
	fails(t, statusData, []string{"--kernel-weights: of the kernels none varies on the rows: see that columns do"}, "tune", other, "--kernel-weights", "--folds", "2")
	write(t, other, strings.Repeat(strings.Repeat("1,", 3334)+"a\n"+strings.Repeat("2,", 3334)+"b\n", 2))
	fails(t, statusData, []string{"--kernel-weights weighs at most 3333 columns, and there are 3334"}, "tune", other, "--kernel-weights")
	follow(t, []string{"tune", "demo/wine.csv", "--kernel-weights", "--scale", "none,standard", "--rows", "::3"}, 1)
	fails(t, statusData, []string{"--kernel: column 13, from 0: there are only 13 columns besides label, ids, weights and ignored ones"}, "fit", "demo/wine.csv", "--kernel", "columns(13, linear())", "-o", other)
	fails(t, statusUsage, []string{`after "columns(0, rbf(gamma=1)": expected ')'`, "such as columns(0, 2, rbf(gamma=0.5))"}, "fit", "demo/wine.csv", "--kernel", "columns(0, rbf(gamma=1)", "-o", other)
	for text, want := range map[string]string{
		"sum(rbf(gamma=-1))": "the gamma of rbf is -1", "columns(2, 1, linear())": "the at of columns is 1", "rbf()": `after "rbf(": expected gamma=`,
		"scaled(factor=0, linear())": "the factor of scaled is 0", "sum(precomputed())": "precomputed", "poly(degree=2)": `"poly" is not a kernel`,
		"columns(linear())": `after "columns(": expected a column`,
	} {
		fails(t, statusUsage, []string{"--kernel: ", want, "a text has all parameters"}, "fit", "demo/wine.csv", "--kernel", text, "-o", other)
	}
	fails(t, statusUsage, []string{"say --kernel precomputed"}, "fit", "demo/wine.csv", "--kernel", "precomputed()", "-o", other)
}

// Columns of a kernel are those of the table, also where a text has become several: in what is printed,
// and in fits as the one of a model.
func TestKernelWeightsOfCategories(t *testing.T) {
	folder := t.TempDir()
	path, table := filepath.Join(folder, "m"), filepath.Join(folder, "t.csv")
	text := "colour,size,class\n"
	for i := range 60 {
		text += []string{"red", "green", "blue", "grey"}[i%4] + "," + string(rune('0'+i*i%11%10)) + "," + []string{"a", "b"}[i%4/2] + "\n"
	}
	write(t, table, text)
	works(t, "tune", table, "--kernel-weights=0.01", "-o", path)
	if kernel := object(t, works(t, "inspect", path, "--json"))["kernel"].(string); !strings.Contains(kernel, "columns(0, rbf(") || strings.Contains(kernel, "columns(2") {
		t.Errorf("the kernel is %s", kernel)
	}
	m := must.Get(loadModel(path, nil))(t)
	if k := settingsOf(m, 60).Settings().Kernel.String(); !strings.Contains(k, "columns(0, rbf(") || strings.Contains(k, "columns(2") {
		t.Errorf("a fit like that of the model has the kernel %s", k)
	}
	statistic := func(args ...string) any {
		return object(t, works(t, append([]string{"test", table, "--label", "class", "--permutations", "0", "--json"}, args...)...))["statistic"]
	}
	if a, b := statistic("--kernel", "columns(1, rbf(gamma=1))"), statistic("--ignore", "colour", "--gamma", "1"); a != b {
		t.Errorf("of the column alone the statistic is %v, want %v", a, b)
	}
	distances := func(args ...string) string {
		return works(t, append([]string{"novelty", table, "--label", "class"}, args...)...)
	}
	if a, b := distances("--kernel", "columns(1, rbf(gamma=1))"), distances("--ignore", "colour", "--gamma", "1"); a != b {
		t.Errorf("of the column alone the distances are %s, want %s", a, b)
	}
	together := func(args ...string) any {
		return object(t, works(t, append([]string{"novelty", table, table, "--label", "class", "--together", "--permutations", "9", "--json"}, args...)...))["statistic"]
	}
	if a, b := together("--kernel", "columns(1, rbf(gamma=1))"), together("--ignore", "colour", "--gamma", "1"); a != b || a == nil {
		t.Errorf("of the column alone the statistic of both files is %v, want %v", a, b)
	}
}
