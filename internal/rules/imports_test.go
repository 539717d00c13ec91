package rules

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// layer is a folder with everything below it, and the folders that it may import;
// it may always import itself.
type layer struct {
	path string
	may  []string
}

// The direction of imports: cmd/kfda → discriminant/cv → discriminant →
// discriminant/internal/fisher → gram, solve → matrix → internal/block → internal/asm.
// gram and solve do not know each other, fisher knows no labels, methods and files, and only
// discriminant knows fisher. Longer paths come first.
var layers = []layer{
	{"internal/asm", nil},
	{"internal/splitmix", nil},
	{"internal/plural", nil},
	{"internal/wilson", nil},
	{"internal/misuse", nil},
	{"internal/pages", nil},
	{"internal/show", nil},
	{"internal/decimal", nil},
	{"internal/block", []string{"internal/asm", "internal/pages"}},
	{"matrix/gonummat", []string{"matrix"}},
	{"matrix", []string{"internal/block", "internal/asm", "internal/pages", "internal/plural", "internal/misuse"}},
	{"gram", []string{"matrix", "internal/block", "internal/splitmix", "internal/asm", "internal/pages", "internal/misuse"}},
	{"solve", []string{"matrix", "internal/block", "internal/splitmix", "internal/asm", "internal/pages", "internal/misuse"}},
	{"internal/section", []string{"matrix", "internal/plural"}},
	{"internal/table", []string{"matrix", "internal/decimal", "internal/splitmix", "internal/plural", "internal/show"}},
	{"internal/formula", []string{"gram", "matrix"}},
	{"discriminant/internal/fisher", []string{"gram", "solve", "matrix", "internal/block", "internal/splitmix", "internal/asm"}},
	{"discriminant/cv", []string{"discriminant", "gram", "solve", "matrix", "internal/block", "internal/splitmix", "internal/asm", "internal/pages", "internal/plural", "internal/misuse"}},
	{"discriminant", []string{"discriminant/internal/fisher", "internal/formula", "internal/section", "gram", "solve", "matrix", "internal/block", "internal/splitmix", "internal/asm", "internal/pages", "internal/plural", "internal/misuse", "internal/wilson"}},
	{"internal/trust", []string{"discriminant", "internal/plural"}},
	{"internal/explain", []string{"discriminant/cv", "discriminant", "gram", "solve", "matrix", "internal/table", "internal/show", "internal/plural"}},
	{"cmd/kfda-page", []string{"discriminant/cv", "discriminant", "gram", "matrix", "internal/asm", "internal/table", "internal/explain", "internal/trust", "internal/show", "internal/plural"}},
	{"cmd/kfda", []string{"discriminant/cv", "discriminant", "internal/formula", "gram", "solve", "matrix", "internal/table", "internal/explain", "internal/trust", "internal/show", "internal/plural", "internal/wilson"}},

	// For tests only: nothing that is not a test imports them.
	{"internal/cases", nil},
	{"internal/must", nil},
	{"internal/matrixtest", []string{"internal/cases", "matrix"}},
	{"internal/golden", []string{"matrix"}},
	{"internal/bigref", []string{"matrix"}},
	{"internal/textbook", []string{"matrix"}},
	{"internal/rules", nil},
	{"fuzz", []string{"discriminant/cv", "discriminant", "internal/section", "gram", "solve", "matrix", "internal/block", "internal/splitmix", "internal/asm"}},
	{"benchmarks/pictures", []string{"discriminant/cv", "discriminant", "internal/table", "gram", "solve", "matrix", "internal/bigref"}},
	{"benchmarks", []string{"discriminant/cv", "discriminant", "internal/table", "internal/section", "gram", "solve", "matrix", "internal/block", "internal/splitmix", "internal/asm"}},
}

// find returns the layer of an import path of this project.
func find(path string) (layer, bool) {
	rel := strings.TrimPrefix(path, module+"/")
	i := slices.IndexFunc(layers, func(l layer) bool { return rel == l.path || strings.HasPrefix(rel, l.path+"/") })
	if i < 0 {
		return layer{}, false
	}
	return layers[i], true
}

// checkImports returns what is wrong with the packages' imports.
func checkImports(pkgs []pkg, standard map[string]bool) []string {
	var faults []string
	for _, p := range pkgs {
		from, ok := find(p.ImportPath)
		if !ok {
			faults = append(faults, p.ImportPath+": has no place in the order of imports; give it one in this test")
			continue
		}
		for _, path := range p.Imports {
			if standard[path] {
				continue
			}
			fault := p.ImportPath + " imports " + path
			switch ours := strings.HasPrefix(path, module+"/"); {
			case ours:
				to, ok := find(path)
				if !ok || to.path != from.path && !slices.Contains(from.may, to.path) {
					faults = append(faults, fault)
				}
			case from.path == "cmd/kfda" || from.path == "benchmarks" || from.path == "matrix/gonummat":
				// modules of their own, with requirements of their own
			case from.path == "internal/asm" && path == "golang.org/x/sys/cpu":
			default:
				faults = append(faults, fault)
			}
		}
	}
	return faults
}

