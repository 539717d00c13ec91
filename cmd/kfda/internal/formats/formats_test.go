package formats

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"codeberg.org/sbinet/npyio/npy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/xuri/excelize/v2"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
)

// wine is the table that the formats of the tests hold.
func wine(t testing.TB) (text string, head []string, rows [][]string) {
	t.Helper()
	text = string(must.Get(os.ReadFile("../../demo/wine.csv"))(t))
	records := must.Get(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	return text, records[0], records[1:]
}

// float is the number of a cell.
func float(t testing.TB, cell string) float64 {
	return must.Get(strconv.ParseFloat(cell, 64))(t)
}

// said is the text of a table, with names and the bits of the numbers.
func said(tab *table.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q\n", tab.Layout.Names, tab.Layout.LabelName)
	for i := range tab.X.Rows {
		for _, v := range tab.X.Row(i) {
			fmt.Fprintf(&b, "%x ", math.Float64bits(v))
		}
		fmt.Fprintf(&b, "%q\n", tab.Labels[i])
	}
	return b.String()
}

// readBytes reads a table from memory.
func readBytes(data []byte, opt Options) (*table.Table, error) {
	return Read("-", bytes.NewReader(data), opt)
}

func gzipped(t testing.TB, data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	must.Get(z.Write(data))(t)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t testing.TB, data []byte) []byte {
	return must.Get(zstd.NewWriter(nil))(t).EncodeAll(data, nil)
}

func inUTF16(order binary.ByteOrder, text string) []byte {
	var b []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		var two [2]byte
		order.PutUint16(two[:], u)
		b = append(b, two[:]...)
	}
	return b
}

// workbookOf is a workbook whose cells are numbers where they can be.
func workbookOf(t testing.TB, rows [][]string) []byte {
	f := excelize.NewFile()
	for i, row := range rows {
		for j, c := range row {
			var v any = c
			if x, err := strconv.ParseFloat(c, 64); err == nil {
				v = x
			}
			if err := f.SetCellValue("Sheet1", table.CellName(j+1, i+1), v); err != nil {
				t.Fatal(err)
			}
		}
	}
	return must.Get(f.WriteToBuffer())(t).Bytes()
}

