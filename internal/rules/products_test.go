package rules

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// A result has the same bits on every platform only if no compiler decides how it
// is rounded, and no function differs between platforms:
//
//   - Compilers may fuse x*y + z, across statements and through inlined calls, and do
//     so on arm64, ppc64, riscv64, s390x and with GOAMD64=v3. So a product of floats is
//     an argument of math.FMA or converted by float64(…) at once. As an operand of
//     another product, of a quotient or of a comparison it cannot be fused.
//   - Complex arithmetic hides products and, in division, calls of the runtime.
//   - Of package math only the functions below are exact or correctly rounded
//     everywhere. math.Exp, Log, Pow, Tanh, Hypot and others are not.
//
// Tests, the command and benchmarks may do as they like.
var mathFunctions = strings.Fields(`FMA Sqrt Abs Copysign Floor Ceil Trunc Round RoundToEven Frexp Ldexp
	Float64bits Float64frombits Float32bits Float32frombits Inf NaN IsNaN IsInf Max Min Signbit
	Nextafter Mod Modf Remainder`)

// Paths whose numbers are not results.
var exempt = []string{module + "/cmd/", module + "/benchmarks", module + "/fuzz"}

func TestProducts(t *testing.T) {
	for _, platform := range platforms {
		t.Run(platform.name, func(t *testing.T) {
			if testing.Short() && platform.name != "amd64" {
				t.Skip("compiles packages for another platform")
			}
			all := goList(t, platform.env, append(platform.args, "-deps", "-export", "./...")...)
			c := newChecker(all)
			files := 0
			for _, p := range all {
				if p.Standard || !strings.HasPrefix(p.ImportPath, module) ||
					slices.ContainsFunc(exempt, func(e string) bool { return strings.HasPrefix(p.ImportPath, e) }) {
					continue
				}
				var sources []source
				for _, name := range p.GoFiles {
					sources = append(sources, source{filepath.Join(p.Dir, name), nil})
				}
				files += len(sources)
				faults := must.Get(c.check(p.ImportPath, sources))(t)
				for _, fault := range faults {
					t.Error(fault)
				}
			}
			if files == 0 {
				t.Error("no file was checked")
			}
		})
	}
}

// The check finds what it is for, and only that.
func TestProductsAreChecked(t *testing.T) {
	c := newChecker(goList(t, nil, "-deps", "-export", "math"))
	const bad = "BAD"
	text := `package p
import m "math"
type number interface { ~int | ~float64 }
const half = 0.5
func f(x, y, z float64, i, j int, a []float64) (r float64) {
	r = m.FMA(x, y, z)
	r = m.FMA(-x*y, (y), z)          // a product as argument is rounded or exact by the call
	r = float64(x*y) + z
	r = float64(-(x * y)) - z
	r = float64((x * y) * z) / float64(x*x)
	r = x * y / z + x
	if x > y*z || -(x*y) == z {
		return
	}
	if x > y*z + x {                 // BAD
		return
	}
	r = 2 * half + x                 // constants
	r = x * y                        // BAD
	r = x*y + z                      // BAD
	r += x * y                       // BAD
	r *= x                           // BAD
	r = float64(x*y + z)             // BAD
	a[i*j] = -(x * y)                // BAD
	r = m.Sqrt(x*x)                  // BAD
	r = m.Exp(x)                     // BAD
	e := m.Log                       // BAD
	_ = e
	_ = m.MaxFloat64 + m.Pi
	var c complex128                 // BAD
	_ = complex(x, y)                // BAD
	i *= i * j
	return r
}
func g[T number](x, y T) T { return x * y } // BAD
func h(x, y float32) float32 { return float32(x * y) }
func k(x, y float32) float64 { return float64(x * y) }
func l(x, y float32) float32 { return x * y } // BAD
`
	// The variable c is not used, which the checker must not mind.
	faults := must.Get(c.check("p", []source{{"p.go", []byte(text)}}))(t)
	got := make(map[int]bool)
	for _, fault := range faults {
		var line int
		fmt.Sscanf(fault, "p.go:%d:", &line)
		got[line] = true
	}
	for i, line := range strings.Split(text, "\n") {
		if want := strings.Contains(line, bad); got[i+1] != want {
			t.Errorf("line %d: found %v, want %v: %s", i+1, got[i+1], want, line)
		}
	}
}

type source struct {
	name string
	text any // nil: read the file
}

