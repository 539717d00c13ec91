package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mostLines of a function fit on a screen or two.
const mostLines = 80

// longFunctions returns the functions of a file that have more lines.
func longFunctions(name string, text []byte) (faults []string, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		at := files.Position(fn.Pos())
		if n := files.Position(fn.End()).Line - at.Line + 1; n > mostLines {
			faults = append(faults, fmt.Sprintf("%v: %s has %d lines, more than %d", at, fn.Name.Name, n, mostLines))
		}
	}
	return faults, nil
}

func TestLongFunctions(t *testing.T) {
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		faults, err := longFunctions(path, text)
		for _, fault := range faults {
			t.Error(fault)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
}

// The check finds what it is for.
func TestLongFunctionsAreFound(t *testing.T) {
	for lines, want := range map[int]int{mostLines: 0, mostLines + 1: 1} {
		text := "package p\n\nfunc (x X) f() {" + strings.Repeat("\n", lines-1) + "}\n"
		if faults, err := longFunctions("f.go", []byte(text)); err != nil || len(faults) != want {
			t.Errorf("a function of %d lines: %q, error %v", lines, faults, err)
		}
	}
}
