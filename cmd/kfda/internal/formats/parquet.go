package formats

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/internal/table"
)

// parquet reads the columns of a Parquet file.
func (in *input) parquet() (src *table.Source, err error) {
	at, size, err := in.bytes()
	if err != nil {
		return nil, err
	}
	err = in.guarded("Parquet file", func() error {
		if err := in.checkFooter(at, size); err != nil {
			return err
		}
		f, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err != nil {
			return err
		}
		if err := in.checkPages(f, at, size); err != nil {
			return err
		}
		src, err = in.parquetRows(f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return src, nil
}

// bounded reads lists and texts whose declared sizes are no larger than what could hold them: the
// library allocates what is declared.
type bounded struct {
	thriftReader
	elements, bytes int64
}

type thriftReader = thrift.Reader // which has a method of its name

func (r bounded) ReadList() (thrift.List, error) {
	l, err := r.thriftReader.ReadList()
	if err == nil && int64(l.Size) > r.elements {
		err = fmt.Errorf("a list of %d, where there is room for %d", l.Size, r.elements)
	}
	return l, err
}

func (r bounded) ReadBytes() ([]byte, error) {
	n, err := r.ReadLength()
	if err == nil && int64(n) > r.bytes {
		err = fmt.Errorf("a text of %d bytes, where there are %d", n, r.bytes)
	}
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r.Reader(), b)
	return b, err
}

func (r bounded) ReadString() (string, error) {
	b, err := r.ReadBytes()
	return string(b), err
}

// decode reads a value of at most so many bytes, with lists of at most so many elements.
func decode(r io.Reader, elements, bytes int64, v any) error {
	return thrift.NewDecoder(bounded{new(thrift.CompactProtocol).NewReader(r), elements, bytes}).Decode(v)
}

// checkFooter compares the size of the footer, and those it declares, with that of the file.
func (in *input) checkFooter(at io.ReaderAt, size int64) error {
	var end [8]byte
	if size < 12 {
		return io.ErrUnexpectedEOF
	}
	if _, err := at.ReadAt(end[:], size-8); err != nil {
		return err
	}
	n := int64(uint32(end[0]) | uint32(end[1])<<8 | uint32(end[2])<<16 | uint32(end[3])<<24)
	switch {
	case string(end[4:]) != "PAR1":
		return fmt.Errorf("the last four bytes are %q, not PAR1", end[4:])
	case n > size-12:
		return fmt.Errorf("a footer of %d bytes in a file of %d", n, size)
	}
	const element = 256 // bytes in memory, about
	return decode(bufio.NewReader(io.NewSectionReader(at, size-8-n, n)), min(n, int64(in.limit())/element), n, new(format.FileMetaData))
}

// checkPages compares what the heads of the pages declare with the file and the limit.
func (in *input) checkPages(f *parquet.File, at io.ReaderAt, size int64) error {
	for _, group := range f.Metadata().RowGroups {
		for _, c := range group.Columns {
			m := &c.MetaData
			from := m.DataPageOffset
			if m.DictionaryPageOffset != 0 {
				from = m.DictionaryPageOffset
			}
			if from < 0 || m.TotalCompressedSize < 0 || from > size || m.TotalCompressedSize > size-from {
				return fmt.Errorf("pages of %d bytes from %d in a file of %d", m.TotalCompressedSize, from, size)
			}
			section := io.NewSectionReader(at, from, m.TotalCompressedSize)
			for pos := int64(0); pos < section.Size(); {
				n, err := in.checkPage(io.NewSectionReader(section, pos, section.Size()-pos), m.Codec)
				if err != nil {
					return err
				}
				pos += n
			}
		}
	}
	return nil
}

// checkPage checks the page at the start of a section, and returns how many bytes it has there.
func (in *input) checkPage(section *io.SectionReader, codec format.CompressionCodec) (int64, error) {
	counted := &countingReader{r: section}
	var head format.PageHeader
	if err := decode(counted, section.Size(), section.Size(), &head); err != nil {
		return 0, err
	}
	limit, left, v2 := int64(in.limit()), section.Size()-counted.n, head.DataPageHeaderV2.V
	values := max(head.DataPageHeader.V.NumValues, v2.NumValues, head.DictionaryPageHeader.V.NumValues)
	packed, whole := int64(head.CompressedPageSize), int64(head.UncompressedPageSize)
	levels := int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength) // which are not packed
	switch {
	case packed < 0 || packed > left || values < 0 || whole < 0 || v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 || levels > packed:
		return 0, fmt.Errorf("a page of %d bytes in %d", packed, left)
	case whole > limit, 16*int64(values) > limit:
		return 0, table.TooMuch(in.name, "a page of the Parquet file", int(limit))
	}
	if c := v2.IsCompressed; packed > levels && (!c.Valid || c.V) {
		if err := checkPacked(io.NewSectionReader(section, counted.n+levels, packed-levels), codec, whole); err != nil {
			return 0, err
		}
	}
	return counted.n + packed, nil
}

// checkPacked unpacks a page, which must have no more bytes than declared: the library unpacks
// whatever there is, and tries a block of LZ4 that is damaged for ever.
func checkPacked(r io.Reader, codec format.CompressionCodec, whole int64) error {
	check := func(n int64, err error) error {
		if err == nil && n > whole {
			return fmt.Errorf("a page of more bytes than the %d that it declares", whole)
		}
		return err
	}
	all := func(r io.Reader, err error) error {
		if err != nil {
			return err
		}
		return check(io.Copy(io.Discard, io.LimitReader(r, whole+1)))
	}
	switch codec {
	case format.Gzip:
		z, err := gzip.NewReader(r)
		return all(z, err)
	case format.Brotli:
		return all(brotli.NewReader(r), nil)
	case format.Zstd:
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err == nil {
			defer z.Close()
		}
		return all(z, err)
	case format.Snappy:
		var start [binary.MaxVarintLen64]byte
		n, _ := io.ReadFull(r, start[:])
		size, err := snappy.DecodedLen(start[:n])
		return check(int64(size), err)
	case format.Lz4Raw:
		data, err := io.ReadAll(r)
		if err == nil {
			_, err = lz4.UncompressBlock(data, make([]byte, whole))
		}
		return err
	}
	return nil // the library says which codec it does not know
}

// countingReader counts the bytes that are taken of a small head.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countingReader) ReadByte() (byte, error) {
	var b [1]byte
	_, err := io.ReadFull(c, b[:])
	return b[0], err
}