func TestImports(t *testing.T) {
	for _, platform := range platforms {
		t.Run(platform.name, func(t *testing.T) {
			all := goList(t, platform.env, append(platform.args, "-deps", "work")...)
			standard := map[string]bool{"C": true}
			var ours []pkg
			for _, p := range all {
				if p.Standard {
					standard[p.ImportPath] = true
				} else if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
					ours = append(ours, p)
				}
			}
			if len(ours) == 0 {
				t.Fatal("go list found no package of the project")
			}
			for _, fault := range checkImports(ours, standard) {
				t.Error(fault)
			}
		})
	}
}

// The check finds what it is for.
func TestImportsAreChecked(t *testing.T) {
	standard := map[string]bool{"fmt": true}
	tests := []struct {
		from, to string
		fault    bool
	}{
		{"matrix", "fmt", false},
		{"matrix", module + "/internal/block", false},
		{"matrix", module + "/gram", true},
		{"gram", module + "/solve", true},
		{"solve", module + "/gram", true},
		{"solve", module + "/internal/asm/f64", false},
		{"internal/asm/f64", module + "/internal/asm/isa", false},
		{"internal/asm/isa", "golang.org/x/sys/cpu", false},
		{"matrix", "golang.org/x/sys/cpu", true},
		{"internal/block", module + "/matrix", true},
		{"discriminant", module + "/gram", false},
		{"discriminant/cv", module + "/discriminant", false},
		{"discriminant/cv", module + "/discriminant/internal/fisher", true},
		{"discriminant", module + "/discriminant/internal/fisher", false},
		{"discriminant", module + "/discriminant/cv", true},
		{"discriminant/internal/fisher", module + "/discriminant", true},
		{"discriminant/internal/fisher", module + "/internal/section", true},
		{"discriminant", module + "/internal/golden", true},
		{"discriminant", "gonum.org/v1/gonum/mat", true},
		{"matrix", "gonum.org/v1/gonum/mat", true},
		{"matrix/gonummat", "gonum.org/v1/gonum/mat", false},
		{"cmd/kfda", module + "/discriminant", false},
		{"cmd/kfda", module + "/internal/golden", true},
		{"elsewhere", "fmt", true},
	}
	for _, c := range tests {
		faults := checkImports([]pkg{{ImportPath: module + "/" + c.from, Imports: []string{c.to}}}, standard)
		if (len(faults) > 0) != c.fault {
			t.Errorf("%s imports %s: faults %q, want a fault: %v", c.from, c.to, faults, c.fault)
		}
	}
}

// Whoever embeds the library gets golang.org/x/sys and nothing else.
func TestRequirements(t *testing.T) {
	b, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Skipf("needs the root of the repository: %v", err)
	}
	for _, fault := range checkRequirements(string(b)) {
		t.Error(fault)
	}
	for text, fault := range map[string]bool{
		"module m\n\ngo 1.26\n":                                                    false,
		"require golang.org/x/sys v0.1.0\n":                                        false,
		"require (\n\tgolang.org/x/sys v0.1.0 // indirect\n)\n":                    false,
		"require (\n\tgolang.org/x/sys v0.1.0\n\tgonum.org/v1/gonum v0.1.0\n)\n":   true,
		"require gonum.org/v1/gonum v0.1.0\n":                                      true,
		"require golang.org/x/system v0.1.0\n":                                     true,
		"require golang.org/x/sys v0.1.0\nreplace golang.org/x/sys => ../x/sys \n": true,
	} {
		if faults := checkRequirements(text); (len(faults) > 0) != fault {
			t.Errorf("%q: faults %q, want a fault: %v", text, faults, fault)
		}
	}
}

// checkRequirements returns the lines of a go.mod file, in the form that go mod
// tidy writes, that are neither module, go, toolchain nor a requirement of
// golang.org/x/sys.
func checkRequirements(text string) []string {
	var faults []string
	block := false
	for _, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "//":
		case block && words[0] == ")":
			block = false
		case !block && len(words) == 2 && words[0] == "require" && words[1] == "(":
			block = true
		case block && words[0] == "golang.org/x/sys":
		case !block && len(words) > 1 && words[0] == "require" && words[1] == "golang.org/x/sys":
		case !block && slices.Contains([]string{"module", "go", "toolchain"}, words[0]):
		default:
			faults = append(faults, "go.mod: "+strings.TrimSpace(line))
		}
	}
	return faults
}
