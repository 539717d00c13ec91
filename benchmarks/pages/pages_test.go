package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// look checks pages, or skips the test where there is no browser.
func look(t *testing.T, pages ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser and a build of the command: left to the long tests")
	}
	faults, err := check(t.Context(), "", pages...)
	if missing := (*exec.Error)(nil); errors.As(err, &missing) {
		t.Skipf("no browser: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

// Pages that the command writes are no wider than a screen, ask for nothing and are silent.
func TestReports(t *testing.T) {
	dir := t.TempDir()
	kfda := func(args ...string) {
		t.Helper()
		c := exec.Command(filepath.Join(dir, "kfda"), args...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("kfda %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if testing.Short() {
		t.Skip("a browser and a build of the command: left to the long tests")
	}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "kfda"), "../../cmd/kfda").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const wine = "../../cmd/kfda/demo/wine.csv"
	for _, of := range [][]string{nil, {"--target", "alcohol", "--ignore", "label", "--kernels", "rbf", "--folds", "3"}} {
		model, page := filepath.Join(dir, "wine.kfda"), filepath.Join(dir, "wine.html")
		kfda(append([]string{"tune", wine, "--rows", "0::2", "-o", model}, of...)...)
		kfda("report", model, wine, "--rows", "1::2", "-o", page)
		for _, f := range look(t, page) {
			t.Errorf("%v: %s", of, f)
		}
	}
}

// The check finds what it is for.
func TestFaultsAreFound(t *testing.T) {
	page := filepath.Join(t.TempDir(), "bad.html")
	text := `<!DOCTYPE html><link rel="icon" href="data:,"><script>console.log("x"); nosuch()</script><div style="width:2000px">wide</div><img src="other.png">`
	if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	faults := strings.Join(look(t, page), "\n")
	for _, want := range []string{"asks for file://", "other.png", "writes to the console", "throws", "wide, on 390", "wide, on 1280"} {
		if !strings.Contains(faults, want) {
			t.Errorf("%q is not found in\n%s", want, faults)
		}
	}
}