// checker type-checks packages against the compiled packages that go list names.
type checker struct {
	fset     *token.FileSet
	importer types.Importer
}

func newChecker(all []pkg) *checker {
	export := make(map[string]string)
	for _, p := range all {
		export[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	lookup := func(path string) (io.ReadCloser, error) {
		if export[path] == "" {
			return nil, fmt.Errorf("go list names no compiled package %s", path)
		}
		return os.Open(export[path])
	}
	return &checker{fset, importer.ForCompiler(fset, "gc", lookup)}
}

// check returns the faults in a package's files, as "file:line:column: what".
func (c *checker) check(path string, sources []source) ([]string, error) {
	var files []*ast.File
	for _, s := range sources {
		f, err := parser.ParseFile(c.fset, s.name, s.text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object)}
	var failed error
	config := types.Config{Importer: c.importer, Error: func(err error) {
		if e, ok := err.(types.Error); ok && !e.Soft {
			failed = err
		}
	}}
	config.Check(path, c.fset, files, info)
	if failed != nil {
		return nil, failed
	}

	faults := make(map[token.Position]string)
	report := func(pos token.Pos, what string) { faults[c.fset.Position(pos)] = what }
	for _, file := range files {
		var parents []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				parents = parents[:len(parents)-1]
				return true
			}
			switch n := n.(type) {
			case *ast.BinaryExpr:
				tv := info.Types[n]
				if n.Op == token.MUL && tv.Value == nil && has(tv.Type, types.IsFloat) && !rounded(info, n, parents) {
					report(n.OpPos, "a product of floats that is neither an argument of math.FMA nor directly inside float64(…)")
				}
			case *ast.AssignStmt:
				if n.Tok == token.MUL_ASSIGN && has(info.Types[n.Lhs[0]].Type, types.IsFloat) {
					report(n.TokPos, "*= on a float: write x = float64(x * y)")
				}
			case *ast.Ident:
				if f, ok := info.Uses[n].(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "math" && !slices.Contains(mathFunctions, f.Name()) {
					report(n.Pos(), "math."+f.Name()+" differs between platforms")
				}
			}
			if e, ok := n.(ast.Expr); ok {
				if tv, ok := info.Types[e]; ok && has(tv.Type, types.IsComplex) {
					report(e.Pos(), "complex numbers are computed as pairs of floats")
				}
			}
			parents = append(parents, n)
			return true
		})
	}
	positions := slices.SortedFunc(maps.Keys(faults), func(a, b token.Position) int {
		return strings.Compare(fmt.Sprintf("%s %9d %9d", a.Filename, a.Line, a.Column), fmt.Sprintf("%s %9d %9d", b.Filename, b.Line, b.Column))
	})
	var list []string
	for _, p := range positions {
		list = append(list, fmt.Sprintf("%v: %s", p, faults[p]))
	}
	return list, nil
}

// rounded reports whether the product's only use is one that no compiler can fuse
// with an addition: parents are the nodes around it, outermost first.
func rounded(info *types.Info, product ast.Expr, parents []ast.Node) bool {
	for _, parent := range slices.Backward(parents) {
		switch p := parent.(type) {
		case *ast.ParenExpr:
		case *ast.UnaryExpr: // a sign
		case *ast.BinaryExpr:
			switch p.Op {
			case token.QUO:
				return true
			case token.MUL:
				return true // its parent is judged by itself
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				return true
			default:
				return false
			}
		case *ast.CallExpr:
			if tv := info.Types[p.Fun]; tv.IsType() {
				return has(tv.Type, types.IsFloat)
			}
			return isFMA(info, p.Fun)
		default:
			return false
		}
	}
	return false
}

func isFMA(info *types.Info, fun ast.Expr) bool {
	s, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[s.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "math" && f.Name() == "FMA"
}

// has reports whether t, or a type of its constraint where t is a type parameter,
// has the basic property.
func has(t types.Type, property types.BasicInfo) bool {
	if t == nil {
		return false
	}
	if p, ok := t.(*types.TypeParam); ok {
		return constraintHas(p.Constraint(), property)
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&property != 0
}

func constraintHas(t types.Type, property types.BasicInfo) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		for i := range t.NumEmbeddeds() {
			if constraintHas(t.EmbeddedType(i), property) {
				return true
			}
		}
	case *types.Union:
		for i := range t.Len() {
			if constraintHas(t.Term(i).Type(), property) {
				return true
			}
		}
	case *types.Basic:
		return t.Info()&property != 0
	}
	return false
}
