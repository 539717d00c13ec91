package table

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// repeated is head and n lines; a # in the line stands for its number.
func repeated(head, line string, n int) io.Reader {
	before, after, counted := strings.Cut(line, "#")
	block := []byte(head)
	return readerFunc(func(p []byte) (int, error) {
		for len(block) < len(p) && n > 0 {
			n--
			block = append(block, before...)
			if counted {
				block = strconv.AppendInt(block, int64(n), 10)
				block = append(block, after...)
			}
		}
		if len(block) == 0 {
			return 0, io.EOF
		}
		k := copy(p, block)
		block = append(block[:0], block[k:]...)
		return k, nil
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Room is made for the rows that the limit has room for, whatever the size of the input.
func TestRoomWithinLimit(t *testing.T) {
	for held, want := range map[int]int{mostRoom / 100: 4000, mostRoom / 2: 2100, mostRoom: 1050} {
		b := &builder{opt: Options{MaxBytes: mostRoom}, held: held, part: func() float64 { return 0.01 }}
		if got := cap(grow(b, make([]float64, 1000), 1)); got < want || got > want+want/10 {
			t.Errorf("%d bytes held: room for %d, want %d", held, got, want)
		}
	}
}

const mostRoom = 1 << 22

// What is kept of each format is counted, and refused beyond the limit.
func TestMemoryLimit(t *testing.T) {
	const (
		limit = 1 << 18
		many  = 1 << 30 // lines: never read to the end
		wide  = 1 << 13
	)
	sparse := strings.Repeat("@attribute x real\n", wide) + "@attribute c {p,q}\n@data\n"
	layout := &Layout{Width: 2, Features: []int{0}, Label: 1}
	for what, c := range map[string]struct {
		head, line string
		opt        Options
		lines      int // that hold the limit
	}{
		"numbers":            {"", "1,2,3,4,5,6,7,8,p\n", Options{Layout: &Layout{Width: 9, Features: []int{0, 1, 2, 3, 4, 5, 6, 7}, Label: 8}}, limit / (8*8 + rowBytes)},
		"rows":               {"", "1,p\n", Options{Layout: layout}, limit / (8 + rowBytes)},
		"labels":             {"", "1,label#\n", Options{Layout: layout}, limit / (8 + rowBytes + textBytes + 15)},
		"ids":                {"", "1,p,i#\n", Options{Layout: &Layout{Width: 3, Features: []int{0}, Label: 1}, IDs: "3"}, limit / (8 + rowBytes + idBytes + 11)},
		"incomplete rows":    {"", "?,p\n", Options{Layout: layout}, limit / (8 + rowBytes)},
		"ARFF":               {sparse, "{}\n", Options{Format: ARFF, MaxBytes: 10 * wide * 8}, 10},
		"libsvm, far index":  {"", "p 8192:1\n", Options{Format: Libsvm, MaxBytes: 10 * wide * 8}, 10},
		"libsvm, late index": {"p 1:1\np 1:1\np 1:1\np 8192:1\n", "p 1:1\n", Options{Format: Libsvm, MaxBytes: 10 * wide * 8}, 6},
		"libsvm, entries":    {"", "p 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1\n", Options{Format: Libsvm}, limit / (8*(8+entryBytes) + 8 + rowBytes)},
		"libsvm, no entries": {"", "p\n", Options{Format: Libsvm}, limit / (8 + rowBytes)},
	} {
		opt := c.opt
		opt.Header = NoHeader
		if opt.MaxBytes == 0 {
			opt.MaxBytes = limit
		}
		_, err := ReadFrom("f", repeated(c.head, c.line, many), opt)
		e := refused(t, err, Memory, fmt.Sprintf("more than %d bytes of memory", opt.MaxBytes), "--rows")
		if got := e.Line - strings.Count(c.head, "\n"); got < c.lines*9/10 || got > c.lines*11/10+1 {
			t.Errorf("%s: refused at line %d, want %d", what, got, c.lines)
		}
		opt.Rows = Range{Stop: 3, Ended: true}
		_, err = ReadFrom("f", repeated(c.head, c.line, 3*c.lines), opt)
		if e, ok := err.(*Error); ok && e.Kind == Memory {
			t.Errorf("%s: the remedy is none: %v", what, err)
		}
	}
}

// The head of an ARFF file is bounded like a record.
func TestARFFHeadLimit(t *testing.T) {
	lists := repeated("", "@attribute x {"+strings.Repeat("a,", 1<<17)+"b}\n", 8)
	_, err := ReadFrom("lists", lists, Options{Format: ARFF})
	refused(t, err, Other, "lists:8:", "more than 1048576 names of attributes and values")
	if testing.Short() {
		t.Skip("heads of 64 MiB are left to the long tests")
	}
	_, err = ReadFrom("bytes", repeated("", "@attribute "+strings.Repeat("x", 1<<15)+" real\n", maxRecord>>15), Options{Format: ARFF})
	refused(t, err, Other, "more than 67108864 bytes of attributes")
}

// The words of a libsvm row are not held beside it.
func TestLibsvmRowAllocations(t *testing.T) {
	line := "p" + strings.Repeat(" qid:1", 1<<20) + "\n"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := text(line, Options{Format: Libsvm})
	runtime.ReadMemStats(&after)
	refused(t, err, Other, "no feature columns")
	if got := after.TotalAlloc - before.TotalAlloc; got > uint64(8*len(line)) {
		t.Errorf("%d bytes allocated for a row of %d", got, len(line))
	}
}

// Wide tables are read in every way; BenchmarkWideTables shows that the time is in
// proportion to the number of columns.
func TestCase137WideTables(t *testing.T) {
	eachWideTable(t, 40000, func(what, data string, opt Options) {
		tab, err := text(data, opt)
		if err != nil || tab.X.Rows != 3 || tab.X.Cols == 0 {
			t.Errorf("%s: %+v, error %v", what, tab, err)
		}
	})
}

func BenchmarkWideTables(b *testing.B) {
	for _, d := range []int{5000, 40000} {
		eachWideTable(b, d, func(what, data string, opt Options) {
			b.Run(fmt.Sprintf("%s/columns=%d", what, d), func(b *testing.B) {
				for b.Loop() {
					text(data, opt)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d), "ns/column")
			})
		})
	}
}

// eachWideTable makes tables of three rows and d features, to be fitted or predicted.
func eachWideTable(t testing.TB, d int, visit func(what, data string, opt Options)) {
	t.Helper()
	half := func(names []string) string { return strings.Join(names[len(names)/2:], ",") }
	for _, c := range []struct {
		what, header string
		opt          func(*Layout) Options
	}{
		{"fit", "g#,", func(*Layout) Options { return Options{} }},
		{"predict by name", "g#,", func(l *Layout) Options { return Options{Layout: l} }},
		{"predict by position", "", func(l *Layout) Options { return Options{Layout: l} }},
		{"names twice", "g,", func(l *Layout) Options { return Options{Layout: l} }},
		{"a list of columns, fit", "g#,", func(l *Layout) Options { return Options{Ignore: []string{half(l.Names)}} }},
		{"a list, predict", "g#,", func(l *Layout) Options {
			return Options{Ignore: []string{half(l.Names)}, Layout: &Layout{Width: 1, Features: []int{0}, Names: l.Names[:1], Label: -1, LabelName: "label"}}
		}},
	} {
		var data strings.Builder
		if c.header != "" {
			for j := range d {
				data.WriteString(strings.ReplaceAll(c.header, "#", strconv.Itoa(j)))
			}
			data.WriteString("label\n")
		}
		for _, l := range []string{"p", "p", "q"} {
			data.WriteString(strings.Repeat("1.5,", d) + l + "\n")
		}
		tab := mustText(t, data.String(), Options{})
		visit(c.what, data.String(), c.opt(&tab.Layout))
	}
}