// parquetOf is a Parquet file of numbers and a last column of text.
func parquetOf(t testing.TB, head []string, rows [][]string) []byte {
	group := parquet.Group{}
	for j, name := range head {
		group[name] = parquet.Leaf(parquet.DoubleType)
		if j == len(head)-1 {
			group[name] = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		}
	}
	schema := parquet.NewSchema("t", group)
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, schema, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(50))
	for _, row := range rows {
		out := make(parquet.Row, len(head))
		for j, name := range head {
			leaf, _ := schema.Lookup(name)
			v := parquet.ValueOf(row[j])
			if j < len(head)-1 {
				v = parquet.ValueOf(float(t, row[j]))
			}
			out[leaf.ColumnIndex] = v.Level(0, 0, leaf.ColumnIndex)
		}
		must.Get(w.WriteRows([]parquet.Row{out}))(t)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jsonLinesOf(t testing.TB, head []string, rows [][]string) []byte {
	var b bytes.Buffer
	for _, row := range rows {
		b.WriteString("{")
		for j, c := range row {
			if j == len(row)-1 {
				c = string(must.Get(json.Marshal(c))(t))
			}
			fmt.Fprintf(&b, "%s%q: %s", []string{"", ", "}[min(j, 1)], head[j], c)
		}
		b.WriteString("}\r\n")
	}
	return b.Bytes()
}

func fixedOf(rows [][]string) []byte {
	var b bytes.Buffer
	for _, row := range rows {
		for _, c := range row {
			fmt.Fprintf(&b, "%-30s", c)
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// arrayOf is an array of NumPy in a form of its head that it writes.
func arrayOf(t testing.TB, dtype string, fortran bool, shape []int, data any) []byte {
	order := map[bool]string{true: "True", false: "False"}[fortran]
	at := strings.TrimSuffix(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "]")[1:]
	if len(shape) == 1 {
		at += ","
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", dtype, order, at)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	for _, v := range []any{uint16(len(head)), []byte(head), data} {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func zipped(t testing.TB, files map[string][]byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		must.Get(must.Get(w.Create(name))(t).Write(files[name]))(t)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A sheet that is hidden is read only where it is named, and the notice says which was read.
func TestHiddenSheet(t *testing.T) {
	f := excelize.NewFile()
	for _, sheet := range []string{"Data", "Third"} {
		must.Get(f.NewSheet(sheet))(t)
	}
	for i, row := range []string{"xy", "1a", "2b", "3a"} {
		for j, c := range row {
			must.Do(t, f.SetCellValue("Data", table.CellName(j+1, i+1), string(c)))
			must.Do(t, f.SetCellValue("Sheet1", table.CellName(j+1, i+1), string(c)))
		}
	}
	must.Do(t, f.SetCellValue("Sheet1", "A5", 4))
	must.Do(t, f.SetCellValue("Sheet1", "B5", "b"))
	f.SetActiveSheet(1)
	must.Do(t, f.SetSheetVisible("Sheet1", false))
	book := must.Get(f.WriteToBuffer())(t).Bytes()
	for sheet, rows := range map[string]int{"": 3, "Sheet1": 4, "Data": 3} {
		told := ""
		tab := must.Get(readBytes(book, Options{Sheet: sheet, Options: table.Options{Notice: func(s string) { told += s + "\n" }}}))(t)
		if tab.X.Rows != rows || sheet == "" && (tab.Sheet != "Data" || !strings.Contains(told, "sheet Data read, the first that is not hidden of 3; --sheet NAME reads another: Sheet1, Third")) {
			t.Errorf("sheet %q: %d rows of %s, told %q", sheet, tab.X.Rows, tab.Sheet, told)
		}
	}
}

// A workbook's second line of units is left out like that of a text.
func TestUnitsInWorkbook(t *testing.T) {
	tab := must.Get(readBytes(workbookOf(t, [][]string{{"a", "b", "y"}, {"kg", "cm", ""}, {"1", "2", "p"}, {"2", "1", "q"}, {"3", "3", "p"}}), Options{}))(t)
	if tab.X.Rows != 3 || tab.X.At(2, 0) != 3 || tab.Lines[0] != 3 {
		t.Errorf("%v, lines %v", tab.X, tab.Lines)
	}
}

// Characters with a zero byte of their own do not hide the order of UTF-16.
func TestUTF16WithEmoji(t *testing.T) {
	text := "name\U0001F600,\u0100,y\n1,2,\U0001F600\n3,4,b\n5,1,\U0001F600\n"
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		tab := must.Get(readBytes(inUTF16(order, text)[2:], Options{}))(t)
		if tab.Layout.Names[0] != "name\U0001F600" || tab.Labels[0] != "\U0001F600" || tab.X.At(2, 1) != 1 {
			t.Errorf("%v: %q, %q", order, tab.Layout.Names, tab.Labels)
		}
	}
}

// Every format of a table gives the numbers, to the bit, the labels and the names of its CSV.
func TestSameTable(t *testing.T) {
	text, head, rows := wine(t)
	all := append([][]string{head}, rows...)
	jsonl := jsonLinesOf(t, head, rows)
	want := said(must.Get(readBytes([]byte(text), Options{}))(t))
	for name, data := range map[string][]byte{
		"gzip": gzipped(t, []byte(text)), "zstd": zstandard(t, []byte(text)),
		"UTF-16 LE": inUTF16(binary.LittleEndian, text), "UTF-16 BE": inUTF16(binary.BigEndian, text),
		"UTF-16 LE without a mark": inUTF16(binary.LittleEndian, text)[2:], "UTF-16 BE without a mark": inUTF16(binary.BigEndian, text)[2:],
		"UTF-16 in gzip": gzipped(t, inUTF16(binary.LittleEndian, text)),
		"workbook":       workbookOf(t, all), "workbook in zstd": zstandard(t, workbookOf(t, all)),
		"JSON lines": jsonl, "JSON lines in gzip": gzipped(t, jsonl), "JSON lines in zstd": zstandard(t, jsonl),
		"fixed": fixedOf(all), "fixed in zstd": zstandard(t, fixedOf(all)),
	} {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		opt := Options{}
		if strings.HasPrefix(name, "fixed") {
			opt.Format = table.Fixed
		}
		for how, read := range map[string]func() (*table.Table, error){
			"pipe": func() (*table.Table, error) { return readBytes(data, opt) },
			"file": func() (*table.Table, error) { return Read(file, nil, opt) },
		} {
			if tab, err := read(); err != nil {
				t.Errorf("%s (%s): %v", name, how, err)
			} else if got := said(tab); got != want {
				t.Errorf("%s (%s): got\n%.300s\nwant\n%.300s", name, how, got, want)
			}
		}
	}
	// The columns that parquet-go writes are sorted, so that they are matched by name.
	model := must.Get(readBytes([]byte(text), Options{}))(t).Layout
	opt := Options{Options: table.Options{Layout: &model}}
	if got := said(must.Get(readBytes(parquetOf(t, head, rows), opt))(t)); got != want {
		t.Errorf("Parquet: got\n%.300s\nwant\n%.300s", got, want)
	}
}

// Arrays give the numbers and the labels of a CSV without a header.
func TestSameArrays(t *testing.T) {
	text, head, rows := wine(t)
	_, bare, _ := strings.Cut(text, "\n")
	opt := Options{Options: table.Options{Header: table.NoHeader}}
	want := said(must.Get(readBytes([]byte(bare), opt))(t))
	n, d := len(rows), len(head)-1
	byRows, byColumns := make([]float64, n*d), make([]float64, n*d)
	labels := make([]byte, 0, 32*n)
	lines := ""
	for i, row := range rows {
		for j := range d {
			byRows[i*d+j] = float(t, row[j])
			byColumns[j*n+i] = byRows[i*d+j]
		}
		for k := range 8 {
			r := uint32(0)
			if k < len(row[d]) {
				r = uint32(row[d][k])
			}
			labels = binary.LittleEndian.AppendUint32(labels, r)
		}
		lines += row[d] + "\n"
	}
	x, y := arrayOf(t, "<f8", false, []int{n, d}, byRows), arrayOf(t, "<U8", false, []int{n}, labels)
	transposed := arrayOf(t, "<f8", true, []int{n, d}, byColumns)
	file := filepath.Join(t.TempDir(), "labels.gz")
	if err := os.WriteFile(file, gzipped(t, []byte("\xef\xbb\xbf"+lines)), 0o644); err != nil {
		t.Fatal(err)
	}
	labelFile := filepath.Join(t.TempDir(), "labels.npy")
	if err := os.WriteFile(labelFile, y, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		opt  Options
	}{
		"npz":               {zipped(t, map[string][]byte{"X.npy": x, "y.npy": y}), Options{}},
		"npz of two parts":  {zipped(t, map[string][]byte{"x_train.npy": x, "y_train.npy": y, "x_test.npy": y, "y_test.npy": y}), Options{}},
		"npz by --sheet":    {zipped(t, map[string][]byte{"x_train.npy": x, "y_train.npy": y, "x_test.npy": x}), Options{Sheet: "x_train"}},
		"npy, --labels":     {x, Options{Labels: file}},
		"npy, npy":          {x, Options{Labels: labelFile}},
		"by columns":        {transposed, Options{Labels: labelFile}},
		"by columns, zstd":  {zstandard(t, transposed), Options{Labels: labelFile}},
		"npz in an archive": {zipped(t, map[string][]byte{"arr_0.npy": transposed, "arr_1.npy": y}), Options{}},
	} {
		tab, err := readBytes(c.data, c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := said(tab); got != want {
			t.Errorf("%s: got\n%.300s\nwant\n%.300s", name, got, want)
		}
	}
	var b bytes.Buffer
	if err := npy.Write(&b, byColumns); err != nil { // 1-D: one column
		t.Fatal(err)
	}
	long := filepath.Join(t.TempDir(), "long")
	if err := os.WriteFile(long, []byte(strings.Repeat("a\nb\n", n*d/2)), 0o644); err != nil {
		t.Fatal(err)
	}
	if tab := must.Get(readBytes(b.Bytes(), Options{Labels: long}))(t); tab.X.Rows != n*d || tab.X.Cols != 1 {
		t.Errorf("an array of one dimension is %d×%d", tab.X.Rows, tab.X.Cols)
	}
}

// Numbers of 16 bits of IEEE 754, and that all others lie between them in order.
func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0: 0, 1: 0x1p-24, 0x03ff: 0x3ffp-24, 0x0400: 0x1p-14, 0x3555: 0.333251953125, 0x3c00: 1, 0x3c01: 1 + 0x1p-10, 0x7bff: 65504, 0x7c00: math.Inf(1),
	} {
		if plus, minus := half(bits), half(bits|0x8000); plus != want || minus != -want || !math.Signbit(minus) {
			t.Errorf("%#x is %v, %#x is %v, want ±%v", bits, plus, bits|0x8000, minus, want)
		}
	}
	for bits := range uint16(0x7c00) {
		if half(bits) >= half(bits+1) {
			t.Errorf("%#x is %v, the next %v", bits, half(bits), half(bits+1))
		}
	}
	if v := half(0x7e00); v == v {
		t.Errorf("0x7e00 is %v", v)
	}
}

// Files that other programs wrote: NumPy, ExcelJS, hyparquet-writer.
func TestOtherWriters(t *testing.T) {
	for file, want := range map[string]string{
		"data_float64_2x3_corder.npy": "0 1 2 / 3 4 5", "data_float64_2x3_forder.npy": "0 2 4 / 1 3 5",
		"data_float32_2x3_corder.npy": "0 1 2 / 3 4 5", "data_int16_2x3_forder.npy": "0 2 4 / 1 3 5",
		"data_float64_forder.npz": "0 2 4 / 1 3 5", "nans_inf.npy": "NaN / -Inf / 0 / +Inf",
		"data_s6_2x3_forder.npy": "", "data_u6_3x1_corder.npy": "",
	} {
		if got := cellsOf(t, filepath.Join("testdata", file), Options{}); got != want && want != "" || strings.ContainsAny(got, "\x00") {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	for _, file := range []string{"iris-exceljs.xlsx", "iris-hyparquet.parquet"} {
		tab := must.Get(Read(filepath.Join("testdata", file), nil, Options{}))(t)
		if tab.X.Rows != 150 || tab.X.Cols != 4 || tab.X.At(149, 2) != 5.1 || tab.Labels[149] != "virginica" || tab.Layout.Names[3] != "petal_width" {
			t.Errorf("%s: %d×%d, %v %q %q", file, tab.X.Rows, tab.X.Cols, tab.X.Row(149), tab.Labels[149], tab.Layout.Names)
		}
	}
	got := cellsOf(t, "testdata/iris-exceljs.xlsx", Options{Sheet: "Kinds"})
	want := "when moment clock yes n label / 2024-02-28 2024-01-01T12:30:00 0.5 true 0.1 b / 2024-02-29 2024-01-01T12:30:01 0.5 false 0.43333333333333335 a"
	if !strings.HasPrefix(got, want) {
		t.Errorf("the kinds of cells are\n%s\nwant\n%s", got, want)
	}
}

// Whether the first row is names depends on all that are read ahead, as in text.
func TestHeaderOfSheet(t *testing.T) {
	for _, text := range []string{"a,b,y\n1,2,p\n2,2,q\n3,1,q\n", "u,1,y\nv,2,x\nu,3,x\nv,4,y\nu,5,x\nv,6,y\n"} {
		rows := must.Get(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
		want := said(must.Get(readBytes([]byte(text), Options{}))(t))
		if got := said(must.Get(readBytes(workbookOf(t, rows), Options{}))(t)); got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// The cells of a sheet, of each kind, and the lines above its table.
func TestSheet(t *testing.T) {
	for what, c := range map[string]struct {
		book, styles, shared, rows string
		cells, words               string // of a notice or an error
	}{
		"kinds": {"", `<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yy hh:mm"/><numFmt numFmtId="171" formatCode="[Red]0.00&quot; days&quot;"/></numFmts>`,
			`<si><t>a_x000D_b</t></si><si><r><t>rich </t></r><rPh><t>no</t></rPh><r><t>text</t></r></si>`,
			`<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><t>in</t></is></c><c t="str"><f>A1</f><v>made</v></c><c t="b"><v>1</v></c><c><v>1e-3</v></c></row>
			<row r="4"><c r="B4" s="1"><v>45350</v></c><c r="C4" s="2"><v>45292.520833333336</v></c><c r="E4" s="3"><v>2</v></c></row>
			<row><c s="1"><v>59</v></c><c s="1"><v>61</v></c><c s="1"><v>0.25</v></c><c t="d"><v>2024-02-28T00:00:00</v></c><c s="1" t="n"><v>-1</v></c></row>`,
			"a\rb rich text in made true 1e-3 /  2024-02-28 2024-01-01T12:30:00  2  / 1900-02-28 1900-03-01 1899-12-31T06:00:00 2024-02-28 -1 ", ""},
		"days from 1904":    {`<workbookPr date1904="1"/>`, `<cellXfs><xf numFmtId="14"/></cellXfs>`, "", `<row><c><v>0</v></c><c><v>366</v></c></row>`, "1904-01-01 1905-01-01", ""},
		"a title":           {"", "", "", `<row><c t="str"><v>Sales</v></c></row><row/><row r="5"><c t="str"><v>of 2024</v></c></row><row><c t="str"><v>x</v></c><c t="str"><v>y</v></c></row><row><c><v>1</v></c></row>`, "x y / 1 ", "S: the table starts in line 6, below what stands alone: Sales"},
		"one column":        {"", "", "", `<row><c t="str"><v>y</v></c></row><row><c><v>1</v></c></row>`, "y / 1", ""},
		"an error":          {"", "", "", `<row><c><v>1</v></c><c t="e"><v>#DIV/0!</v></c></row>`, "1", ""},
		"a text that lacks": {"", "", "", `<row><c t="s"><v>3</v></c></row>`, "", "text 3 of 0 in cell A1"},
		"rows in disorder":  {"", "", "", `<row r="3"><c><v>1</v></c></row><row r="2"/>`, "", "row 2 stands after row 3"},
		"a far cell":        {"", "", "", `<row><c r="ZZZZ1"><v>1</v></c></row>`, "", "a cell ZZZZ1"},
	} {
		var said string
		opt := Options{Options: table.Options{Notice: func(s string) { said = s }}}
		path := filepath.Join(t.TempDir(), "a.xlsx")
		must.Do(t, os.WriteFile(path, sheetOf(t, c.book, c.styles, c.shared, []byte("<worksheet><sheetData>"+c.rows+"</sheetData></worksheet>")), 0o644))
		in := must.Get(open(path, nil, opt))(t)
		src, err := in.source()
		var rows []string
		for err == nil {
			var cells []table.Cell
			if _, cells, err = src.Next(); err == nil {
				rows = append(rows, joined(cells))
			}
		}
		in.close()
		if err != io.EOF {
			said = err.Error()
		}
		if got := strings.Join(rows, " / "); err == io.EOF && got != c.cells || !strings.Contains(said, c.words) || c.words == "" && said != "" {
			t.Errorf("%s: cells %q, want %q; said %q", what, got, c.cells, said)
		}
	}
}

// cellsOf returns all cells of a file.
func cellsOf(t *testing.T, path string, opt Options) string {
	t.Helper()
	in := must.Get(open(path, nil, opt))(t)
	defer in.close()
	src := must.Get(in.source())(t)
	var rows []string
	for {
		_, cells, err := src.Next()
		if err != nil {
			return strings.Join(rows, " / ")
		}
		rows = append(rows, joined(cells))
	}
}

func joined(cells []table.Cell) string {
	var texts []string
	for _, c := range cells {
		texts = append(texts, c.String())
	}
	return strings.Join(texts, " ")
}

// What is refused, with the words of the message.
func TestRefused(t *testing.T) {
	text, head, rows := wine(t)
	x := arrayOf(t, "<f8", false, []int{2, 2}, []float64{1, 2, 3, 4})
	book, columns := workbookOf(t, append([][]string{head}, rows...)), parquetOf(t, head, rows)
	lines := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(lines, []byte("a\nb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data  string
		opt   Options
		words []string
	}{
		"xls":           {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", Options{}, []string{".xls", "save it as .xlsx"}},
		"HDF5":          {"\x89HDF\r\n\x1a\n\x00", Options{}, []string{"HDF5", "read_hdf"}},
		"Feather":       {"ARROW1\x00\x00", Options{}, []string{"Feather"}},
		"RDS in gzip":   {string(gzipped(t, []byte("X\n\x00\x00\x00\x03"))), Options{}, []string{".rds", "write.csv"}},
		"encrypted":     {"PARE\x15\x02\x00\x00", Options{}, []string{"encrypted"}},
		"SQLite":        {"SQLite format 3\x00", Options{}, []string{"SQLite", "sqlite3"}},
		"SPSS":          {"$FL2@(#) SPSS DATA FILE", Options{}, []string{"SPSS", "read_spss"}},
		"MATLAB":        {"MATLAB 5.0 MAT-file, Platform", Options{}, []string{"MATLAB", "writetable"}},
		"PDF":           {"%PDF-1.4\n", Options{}, []string{"PDF"}},
		"HTML":          {"\n<!DOCTYPE html><html>", Options{}, []string{"HTML", "downloaded"}},
		"JSON array":    {`[{"a": 1}]`, Options{}, []string{"array of JSON", "jq"}},
		"ZIP":           {string(zipped(t, map[string][]byte{"a.csv": []byte("1,2")})), Options{}, []string{"ZIP archive of a.csv", "unpack"}},
		"--sheet":       {text, Options{Sheet: "a"}, []string{"no sheets"}},
		"no sheet":      {string(book), Options{Sheet: "a"}, []string{"no sheet a", "Sheet1"}},
		"cut zstd":      {string(zstandard(t, []byte(text))[:1000]), Options{}, []string{"truncated"}},
		"odd cell":      {string(workbookOf(t, [][]string{{"x", "y"}, {"1", "p"}, {"2", "q"}, {"oops", "p"}, {"4", "q"}, {"5", "p"}})), Options{}, []string{"cell Sheet1!A4", "oops"}},
		"cut xlsx":      {string(book[:len(book)/2]), Options{}, []string{"archive", "damaged"}},
		"list parquet":  {"PAR1\x15\x02\x19\xfc\xff\xff\xff\xff\x07\x09\x00\x00\x00PAR1", Options{}, []string{"a list of 2147483647"}},
		"parquet's end": {"PAR1\x01\a\x18\x02dPARE", Options{}, []string{`"PARE", not PAR1`, "damaged"}},
		"cut parquet":   {string(columns[:len(columns)/2]), Options{}, []string{"Parquet", "damaged"}},
		"cut npy":       {string(x[:len(x)-1]), Options{}, []string{"truncated: 2×2"}},
		"more npy":      {string(x) + "x", Options{}, []string{"1 bytes follow"}},
		"huge npy":      {string(arrayOf(t, "<f8", false, []int{1 << 60, 1 << 10}, []float64{1})), Options{}, []string{"truncated"}},
		"wide npy":      {string(arrayOf(t, "<U65536", false, []int{0, 1 << 20}, []float64{1})), Options{}, []string{"0 rows"}},
		"npy of 3":      {string(must.Get(os.ReadFile("testdata/data_float64_2x3x4_corder.npy"))(t)), Options{}, []string{"3 dimensions", "reshape"}},
		"objects":       {string(arrayOf(t, "|O", false, []int{2}, []float64{1, 2})), Options{}, []string{`"|O"`, "astype"}},
		"other labels":  {string(zipped(t, map[string][]byte{"x.npy": x, "y.npy": x})), Options{}, []string{"2×2 labels y for the 2 rows of x"}},
		"half UTF-16":   {string(inUTF16(binary.LittleEndian, "a,b\n1,2\n")[:17]), Options{}, []string{"odd number of bytes", "truncated"}},
		"some arrays":   {string(zipped(t, map[string][]byte{"a.npy": x, "b.npy": x})), Options{}, []string{"a (2×2), b (2×2)", "--sheet"}},
		"nested":        {`{"a": {"b": 1}}`, Options{}, []string{":1: column 1 (a)", "nested"}},
		"twice":         {"{\"a\": 1}\n{\"a\": 1, \"a\": 2}", Options{}, []string{":2: column 1 (a)", "twice"}},
		"lines":         {"{\n\"a\": 1}", Options{}, []string{":2:", "quoted cell"}},
		"half a line":   {"{\"a\": 1}\n{\"a\":", Options{}, []string{":2:", "ends before"}},
		"no object":     {"{\"a\": 1}\n5\n", Options{}, []string{":2:", "no object"}},
		"labels":        {text, Options{Labels: lines}, []string{"178 rows, but 2 labels in " + lines}},
		"a few labels":  {text, Options{Labels: "testdata/iris-hyparquet.parquet"}, []string{"5 columns, want one"}},
		"fixed":         {"a  b\n1  2\n1x 3\n", Options{Options: table.Options{Format: table.Fixed, Widths: []int{1, 1}}}, []string{":1:", "character 4", "--widths"}},
		"memory, xlsx":  {string(book), Options{Options: table.Options{MaxBytes: 5000}}, []string{"5000 bytes"}},
		"memory, JSON":  {string(jsonLinesOf(t, head, rows)), Options{Options: table.Options{MaxBytes: 5000}}, []string{"5000 bytes"}},
		"memory, table": {string(zstandard(t, []byte(text))), Options{Options: table.Options{MaxBytes: 5000}}, []string{"5000 bytes"}},
	} {
		tab, err := readBytes([]byte(c.data), c.opt)
		if err == nil {
			t.Errorf("%s: read as %d×%d", name, tab.X.Rows, tab.X.Cols)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", name, err, w)
			}
		}
	}
}

// A packed page that holds more than it declares, or is damaged, is refused before the library
// unpacks it.
func TestPackedPages(t *testing.T) {
	page := bytes.Repeat([]byte("0123456789"), 100)
	for codec := range format.Lz4Raw + 1 {
		packed, err := parquet.LookupCompressionCodec(codec).Encode(nil, page)
		if err != nil || codec == format.Uncompressed {
			continue // one that is not read
		}
		for what, c := range map[string]struct {
			data  []byte
			whole int64
			good  bool
		}{
			"whole": {packed, 1000, true}, "longer than declared": {packed, 999, false}, "cut": {packed[:3], 1000, codec == format.Snappy},
		} {
			if err := checkPacked(bytes.NewReader(c.data), codec, c.whole); (err == nil) != c.good {
				t.Errorf("%v, %s: error %v", codec, what, err)
			}
		}
	}
}

// Text that could be taken for another format stays text.
func TestText(t *testing.T) {
	for _, text := range []string{
		"PAR1,PAR2,label\n1,2,a\n3,4,a\n1,1,b\n2,1,b\n", "ORC,x,label\n1,2,a\n3,4,a\n1,1,b\n2,1,b\n",
		"x y\n1 2\n3 4\n", "1 2 3\n4 5\n", "BZh y\n1 2\n", "[1]\n", "{a} b\n",
	} {
		if k := (&input{head: []byte(text)}).guess(); k != 0 {
			t.Errorf("%q is guessed to be %d", text, k)
		}
	}
}
