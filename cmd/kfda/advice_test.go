package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
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

func TestAdviceOnOtherTablesWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("the tables of all cases: left to the long tests")
	}
	files := tables(t)
	model := filepath.Join(t.TempDir(), "m")
	fits := 0
	for _, train := range files {
		if kfda(t, "", "fit", train, "--model", "lda", "--shrink", "0.1", "-o", model).status != statusOK {
			continue
		}
		fits++
		for _, file := range files {
			follow(t, []string{"score", model, file}, 1)
			follow(t, []string{"predict", model, file}, 1)
		}
	}
	if fits < 10 {
		t.Errorf("only %d tables can be fitted to", fits)
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
