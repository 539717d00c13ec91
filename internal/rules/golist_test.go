package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

const module = "github.com/seed92411348/kfda"

// pkg is what these tests need of the output of go list -json.
type pkg struct {
	ImportPath string
	Dir        string
	Export     string // file with the compiled package's types
	Standard   bool
	GoFiles    []string
	Imports    []string
}

// goList runs go list -json in the root of the repository. It skips the test where
// there is no go command, and where the tests run under an emulator or for another
// architecture than the machine's: the source is the same there.
func goList(t *testing.T, env []string, args ...string) []pkg {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("needs the go command: %v", err)
	}
	if host := runGo(t, nil, "env", "GOHOSTARCH"); strings.TrimSpace(string(host)) != runtime.GOARCH {
		t.Skipf("the tests run for %s, the machine is %s; the source is checked there", runtime.GOARCH, bytes.TrimSpace(host))
	}
	openFolders(t)
	out := json.NewDecoder(bytes.NewReader(runGo(t, env, append([]string{"list", "-json"}, args...)...)))
	var pkgs []pkg
	for {
		var p pkg
		err := out.Decode(&p)
		if errors.Is(err, io.EOF) {
			return pkgs
		}
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		pkgs = append(pkgs, p)
	}
}

// openFolders reads every folder of the repository. go test reuses the result of an
// earlier run unless a file or folder that the test itself opened has changed; what
// the go command opens does not count.
func openFolders(t *testing.T) {
	t.Helper()
	must.Do(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		return err
	}))
}

func runGo(t *testing.T, env []string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return out
}

// platforms selects the files of every build: assembly and plain Go.
var platforms = []struct {
	name string
	env  []string
	args []string
}{
	{"amd64", []string{"GOOS=linux", "GOARCH=amd64"}, nil},
	{"arm64", []string{"GOOS=linux", "GOARCH=arm64"}, nil},
	{"386", []string{"GOOS=linux", "GOARCH=386"}, nil},
	{"purego", []string{"GOOS=linux", "GOARCH=amd64"}, []string{"-tags=purego"}},
}
