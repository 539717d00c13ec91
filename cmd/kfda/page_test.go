package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/cmd/kfda/internal/assess"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/internal/wilson"
)

// reported writes a page and returns it, and its text.
func reported(t *testing.T, args ...string) (page, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	works(t, append(append([]string{"report"}, args...), "-o", path)...)
	page = read(t, path)
	text = regexp.MustCompile(`(?s)<style>.*</style>|<[^>]*>`).ReplaceAllString(page, " ")
	return page, strings.Join(strings.Fields(html.UnescapeString(strings.ReplaceAll(text, "\u00a0", " "))), " ")
}

// A page needs nothing else, and its numbers are those of the library.
func TestReport(t *testing.T) {
	model := fitted(t, wineFile, "--rows", "0::2", "--ignore", "proline,hue,flavanoids,color_intensity")
	page, text := reported(t, model, wineFile, "--rows", "1::2", "--ids", "proline")
	if other, _ := reported(t, model, wineFile, "--rows", "1::2", "--ids", "proline"); withoutPath(other) != withoutPath(page) {
		t.Error("another page the second time")
	}
	bare := strings.ReplaceAll(page, `xmlns="http://www.w3.org/2000/svg"`, "")
	for _, foreign := range []string{"http:", "https:", "<script", "<link rel=\"style", "@import", "url(", "src=", "NaN"} {
		if strings.Contains(bare, foreign) {
			t.Errorf("the page holds %q", foreign)
		}
	}
	m := load(t, model)
	u := must.Get(table.Read(wineFile, nil, table.Options{Layout: &m.layout, Rows: table.Range{Start: 1, Step: 2}, IDs: "proline"}))(t)
	s := must.Get(cv.Score(m.model, u.X, u.Labels))(t)
	if s.Errors < 3 {
		t.Fatalf("%d errors are too few to test", s.Errors)
	}
	low, high := wilson.Of(s.Errors, s.Rows)
	says(t, text, fmt.Sprintf("%d of %d rows are wrong: %s (95 %% interval %s to %s)", s.Errors, s.Rows,
		shown(1-s.Accuracy()), shown(low), shown(high)),
		"Always answering class_1 is wrong in "+shown(1-36.0/89), fmt.Sprintf("log loss %.4f", s.LogLoss),
		"balanced accuracy "+shown(s.BalancedAccuracy()), "89 used of 178 in the file", "malic_acid",
		"This is not the table that the model was fitted to", "--rows 1::2", "--ignore 7,10,11,13")
	for j, class := range s.Confusion {
		sum := 0
		for _, n := range class {
			sum += n
		}
		low, high := wilson.Of(class[j], sum)
		says(t, text, fmt.Sprintf("%s (%s to %s)", shown(float64(class[j])/float64(sum)), shown(low), shown(high)))
	}
	sum := sha256.Sum256([]byte(read(t, wineFile)))
	says(t, text, hex.EncodeToString(sum[:]))

	// Wrong rows, the worst first.
	p := must.Get(m.Posteriors(nil, u.X))(t)
	y := must.Get(m.Predict(nil, u.X))(t)
	_, wrong, _ := strings.Cut(text, "how wrong ")
	last := 1e9
	for range s.Errors {
		var row int
		var id, label, taken, probability string
		var loss float64
		if _, err := fmt.Sscan(wrong, &row, &id, &label, &taken, &probability, &loss); err != nil {
			t.Fatalf("%v in %.60q", err, wrong)
		}
		i := (row - 1) / 2
		own := 0
		for j, c := range m.Classes() {
			if c == label {
				own = j
			}
		}
		if u.Labels[i] != label || y[i] != taken || taken == label || u.IDs[0][i] != id || fmt.Sprintf("%.3f", assess.LogLoss(p.At(i, own))) != fmt.Sprintf("%.3f", loss) || loss > last {
			t.Errorf("row %d: %s taken for %s, log loss %v after %v", row, label, taken, loss, last)
		}
		last = loss
		_, wrong, _ = strings.Cut(wrong, fmt.Sprintf("%.3f", loss))
	}
}

func withoutPath(page string) string {
	return regexp.MustCompile(`--output \S+`).ReplaceAllString(page, "")
}

func shown(share float64) string { return percentText(share) }

// What limits the trust is said: rows of the fit, a class that is unknown, rows far from all,
// an answer no better than the commonest class, a search.
func TestReportTrust(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	works(t, "tune", wineFile, "--model", "lda", "-o", model)
	_, text := reported(t, model, wineFile)
	says(t, text, "These are the rows of the model's fit", "in a search by cross-validation", "learning curve", "these rows can't tell: rows that it has not seen can, or 'kfda cv TRAIN'")

	near := writeBytes(t, "near.csv", []byte("x,y,label\n0,1,a\n1,1.5,a\n2,2,b\n3,1,b\n4,2,a\n5,1,<b>\n6,3,<b>\n"))
	far := writeBytes(t, "far.csv", []byte("x,y,label\n500000,1,a\n1,1,b\n2,1,<i>\n"))
	page, text := reported(t, fitted(t, near, "--scale", "none"), far)
	says(t, text, "1 row is so far from all training rows", "label <i> 1 row", "can't be told from always answering")
	for _, tag := range []string{"<b>", "<i>"} {
		if strings.Contains(page, tag) {
			t.Errorf("%s is not escaped", tag)
		}
	}
	fails(t, statusUsage, []string{"file"}, "report", model, wineFile, "-o", "-")
}

// Flags of a model and its table do not apply to what --json printed, whose kernel may be a text.
func TestAnswersTakeNoFlags(t *testing.T) {
	folder := t.TempDir()
	answer := filepath.Join(folder, "t.json")
	write(t, answer, works(t, "test", "demo/wine.csv", "--kernel", "sum(linear(), cosine())", "--permutations", "9", "--json"))
	for _, c := range [][]string{{"plot", "--column", "2"}, {"plot", "--rows", "::2"}, {"report", "--label", "a"}, {"report", "--ids", "2"}} {
		fails(t, statusUsage, []string{c[1] + " does not apply to what a command printed with --json"}, c[0], answer, c[1], c[2], "-o", filepath.Join(folder, "x.svg"))
	}
	page := filepath.Join(folder, "x.html")
	works(t, "report", answer, "-o", page)
	if text := read(t, page); !strings.Contains(text, "sum(linear(), cosine())") || strings.Contains(text, "cosine())()") {
		t.Errorf("the kernel of the page is another one:\n%s", text)
	}
}
