package discriminant

import (
	"bytes"
	"context"
	"io"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// The file of a stream holds, before the sections of its accumulator and [kept],
//
//	stream     kind and number of the labels, these; columns, scaling
//	[preparation], [scaler] and [constant], as of a model
//	[sample]   what the landmarks leave of its trace
//	[kernel]   as text
//	[rows]     the landmarks, scaled
//	[notes]    as of a model
//
// A stream of numbers has the kind of label 0, and no labels.

// WriteTo writes the stream with all its rows, for [Stream.ReadFrom], in little more memory than it
// has. The error is a *[gram.UnsavableError] for a kernel that is a Go function, or that of w.
func (s *Stream[L]) WriteTo(w io.Writer) (int64, error) {
	s.needs("WriteTo")
	return s.writeTo(w, s.labelFields)
}

// MarshalBinary returns what WriteTo writes.
func (s *Stream[L]) MarshalBinary() ([]byte, error) {
	s.needs("MarshalBinary")
	return s.marshal(s.labelFields)
}

// ReadFrom sets s to what [Stream.WriteTo] wrote, and reads r to its end; with an error s is as it was. The
// landmarks are factored once more. A file that is damaged, or of another kind of stream, is a
// *[FormatError], and one with labels of another kind a *[LabelTypeError].
func (s *Stream[L]) ReadFrom(r io.Reader) (int64, error) {
	misuse.NotNil("discriminant: Stream.ReadFrom", "the stream", s, "r", r)
	t := new(Stream[L])
	n, err := t.readFrom(r, t.labelFields)
	if err != nil {
		return n, err
	}
	if t.rows.Classes != len(t.classes) || t.rows.Targets != 0 {
		return n, &section.FormatError{Section: "accumulator", Reason: "not of the classes of the stream"}
	}
	t.index()
	*s = *t
	return n, nil
}

// UnmarshalBinary is [Stream.ReadFrom] from bytes.
func (s *Stream[L]) UnmarshalBinary(data []byte) error {
	_, err := s.ReadFrom(bytes.NewReader(data))
	return err
}

// WriteTo is [Stream.WriteTo].
func (s *RegressionStream) WriteTo(w io.Writer) (int64, error) {
	s.needs("WriteTo")
	return s.writeTo(w, noLabelFields)
}

// MarshalBinary is [Stream.MarshalBinary].
func (s *RegressionStream) MarshalBinary() ([]byte, error) {
	s.needs("MarshalBinary")
	return s.marshal(noLabelFields)
}

// ReadFrom is [Stream.ReadFrom].
func (s *RegressionStream) ReadFrom(r io.Reader) (int64, error) {
	misuse.NotNil("discriminant: RegressionStream.ReadFrom", "the stream", s, "r", r)
	t := new(RegressionStream)
	n, err := t.readFrom(r, noLabelFields)
	if err != nil {
		return n, err
	}
	if t.rows.Classes != 1 || t.rows.Targets == 0 {
		return n, &section.FormatError{Section: "accumulator", Reason: "not of numbers to be predicted"}
	}
	*s = *t
	return n, nil
}

// UnmarshalBinary is [Stream.UnmarshalBinary].
func (s *RegressionStream) UnmarshalBinary(data []byte) error {
	_, err := s.ReadFrom(bytes.NewReader(data))
	return err
}

// labelFields names those of the labels, with the section that begins with them.
func (s *Stream[L]) labelFields(c *codec) {
	c.section("stream")
	kind := labelKind[L]()
	c.uint64("label kind", &kind)
	switch {
	case kind == 0:
		c.fail("label kind", "a stream of numbers, not of classes")
	case kind != labelKind[L]():
		c.keep(labelTypeError[L](kind))
	}
	n := c.count("classes", len(s.classes), 8)
	if c.reading() {
		s.classes = make([]L, n)
	}
	for j := range s.classes {
		labelField(c, &s.classes[j])
	}
	if c.reading() && (len(Classes(s.classes)) < max(n, 2)) {
		c.fail("classes", "fewer than two, or one stands there twice")
	}
}

func noLabelFields(c *codec) {
	c.section("stream")
	kind := uint64(0)
	if c.uint64("label kind", &kind); kind != 0 {
		c.fail("label kind", "a stream of classes, not of numbers")
	}
	if c.count("classes", 0, 8) > 0 {
		c.fail("classes", "there are none of numbers")
	}
}

func (s *streamed) sections(labels func(*codec)) ([]section.Section, error) {
	c, state := new(codec), s.rows.State()
	labels(c)
	s.fields(c)
	c.accumulatorFields(&state)
	s.keptFields(c, &state)
	return c.finish()
}

func (s *streamed) writeTo(w io.Writer, labels func(*codec)) (int64, error) {
	sections, err := s.sections(labels)
	if err != nil {
		return 0, err
	}
	return section.Write(w, sections)
}

func (s *streamed) marshal(labels func(*codec)) ([]byte, error) {
	sections, err := s.sections(labels)
	if err != nil {
		return nil, err
	}
	return section.Marshal(sections)
}

// readFrom sets s, which is zero.
func (s *streamed) readFrom(r io.Reader, labels func(*codec)) (int64, error) {
	in, state := &countingReader{r: r}, fisher.State{}
	s.streamStart = new(streamStart)
	c, err := readLarge(in, factorsSection, func(c *codec) {
		labels(c)
		s.fields(c)
		c.accumulatorFields(&state)
	})
	if err != nil {
		return in.n, err
	}
	if c.ok() {
		if s.rows, err = fisher.RestoreAccumulator(state); err != nil {
			return in.n, &section.FormatError{Section: factorsSection, Reason: err.Error()}
		}
		s.keptFields(c, &state)
	}
	if _, err = c.finish(); err != nil {
		return in.n, err
	}
	if s.rows.Features != s.width() || s.rows.Left != (s.landmarks != nil) {
		return in.n, &section.FormatError{Section: "accumulator", Reason: "not of the features of the stream"}
	}
	if s.kept == nil && s.rows.Next() == 0 && s.keeps(s.rows.Shape) {
		s.kept = newKeptRows(s.columns, s.rows.Shape)
	}
	return in.n, nil
}

// fields names those of what is learnt from the sample, in a section that has begun.
func (s *streamStart) fields(c *codec) {
	c.number("columns", &s.columns)
	scaling := NoScaling
	if s.scaler != nil {
		scaling = s.scaler.kind
	}
	if kindOf(c, "scaling", &scaling); scaling > MinMax {
		c.fail("scaling", "not a kind of scaling")
	}
	if !c.ok() {
		return
	}
	c.cols = uint64(s.columns)
	if c.optional("preparation", s.preparation != nil, true) {
		if c.reading() {
			s.preparation = new(Preparation)
		}
		s.preparation.fields(c)
	}
	if scaling != NoScaling {
		if c.reading() {
			s.scaler = &Scaler{kind: scaling}
		}
		s.scaler.fields(c)
	}
	s.landmarkFields(c)
	s.notes.fields(c)
}

// landmarkFields names those of the landmarks, where there are such.
func (s *streamStart) landmarkFields(c *codec) {
	if !c.ok() || !c.optional("sample", s.landmarks != nil, true) {
		return
	}
	var kernel gram.Kernel
	x := matrix.New(0, 0)
	if c.reading() {
		s.landmarks = new(landmarkRows)
	} else {
		kernel, x = s.landmarks.features.Kernel(), s.landmarks.features.Landmarks()
	}
	if c.float64("left", &s.landmarks.left); s.landmarks.left < 0 || s.landmarks.left > 1 {
		c.fail("left", "%v is not a share", s.landmarks.left)
	}
	c.section("kernel")
	c.kernel(&kernel)
	c.section("rows")
	if c.matrix("rows", &x); x.Rows == 0 || uint64(x.Cols) != c.cols {
		c.fail("rows", "%d×%d, want %d columns", x.Rows, x.Cols, c.cols)
	}
	if !c.ok() || !c.reading() {
		return
	}
	if err := s.landmarks.prepare(context.Background(), kernel, x); err != nil {
		c.keep(&section.FormatError{Section: "rows", Reason: err.Error()})
	}
}

// marshal returns a file of what is learnt from the sample.
func (s *streamStart) marshal() ([]byte, error) {
	c := new(codec)
	c.section("stream")
	s.fields(c)
	sections, err := c.finish()
	if err != nil {
		return nil, err
	}
	return section.Marshal(sections)
}