// parquetRows returns the rows of a file with plain columns.
func (in *input) parquetRows(f *parquet.File) (*table.Source, error) {
	var names []string
	var reads []func(parquet.Value) (table.Cell, error)
	for _, field := range f.Schema().Fields() {
		if !field.Leaf() || field.Repeated() {
			what := "a group"
			if path := nested(field); path != "" {
				what += " with " + path
			}
			if field.Repeated() {
				what = "a list"
			}
			return nil, in.refuse("column %s is nested: %s; kfda reads columns of one value a row", show.Text(field.Name()), what)
		}
		read, err := valueCell(field.Type())
		if err != nil {
			return nil, in.refuse("column %s has type %v, which kfda does not read; write it as numbers or text", show.Text(field.Name()), field.Type())
		}
		names, reads = append(names, field.Name()), append(reads, read)
	}
	cells := make([]table.Cell, len(names))
	for j, name := range names {
		cells[j].Text = name
	}
	r := &parquetReader{groups: f.RowGroups(), buffer: make([]parquet.Row, 64), row: -1}
	return &table.Source{
		Header: table.WithHeader,
		Part:   func() float64 { return float64(r.row) / float64(max(1, f.NumRows())) },
		Next: func() (int, []table.Cell, error) {
			if r.row++; r.row == 0 {
				return 0, cells, nil
			}
			err := in.guarded("Parquet file", func() error {
				values, err := r.next()
				if err != nil {
					return err
				}
				if len(values) != len(names) {
					return fmt.Errorf("%d values of %d columns in row %d", len(values), len(names), r.row)
				}
				for j, v := range values {
					cells[j] = table.Cell{}
					if v.IsNull() {
						continue
					}
					if cells[j], err = reads[j](v); err != nil {
						return in.at("", r.row, j+1, names[j], "%v", err)
					}
				}
				return nil
			})
			if err == io.EOF && int64(r.row-1) != f.NumRows() {
				err = in.refuse("the Parquet file is damaged: it declares %d rows, and holds %d", f.NumRows(), r.row-1)
			}
			return r.row, cells, err
		},
	}, nil
}

// nested names the first value in a group.
func nested(f parquet.Field) string {
	for _, g := range f.Fields() {
		return strings.TrimSuffix(show.Text(f.Name())+"."+nestedName(g), ".")
	}
	return ""
}

func nestedName(f parquet.Field) string {
	if inner := nested(f); inner != "" {
		return inner
	}
	return show.Text(f.Name())
}

// parquetReader reads the rows of all groups.
type parquetReader struct {
	groups []parquet.RowGroup
	rows   parquet.Rows
	buffer []parquet.Row
	read   []parquet.Row // of these, what is left
	row    int           // of the last, from 1; 0 for the names
}

