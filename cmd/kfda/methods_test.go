package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// wholeWay fits to every other wine, scores the rest, of which at most so many may be wrong,
// projects all, and returns what fit and inspect say.
func wholeWay(t *testing.T, model, flags string, most float64) (fit map[string]any, inspected string) {
	t.Helper()
	const wine = "demo/wine.csv"
	args := append([]string{"fit", wine, "--rows", "0::2", "--json", "-o", model}, strings.Fields(flags)...)
	fit = object(t, works(t, args...))
	if r := object(t, works(t, "score", model, wine, "--rows", "1::2", "--json")); r["errors"].(float64) > most {
		t.Errorf("%q: %v errors", flags, r["errors"])
	}
	works(t, "project", model, wine, "--with-labels")
	return fit, works(t, "inspect", model)
}

// LDA goes the whole way: fit, inspect, project, predict and score.
func TestLDA(t *testing.T) {
	const wine = "demo/wine.csv"
	model := filepath.Join(t.TempDir(), "m")
	for _, c := range []struct{ args, regularizer string }{
		{"", "none"},
		{"--relative-ridge 0.01", "ridge"},
		{"--ridge 0.5", "ridge"},
		{"--shrink 0.1", "shrink"},
		{"--shrink 0", "shrink"},
		{"--regularizer ledoit-wolf", "ledoit-wolf"},
		{"--classifier gaussian --priors 0.5,0.25,0.25", "none"},
	} {
		r, _ := wholeWay(t, model, "--model lda "+c.args, 4)
		if r["method"] != "lda" || r["regularizer"] != c.regularizer || r["kernel"] != "" {
			t.Errorf("%q: method %v, regularizer %v, kernel %v", c.args, r["method"], r["regularizer"], r["kernel"])
		}
		if s, has := r["shrink"].(float64); has != (c.regularizer == "shrink" || c.regularizer == "ledoit-wolf") || has && (s > 0 && s < 1) == (c.args == "--shrink 0") {
			t.Errorf("%q: intensity %v", c.args, r["shrink"])
		}
	}
	// The intensity of Ledoit and Wolf is that of another program (scikit-learn 1.2.1,
	// on the scaled columns less their class means), up to the rounding of sums.
	r := object(t, works(t, "fit", wine, "--model", "lda", "--regularizer", "ledoit-wolf", "--json", "-o", model))
	if got, want := r["shrink"].(float64), 0.18638814431856143; math.Abs(got-want) > 1e-13 {
		t.Errorf("intensity %v, want %v", got, want)
	}
	for words, args := range map[string]string{
		"--kernel does not apply to --model lda":                   "--model lda --kernel rbf",
		"--gamma does not apply to --model lda":                    "--model lda --gamma 1",
		"--scatter does not apply to --model lda":                  "--model lda --scatter sum",
		"--regularizer rkhs does not apply to --model lda":         "--model lda --regularizer rkhs",
		"--regularizer ledoit-wolf does not apply to --model kfda": "--regularizer ledoit-wolf",
		"--ridge does not apply to --regularizer ledoit-wolf":      "--model lda --regularizer ledoit-wolf --ridge 1",
		"--model \"qda\": want kfda, lda":                          "--model qda",
		"--components 0":                                           "--model lda --components 0",
		"--shrink 2":                                               "--model lda --shrink 2",
	} {
		fails(t, statusUsage, []string{words}, append([]string{"fit", wine, "-o", os.DevNull}, strings.Fields(args)...)...)
	}
}

