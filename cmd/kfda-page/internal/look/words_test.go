package look

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// What stands against a fit, or against its cross-validation in so many folds, is said in the words of the command.
func TestWordsOfTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("a build of the command: left to the long tests")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "kfda"), "../../../kfda").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := func(name, flags string) string {
		c := exec.Command("./kfda", append([]string{name, "t.csv"}, strings.Fields(flags)...)...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err == nil {
			return "no error"
		}
		_, said, _ := strings.Cut("\n"+string(out), "\nkfda "+name+": ")
		said, _, _ = strings.Cut(said, "\n") // after which a reader says what else to type
		return said
	}
	const (
		constant = "1,1,a 1,1,a 1,1,b 1,1,b"
		within   = "1,1,a 1,2,a 2,3,b 2,4.5,b"
		line     = "1,1,a 2,2,a 3,3,b 4,4,b 6,6,b"
		points   = "1,1,a 1,1,a 2,3,b 2,3,b"
		middle   = "1,0,a -1,0,a 0,1,b 0,-1,b"
		some     = "0,1,a 1,0.5,a 0.5,3,a 3,1,b 4,0.5,b 3.5,2,b"
	)
	kfda, lda := Settings{Model: "kfda", Kernel: "rbf", Gamma: 1}, Settings{Model: "lda"}
	with := func(s Settings, change func(s *Settings)) Settings {
		change(&s)
		return s
	}
	ridge := func(r float64) func(*Settings) { return func(s *Settings) { s.Ridge = r } }
	kernel := func(name string, gamma float64) func(*Settings) {
		return func(s *Settings) { s.Kernel, s.Gamma = name, gamma }
	}
	for _, c := range []struct {
		words string // in it
		rows  string
		Settings
		folds int // 0: no fit of all rows
	}{
		{"t.csv: no rows after the header", "", kfda, 0},
		{"need at least two classes, found 1: a", "1,0,a 2,3,a", kfda, 0},
		{"the cell is missing", "1,1,a ,2,a 1,1,b 5,2,b", kfda, 0},
		{`row 3, column 2 (y): "NaNs" is not a number`, "1,1,a 2,2,a 3,NaNs,b 5,2,b", kfda, 0},
		{`"Inf" is not a finite number`, "Inf,1,a 2,2,a 3,3,b", kfda, 0},
		{"as many classes as rows (2)", "1,0,a 2,3,b", kfda, 0},
		{"t.csv: --gamma has no default here: all entries are equal", constant, with(kfda, kernel("rbf", 0)), 0},
		{"t.csv:2: row 1: its kernel value with itself is +Inf; scale", some, with(kfda, kernel("poly", 1e200)), 0},
		{"equal means in the space of the kernel", constant, kfda, 0},
		{"equal means in the space of the kernel", middle, with(kfda, kernel("linear", 0)), 0},
		{"equal means in the space of the columns", middle, lda, 0},
		{"--relative-ridge 0.5: the kernel matrix has no positive trace", constant, Settings{Model: "ridge", Kernel: "linear", Ridge: 0.5}, 0},
		{"--relative-ridge 1000: the within-class scatter is zero", points, with(lda, ridge(1000)), 0},
		{"every class is a single repeated row", points, lda, 0},
		{"column 1 (x): no spread within the classes, so that", within, lda, 0},
		{"t.csv: --relative-ridge 1e-300: the ridge is more than 150", some, with(kfda, ridge(1e-300)), 0},
		{"t.csv: the effect of the rounding of the matrix", some, with(with(kfda, ridge(1e-14)), kernel("linear", 0)), 0},
		{"the ridge must be above n·u", some, Settings{Model: "ridge", Kernel: "linear", Ridge: 1e-15}, 0},
		{"column 1 (x): the values are too far apart", "1e308,1,a -1e308,2,a 1,3,b 2,4,b", kfda, 0},
		{"all rows coincide in the space of the kernel", constant, Settings{Model: "kpca", Kernel: "cosine"}, 0},
		{"the machine of the classes a and b violates its conditions", "p,1,a p,2,a p,1,b q,2,b", Settings{Model: "svm", Kernel: "poly", Gamma: 1e3, Ridge: 1e3}, 0},
		{"class z has 1 row, which no fit could be trained and tested on; without its rows: --missing drop --missing-values z", points + " 5,5,z", kfda, 2},
		{"class 6 has 1 row, which no fit could be trained and tested on; leave its rows out", "1,0,5 2,3,5 3,2,5 4,7,6", kfda, 2},
		{"1 of 2 folds has no result; fold 0: the within-class scatter is singular", line, lda, 2},
		{"2 of 2 folds have no result; fold 0: --relative-ridge 1000:", within, with(lda, ridge(1000)), 2},
		{"column 1 (x): a value cannot be scaled like the column in training", "1e-200,1,a 2e-200,2,a 1e200,1.5,a 3e-200,4,b 0,5,b 1e-200,6,b", kfda, 3},
	} {
		text := "x,y,c\n" + strings.ReplaceAll(c.rows, " ", "\n") + "\n"
		must.Get(0, os.WriteFile(filepath.Join(dir, "t.csv"), []byte(text), 0o666))(t)
		_, flags, err := c.method()
		f, failed := Fit(t.Context(), "t.csv", []byte(text), c.Settings, nil)
		want := ""
		switch {
		case err != nil || (failed == nil) != (c.folds > 0):
			t.Errorf("%s: settings: %v, a fit: %v", c.words, err, failed)
			continue
		case failed == nil:
			_, _, failed = f.Validate(t.Context(), func(int, int) {})
			want = command("cv", flags+" --folds "+strconv.Itoa(c.folds))
		default:
			want = command("fit", flags+" -o none.kfda")
		}
		if failed == nil {
			t.Errorf("%s: no error", c.words)
		} else if got, _, _ := strings.Cut(failed.Error(), "\n"); got != want || !strings.Contains(want, c.words) {
			t.Errorf("the page says\n%v\nthe command\n%s\nwith %q", failed, want, c.words)
		}
	}
}
