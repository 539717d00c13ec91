package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/show"
)

var (
	words    = regexp.MustCompile(`(?:'[^']*'|[^\s'])+`)
	asGiven  = regexp.MustCompile(`(?m)^    kfda .* -o \S+`) // of a command line that works, what was typed
	switches = []string{"--header", "--no-header", "--decimal-comma", "--zero-based", "--probability", "--leave-one-out"}
)

// advised returns the flags that a message tells to add, each time it does. A flag without
// its value is not advice, nor is one before a colon, which the command was given, nor one
// that "has" no default.
func advised(message string) (all [][]string) {
	var flags []string
	end := func() {
		if flags != nil {
			all = append(all, flags)
		}
		flags = nil
	}
	message = asGiven.ReplaceAllString(message, "")
	said := words.FindAllString(message, -1)
	for i := 0; i < len(said); i++ {
		flag := strings.TrimRight(said[i], ",.;:)")
		last := flag
		switch {
		case !strings.HasPrefix(flag, "--"):
			end()
			continue
		case slices.Contains(switches, flag):
			flags = append(flags, flag)
		case flag == said[i] && i+1 < len(said) && !strings.HasPrefix(said[i+1], "--") && said[i+1] != "has":
			i++
			if strings.HasSuffix(said[i], ":") {
				continue
			}
			last = strings.TrimRight(said[i], ",.;)")
			flags = append(flags, flag, strings.ReplaceAll(last, "'", ""))
		}
		if last != said[i] {
			end()
		}
	}
	end()
	return all
}

func TestAdvised(t *testing.T) {
	for message, want := range map[string]string{
		"; say --ignore a,'b c',3 --missing drop (leaves 3 of 4 rows)": "[[--ignore a,b c,3 --missing drop]]",
		"Say --header or --no-header --label 1":                        "[[--header] [--no-header --label 1]]",
		"--relative-ridge 0.001: as with --ridge 1e-3, or":             "[[--ridge 1e-3]]",
		"Name the label column with --label":                           "[]",
		"--gamma has no default here":                                  "[]",
	} {
		var got []string
		for _, flags := range advised(message) {
			got = append(got, "["+strings.Join(flags, " ")+"]")
		}
		if s := "[" + strings.Join(got, " ") + "]"; s != want {
			t.Errorf("%q: %s, want %s", message, s, want)
		}
	}
}

// shape is a message without what differs where the same thing is wrong with other cells.
func shape(message string) string {
	message = regexp.MustCompile(`\([^)]*\)|"[^"]*"|'[^']*'`).ReplaceAllString(message, "")
	message, _, _ = strings.Cut(message, "\n")
	message, _, _ = strings.Cut(message, "; such cells")
	return regexp.MustCompile(`\d+`).ReplaceAllString(message, "")
}

// messages are what the command says on its standard error, each with its lines.
func allMessages(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") && all != nil {
			all[len(all)-1] += line
		} else {
			all = append(all, line)
		}
	}
	return all
}

// follow runs a command and then with every advice that it gives, and so on.
func follow(t *testing.T, args []string, depth int) {
	t.Helper()
	for _, message := range allMessages(kfda(t, "", args...).err) {
		if n := strings.Count(message, "\n"); n > 10 || len(message) > 2000 {
			t.Errorf("kfda %q says %d lines, %d bytes: %.300s…", args, n, len(message), message)
		}
		for _, flags := range advised(message) {
			next := slices.Concat(args, flags)
			r := kfda(t, "", next...)
			if r.status == statusUsage {
				t.Errorf("kfda %q says %sand kfda %q says %s", args, message, next, r.err)
			}
			for _, again := range allMessages(r.err) {
				if shape(again) == shape(message) {
					t.Errorf("kfda %q says\n%sand kfda %q says\n%s", args, message, next, again)
				}
			}
			if depth > 1 {
				follow(t, next, depth-1)
			}
		}
	}
}

// tables are the files of the cases that are tables.
func tables(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(cases.Files(t, "*/*"), func(file string) bool { return filepath.Ext(file) == ".md" })
}

func TestAdviceOfFitWorks(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	for _, file := range tables(t) {
		follow(t, []string{"fit", file, "-o", model}, 3)
	}
}