// So do principal components and ridge regression.
func TestKernelPCAAndRidge(t *testing.T) {
	const wine = "demo/wine.csv"
	model := filepath.Join(t.TempDir(), "m")
	for _, c := range []struct {
		args, method, regularizer string
		components                float64
	}{
		{"--model kpca", "kpca", "none", 54},
		{"--model kpca --share 1", "kpca", "none", 88},
		{"--model kpca --components 5", "kpca", "none", 5},
		{"--model kpca --components 5 --kernel linear --classifier gaussian --priors 0.5,0.25,0.25", "kpca", "none", 5},
		{"--model kpca --components 6 --kernel laplacian --classifier knn", "kpca", "none", 6},
		{"--model ridge", "ridge", "ridge", 3},
		{"--model ridge --ridge 0.5 --kernel linear", "ridge", "ridge", 3},
		{"--model ridge --relative-ridge 0.01 --scale minmax", "ridge", "ridge", 3},
	} {
		r, text := wholeWay(t, model, c.args, 8)
		if r["method"] != c.method || r["regularizer"] != c.regularizer || r["components"] != c.components {
			t.Errorf("%q: method %v, regularizer %v, components %v", c.args, r["method"], r["regularizer"], r["components"])
		}
		if strings.Contains(c.args, "--ridge 0.5") && r["ridge"] != 0.5 {
			t.Errorf("%q: λ = %v", c.args, r["ridge"])
		}
		if !strings.Contains(text, "method       "+c.method) || strings.Contains(text, "ridge        ") != (c.method == "ridge") {
			t.Errorf("%q: inspect says\n%s", c.args, text)
		}
	}
	for words, args := range map[string]string{
		"--ridge does not apply to --model kpca":             "--model kpca --ridge 1",
		"--scatter does not apply to --model kpca":           "--model kpca --scatter averaged",
		"--components does not apply to --model ridge":       "--model ridge --components 2",
		"--classifier does not apply to --model ridge":       "--model ridge --classifier knn",
		"--priors does not apply to --model ridge":           "--model ridge --priors 0.5,0.25,0.25",
		"--regularizer rkhs does not apply to --model ridge": "--model ridge --regularizer rkhs",
		"--ridge 0: want a number above 0":                   "--model ridge --ridge 0",
	} {
		fails(t, statusUsage, []string{words}, append([]string{"fit", wine, "-o", os.DevNull}, strings.Fields(args)...)...)
	}
	for words, args := range map[string]string{
		"--components 500: at most 88": "--model kpca --components 500 --rows 0::2",
		"--components 14: at most 13, for eigenvalue 14 of the centred kernel matrix is ": "--model kpca --components 14 --kernel linear",
		"the kernel is indefinite on these rows: its eigenvalues go from 60.6 down":       "--model kpca --kernel sigmoid --gamma 2 --coef0 -2 --rows 0::2",
		"the kernel is indefinite on these rows, which --model ridge does not":            "--model ridge --kernel sigmoid --gamma 2 --coef0 -2 --ridge 0.01 --scale standard",
		"--ridge 1e-20: K + λI is singular up to rounding":                                "--model ridge --kernel linear --ridge 1e-20",
	} {
		fails(t, statusData, []string{words}, append([]string{"fit", wine, "-o", os.DevNull}, strings.Fields(args)...)...)
	}
	same := writeBytes(t, "same.csv", []byte("x,label\n1,a\n1,b\n1,a\n"))
	fails(t, statusData, []string{"all rows coincide in the space of the kernel"}, "fit", same, "--label", "label", "--model", "kpca", "--kernel", "linear", "-o", os.DevNull)
}

