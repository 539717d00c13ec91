package main

import (
	"os"
	"strings"
	"testing"
)

// Copies of rows are said, by fit, cv and tune, and a few equal rows are not.
func TestNoticeRepeats(t *testing.T) {
	lines := strings.SplitAfter(read(t, "demo/wine.csv"), "\n")
	head, rows := lines[0], strings.Join(lines[1:], "")
	twice := writeBytes(t, "twice.csv", []byte(head+rows+rows))
	few := writeBytes(t, "few.csv", []byte(head+rows+strings.Join(lines[1:18], "")))
	for _, args := range [][]string{{"fit", "-o", os.DevNull}, {"cv", "--relative-ridge", "1"}, {"tune", "--model", "lda"}} {
		if r := kfda(t, "", append(args, twice)...); r.status != statusOK || !strings.Contains(r.err, "356 of 356 rows are equal to another row of their class") {
			t.Errorf("%q: %d, %s", args, r.status, r.err)
		}
		if r := kfda(t, "", append(args, few)...); strings.Contains(r.err, "are equal") {
			t.Errorf("%q: %s", args, r.err)
		}
	}
}
