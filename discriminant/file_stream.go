package discriminant

import (
	"bytes"
	"context"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// The file of a stream holds, before the sections of its accumulator,
//
//	stream     columns, scaling, kind and number of the labels, these
//	[scaler]   and [constant], as of a model
//	[sample]   what the landmarks leave of its trace
//	[kernel]   as text
//	[rows]     the landmarks, scaled

// MarshalBinary returns the stream with all its rows, for [Stream.UnmarshalBinary]. The error
// is a *[gram.UnsavableError] for a kernel that is a Go function.
func (s *Stream[L]) MarshalBinary() ([]byte, error) {
	s.needs("MarshalBinary")
	c, state := new(codec), s.rows.State()
	s.startFields(c)
	c.accumulatorFields(&state)
	sections, err := c.finish()
	if err != nil {
		return nil, err
	}
	return section.Marshal(sections)
}

// UnmarshalBinary sets s to what [Stream.MarshalBinary] wrote; with an error it is as it was. The
// landmarks are factored once more. A file that is damaged is a *[FormatError], and one with labels
// of another kind a *[LabelTypeError].
func (s *Stream[L]) UnmarshalBinary(data []byte) error {
	misuse.NotNil("discriminant: Stream.UnmarshalBinary", "the stream", s)
	sections, err := section.Read(bytes.NewReader(data))
	if err != nil {
		return err
	}
	c, state := newReader(sections), fisher.State{}
	t := &Stream[L]{streamed: new(streamed)}
	t.startFields(c)
	c.accumulatorFields(&state)
	if _, err := c.finish(); err != nil {
		return err
	}
	if t.rows, err = fisher.RestoreAccumulator(state); err != nil {
		return &section.FormatError{Section: "factors", Reason: err.Error()}
	}
	if t.rows.Classes != len(t.classes) || t.rows.Features != t.width() || t.rows.Targets != 0 {
		return &section.FormatError{Section: "accumulator", Reason: "not of the classes and features of the stream"}
	}
	t.index()
	*s = *t
	return nil
}

// startFields names those of all but the rows.
func (s *Stream[L]) startFields(c *codec) {
	c.section("stream")
	c.number("columns", &s.dim)
	scaling, kind := NoScaling, labelKind[L]()
	if s.scaler != nil {
		scaling = s.scaler.kind
	}
	if kindOf(c, "scaling", &scaling); scaling > MinMax {
		c.fail("scaling", "not a kind of scaling")
	}
	if c.uint64("label kind", &kind); kind != labelKind[L]() {
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
	if !c.ok() {
		return
	}
	c.cols = uint64(s.dim)
	if scaling != NoScaling {
		if c.reading() {
			s.scaler = &Scaler{kind: scaling}
		}
		s.scaler.fields(c)
	}
	s.landmarkFields(c)
}

// landmarkFields names those of the landmarks, where there are such.
func (s *streamed) landmarkFields(c *codec) {
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
	if c.matrix("rows", &x); x.Rows == 0 || x.Cols != s.dim {
		c.fail("rows", "%d×%d, want %d columns", x.Rows, x.Cols, s.dim)
	}
	if !c.ok() || !c.reading() {
		return
	}
	if err := s.landmarks.prepare(context.Background(), kernel, x); err != nil {
		c.keep(&section.FormatError{Section: "rows", Reason: err.Error()})
	}
}

// start returns the file of what a stream was started with, without classes and rows.
func (s *streamed) start() ([]byte, error) {
	c := &codec{fileShape: fileShape{cols: uint64(s.dim)}}
	if s.scaler != nil {
		s.scaler.fields(c)
	}
	s.landmarkFields(c)
	sections, err := c.finish()
	if err != nil {
		return nil, err
	}
	return section.Marshal(sections)
}
