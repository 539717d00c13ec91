package formats

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// book reads a sheet of a workbook (ISO/IEC 29500-1, 18.2 to 18.8).
type book struct {
	in     *input
	files  []*zip.File
	left   uint64 // bytes that may be read of them
	sheet  string
	shared struct {
		Texts []richText `xml:"si"`
	}
	days     map[int]bool // styles that show them
	from1904 bool         // which days count from
	xml      *xml.Decoder // of the sheet
	line     int          // of the last row
	width    int          // of the first row, 0 before it
	queue    []row        // read ahead
}

type row struct {
	line  int
	cells []string
}

func (in *input) workbook(files []*zip.File) (*table.Source, error) {
	b := &book{in: in, files: files, left: uint64(in.limit()), days: map[int]bool{}}
	part, err := b.chooseSheet()
	if err == nil {
		err = b.readStyles()
	}
	if err == nil {
		err = b.decode("xl/sharedStrings.xml", &b.shared)
	}
	if err != nil {
		return nil, err
	}
	r, err := b.open(part)
	if err != nil {
		return nil, err
	}
	release := in.close
	in.close = func() { r.Close(); release() }
	b.xml = xml.NewDecoder(r)
	if err := b.skipTitles(); err != nil {
		return nil, err
	}
	return &table.Source{Sheet: b.sheet, Next: table.Texts(b.next), Part: func() float64 { return 0 }}, nil
}

// open opens a part; its reader ends with an error unless size and checksum are as declared.
func (b *book) open(part string) (io.ReadCloser, error) {
	for _, f := range b.files {
		if strings.EqualFold(f.Name, part) {
			if f.UncompressedSize64 > b.left {
				return nil, table.TooMuch(b.in.name, "what the archive holds", b.in.limit())
			}
			b.left -= f.UncompressedSize64
			return f.Open()
		}
	}
	return io.NopCloser(strings.NewReader("")), nil
}

// decode reads a part; one that is missing or empty holds nothing.
func (b *book) decode(part string, into any) error {
	r, err := b.open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	if err = xml.NewDecoder(r).Decode(into); err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	if err == nil || err == io.EOF {
		return nil
	}
	return fmt.Errorf("%s: %w", part, err)
}

