package discriminant

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/golden"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

const numericsDoc = "../docs/numerics.md"

// TestDocumentedAccuracy recomputes the table of errors in docs/numerics.md, and the
// sentence below it; -v prints both.
func TestDocumentedAccuracy(t *testing.T) {
	doc := must.Get(os.ReadFile(numericsDoc))(t)
	documented := func(line string) {
		t.Helper()
		t.Log(line)
		if !strings.Contains(string(doc), line) {
			t.Errorf("%s does not say: %s", numericsDoc, line)
		}
	}
	problems := []string{
		"kfda/hilbert_precomputed_eps1e-12_1", "kfda/hilbert_precomputed_eps1e-12_2",
		"kfda/seven_linear_eps1e-12_1", "kfda/seven_linear_eps1e-12_2",
		"kfda/seven_rbf_eps1e-12_1", "kfda/seven_rbf_eps1e-12_2",
		"medium/iris_poly", "medium/wine_raw_linear",
	}
	for _, name := range problems {
		if testing.Short() && strings.HasPrefix(name, "medium/") {
			continue // 150 rows and more
		}
		p := golden.Load(t, name)
		_, file, _ := strings.Cut(name, "/")
		row := fmt.Sprintf("| `%s` | %.0e |", file, p.Meta.Float("cond_N_eps"))
		for _, solver := range []fisher.Form{fisher.Shifted, fisher.Averaged} {
			e, err := errorsOf(p, solver)
			if err != nil {
				row += " refused | refused | refused |"
				continue
			}
			for _, e := range []float64{e.lambda, e.alpha, e.projections} {
				if e == 0 {
					row += " 0 |"
				} else {
					row += fmt.Sprintf(" %.0e |", e)
				}
			}
		}
		documented(row)
	}

	worst, count := 0.0, 0
	for _, p := range golden.Dir(t, "kfda") {
		in := p.Input
		if in.String("scatter") != "sum" || in.String("regularizer") != "identity" || p.Meta.Float("cond_N_eps") > 1e12 {
			continue
		}
		f, cross, err := goldenFitted(p, fisher.Shifted)
		if err != nil {
			if !p.MayRefuse() {
				t.Errorf("%s: %v", p.Name, err)
			}
			continue
		}
		count++
		for field, got := range map[string]any{
			"eigenvalues": f.lambda, "alpha": DetailsOf(f).Alpha(),
			"proj_test": matrix.Mul(nil, cross, matrix.Transposed, DetailsOf(f).Alpha(), matrix.NoTrans),
		} {
			if p.HasCheck(field) {
				worst = math.Max(worst, p.Compare(t, field, got, true))
			}
		}
	}
	documented(fmt.Sprintf("the largest error of %d problems is %.2f", count, worst))
}

// goldenErrors are relative errors: the largest of an eigenvalue, and of a column in
// the 2-norm, up to its sign.
type goldenErrors struct{ lambda, alpha, projections float64 }

func errorsOf(p *golden.Problem, s fisher.Form) (goldenErrors, error) {
	f, cross, err := goldenFitted(p, s)
	if err != nil {
		return goldenErrors{}, err
	}
	var e goldenErrors
	for i, l := range p.Expected.Vector("eigenvalues") {
		e.lambda = math.Max(e.lambda, math.Abs(f.lambda[i]-l)/l)
	}
	projections := "proj_test"
	if !p.Expected.Has(projections) {
		projections = "proj_train"
	}
	e.alpha = columnsApart(DetailsOf(f).Alpha(), p.Expected.Matrix("alpha"))
	e.projections = columnsApart(matrix.Mul(nil, cross, matrix.Transposed, DetailsOf(f).Alpha(), matrix.NoTrans), p.Expected.Matrix(projections))
	return e, nil
}

// goldenFitted fits a problem, and returns the kernel of training rows and of those
// that are projected.
func goldenFitted(p *golden.Problem, s fisher.Form) (*fitted, *matrix.Dense, error) {
	var k, cross *matrix.Dense
	if p.Kind == "kfda_cv" {
		kernel, err := gram.Parse(p.Input.Kernel().Text())
		if err != nil {
			return nil, nil, err
		}
		if k, err = gram.Matrix(nil, kernel, p.Input.Matrix("X")); err != nil {
			return nil, nil, err
		}
		cross = k
	} else {
		k, cross = goldenKernelMatrix(p)
	}
	labels, codes := encode(p.Input.Ints("y"))
	method := KFDA{Kernel: gram.Precomputed{}, Regularizer: Ridge(p.Input.Float("eps"))}
	f, err := method.fitWith(context.Background(), s, k, fisher.NewClasses(codes, len(labels), nil))
	return f, cross, err
}
