package section

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// record holds one value of every kind that a section can store.
type record struct {
	U     uint64
	I     int64
	B     bool
	F     float64
	S     string
	X     []float64
	A     *matrix.Dense
	Names []string
}

func (r *record) encode() (Section, error) {
	e := NewEncoder("record")
	e.Uint64("u", r.U)
	e.Int64("i", r.I)
	e.Bool("b", r.B)
	e.Float64("f", r.F)
	e.String("s", r.S)
	e.Floats("x", r.X)
	e.Matrix("a", r.A)
	e.Count("names", len(r.Names))
	for _, name := range r.Names {
		e.String("names", name)
	}
	return e.Section(true)
}

func decode(s Section) (*record, error) {
	d := NewDecoder(s)
	r := &record{
		U: d.Uint64("u"),
		I: d.Int64("i"),
		B: d.Bool("b"),
		F: d.Float64("f"),
		S: d.String("s"),
		X: d.Floats("x"),
		A: d.Matrix("a"),
	}
	for range d.Count("names", 8) {
		r.Names = append(r.Names, d.String("names"))
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return r, nil
}

func example() *record {
	a, _ := matrix.FromRows([][]float64{{1, -0.1}, {math.MaxFloat64, 5e-324}, {math.Copysign(0, -1), 0}})
	return &record{
		U: math.MaxUint64, I: math.MinInt64, B: true, F: math.Copysign(0, -1),
		S: "naïve\x00\xff", X: []float64{math.Copysign(0, -1), 5e-324, -math.MaxFloat64}, A: a,
		Names: []string{"", "10", "9"},
	}
}

func TestCodecRoundTrip(t *testing.T) {
	empty := &record{X: []float64{}, A: matrix.New(0, 0)}
	for _, want := range []*record{example(), empty} {
		s := must.Get(want.encode())(t)
		got := must.Get(decode(s))(t)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		// DeepEqual takes −0 for 0: compare the bits.
		again, _ := got.encode()
		if !bytes.Equal(again.Data, s.Data) {
			t.Error("the values come back with other bits")
		}
	}
}

// Views with padding are stored without it.
func TestMatrixView(t *testing.T) {
	a := matrix.New(4, 5)
	for i := range a.Data {
		a.Data[i] = float64(i)
	}
	store := func(m *matrix.Dense) []byte {
		e := NewEncoder("s")
		e.Matrix("a", m)
		s := must.Get(e.Section(true))(t)
		return s.Data
	}
	v := a.View(1, 2, 2, 3)
	if !bytes.Equal(store(v), store(v.Clone())) {
		t.Error("a view and its copy are stored differently")
	}
}

func TestEncoderRefuses(t *testing.T) {
	bad := matrix.New(2, 3)
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		bad.Set(1, 2, v)
		for want, put := range map[string]func(e *Encoder){
			"the value is":      func(e *Encoder) { e.Float64("eps", v) },
			"element 1 is":      func(e *Encoder) { e.Floats("eps", []float64{0, v, v}) },
			"element (1, 2) is": func(e *Encoder) { e.Matrix("eps", bad) },
		} {
			e := NewEncoder("fit")
			put(e)
			e.Float64("later", math.NaN()) // the first error stays
			s, err := e.Section(true)
			if ve, ok := errors.AsType[*ValueError](err); !ok || ve.Section != "fit" || ve.Field != "eps" || !strings.HasPrefix(ve.Reason, want) || s.Data != nil {
				t.Errorf("%v: error %v, want a *ValueError with %q", v, err, want)
			}
		}
	}
	for _, shape := range [][2]int{{0, 3}, {3, 0}} {
		e := NewEncoder("fit")
		e.Matrix("a", matrix.New(shape[0], shape[1]))
		if _, err := e.Section(true); err == nil {
			t.Errorf("a %d×%d matrix was stored", shape[0], shape[1])
		}
	}
}

func field(t *testing.T, err error) string {
	t.Helper()
	var fe *FormatError
	if !errors.As(err, &fe) {
		t.Errorf("error %v, want a *FormatError", err)
		return ""
	}
	if fe.Section != "record" {
		t.Errorf("error %v names section %q", err, fe.Section)
	}
	return fe.Field
}

// Every truncation of a section's data names a field; anything after the last
// field is refused as well.
func TestDecoderRefusesOtherLengths(t *testing.T) {
	s := must.Get(example().encode())(t)
	for n := range s.Data {
		_, err := decode(Section{Name: "record", Data: s.Data[:n]})
		if field(t, err) == "" {
			t.Errorf("first %d bytes: %v names no field", n, err)
		}
	}
	_, err := decode(Section{Name: "record", Data: append(bytes.Clone(s.Data), 0)})
	if field(t, err) != "" || !strings.Contains(err.Error(), "1 byte after the last field") {
		t.Errorf("one byte more: %v", err)
	}
}