// chooseSheet returns the part of the sheet to read.
func (b *book) chooseSheet() (part string, err error) {
	var links struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	var listed struct {
		Properties struct {
			From1904 bool `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name  string `xml:"name,attr"`
			ID    string `xml:"id,attr"`
			State string `xml:"state,attr"` // hidden, veryHidden
		} `xml:"sheets>sheet"`
	}
	if err := b.decode("xl/_rels/workbook.xml.rels", &links); err != nil {
		return "", err
	}
	if err := b.decode("xl/workbook.xml", &listed); err != nil {
		return "", err
	}
	b.from1904 = listed.Properties.From1904
	target := map[string]string{}
	for _, l := range links.All {
		if strings.HasSuffix(l.Type, "/worksheet") { // no chart
			target[l.ID] = l.Target
		}
	}
	var names, others []string
	hidden := true // the sheet to read
	for _, s := range listed.Sheets {
		to, ok := target[s.ID]
		if !ok {
			continue
		}
		names = append(names, show.Text(s.Name))
		shown := s.State == "" || s.State == "visible"
		if b.in.opt.Sheet != "" && s.Name != b.in.opt.Sheet || part != "" && (b.in.opt.Sheet != "" || !hidden || !shown) {
			continue
		}
		hidden = !shown
		if b.sheet, part = s.Name, strings.TrimPrefix(to, "/"); part == to {
			part = path.Join("xl", to)
		}
	}
	read := slices.Index(names, show.Text(b.sheet))
	if part != "" {
		others = slices.Delete(slices.Clone(names), read, read+1)
	}
	switch {
	case len(names) == 0:
		return "", b.in.refuse("the workbook has no sheets")
	case part == "":
		return "", b.in.refuse("no sheet %s; the sheets are %s", show.Text(b.in.opt.Sheet), show.List(names, 10))
	case b.in.opt.Sheet == "" && len(names) > 1 && b.in.opt.Notice != nil:
		which := "the first of"
		if read > 0 {
			which = "the first that is not hidden of"
		}
		b.in.opt.Notice(fmt.Sprintf("%s: sheet %s read, %s %d; --sheet NAME reads another: %s", b.in.name, names[read], which, len(names), show.List(others, 10)))
	}
	return part, nil
}

// readStyles notes the styles of cells that show days.
func (b *book) readStyles() error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	err := b.decode("xl/styles.xml", &styles)
	days := map[int]bool{}
	for _, id := range []int{14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58} { // not spelt out
		days[id] = true
	}
	for _, f := range styles.Formats {
		days[f.ID] = isDay(f.Code)
	}
	for i, c := range styles.Cells {
		b.days[i] = days[c.Format]
	}
	return err
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

// richText is a text in one piece or in runs.
type richText struct {
	Text string `xml:"t"`
	Runs []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

// String returns the text, with the characters that stand as _x000D_.
func (t richText) String() string {
	for _, r := range t.Runs {
		t.Text += r.Text
	}
	return escaped.ReplaceAllStringFunc(t.Text, func(code string) string {
		r, _ := strconv.ParseUint(code[2:6], 16, 16)
		return string(rune(r))
	})
}

var escaped = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// skipTitles leaves out lines of one cell above the first line of several.
func (b *book) skipTitles() error {
	const most = 10
	for len(b.queue) < most {
		r, err := b.read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		b.queue = append(b.queue, r)
		filled := slices.DeleteFunc(slices.Clone(r.cells), func(s string) bool { return s == "" })
		if n := len(b.queue) - 1; len(filled) > 1 {
			if n > 0 && b.in.opt.Notice != nil {
				b.in.opt.Notice(fmt.Sprintf("%s: %s: the table starts in line %d, below what stands alone: %s", b.in.name, show.Text(b.sheet), r.line, show.Text(strings.Join(b.queue[0].cells, ""))))
			}
			b.queue = b.queue[n:]
			return nil
		}
	}
	return nil
}

func (b *book) next() (line int, cells []string, err error) {
	var r row
	if len(b.queue) > 0 {
		r, b.queue = b.queue[0], b.queue[1:]
	} else if err := b.in.guarded("workbook", func() (err error) { r, err = b.read(); return err }); err != nil {
		return 0, nil, err
	}
	if b.width == 0 {
		b.width = len(r.cells)
	}
	for len(r.cells) < b.width {
		r.cells = append(r.cells, "")
	}
	return r.line, r.cells, nil
}

// read returns the next row with content, up to its last cell that has some.
func (b *book) read() (row, error) {
	for {
		token, err := b.xml.Token()
		if err != nil {
			return row{}, err
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "row" {
			continue
		}
		var r struct {
			Line  int         `xml:"r,attr"`
			Cells []sheetCell `xml:"c"`
		}
		if err := b.xml.DecodeElement(&r, &start); err != nil {
			return row{}, err
		}
		if b.line++; r.Line > 0 && r.Line < b.line {
			return row{}, fmt.Errorf("row %d stands after row %d", r.Line, b.line-1)
		}
		b.line = max(b.line, r.Line)
		var cells []string
		j := -1
		for _, c := range r.Cells {
			if j, err = c.column(j + 1); err != nil {
				return row{}, err
			}
			text, err := b.text(c, j)
			if err != nil {
				return row{}, err
			}
			if text != "" {
				cells = append(cells, make([]string, max(0, j+1-len(cells)))...)
				cells[j] = text
			}
		}
		if len(cells) > 0 {
			return row{b.line, cells}, nil
		}
	}
}

type sheetCell struct {
	At    string   `xml:"r,attr"`
	Style int      `xml:"s,attr"`
	Type  string   `xml:"t,attr"`
	Value string   `xml:"v"`
	Text  richText `xml:"is"`
}

// column returns the column, from 0, of a cell such as B7; one without a place stands at next.
func (c *sheetCell) column(next int) (int, error) {
	const most = 1 << 14
	j := 0
	for _, r := range strings.TrimRight(c.At, "0123456789") {
		if j = 26*j + int(r-'A') + 1; r < 'A' || r > 'Z' || j > most {
			return 0, fmt.Errorf("a cell %s", show.Text(c.At))
		}
	}
	if c.At == "" {
		j = next + 1
	}
	if j < 1 || j > most {
		return 0, fmt.Errorf("a cell %s in column %d", show.Text(c.At), j)
	}
	return j - 1, nil
}

// text is the text of a cell in column j.
func (b *book) text(c sheetCell, j int) (string, error) {
	switch c.Type {
	case "s":
		k, err := strconv.Atoi(c.Value)
		if err != nil || k < 0 || k >= len(b.shared.Texts) {
			return "", fmt.Errorf("text %s of %d in cell %s", show.Text(c.Value), len(b.shared.Texts), table.CellName(j+1, b.line))
		}
		return b.shared.Texts[k].String(), nil
	case "inlineStr":
		return c.Text.String(), nil
	case "str":
		return richText{Text: c.Value}.String(), nil
	case "b":
		return map[string]string{"1": "true", "0": "false"}[c.Value], nil
	case "d":
		return strings.TrimSuffix(c.Value, "T00:00:00"), nil
	case "e": // of a formula: there is no value
		return "", nil
	}
	if v, err := strconv.ParseFloat(c.Value, 64); err == nil && b.days[c.Style] {
		return b.day(v, c.Value), nil
	}
	return c.Value, nil
}

// day is the day, to the millisecond, that a number of days stands for. They count from
// 1899-12-31, and from March 1900 on as if 1900 were a leap year; or from 1904-01-01.
func (b *book) day(v float64, number string) string {
	const lastDay = 2958466 // after the year 9999
	start := time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
	switch {
	case !(0 <= v && v < lastDay):
		return number
	case b.from1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case v >= 60:
		start = start.AddDate(0, 0, -1)
	}
	whole := math.Floor(v)
	return timeText(start.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round((v-whole)*86400e3)) * time.Millisecond))
}
