package formats

import (
	"bytes"
	"strings"

	"github.com/seed92411348/kfda/internal/table"
)

// kind is how a file is read.
type kind int

const (
	text kind = iota // by package table
	jsonLines
	numpyArray
	parquetFile
	archive // ZIP: a workbook or arrays
	other   // known, and not read
)

var mark = []byte("\xef\xbb\xbf") // of UTF-8

// guess finds the kind by the first bytes.
func (in *input) guess() kind {
	head := in.head
	switch {
	case in.opt.Format != table.GuessFormat:
		return text
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return numpyArray
	case bytes.HasPrefix(head, []byte("PAR1")) && isBinary(head):
		return parquetFile
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return archive
	case isObject(head):
		return jsonLines
	case foreign(head) != nil:
		return other
	}
	return text
}

// isBinary reports whether there is a byte that is not of text.
func isBinary(head []byte) bool {
	return bytes.ContainsFunc(head[:min(len(head), 256)], func(r rune) bool { return r < '\t' })
}

// isObject reports whether a text starts with an object of JSON.
func isObject(head []byte) bool {
	rest, ok := bytes.CutPrefix(withoutMark(head), []byte("{"))
	rest = bytes.TrimLeft(rest, " \t")
	return ok && len(rest) > 0 && (rest[0] == '"' || rest[0] == '}')
}

// withoutMark is a text without byte-order mark and blanks at its start.
func withoutMark(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, mark), " \t\r\n")
}

// foreignFormat is a format that is not read.
type foreignFormat struct {
	start  string // of the file; in lower case and without blanks before, if word
	word   bool   // of text: else the file must have bytes that are not of text
	name   string
	advice string
}

const (
	fromR      = `in R, write.csv(x, "table.csv", row.names = FALSE) writes its table`
	fromPandas = `in Python, pandas.read_%s(FILE).to_csv("table.csv", index=False) makes a table of it`
	unpack     = "unpack it first"
)

var foreignFormats = []foreignFormat{
	{"\xd0\xcf\x11\xe0", false, "an old workbook (.xls) or an encrypted one", "save it as .xlsx without a password, or as CSV"},
	{"\x89HDF\r\n", false, "HDF5", strings.ReplaceAll(fromPandas, "%s", "hdf") + ", or save the array with numpy.save"},
	{"matlab 7.3", true, "a MATLAB file (7.3, HDF5)", `in MATLAB, writetable or writematrix(X, "table.csv") writes its table`},
	{"matlab 5.0", true, "a MATLAB file (.mat)", `in MATLAB, writetable or writematrix(X, "table.csv") writes its table`},
	{"ARROW1", false, "Feather or Arrow", strings.ReplaceAll(fromPandas, "%s", "feather") + "; Parquet is read"},
	{"FEA1", false, "Feather", strings.ReplaceAll(fromPandas, "%s", "feather") + "; Parquet is read"},
	{"\xff\xff\xff\xff", false, "an Arrow stream", "write it as Parquet or CSV"},
	{"RDX2\n", false, "an R workspace (.RData)", fromR},
	{"RDX3\n", false, "an R workspace (.RData)", fromR},
	{"X\n\x00\x00", false, "an R object (.rds)", fromR},
	{"SQLite format 3\x00", false, "an SQLite database", `sqlite3 -header -csv FILE "select * from TABLE" > table.csv writes a table of it`},
	{"$fl2@(#)", true, "SPSS (.sav)", strings.ReplaceAll(fromPandas, "%s", "spss")},
	{"$fl3@(#)", true, "SPSS (.zsav)", strings.ReplaceAll(fromPandas, "%s", "spss")},
	{"<stata_dta>", true, "Stata (.dta)", strings.ReplaceAll(fromPandas, "%s", "stata")},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60", false, "SAS (.sas7bdat)", strings.ReplaceAll(fromPandas, "%s", "sas")},
	{"PARE", false, "Parquet with an encrypted footer", "write it without encryption"},
	{"ORC", false, "ORC", strings.ReplaceAll(fromPandas, "%s", "orc") + "; Parquet is read"},
	{"Obj\x01", false, "Avro", "write it as Parquet, JSON lines or CSV"},
	{"CDF\x01", false, "netCDF", "write its table as CSV"},
	{"CDF\x02", false, "netCDF", "write its table as CSV"},
	{"\x80\x02", false, "a pickle of Python", "save the array with numpy.save, or the table as CSV"},
	{"\x80\x03", false, "a pickle of Python", "save the array with numpy.save, or the table as CSV"},
	{"\x80\x04", false, "a pickle of Python", "save the array with numpy.save, or the table as CSV"},
	{"\x80\x05", false, "a pickle of Python", "save the array with numpy.save, or the table as CSV"},
	{"\x00\x00\x08", false, "IDX (as of MNIST)", "save the array with numpy.save"},
	{"BZh", false, "compressed by bzip2", unpack},
	{"\xfd7zXZ\x00", false, "compressed by xz", unpack},
	{"7z\xbc\xaf\x27\x1c", false, "a 7z archive", unpack},
	{"PK\x05\x06", false, "an empty ZIP archive", "name a table"},
	{"%pdf-", true, "PDF", "copy its table into a spreadsheet and save that as CSV"},
	{"<!doctype html", true, "a page of HTML", "was it downloaded in place of the table? Fetch the file itself"},
	{"<html", true, "a page of HTML", "was it downloaded in place of the table? Fetch the file itself"},
	{"<?xml", true, "XML", "write its table as CSV"},
	{"{\\rtf", true, "a text of a word processor (RTF)", "save its table as CSV"},
	{"\x89PNG\r\n", false, "a picture (PNG)", "write its pixels as a table of numbers, one row a picture"},
	{"\xff\xd8\xff", false, "a picture (JPEG)", "write its pixels as a table of numbers, one row a picture"},
	{"GIF8", false, "a picture (GIF)", "write its pixels as a table of numbers, one row a picture"},
	{"[{", true, "one array of JSON", "write JSON lines, an object a line: jq -c '.[]' FILE"},
	{"[\n", true, "one array of JSON", "write JSON lines, an object a line: jq -c '.[]' FILE"},
}

// foreign returns the format that is not read in which a file is, or nil.
func foreign(head []byte) *foreignFormat {
	binary := isBinary(head)
	words := bytes.ToLower(withoutMark(head)[:min(32, len(withoutMark(head)))])
	for i, f := range foreignFormats {
		if f.word && bytes.HasPrefix(words, []byte(f.start)) || !f.word && binary && bytes.HasPrefix(head, []byte(f.start)) {
			return &foreignFormats[i]
		}
	}
	return nil
}

// source returns the rows of a file that package table does not read itself, else nil.
func (in *input) source() (*table.Source, error) {
	if in.opt.Sheet != "" && in.kind != archive {
		return nil, in.refuse("it has no sheets for --sheet: it is no workbook (.xlsx) and no archive of arrays (.npz)")
	}
	switch in.kind {
	case jsonLines:
		return in.jsonLines()
	case numpyArray:
		at, size, err := in.bytes()
		if err != nil {
			return nil, err
		}
		a, err := in.array("", at, size)
		if err != nil {
			return nil, err
		}
		return a.source(), nil
	case parquetFile:
		return in.parquet()
	case archive:
		return in.archive()
	case other:
		f := foreign(in.head)
		return nil, in.refuse("the file is %s, which kfda does not read; %s", f.name, f.advice)
	}
	return nil, nil
}
