package formats

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// A workbook is read twice side by side: as the numbers and texts that are stored, and as they
// are shown, which tells days and truth values from numbers. For that the formats of days are
// replaced by dayFormat, and all others by none.
const (
	dayFormat = `"day "yyyy\-mm\-dd\Thh:mm:ss`
	dayMark   = "day "
)

// workbook reads a sheet of a workbook.
func (in *input) workbook(at io.ReaderAt, size int64) (*table.Source, error) {
	limit := int64(in.limit())
	f, err := excelize.OpenReader(io.NewSectionReader(at, 0, size), excelize.Options{UnzipSizeLimit: limit, UnzipXMLSizeLimit: min(limit, 16<<20)})
	if err != nil {
		return nil, err
	}
	release := in.close
	in.close = func() { f.Close(); release() }
	sheets := f.GetSheetList()
	if len(sheets) == 0 {
		return nil, in.refuse("the workbook has no sheets")
	}
	sheet := sheets[0]
	if in.opt.Sheet != "" {
		sheet = in.opt.Sheet
	} else if len(sheets) > 1 && in.opt.Notice != nil {
		in.opt.Notice(fmt.Sprintf("%s: sheet %s read, the first of %d; --sheet NAME reads another: %s", in.name, show.Text(sheet), len(sheets), listed(sheets[1:])))
	}
	if !slices.Contains(sheets, sheet) {
		return nil, in.refuse("no sheet %s; the sheets are %s", show.Text(sheet), listed(sheets))
	}
	if err := markDays(f); err != nil {
		return nil, err
	}
	b := &book{in: in, sheet: sheet}
	if b.stored, err = f.Rows(sheet); err == nil {
		b.shown, err = f.Rows(sheet)
	}
	if err != nil {
		return nil, err
	}
	return &table.Source{Sheet: sheet, Next: b.next, Part: func() float64 { return 0 }}, nil
}

func listed(sheets []string) string {
	var texts []string
	for _, s := range sheets {
		texts = append(texts, show.Text(s))
	}
	return show.List(texts, 10)
}

// markDays replaces the formats of numbers.
func markDays(f *excelize.File) error {
	code := dayFormat
	marked, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
	if err != nil {
		return err
	}
	own := map[int]string{}
	for _, n := range f.Styles.NumFmts.NumFmt {
		own[n.NumFmtID] = n.FormatCode
	}
	day, none := *f.Styles.CellXfs.Xf[marked].NumFmtID, 0
	for i := range f.Styles.CellXfs.Xf {
		id := f.Styles.CellXfs.Xf[i].NumFmtID
		f.Styles.CellXfs.Xf[i].NumFmtID = &none
		if id == nil {
			continue
		}
		if code, ok := own[*id]; ok && isDay(code) || !ok && isBuiltInDay(*id) {
			f.Styles.CellXfs.Xf[i].NumFmtID = &day
		}
	}
	return nil
}

// isBuiltInDay reports whether a format that a workbook does not spell out shows days.
func isBuiltInDay(id int) bool {
	return 14 <= id && id <= 17 || id == 22 || 27 <= id && id <= 31 || id == 36 || 50 <= id && id <= 54 || id == 57 || id == 58
}

// What does not count of the code of a format: texts, characters after a mark, and colours,
// conditions and places in brackets.
var notCode = regexp.MustCompile(`"[^"]*"|\\.|_.|\*.|\[[^\]hHmMsS][^\]]*\]|\[[hHmMsS][^\]hHmMsS][^\]]*\]`)

// isDay reports whether the code of a format shows days, months or years.
func isDay(code string) bool {
	code = strings.ToLower(notCode.ReplaceAllString(code, ""))
	if strings.Contains(code, "general") {
		return false
	}
	return strings.ContainsAny(code, "yd") || strings.Contains(code, "m") && !strings.ContainsAny(code, "hs0#?")
}

// book reads the rows of a sheet.
type book struct {
	in            *input
	sheet         string
	stored, shown *excelize.Rows
	line          int // of the last row
	width         int // of the first row, 0 before it
}

// errorCells are the values of formulas without one.
var errorCells = []string{"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "#GETTING_DATA"}

func (b *book) next() (int, []string, error) {
	var cells []string
	err := b.in.guarded("workbook", func() (err error) {
		for len(cells) == 0 {
			if cells, err = b.row(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, nil, err
	}
	if b.width == 0 {
		b.width = len(cells)
	}
	for len(cells) < b.width {
		cells = append(cells, "")
	}
	return b.line, cells, nil
}

// row returns the cells of the next row of the sheet, none if all of them are empty.
func (b *book) row() ([]string, error) {
	if !b.stored.Next() || !b.shown.Next() {
		return nil, cmp.Or(b.stored.Error(), b.shown.Error(), io.EOF)
	}
	b.line++
	cells, err := b.stored.Columns(excelize.Options{RawCellValue: true})
	if err != nil {
		return nil, err
	}
	shown, err := b.shown.Columns()
	if err != nil {
		return nil, err
	}
	for j := range min(len(cells), len(shown)) {
		switch text := shown[j]; {
		case strings.HasPrefix(text, dayMark) && text != cells[j]:
			cells[j] = strings.TrimSuffix(strings.TrimPrefix(text, dayMark), "T00:00:00")
		case text == "TRUE" && cells[j] == "1", text == "FALSE" && cells[j] == "0":
			cells[j] = strings.ToLower(text)
		case slices.Contains(errorCells, cells[j]):
			return nil, b.in.at(b.sheet, b.line, j+1, "", "the cell is an error, %s; correct its formula, or empty the cell", cells[j])
		}
	}
	for len(cells) > 0 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return cells, nil
}

// checkXML reads a part of a workbook to its end: the reader of workbooks takes a part that is
// damaged for one that ends there.
func checkXML(r io.Reader) error {
	for d := xml.NewDecoder(r); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
