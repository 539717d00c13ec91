// Command kfda-page shows kernel Fisher discriminants in a browser:
//
//	go run ./cmd/kfda-page [--port N]    serve the page on this machine alone, and print its address
//	go run ./cmd/kfda-page -o DIR        write its files, for any web server
//
// The library runs in the browser, as WebAssembly that the go command builds: what one sees are models of the
// same bytes as those of the command kfda, and no table leaves the machine.
package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seed92411348/kfda/cmd/kfda-page/internal/lanes"
)

//go:embed static
var static embed.FS

const (
	module = "github.com/seed92411348/kfda"
	source = module + "/cmd/kfda-page/wasm"
)

func main() {
	out := flag.String("o", "", "`folder` to write the files of the page to, in place of serving them")
	port := flag.Int("port", 0, "`number` of the port on 127.0.0.1 (default a free one)")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "kfda-page: takes no arguments, and got %q; a table is opened in the page\n", flag.Args())
		os.Exit(2)
	}
	if err := run(*out, *port); err != nil {
		fmt.Fprintln(os.Stderr, "kfda-page:", err)
		os.Exit(1)
	}
}

func run(out string, port int) error {
	var at net.Listener
	var err error
	if out != "" { // what can't be written or served is said before the build, which takes long
		err = os.MkdirAll(out, 0o777)
	} else {
		at, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "kfda-page: building the program of the page")
	files, err := page()
	if err != nil {
		return err
	}
	if out != "" {
		return write(out, files)
	}
	fmt.Printf("http://%s/\n", at.Addr())
	return http.Serve(at, handler(files))
}

// page returns the files of the page by name.
func page() (map[string][]byte, error) {
	files := make(map[string][]byte)
	all, err := fs.ReadDir(static, "static")
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if files[f.Name()], err = static.ReadFile("static/" + f.Name()); err != nil {
			return nil, err
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("the go command, which builds the page: %w", err)
	}
	const glue = "wasm_exec.js" // belongs to the version of the compiler
	if files[glue], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", glue)); err != nil {
		return nil, err
	}
	program, err := build()
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(program); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	files["kfda.wasm.gz"], files["lanes.wasm"] = packed.Bytes(), lanes.Module()
	return files, nil
}

// inlined are the packages with the inner loops; others are smaller without inlining, and hardly slower.
var inlined = []string{"math", "math/bits", module + "/internal/block", module + "/internal/asm/..."}

// build builds the program that answers the page.
func build() ([]byte, error) {
	dir, err := os.MkdirTemp("", "kfda-page")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "kfda.wasm")
	goCommand := func(args ...string) *exec.Cmd {
		c := exec.Command("go", args...)
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
		return c
	}
	if err := goCommand("list", source).Run(); err != nil {
		return nil, errors.New("the program of the page is built from its source, which is not here: start in a clone of it")
	}
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-o", path}
	for _, p := range inlined {
		args = append(args, "-gcflags="+p+"=")
	}
	if text, err := goCommand(append(args, source)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the program of the page: %w\n%s", err, text)
	}
	return os.ReadFile(path)
}

func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// types are those of the files by the ends of their names.
var types = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".csv": "text/csv", ".gz": "application/octet-stream", ".wasm": "application/wasm"}

// handler serves the files, with the policy that the page has itself.
func handler(files map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		text, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", types[filepath.Ext(name)])
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-cache")
		w.Write(text)
	})
}

// policy is what the page may do: run its own files and fetch them, nothing else.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"