// What the eigenvalues of a kpca say is shown by fit and inspect: the shares of the
// variance and, where the kernel is indefinite, by how much.
func TestSpectrum(t *testing.T) {
	const indefinite = " of all eigenvalues: the kernel is indefinite\n"
	model := filepath.Join(t.TempDir(), "m")
	for _, c := range []struct {
		args, kernel string
		rows         string
		known        bool
	}{
		{"--components 3 --kernel linear", "definite", "50:70", true},
		{"--components 3 --kernel sigmoid --gamma 2 --coef0 -2", "indefinite", "50:70", true},
		{"--components 2 --kernel sigmoid --gamma 2 --coef0 -2", "indefinite", "0:", false}, // all of them are not computed
	} {
		args := append([]string{"demo/wine.csv", "--rows", c.rows, "--model", "kpca", "-o", model}, strings.Fields(c.args)...)
		r := object(t, works(t, append([]string{"fit", "--json"}, args...)...))
		s := r["spectrum"].(map[string]any)
		if s["indefinite"] != (c.kernel == "indefinite") || s["least_eigenvalue_known"] != c.known {
			t.Errorf("%q: %v", c.args, s)
		}
		if least := s["least_eigenvalue"].(float64); (least < -1e-6) != (c.kernel == "indefinite") {
			t.Errorf("%q: least eigenvalue %v", c.args, least)
		}
		// The shares are those of the trace, in the ratio of the eigenvalues.
		ratio, values := s["explained_ratio"].([]any), r["eigenvalues"].([]any)
		if len(ratio) != len(values) {
			t.Fatalf("%q: %d shares of %d components", c.args, len(ratio), len(values))
		}
		for k := range ratio {
			want := ratio[0].(float64) * values[k].(float64) / values[0].(float64)
			if got := ratio[k].(float64); math.Abs(got-want) > 1e-15 {
				t.Errorf("%q: share %d is %v, want %v", c.args, k, got, want)
			}
		}
		for _, out := range []string{works(t, append([]string{"fit"}, args...)...), works(t, "inspect", model)} {
			if !strings.Contains(out, "\nexplained    ") || strings.Contains(out, indefinite) != (c.kernel == "indefinite") ||
				strings.Contains(out, "\nleast        at most ") != (c.kernel == "indefinite" && !c.known) {
				t.Errorf("%q prints\n%s", c.args, out)
			}
		}
		if s := object(t, works(t, "inspect", model, "--json"))["spectrum"].(map[string]any); s["indefinite"] != (c.kernel == "indefinite") {
			t.Errorf("%q: inspect --json: %v", c.args, s)
		}
	}
	// Case 09 as a user meets it. Its labels are those of the case.
	case9 := writeBytes(t, "c.csv", []byte("1,0,a\n0,1,a\n-1,0.5,b\n0.5,-1,b\n2,2,a\n"))
	fit := []string{"fit", case9, "--no-header", "--model", "kpca", "--kernel", "sigmoid", "--gamma", "2", "--coef0", "-2", "--scale", "none", "-o", model}
	fails(t, statusData, []string{"the kernel is indefinite", "from 2.55 down to -1.21; --components 3 or fewer"}, fit...)
	fails(t, statusData, []string{"--components 4: at most 3, for eigenvalue 4", "not above its rounding error", "the kernel is indefinite, with eigenvalues down to -1.21"}, append(fit, "--components", "4")...)
	fails(t, statusData, []string{"--components 5: at most 4, for 5 rows"}, append(fit, "--components", "5")...)
	if out := works(t, append(fit, "--components", "3", "--verbose")...); !strings.Contains(out, "\neigenvalues  2.55099, 1.55679, 0.868681\n") || !strings.Contains(out, "\nleast        -1.21476"+indefinite) {
		t.Errorf("three components: %s", out)
	}
	works(t, "fit", "demo/wine.csv", "-o", model)
	if out := works(t, "inspect", model, "--json"); strings.Contains(out, "spectrum") {
		t.Error("a kfda has the spectrum of a kpca")
	}
	// The trace of an indefinite kernel matrix can be zero: then there are no shares.
	zero := writeBytes(t, "k.csv", []byte("1,0,0,a\n0,0,0,a\n0,0,-1,b\n"))
	out := works(t, "fit", zero, "--no-header", "--kernel", "precomputed", "--model", "kpca", "--components", "1", "-o", model)
	if strings.Contains(out, "explained") || !strings.Contains(out, indefinite) {
		t.Errorf("zero trace: %s", out)
	}
	if s := object(t, works(t, "inspect", model, "--json"))["spectrum"].(map[string]any); s["explained_ratio"] != nil {
		t.Errorf("zero trace: %v", s)
	}
}

