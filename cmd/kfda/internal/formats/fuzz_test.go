package formats

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
)

// fuzz reads bytes as they are mutated: no panic, finite numbers, and memory in proportion to
// the bytes or, where a format packs its content, to the limit.
func fuzz(f *testing.F, wrap func(testing.TB, []byte) []byte, opt Options, packs bool) {
	f.Fuzz(func(t *testing.T, data []byte) {
		opt := opt
		opt.MaxBytes = 4 << 20
		data = wrap(t, data)
		size := len(data)
		if packs {
			size = opt.MaxBytes
		}
		var tab *table.Table
		var err error
		if got, most := must.Allocated(func() { tab, err = readBytes(data, opt) }), uint64(8<<20+64*size); got > most {
			t.Fatalf("%d bytes allocated for %d, want at most %d", got, len(data), most)
		}
		if err != nil {
			if tab != nil || err.Error() == "" {
				t.Fatalf("table %v with error %q", tab, err)
			}
			return
		}
		if tab.X.Rows < 1 || len(tab.Labels) != tab.X.Rows || len(tab.X.Data) != tab.X.Rows*tab.X.Cols {
			t.Fatalf("%d×%d with %d numbers, %d labels", tab.X.Rows, tab.X.Cols, len(tab.X.Data), len(tab.Labels))
		}
		for _, v := range tab.X.Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("a number is %v", v)
			}
		}
	})
}

func same(_ testing.TB, data []byte) []byte { return data }

func seed(f *testing.F, files ...string) {
	for _, file := range files {
		f.Add(must.Get(os.ReadFile("testdata/" + file))(f))
	}
}

func FuzzArray(f *testing.F) {
	seed(f, "data_float64_2x3_corder.npy", "data_float64_2x3_forder.npy", "data_u6_3x1_corder.npy", "data_s6_2x3_forder.npy", "data_int16_2x3_forder.npy", "nans_inf.npy")
	f.Add(arrayOf(f, "<f2", true, []int{3, 2}, []uint16{1, 2, 3, 4, 0x3c00, 6}))
	f.Add(arrayOf(f, "|b1", false, []int{2, 2}, []byte{1, 0, 0, 1}))
	fuzz(f, same, Options{}, false)
}

// The first byte is the length of the first of two arrays, in hundreds.
func FuzzArrays(f *testing.F) {
	x, y := arrayOf(f, "<f8", false, []int{3, 2}, []float64{1, 2, 3, 4, 5, 6}), arrayOf(f, "<i8", false, []int{3}, []int64{1, 1, 2})
	f.Add(append(append([]byte{byte(len(x) / 16)}, x...), y...))
	f.Add(append(append([]byte{byte(len(y) / 16)}, y...), y...))
	fuzz(f, func(t testing.TB, data []byte) []byte {
		if len(data) == 0 {
			return nil
		}
		cut := min(16*int(data[0]), len(data)-1)
		return zipped(t, map[string][]byte{"x.npy": data[1 : 1+cut], "y.npy": data[1+cut:]})
	}, Options{}, true)
}

func FuzzParquet(f *testing.F) {
	_, head, rows := wine(f)
	f.Add(parquetOf(f, head[10:], shortened(rows[:6], 10)))
	seed(f, "iris-hyparquet.parquet")
	f.Add([]byte("PAR1\x15\x02\x19\xfc\xff\xff\xff\xff\x07\x09\x00\x00\x00PAR1"))
	fuzz(f, same, Options{}, true)
}

func shortened(rows [][]string, from int) (short [][]string) {
	for _, row := range rows {
		short = append(short, row[from:])
	}
	return short
}

// The sheet of a workbook with styles of days and texts.
func FuzzSheet(f *testing.F) {
	const head = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	f.Add([]byte(head + `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>y</t></is></c></row><row r="2"><c r="A2" s="1"><v>45000.5</v></c><c r="B2"><v>2</v></c></row><row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row></sheetData></worksheet>`))
	f.Add([]byte(head + `<row r="3"><c r="XFD3"><f>1+1</f></c></row><row r="1048576"><c r="A1048576" t="str"><v>x</v></c></row></sheetData></worksheet>`))
	fuzz(f, func(t testing.TB, data []byte) []byte {
		return sheetOf(t, "", `<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>`, `<si><t>x</t></si>`, data)
	}, Options{}, true)
}

// sheetOf is a workbook of one sheet.
func sheetOf(t testing.TB, book, styles, shared string, sheet []byte) []byte {
	return zipped(t, map[string][]byte{
		"xl/workbook.xml":            []byte(`<workbook xmlns:r="r">` + book + `<sheets><sheet name="S" sheetId="1" r:id="i"/></sheets></workbook>`),
		"xl/_rels/workbook.xml.rels": []byte(`<Relationships><Relationship Id="i" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`),
		"xl/sharedStrings.xml":       []byte("<sst>" + shared + "</sst>"),
		"xl/styles.xml":              []byte("<styleSheet>" + styles + "</styleSheet>"),
		"xl/worksheets/sheet1.xml":   sheet,
	})
}

func FuzzWorkbook(f *testing.F) {
	f.Add(workbookOf(f, [][]string{{"x", "y"}, {"1", "a"}, {"2", "b"}}))
	seed(f, "iris-exceljs.xlsx")
	fuzz(f, same, Options{}, true)
}

func FuzzJSONLines(f *testing.F) {
	f.Add([]byte("{\"a\": 1, \"b\": \"x\"}\n{\"b\": null, \"c\": true, \"a\": -1.5e3}\n\n{}\n"))
	f.Add([]byte("\xef\xbb\xbf{\"a\": [1]}\n"))
	fuzz(f, func(_ testing.TB, data []byte) []byte { return append([]byte("{\"x\": 1, \"y\": \"a\"}\n"), data...) }, Options{}, false)
}

func FuzzFixed(f *testing.F) {
	f.Add([]byte("id  x    y\n1   2.5  a\n2        b\n3  4.5   a\n"))
	f.Add([]byte("  1 2.5 a\n  2     b\r\n\n 10 3.5 ä\n"))
	fuzz(f, same, Options{Options: table.Options{Format: table.Fixed}}, false)
}

func FuzzPacked(f *testing.F) {
	text := "x,y\n1,a\n2,b\n3,a\n"
	f.Add(zstandard(f, []byte(text)))
	f.Add(inUTF16(binary.LittleEndian, text))
	f.Add(gzipped(f, inUTF16(binary.BigEndian, text)))
	f.Add(zstandard(f, bytes.Repeat([]byte("{\"a\": 1}\n"), 3000)))
	fuzz(f, same, Options{Options: table.Options{Missing: table.DropMissing}}, true)
}
