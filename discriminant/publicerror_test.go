package discriminant

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
)

// Every error of the solvers becomes the public one of the same name, with the same data
// and a text of its own.
func TestPublicErrors(t *testing.T) {
	all := []error{
		&fisher.AccuracyError{What: "w", Value: 2, Limit: 1, Remedy: "r"}, &fisher.CoincidentMeansError{Contrast: 1, Norm: 2}, &fisher.ColumnRangeError{Col: 3},
		&fisher.ComponentsError{Asked: 3, Classes: 2, Rank: 1}, &fisher.IndefiniteKernelError{Ridge: 1, Pivot: 2, Value: -3, Least: -4, Largest: 5, Positive: 6},
		&fisher.IntervalError{Eigenvalue: 1, Low: 2, High: 3, Width: 4, Limit: 5, Steps: 6, Rank: 7, Rounding: true},
		&fisher.OverflowError{Row: 1, Component: 2}, &fisher.RankError{Asked: 1, Rank: 2, Rows: 3, Value: 4, Limit: 5, Least: 6},
		&fisher.RidgeError{Regularizer: fisher.Regularizer{Kind: fisher.RKHS, Value: 1}, Ridge: 2, Reason: "r"}, &fisher.ScatterError{Col: 1, Zero: true},
	}
	for _, err := range all {
		public := publicError(err)
		from, to := reflect.TypeOf(err).Elem(), reflect.TypeOf(public).Elem()
		if to.PkgPath() == from.PkgPath() || to.Name() != from.Name() {
			t.Errorf("%v became %v", from, to)
		}
		if text := public.Error(); !strings.HasPrefix(text, "discriminant: ") {
			t.Errorf("%v: text %q", to, text)
		}
		if refused, ok := public.(*RidgeError); ok && *refused != (RidgeError{RKHS(1), 2, "r"}) || !ok && fmt.Sprintf("%+v", reflect.ValueOf(public).Elem()) != fmt.Sprintf("%+v", reflect.ValueOf(err).Elem()) {
			t.Errorf("%v: %+v became %+v", from, err, public)
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "internal/fisher/errors.go", nil, 0)
	if err != nil {
		t.Skipf("needs the source: %v", err)
	}
	declared := 0
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			declared += len(d.Specs)
		}
	}
	if declared != len(all) {
		t.Errorf("%d of %d errors are checked", len(all), declared)
	}
}