func (r *parquetReader) next() (parquet.Row, error) {
	for len(r.read) == 0 {
		if r.rows == nil {
			if len(r.groups) == 0 {
				return nil, io.EOF
			}
			r.rows, r.groups = r.groups[0].Rows(), r.groups[1:]
		}
		n, err := r.rows.ReadRows(r.buffer)
		r.read = r.buffer[:n]
		switch {
		case err == io.EOF || n == 0 && err == nil:
			if err := r.rows.Close(); err != nil {
				return nil, err
			}
			r.rows = nil
		case err != nil:
			return nil, err
		}
	}
	row := r.read[0]
	r.read = r.read[1:]
	return row, nil
}

// valueCell returns how the values of a type are read: days and times as texts of ISO 8601.
func valueCell(t parquet.Type) (func(parquet.Value) (table.Cell, error), error) {
	var logical format.LogicalTypeValue
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	plain := func(f func(parquet.Value) string) func(parquet.Value) (table.Cell, error) {
		read := asText(f)
		return func(v parquet.Value) (table.Cell, error) { return read(v), nil }
	}
	number := func(f func(parquet.Value) float64) func(parquet.Value) (table.Cell, error) {
		read := asNumber(f)
		return func(v parquet.Value) (table.Cell, error) { return read(v), nil }
	}
	kind := t.Kind()
	whole := kind == parquet.Int32 || kind == parquet.Int64
	switch l := logical.(type) {
	case *format.DateType:
		return plain(func(v parquet.Value) string { return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly) }), nil
	case *format.TimestampType:
		unit := l.Unit.Value.Duration()
		return plain(func(v parquet.Value) string {
			perSecond := int64(time.Second / unit)
			s, rest := v.Int64()/perSecond, v.Int64()%perSecond
			return timeText(time.Unix(s, rest*int64(unit)).UTC())
		}), nil
	case *format.DecimalType:
		return plain(func(v parquet.Value) string { return decimal(v, kind, int(l.Scale)) }), nil
	case *format.IntType:
		if !l.IsSigned && whole {
			return plain(func(v parquet.Value) string {
				if kind == parquet.Int32 {
					return strconv.FormatUint(uint64(uint32(v.Int32())), 10)
				}
				return strconv.FormatUint(uint64(v.Int64()), 10)
			}), nil
		}
	case *format.StringType, *format.EnumType, nil:
	case *format.NullType:
		return plain(func(parquet.Value) string { return "" }), nil
	default:
		return nil, fmt.Errorf("type %v", t)
	}
	switch kind {
	case parquet.Boolean:
		return plain(func(v parquet.Value) string { return strconv.FormatBool(v.Boolean()) }), nil
	case parquet.Int32:
		return plain(func(v parquet.Value) string { return strconv.FormatInt(int64(v.Int32()), 10) }), nil
	case parquet.Int64:
		return plain(func(v parquet.Value) string { return strconv.FormatInt(v.Int64(), 10) }), nil
	case parquet.Float:
		return number(func(v parquet.Value) float64 { return float64(v.Float()) }), nil
	case parquet.Double:
		return number(parquet.Value.Double), nil
	case parquet.Int96: // nanoseconds of a Julian day
		return plain(func(v parquet.Value) string {
			const epoch = 2440588
			i := v.Int96()
			return timeText(time.Unix((int64(i[2])-epoch)*86400, int64(uint64(i[1])<<32|uint64(i[0]))).UTC())
		}), nil
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return func(v parquet.Value) (table.Cell, error) {
			if !utf8.Valid(v.ByteArray()) {
				return table.Cell{}, fmt.Errorf("the cell holds bytes that are no text")
			}
			return table.Cell{Text: string(v.ByteArray())}, nil
		}, nil
	}
	return nil, fmt.Errorf("type %v", t)
}

// timeText is a day, with the time if it is not midnight.
func timeText(t time.Time) string {
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05.999999999")
}

// decimal is an integer with a point before its last digits.
func decimal(v parquet.Value, kind parquet.Kind, scale int) string {
	i := new(big.Int)
	switch kind {
	case parquet.Int32:
		i.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		i.SetInt64(v.Int64())
	default: // in two's complement, its first byte first
		b := v.ByteArray()
		i.SetBytes(b)
		if len(b) > 0 && b[0] >= 128 {
			i.Sub(i, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	scale = min(max(scale, 0), math.MaxInt16)
	digits := new(big.Int).Abs(i).String()
	if short := scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	if i.Sign() < 0 {
		digits = "-" + digits
		return digits[:len(digits)-scale] + point(digits[len(digits)-scale:])
	}
	return digits[:len(digits)-scale] + point(digits[len(digits)-scale:])
}

func point(decimals string) string {
	if decimals == "" {
		return ""
	}
	return "." + decimals
}