// No flip of a bit panics or allocates memory that the data do not fill, even where the
// data of a section are wrong under a right checksum.
func TestDecoderSurvivesFlips(t *testing.T) {
	s := must.Get(example().encode())(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 8 * len(s.Data) {
		b := bytes.Clone(s.Data)
		b[i/8] ^= 1 << (i % 8)
		if _, err := decode(Section{Name: "record", Data: b}); err != nil {
			field(t, err)
		}
	}
	runtime.ReadMemStats(&after)
	// Each of the flips copies the data, decodes them once and formats one message.
	if grown, most := after.TotalAlloc-before.TotalAlloc, uint64(8*len(s.Data)*(10*len(s.Data)+4096)); grown > most {
		t.Errorf("%d bytes allocated, want at most %d", grown, most)
	}
}

func TestDecoderRefusesValues(t *testing.T) {
	number := func(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
	float := func(v float64) []byte { return number(math.Float64bits(v)) }
	join := func(b ...[]byte) []byte { return bytes.Join(b, nil) }
	nan, inf := math.NaN(), math.Inf(-1)
	tests := []struct {
		data   []byte
		read   func(d *Decoder)
		reason string
	}{
		{float(nan), func(d *Decoder) { d.Float64("f") }, "the value is NaN"},
		{float(inf), func(d *Decoder) { d.Float64("f") }, "the value is -Inf"},
		{join(number(2), float(1), float(nan)), func(d *Decoder) { d.Floats("f") }, "element 1 is NaN"},
		{join(number(1), number(2), float(1), float(inf)), func(d *Decoder) { d.Matrix("f") }, "element 1 is -Inf"},
		{number(2), func(d *Decoder) { d.Bool("f") }, "2 is neither 0 (false) nor 1 (true)"},
		{join(number(2), float(1)), func(d *Decoder) { d.Floats("f") }, "declares 2 elements of 8 bytes or more, in 8 bytes"},
		{join(number(9), float(1)), func(d *Decoder) { d.String("f") }, "declares 9 elements of 1 byte or more, in 8 bytes"},
		{join(number(1<<60), float(1)), func(d *Decoder) { d.Floats("f") }, "declares 1152921504606846976 elements"},
		{join(number(3), number(4), float(1)), func(d *Decoder) { d.Matrix("f") }, "declares a 3×4 matrix, in 1 number"},
		{join(number(1<<40), number(0)), func(d *Decoder) { d.Matrix("f") }, "declares a 1099511627776×0 matrix"},
		{join(number(0), number(1)), func(d *Decoder) { d.Matrix("f") }, "declares a 0×1 matrix"},
		{join(number(1), number(1)), func(d *Decoder) { d.Uint64("g"); d.Fail("f", "must be 0"); d.Uint64("h") }, "must be 0"},
	}
	for _, c := range tests {
		d := NewDecoder(Section{Name: "record", Data: c.data})
		c.read(d)
		err := d.Close()
		if field(t, err) != "f" || !strings.Contains(fmt.Sprint(err), c.reason) {
			t.Errorf("%x: error %v, want %q", c.data, err, c.reason)
		}
	}
}

// Case 81: numbers that are not finite are refused by name, never read as 0; the
// text of the three files is not a model.
func TestCase81(t *testing.T) {
	for _, name := range []string{"null-in-weights.json", "nan-in-weights.json", "big.json"} {
		refused(t, cases.Read(t, "81-model-with-nonfinite-number/"+name), name)
	}
}

// Case 83: shapes of the files' JSON, put into a section's data with the numbers
// that are really there, are refused without the memory they claim.
func TestCase83(t *testing.T) {
	const folder = "83-model-that-claims-huge-sizes/"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, name := range []string{"claims.json", "overflow.json", "negative.json"} {
		b := cases.Read(t, folder+name)
		refused(t, b, name)
		var v struct {
			Rows, Cols int64
			Data       []float64
		}
		must.Do(t, json.Unmarshal(b, &v))
		e := NewEncoder("record")
		e.Int64("rows", v.Rows)
		e.Int64("cols", v.Cols)
		for _, x := range v.Data {
			e.Float64("data", x)
		}
		s := must.Get(e.Section(true))(t)
		d := NewDecoder(s)
		d.Matrix("weights")
		if err := d.Close(); field(t, err) != "weights" || !strings.Contains(err.Error(), fmt.Sprintf("in %d number", len(v.Data))) {
			t.Errorf("%s: %v", name, err)
		}
	}
	header := must.Get(hex.DecodeString(strings.Join(strings.Fields(string(cases.Read(t, folder+"header-be.hex"))), "")))(t)
	refused(t, header, "header-be.hex")
	d := NewDecoder(Section{Name: "record", Data: header})
	d.Matrix("weights")
	if field(t, d.Close()) != "weights" {
		t.Errorf("header-be.hex as a matrix: %v", d.Close())
	}
	refused(t, bytes.Repeat([]byte("["), 100000), "deep.txt")
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("%d bytes allocated, want less than 64 MiB", grown)
	}
}

// FuzzDecoder: no data panic, and what is accepted is encoded back byte for byte.
func FuzzDecoder(f *testing.F) {
	s := must.Get(example().encode())(f)
	f.Add(s.Data)
	f.Add(s.Data[:len(s.Data)-3])
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decode(Section{Name: "record", Data: b})
		if err != nil {
			field(t, err)
			return
		}
		again, err := r.encode()
		if err != nil || !bytes.Equal(again.Data, b) {
			t.Fatalf("%x is encoded back as %x, error %v", b, again.Data, err)
		}
	})
}
