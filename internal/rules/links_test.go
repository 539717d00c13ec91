package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile("(?m)^#+ (.*)$")
	docPath = regexp.MustCompile(`\bdocs/[\w.-]+\.\w+`)
	code    = regexp.MustCompile("(?s)```.*?```")
)

// Every link of a document leads to a file and a heading that there are, and every
// path below docs/ that a Go file names is one.
func TestLinks(t *testing.T) {
	const root = "../.."
	links, paths := 0, 0
	must.Do(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		switch filepath.Ext(file) {
		case ".md":
			for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, file), ""), -1) {
				target, anchor, _ := strings.Cut(m[1], "#")
				if strings.Contains(target, "://") {
					continue
				}
				links++
				to := file
				if target != "" {
					to = filepath.Join(filepath.Dir(file), target)
				}
				if _, err := os.Stat(to); err != nil {
					t.Errorf("%s: %v", file, err)
				} else if anchor != "" && !headings(read(t, to))[anchor] {
					t.Errorf("%s: %s has no heading #%s", file, to, anchor)
				}
			}
		case ".go":
			for _, path := range docPath.FindAllString(read(t, file), -1) {
				paths++
				if _, err := os.Stat(filepath.Join(root, path)); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
		return nil
	}))
	if links < 20 || paths < 5 {
		t.Errorf("only %d links and %d paths found", links, paths)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	return string(text)
}

// headings returns the anchors of a document.
func headings(text string) map[string]bool {
	anchors := make(map[string]bool)
	for _, m := range heading.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
		anchor := regexp.MustCompile(`[^\pL\pN\s_-]`).ReplaceAllString(strings.ToLower(m[1]), "")
		anchors[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	return anchors
}
