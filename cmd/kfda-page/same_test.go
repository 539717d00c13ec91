package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// kfda builds the command in a folder and returns how to run it there.
func kfda(t *testing.T, dir string) func(args ...string) (string, error) {
	t.Helper()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "kfda"), "../kfda").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(args ...string) (string, error) {
		c := exec.Command("./kfda", args...)
		c.Dir = dir
		var errs strings.Builder
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil {
			return errs.String(), err
		}
		return string(out), nil
	}
}

// upload gives the page a file and waits for what comes of it.
func (p *tab) upload(path string) {
	p.Helper()
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{path}))
	p.settle(`true`)
}

// A table gives the same model, labels and errors of cross-validation in the page and by the command that the page
// names, for every model; a damaged one the same words.
func TestSameAsTheCommand(t *testing.T) {
	p, dir := open(t), t.TempDir()
	run := kfda(t, dir)
	text, err := static.ReadFile("static/iris.csv")
	p.must(err)
	files := map[string]string{"iris.csv": string(text)}
	lines := strings.SplitAfter(string(text), "\n")
	lines[7] = "4.6,x1,1.4,0.3,setosa\n"
	files["damaged.csv"] = strings.Join(lines, "")
	files["ragged.csv"] = string(text) + "1,2,3\n"
	files["one.csv"] = strings.Join(lines[:5], "")
	files["constant.csv"] = "x,y,c\n1,2,a\n1,2,a\n1,2,b\n1,2,b\n"
	files["gaps.csv"] = strings.Replace(string(text), "4.9,3.0", "4.9,", 1)
	for name, text := range files {
		p.must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	hashed := func(what string) {
		t.Helper()
		line := strings.Fields(p.text("command"))
		if len(line) == 0 {
			t.Fatalf("%s: %s", what, p.text("said"))
		}
		if said, err := run(line[1:]...); err != nil {
			t.Fatalf("%s: %v: %s", what, err, said)
		}
		file, err := os.ReadFile(filepath.Join(dir, line[len(line)-1]))
		p.must(err)
		if want := fmt.Sprintf("%x", sha256.Sum256(file)); p.text("hash") != want {
			t.Errorf("%s: the page has %s, %q gives %s", what, p.text("hash"), line, want)
		}
	}
	p.upload(filepath.Join(dir, "iris.csv"))
	for _, model := range []string{"kfda", "lda", "ridge", "svm", "kpca"} {
		p.settle(`$("model").value = "` + model + `", $("model").onchange()`)
		hashed(model)
	}
	p.settle(`$("model").value = "kfda", $("kernel").value = "laplacian", $("ridge").value = "-0.5", $("ridge").oninput()`)
	hashed("a kernel and a ridge of one's own")

	bytes := func(kind string) []byte {
		text := value[string](p, `askWhenFree("`+kind+`").then((a) => btoa(String.fromCharCode(...a.bytes)))`)
		b, err := base64.StdEncoding.DecodeString(text)
		p.must(err)
		return b
	}
	p.must(os.WriteFile(filepath.Join(dir, "page.kfda"), bytes("model"), 0o666))
	want, err := run("predict", "page.kfda", "iris.csv")
	if got := string(bytes("predict")); err != nil || got != want {
		t.Errorf("labels of the page:\n%s\nof the command:\n%s", got, want)
	}
	value[bool](p, `validate().then(() => true)`)
	line := strings.Fields(value[string](p, `document.querySelector("#validation pre").textContent`))
	out, err := run(append(line[1:], "--json")...)
	p.must(err)
	var score struct{ Errors, N int }
	p.must(json.Unmarshal([]byte(out), &score))
	if said := p.text("validation"); !strings.Contains(said, fmt.Sprintf("%d of %d rows wrong", score.Errors, score.N)) {
		t.Errorf("the page says %s, the command %d of %d", said, score.Errors, score.N)
	}

	p.settle(`$("kernel").value = "rbf", $("kernel").onchange()`)
	for _, name := range []string{"damaged.csv", "ragged.csv", "one.csv", "gaps.csv", "constant.csv"} {
		p.upload(filepath.Join(dir, name))
		said, err := run("fit", name, "-o", "none.kfda")
		if err == nil {
			hashed(name)
			continue
		}
		_, said, _ = strings.Cut("\n"+said, "\nkfda fit: ")
		want, _, _ := strings.Cut(said, "\n")
		if got := p.text("said"); want == "" || !strings.Contains(got, want) {
			t.Errorf("%s: the page says\n%s\nthe command\n%s", name, got, want)
		}
	}
	p.quiet()
}

// quiet fails the test if the page asked for something elsewhere or wrote to the console.
func (p *tab) quiet() {
	p.Helper()
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, fault := range p.faults {
		p.Error(fault)
	}
}

// Points can be set, dragged and removed by pointer and by keys, and the picture follows.
func TestPoints(t *testing.T) {
	p := open(t)
	p.settle(`usePreset("circles")`)
	hash, picture := p.text("hash"), value[string](p, `$("plane").toDataURL()`)
	points := func() int { return value[int](p, "state.points.length") }
	place := func(x, y float64) (float64, float64) {
		at := value[[]float64](p, fmt.Sprintf(`(() => { const b = $("plane").getBoundingClientRect(), [l, r, o, u] = square();
			return [b.left + (%g - l) / (r - l) * b.width, b.top + (u - %g) / (u - o) * b.height]; })()`, x, y))
		return at[0], at[1]
	}
	x0, y0 := place(value[float64](p, "state.points[0].x"), value[float64](p, "state.points[0].y"))
	x1, y1 := place(1.3, 1)
	p.do(chromedp.DragAndDropXY(x0, y0, x1, y1, 6))
	p.settle(`true`)
	if x, n := value[float64](p, "state.points[0].x"), points(); x < 1.29 || x > 1.31 || n != 100 {
		t.Errorf("after a drag point 0 is at x %v, and there are %d", x, n)
	}
	if p.text("hash") == hash || value[string](p, `$("plane").toDataURL()`) == picture {
		t.Error("a drag does not change the model or the picture")
	}
	at := value[float64](p, `state.field.values[(state.field.rows * 0 + Math.round(state.field.columns * 0.92)) * 2]`)
	if at < 0.01 {
		t.Errorf("near a point of class a, class a has the probability %v", at)
	}
	x, y := place(-1.4, -1.1)
	p.do(chromedp.MouseClickXY(x, y))
	p.settle(`true`)
	if n := points(); n != 101 {
		t.Errorf("%d points after a click", n)
	}
	p.do(chromedp.Focus(chromedp.CSS("#plane")))
	for _, key := range []string{"\ue012", "2", "\r"} { // an arrow to the left, a class, Enter
		p.do(chromedp.KeyEvent(key))
	}
	p.settle(`true`)
	if n, class := points(), value[int](p, "state.points[100].k"); n != 102 || class != 1 {
		t.Errorf("%d points after Enter, class %d", n, class)
	}
	p.settle(`$("remove").click()`)
	p.settle(`$("clear").click()`)
	if n := points(); n != 0 || p.text("said") == "" {
		t.Errorf("%d points are left, the page says %q", n, p.text("said"))
	}
	p.settle(`$("paste").value = "a,b,c\n1,2,u\n2,1,u\n5,5,v\n6,5,v\n", $("use").click()`)
	if said := p.text("said"); !strings.Contains(said, "4 rows") {
		t.Errorf("a pasted table: %s", said)
	}
	p.settle(`(change(false), setTimeout(() => $("stop").click(), 1))`)
	p.settle(`$("use").click()`)
	if said := p.text("said"); !strings.Contains(said, "4 rows") {
		t.Errorf("after a fit was stopped: %s", said)
	}
	p.quiet()
}

// The files are those that a web server needs, with the policy in them. A browser without vectors gives the same model,
// and one without WebAssembly is told so.
func TestFiles(t *testing.T) {
	p, dir := open(t), t.TempDir()
	files, err := built()
	p.must(err)
	p.must(write(dir, files))
	for _, name := range []string{"index.html", "page.js", "draw.js", "worker.js", "page.css", "iris.csv", "wasm_exec.js", "kfda.wasm.gz", "lanes.wasm"} {
		info, err := os.Stat(filepath.Join(dir, name))
		p.must(err)
		if name == "kfda.wasm.gz" && info.Size() >= 2e6 {
			t.Errorf("the program takes %d bytes", info.Size())
		}
	}
	if !strings.Contains(string(files["index.html"]), `content="`+policy+`"`) {
		t.Error("the policy of the page is not that of the server")
	}
	hash := p.text("hash")
	plain := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer plain.Close()
	p.visit(plain.URL + "/")
	if p.text("hash") != hash || len(hash) != 64 {
		t.Errorf("a plain server of the files gives the model %q, the command's %q", p.text("hash"), hash)
	}
	before := func(script string) {
		_, err := chromedp.Call(p.ctx, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		p.must(err)
	}
	if !value[bool](p, "!!lanes") {
		t.Error("the browser does not take the module of two lanes")
	}
	before("WebAssembly.validate = () => false")
	p.visit(plain.URL + "/")
	if p.text("hash") != hash || value[bool](p, "!!lanes") {
		t.Errorf("without two lanes the model is %q", p.text("hash"))
	}
	before("delete globalThis.WebAssembly")
	p.do(chromedp.Navigate(p.address))
	value[bool](p, `new Promise((done) => setTimeout(done, 100)).then(() => true)`)
	if said := p.text("problem"); !strings.Contains(said, "no WebAssembly") {
		t.Errorf("without WebAssembly the page says %q", said)
	}
}

// The page has no fault that axe-core finds, light and dark, with points and with a table.
func TestAccessibility(t *testing.T) {
	p := open(t)
	axe, err := axeCore()
	if err != nil {
		t.Skipf("axe-core can't be had from npm: %v", err)
	}
	value[bool](p, string(axe)+"; true")
	for _, step := range []string{`usePreset("banana")`, `usePreset("iris").then(() => new Promise((done) => setTimeout(done, 100))).then(validate)`} {
		for _, scheme := range []string{"light", "dark"} {
			p.scheme(scheme)
			p.settle(step)
			found := value[string](p, `axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html).join(" ")).join("\n"))`)
			if found != "" {
				t.Errorf("%s, %s:\n%s", step, scheme, found)
			}
		}
	}
}

// axeCore returns the program of axe-core from its package.
func axeCore() ([]byte, error) {
	r, err := http.Get("https://registry.npmjs.org/axe-core/-/axe-core-4.11.0.tgz")
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	for files := tar.NewReader(z); ; {
		f, err := files.Next()
		if err != nil {
			return nil, err
		}
		if f.Name == "package/axe.min.js" {
			return io.ReadAll(files)
		}
	}
}