func TestLDAErrorsNameThePlace(t *testing.T) {
	for table, words := range map[string]string{
		"x,y,label\n1,0,a\n2,0,a\n1,3,b\n2,3,b\n":   "column 2 (y): no spread within the classes, so that the within-class scatter is singular; give it a ridge",
		"x,y,label\n1,4,a\n2,5,b\n1,6,b\n":          "the within-class scatter is singular; give it a ridge, as with --relative-ridge 1e-3",
		"x,y,label\n2,0,lo\n5,1,hi\n5,1,hi\n":       "every class is a single repeated row, so that the within-class scatter is zero; give it an absolute ridge, as with --ridge 1e-3",
		"x,label\n2,lo\n5,hi\n5,hi\n":               "every class is a single repeated row",
		"x,y,label\n1,4,a\n-1,5,b\n1,4,b\n-1,5,a\n": "the classes have equal means in the space of the columns",
	} {
		fails(t, statusData, []string{words}, "fit", writeBytes(t, "t.csv", []byte(table)), "--label", "label", "--model", "lda", "-o", os.DevNull)
	}
}

// The probabilities of a row sum to one, and the largest is that of the prediction.
func TestPosteriors(t *testing.T) {
	const wine = "demo/wine.csv"
	model := filepath.Join(t.TempDir(), "m")
	for _, args := range []string{"--model lda --classifier gaussian", "--classifier gaussian-per-class", "--classifier knn"} {
		works(t, append([]string{"fit", wine, "--rows", "0::2", "-o", model}, strings.Fields(args)...)...)
		lines := strings.Split(strings.TrimSuffix(works(t, "predict", model, wine, "--rows", "1::2", "--posteriors"), "\n"), "\n")
		if want := "row,prediction,p(class_0),p(class_1),p(class_2)"; lines[0] != want {
			t.Errorf("header %q, want %q", lines[0], want)
		}
		for _, line := range lines[1:] {
			cells := strings.Split(line, ",")
			sum := 0.0
			var p []float64
			for _, cell := range cells[2:] {
				v := must.Get(strconv.ParseFloat(cell, 64))(t)
				p = append(p, v)
				sum += v
			}
			if cells[1] != "class_"+strconv.Itoa(slices.Index(p, slices.Max(p))) || math.Abs(sum-1) > 1e-15 {
				t.Errorf("%s: %q", args, line)
			}
		}
	}
	works(t, "fit", wine, "--classifier", "centroid", "-o", model)
	fails(t, statusData, []string{model, "the --classifier centroid of this model has no probabilities", "fit with --classifier gaussian"}, "predict", model, wine, "--posteriors")
	works(t, "fit", wine, "--model", "ridge", "-o", model)
	fails(t, statusData, []string{model, "a model ridge has no probabilities", "--model svm --probability"}, "predict", model, wine, "--posteriors")
}

// Of a rich kernel the probabilities that were fitted to leave-one-out projections
// are less sure.
func TestLeaveOneOut(t *testing.T) {
	const wine = "demo/wine.csv"
	model := filepath.Join(t.TempDir(), "m")
	sure := func(args ...string) int {
		fit := object(t, works(t, append([]string{"fit", wine, "--rows", "0::2", "--regularizer", "rkhs", "--classifier", "gaussian", "--json", "-o", model}, args...)...))
		if fit["leave_one_out"] != (len(args) == 0) {
			t.Errorf("%q: leave_one_out is %v", args, fit["leave_one_out"])
		}
		n := 0
		for line := range strings.Lines(works(t, "predict", model, wine, "--rows", "1::2", "--posteriors")) {
			if strings.Contains(line, ",1,") || strings.HasSuffix(line, ",1\n") {
				n++
			}
		}
		return n
	}
	if in, out := sure("--leave-one-out=false"), sure(); out >= in {
		t.Errorf("%d rows with a probability of exactly 1, %d of projections left out", in, out)
	}
	fails(t, statusUsage, []string{"--leave-one-out goes with --regularizer rkhs"}, "fit", wine, "--regularizer", "ridge", "--leave-one-out", "-o", os.DevNull)
	fails(t, statusUsage, []string{"--leave-one-out does not apply to --model lda"}, "fit", wine, "--model", "lda", "--leave-one-out", "-o", os.DevNull)
}