// Every table, to be predicted by a model of every layout of columns.
func TestAdviceOnOtherTablesWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("the tables of all cases: left to the long tests")
	}
	files := tables(t)
	model := filepath.Join(t.TempDir(), "m")
	layouts := map[string]bool{} // by the first line
	for _, train := range files {
		first, _, _ := strings.Cut(read(t, train), "\n")
		if layouts[first] || kfda(t, "", "fit", train, "--model", "lda", "--shrink", "0.1", "-o", model).status != statusOK {
			continue
		}
		layouts[first] = true
		for _, file := range files {
			follow(t, []string{"score", model, file}, 1)
			follow(t, []string{"predict", model, file}, 1)
		}
	}
	if len(layouts) < 10 {
		t.Errorf("only %d tables can be layouts to", len(layouts))
	}
}

// Over the files as users have them every error names all that is wrong: the first advice
// that it gives makes a fit succeed.
func TestAdviceOnMessyFilesWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("the messy files: left to the long tests")
	}
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("KFDA_DATA is not set: the data sets outside of the repository are not tested")
	}
	files, err := filepath.Glob(filepath.Join(data, "messy", "*"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	model := filepath.Join(t.TempDir(), "m")
	for _, file := range files {
		args := []string{"fit", file, "--model", "ridge", "-o", model} // quick for many classes
		follow(t, args, 2)
		r := kfda(t, "", args...)
		said := allMessages(r.err)
		if r.status == statusOK {
			continue
		}
		for _, flags := range advised(said[len(said)-1]) {
			if again := kfda(t, "", slices.Concat(args, flags)...); again.status != statusOK {
				t.Errorf("%s\nwith %q: %s", r.err, flags, again.err)
			}
		}
	}
}

// A class that has too few rows for folds is named with the flags that leave it out, which work; so
// does the line of cv that fit prints.
func TestTooFewRowsForFolds(t *testing.T) {
	lines := []string{"x,z,y"}
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("%d,%d,%c", i*7%11, i*5%13, 'a'+rune(i%2)))
	}
	with := func(rows ...string) string {
		return writeBytes(t, "rare.csv", []byte(strings.Join(append(slices.Clone(lines), rows...), "\n")+"\n"))
	}
	one, two, three := with("1,2,rare one"), with("1,2,c", "3,1,c"), with("1,2,c", "3,1,c", "5,5,c")
	for file, args := range map[string][]string{one: {"cv", one, "--model", "lda"}, two: {"tune", two, "--model", "lda", "--nested"}} {
		r := kfda(t, "", args...)
		_, flags, found := strings.Cut(strings.TrimSpace(strings.Split(r.err, "\nRun ")[0]), "; without its rows: ")
		if !found {
			t.Fatalf("%v: %q", args, r.err)
		}
		name := map[string]string{one: "rare one", two: "c"}[file]
		if want := "--missing drop --missing-values " + show.Word(name); flags != want {
			t.Errorf("%v: say %q, want %q", args, flags, want)
		}
		works(t, append(args, "--missing", "drop", "--missing-values", name)...)
	}
	fails(t, statusData, []string{"the class c has 1 row of 3, and a search needs two; say --folds 3"}, "tune", three, "--model", "lda", "--nested", "--folds", "2")
	works(t, "tune", three, "--model", "lda", "--nested", "--folds", "3")
	fails(t, statusData, []string{"5 folds in 3 rows", "; say --folds 3"}, "cv", writeBytes(t, "few.csv", []byte("x,y\n1,2\n2,1\n3,5\n")), "--target", "y")
	out := works(t, "fit", three, "-o", filepath.Join(t.TempDir(), "m"))
	_, line, _ := strings.Cut(strings.TrimSpace(out), "kfda cv ")
	if !strings.HasSuffix(line, " --folds 3") {
		t.Errorf("fit says %q", line)
	}
	works(t, append([]string{"cv"}, strings.Fields(line)...)...)
}

// A plot without the name of a picture is told which there are, and of a model the likely one.
func TestPlotWithoutKind(t *testing.T) {
	wine := fitted(t, "demo/wine.csv", "--label", "label", "--model", "lda")
	numbers := fitted(t, "demo/wine.csv", "--target", "alcohol", "--ignore", "label")
	for model, kind := range map[string]string{wine: "projection", numbers: "predicted"} {
		fails(t, statusUsage, []string{"want one of projection, regions", "the picture is named first, as in kfda plot " + kind + " " + model + " demo/wine.csv -o p.svg"}, "plot", model, "demo/wine.csv", "-o", "p.svg")
	}
}
