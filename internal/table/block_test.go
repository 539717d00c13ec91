package table

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

// inBlocks reads a text in blocks of a size, with a number of processors, and returns all that is
// said of it.
func inBlocks(data string, opt Options, size, processors int) (*Table, []string, error) {
	defer func(before int) { blockSize = before }(blockSize)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	blockSize = size
	var notices []string
	opt.Notice = func(text string) { notices = append(notices, text) }
	tab, err := ReadFrom("f", strings.NewReader(data), opt)
	return tab, notices, err
}

// Where blocks end, and how many are cut up side by side, changes no table and no message.
func TestBlocks(t *testing.T) {
	texts := map[string]string{
		"lone CR":        strings.Repeat("1.5,p\r-2e3,q\r\r", 9),
		"CRLF":           strings.Repeat("1.5,p\r\n-2e3,q\r\n\r\n", 9),
		"line ends":      strings.Repeat("1,p\r2,q\n\n3,p\r\n\r4,q\n", 9),
		"quotes":         "a,b,c\n" + strings.Repeat("1,\"x\r\n\"\"y\",p\r\n2,\" , \n\" ,q\n", 9),
		"blanks":         strings.Repeat("  1\t 2.5  p \n\t3 \"4\" q\n \n", 9),
		"numbers":        strings.Repeat("1 ,+.5,-0,12345678901234567890e-3,1e22,p\n2., 007 ,5e-324,1e-400,0.1,q\n", 9),
		"kinds":          strings.Repeat("1,kg 5,2020-01-31,p\n2,7 kg,2020-01-31,q\n", 9),
		"no last line":   strings.Repeat("1,p\n2,q\n", 9) + "3,p",
		"ragged":         strings.Repeat("1,p\n2,q\n", 9) + "3,p,4\n" + "5,q\n",
		"no number":      strings.Repeat("1,p\n2,q\n", 9) + "3x,p\n" + "5,q\n",
		"zero byte":      strings.Repeat("1,p\n2,q\n", 9) + "3,\x00p\n" + "5,q\n",
		"zero in quotes": strings.Repeat("1,p\n2,q\n", 9) + "3,\"\n\x00\"\n" + "5,q\n",
		"open quote":     strings.Repeat("1,p\n2,q\n", 9) + "3,\"p\n" + "5,q\n",
		"after a quote":  strings.Repeat("1,p\n2,q\n", 9) + "3,\"p\"x\n" + "5,q\n",
		"a late tail":    "1,p,\n" + strings.Repeat("2,q,\n1,p,\n", 9) + "3,q,x\n",
	}
	for _, file := range cases.Files(t, "*/*") {
		if data := must.Get(os.ReadFile(file))(t); len(data) < 200 {
			texts[file] = string(data)
		}
	}
	for name, data := range texts {
		for _, opt := range []Options{{}, {Format: Separated, Missing: DropMissing, IDs: "1", Target: true}, {Format: Separated, DecimalComma: true, Markers: []string{"2"}}, {MaxBytes: 400}} {
			want, wantNotices, wantErr := inBlocks(data, opt, 1<<20, 1)
			for size, processors := range map[int]int{1: 1, 5: 3, 64: 2} {
				got, notices, err := inBlocks(data, opt, size, processors)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(notices, wantNotices) || (got == nil) != (want == nil) {
					t.Fatalf("%s in blocks of %d, %+v:\n%v %q, want\n%v %q", name, size, opt, err, notices, wantErr, wantNotices)
				}
				if got == nil {
					continue
				}
				if bits(got) != bits(want) {
					t.Fatalf("%s in blocks of %d, %+v: %s, want %s", name, size, opt, bits(got), bits(want))
				}
				a, b := *got, *want
				if a.X, b.X = nil, nil; !reflect.DeepEqual(a, b) {
					t.Fatalf("%s in blocks of %d, %+v: %+v, want %+v", name, size, opt, a, b)
				}
			}
		}
	}
}

// An error of the input is told where it stands, after the rows before it.
func TestBrokenInput(t *testing.T) {
	broken := errors.New("the disk is gone")
	for rows, want := range map[int]string{0: "f: the disk is gone", 4: "f:9: the disk is gone"} {
		_, err := ReadFrom("f", io.MultiReader(strings.NewReader(strings.Repeat("1,p\n2,q\n", rows)), iotest.ErrReader(broken)), Options{})
		if err == nil || err.Error() != want || !errors.Is(err, broken) {
			t.Errorf("%d lines: %v, want %s", 2*rows, err, want)
		}
	}
	_, err := ReadFrom("f", io.MultiReader(strings.NewReader("1,p\n2,q\n3,p,4\n"), iotest.ErrReader(broken)), Options{})
	refused(t, err, Ragged, "f:3: row 3")
}
