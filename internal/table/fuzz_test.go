package table

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

// FuzzRead feeds any bytes to the reader. It must not panic, must return a
// table of finite numbers that is consistent in itself, and a table written as
// plain CSV must read back with the same bits and labels.
func FuzzRead(f *testing.F) {
	for _, file := range cases.Files(f, "*/*") {
		data := must.Get(os.ReadFile(file))(f)
		if len(data) > 4096 {
			continue
		}
		f.Add(data, uint16(0))
		f.Add(data, uint16(0xffff))
	}
	f.Add([]byte("a\tb c\n1\t\" 2\"\n1\t2\n2\t3"), uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, flags uint16) {
		pick := func(n int) int { k := int(flags) % n; flags /= uint16(n); return k }
		opt := Options{
			Format:       Format(pick(4)),
			Header:       Header(pick(3)),
			Separator:    []byte{0, ',', ';', '\t', ' '}[pick(5)],
			Label:        []string{"", "1", "label"}[pick(3)],
			Missing:      []string{"", DropMissing, "median", "indicator"}[pick(4)],
			DecimalComma: pick(2) == 1,
			ZeroBased:    pick(2) == 1,
			Rows:         Range{Step: 1 + pick(2)},
		}
		var tab *Table
		var err error
		size := len(data)
		opt.MaxBytes = 4 << 20
		if bytes.HasPrefix(data, []byte("\x1f\x8b")) || bytes.ContainsAny(data, ":{") { // packed, or sparse rows
			size = max(size, opt.MaxBytes)
		}
		if got, most := must.Allocated(func() { tab, err = Read("-", bytes.NewReader(data), opt) }), uint64(4<<20+64*size); got > most {
			t.Fatalf("%d bytes allocated for %d, want at most %d", got, len(data), most)
		}
		if err != nil {
			if tab != nil || err.Error() == "" {
				t.Fatalf("table %v with error %q", tab, err)
			}
			return
		}
		n, d := tab.X.Rows, tab.X.Cols
		if n < 2 || d < 1 || len(tab.Labels) != n || len(tab.Rows) != n || len(tab.Lines) != n || len(tab.X.Data) != n*d {
			t.Fatalf("%d×%d with %d numbers, %d labels, %d rows, %d lines", n, d, len(tab.X.Data), len(tab.Labels), len(tab.Rows), len(tab.Lines))
		}
		if !slices.IsSorted(tab.Lines) || tab.Rows[n-1] >= tab.Seen {
			t.Fatalf("rows %v, lines %v of %d", tab.Rows, tab.Lines, tab.Seen)
		}

		var b strings.Builder
		for i := range n {
			for _, v := range tab.X.Row(i) {
				if isGap(v) && opt.Missing != "" && opt.Missing != DropMissing {
					b.WriteString("NA,")
					continue
				}
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("row %d has %v", i, v)
				}
				b.WriteString(strconv.FormatFloat(v, 'g', -1, 64) + ",")
			}
			b.WriteString(Quote(tab.Labels[i]) + "\n")
		}
		again, err := Read("-", strings.NewReader(b.String()), Options{Format: Separated, Header: NoHeader, Separator: ',', Missing: opt.Missing})
		if err != nil {
			t.Fatalf("written and read again: %v", err)
		}
		if !slices.Equal(again.Labels, tab.Labels) {
			t.Fatalf("labels %q became %q", tab.Labels, again.Labels)
		}
		if got, want := bits(again), bits(tab); got != want {
			t.Fatalf("numbers %s became %s", want, got)
		}
	})
}

func bits(t *Table) string {
	var b strings.Builder
	for _, v := range t.X.Data {
		fmt.Fprintf(&b, "%x ", math.Float64bits(v))
	}
	return b.String()
}
