package discriminant

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/section"
)

// A model file holds these sections, in the container of internal/section. All
// but "certificate", "accuracy" and "notes" are critical; those in brackets are there where
// the model has them. Each part of a model names its fields in its own file, in a method
// fields(c *codec).
//
//	model        method, kinds of embedding and rule, label kind, classes,
//	             components; rows, columns and hash of the training table; scaling
//	classes      labels and counts
//	[preparation] what is done about missing cells; of each column whether it is a category,
//	             has an indicator, what fills it, its levels
//	[scaler]     shift, scale
//	[constant]   columns that the scaler takes for constant, the distances that count as 0
//	[landmarks]  of a stream: their number, what they leave of the trace
//	kernel       the kernel as text, hexadecimal numbers; whether it is centred
//	rows         the training rows, or the landmarks, n×d, as the kernel sees them; 0×0 if precomputed
//	alpha        n×p coefficients
//	[centring]   the means of the kernel matrix
//	[weights]    what the rows weigh together, and their shares in the means
//	[offset]     for ridge and regression: what is added to each component
//	linear       for lda, in place of the five: the origin, d×p weights
//	eigenvalues  one a component; none for ridge and regression
//	regularizer  kind, value, resolved ε, scatter, given priors
//	components   for kpca, in place of that: whitening, trace, least eigenvalue and
//	             whether it is known, given priors
//	certificate  of the fit
//	[accuracy]   of the eigenvalues, a part of it
//	centroids    c×p means of the projections, and then, by the rule,
//	threshold    centroid: scale and threshold of two classes, where there are such
//	gaussian     pooled: scaling of the projections, coefficients and offsets of the
//	             scores; per class: scaling, constants, means and whitening matrices
//	neighbours   knn: k, scaling, weights of the classes' votes, rows, their classes
//	machines     svm: the kernel as text, C, weights and tolerance; the machines'
//	             biases and reports; the supporting rows' numbers, how many each
//	             class has, and their coefficients
//	support      the supporting rows, as the kernel sees them; 0×0 if precomputed
//	vote         svm: the sigmoids of the machines, where there are such
//	notes        key and text, in order of the keys
//
// A model without classes (regression, or kpca without labels) has the label kind
// and the number of classes 0, an empty kind of rule, and no sections for them.

// LabelTypeError says that the labels of a model file are not of the type that
// was requested.
type LabelTypeError struct {
	File string // "signed integer", "unsigned integer" or "string"
	Want string // the Go type
}

func (e *LabelTypeError) Error() string {
	return fmt.Sprintf("discriminant: the model's labels are of kind %s and do not fit the type %s", e.File, e.Want)
}

// label kinds as they stand in a file.
const (
	signedLabels = iota + 1
	unsignedLabels
	stringLabels
)

var labelKindNames = map[uint64]string{signedLabels: "signed integer", unsignedLabels: "unsigned integer", stringLabels: "string"}

func labelKind[L Label]() uint64 {
	switch k := reflect.TypeFor[L]().Kind(); {
	case k == reflect.String:
		return stringLabels
	case k <= reflect.Int64:
		return signedLabels
	default:
		return unsignedLabels
	}
}

// WriteTo writes the model in the format that [Load] reads. The same fit gives
// the same bytes on every platform. A kernel that is a Go function can't be
// written: the error is then a *[gram.UnsavableError].
func (m *Model[L]) WriteTo(w io.Writer) (int64, error) {
	m.fitted.needs("WriteTo")
	sections, err := m.sections()
	if err != nil {
		return 0, err
	}
	return section.Write(w, sections)
}

// MarshalBinary returns what WriteTo writes.
func (m *Model[L]) MarshalBinary() ([]byte, error) {
	m.fitted.needs("MarshalBinary")
	sections, err := m.sections()
	if err != nil {
		return nil, err
	}
	return section.Marshal(sections)
}

// Load reads a model that [Model.WriteTo] wrote, to the end of r. A file that is
// damaged or made by hand is a *[FormatError] that names the section and the field,
// one with labels of another kind than L a *[LabelTypeError]. It allocates at most 16 bytes for
// each byte of the file, and 64 KiB; what a feature map that the program has registered
// makes of the rows is not counted.
func Load[L Label](r io.Reader) (*Model[L], error) {
	m := new(Model[L])
	if _, err := m.ReadFrom(r); err != nil {
		return nil, err
	}
	return m, nil
}

// UnmarshalBinary is [Load] from bytes, into a zero Model.
func (m *Model[L]) UnmarshalBinary(data []byte) error {
	_, err := m.ReadFrom(bytes.NewReader(data))
	return err
}

// ReadFrom is [Load] into m, which is changed only where there is no error. It
// returns the number of bytes read.
func (m *Model[L]) ReadFrom(r io.Reader) (int64, error) {
	c, h, n, err := readHead(r)
	if err != nil {
		return n, err
	}
	return n, m.readFrom(c, h)
}

// readFrom is ReadFrom after the head.
func (m *Model[L]) readFrom(c *codec, h fileHead) error {
	if h.classes == 0 {
		return &section.FormatError{Section: "model", Field: "classes", Reason: fmt.Sprintf("a model of the method %q without classes: LoadPCA or LoadRegression reads it", h.method)}
	}
	if h.labels != labelKind[L]() {
		return labelTypeError[L](h.labels)
	}
	read := &Model[L]{fitted: h.fitted()}
	if read.classFields(c); !c.ok() {
		return c.err
	}
	if err := read.fitted.read(c, h); err != nil {
		return err
	}
	*m = *read
	return nil
}

func labelTypeError[L Label](file uint64) error {
	return &LabelTypeError{File: labelKindNames[file], Want: reflect.TypeFor[L]().String()}
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// readHead reads a file to its end, and what it says of the model. It returns the
// number of bytes read.
func readHead(r io.Reader) (*codec, fileHead, int64, error) {
	counter := &countingReader{r: r}
	misuse.NotNil("discriminant: Load", "the reader", r)
	sections, err := section.Read(counter)
	if err != nil {
		return nil, fileHead{}, counter.n, err
	}
	c, h := newReader(sections), fileHead{}
	h.fields(c)
	c.ok()
	c.fileShape = h.fileShape
	return c, h, counter.n, c.err
}

// sections encodes the model.
func (m *Model[L]) sections() ([]section.Section, error) {
	return m.fitted.write(labelKind[L](), m.classFields)
}

// write encodes a model, whose classes, where it has any, classes names the fields of.
func (f *fitted) write(labels uint64, classes func(*codec)) ([]section.Section, error) {
	h := fileHead{
		fileShape: fileShape{rows: uint64(f.training.Rows), cols: uint64(f.training.Cols), classes: uint64(len(f.counts)), components: uint64(f.Components())},
		method:    f.method.name, embedding: f.pipeline.embedding.kind(), labels: labels, training: f.training,
	}
	if f.rule != nil {
		h.rule = f.rule.kind()
	}
	if s := f.Scaler(); s != nil {
		h.scaling = s.kind
	}
	c := &codec{fileShape: h.fileShape}
	h.fields(c)
	if classes != nil {
		classes(c)
	}
	f.fields(c)
	return c.finish()
}

// read reads what follows the classes.
func (f *fitted) read(c *codec, h fileHead) error {
	if h.scaling != NoScaling {
		f.pipeline.scaler = &Scaler{kind: h.scaling}
	}
	f.pipeline.embedding = f.method.newEmbedding(h.embedding)
	if h.rule != "" {
		f.rule = f.method.newRule(h.rule)
	}
	f.fields(c)
	_, err := c.finish()
	return err
}

// fields names those that a model has with or without classes.
func (f *fitted) fields(c *codec) {
	if c.ok() && c.optional("preparation", f.pipeline.preparation != nil, true) {
		if c.reading() {
			f.pipeline.preparation = new(Preparation)
		}
		f.pipeline.preparation.fields(c)
	}
	if s := f.pipeline.scaler; s != nil {
		s.fields(c)
	}
	f.pipeline.embedding.fields(c)
	if !c.ok() {
		return
	}
	if f.method.fields != nil {
		f.method.fields(f, c)
	}
	if f.rule != nil && c.ok() {
		f.rule.fields(c)
	}
	f.notes.fields(c)
}

// labelField names a label of the kind of L; a number that L can't hold is reported as
// false.
func labelField[L Label](c *codec, l *L) bool {
	v := reflect.ValueOf(l).Elem()
	switch labelKind[L]() {
	case stringLabels:
		text := v.String()
		c.string("label", &text)
		v.SetString(text)
	case signedLabels:
		n := v.Int()
		if c.int64("label", &n); v.OverflowInt(n) {
			return false
		}
		v.SetInt(n)
	default:
		n := v.Uint()
		if c.uint64("label", &n); v.OverflowUint(n) {
			return false
		}
		v.SetUint(n)
	}
	return true
}

// classFields names the labels and the numbers of their rows.
func (m *Model[L]) classFields(c *codec) {
	c.section("classes")
	sum, seen := uint64(0), make(map[L]bool)
	for j := range c.classes {
		var l L
		count := 0
		if !c.reading() {
			l, count = m.classes[j], m.counts[j]
		}
		fits, n := labelField(c, &l), c.number("count", &count)
		switch {
		case !c.reading():
			continue
		case c.decoder.Err() != nil:
			return
		case !fits:
			c.keep(labelTypeError[L](labelKind[L]()))
			return
		case seen[l]:
			c.fail("label", "%v stands there twice", l)
			return
		case n == 0 || n > c.rows-sum:
			c.fail("count", "class %v has %d of the %d rows", l, n, c.rows)
			return
		}
		seen[l] = true
		sum += n
		m.classes, m.counts = append(m.classes, l), append(m.counts, count)
	}
	if !c.reading() {
		return
	}
	ordered := slices.Clone(m.classes)
	if sortClasses(ordered); !slices.Equal(ordered, m.classes) {
		c.fail("label", "the classes are not in order")
	}
	if sum != c.rows {
		c.fail("count", "the classes have %d rows together, the model %d", sum, c.rows)
	}
}

// fileShape is what the sections of a file must agree on.
type fileShape struct {
	rows, cols          uint64 // of the training table
	classes, components uint64
}

// fileHead is what the section "model" says.
type fileHead struct {
	fileShape
	method, embedding, rule string
	labels                  uint64
	scaling                 Scaling
	training                Training
}

// maxRows bounds the numbers of rows and columns in a file.
const maxRows = 1 << 40

func (h *fileHead) fields(c *codec) {
	c.section("model")
	c.string("method", &h.method)
	c.string("embedding", &h.embedding)
	c.string("rule", &h.rule)
	c.uint64("label kind", &h.labels)
	c.uint64("classes", &h.classes)
	c.uint64("components", &h.components)
	c.uint64("rows", &h.rows)
	c.uint64("columns", &h.cols)
	hash := string(h.training.SHA256[:])
	c.string("sha256", &hash)
	kindOf(c, "scaling", &h.scaling)
	m := methods[h.method]
	switch {
	case m == nil:
		c.fail("method", "%q is not a method that this program knows", h.method)
	case m.newEmbedding(h.embedding) == nil:
		c.fail("embedding", "%q is not that of the method %q", h.embedding, h.method)
	case h.labels != 0 && labelKindNames[h.labels] == "":
		c.fail("label kind", "%d is not a kind of label", h.labels)
	case !h.plausible() || !m.plausible(h.fileShape):
		c.fail("classes", "%d rows, %d classes and %d components don't go together in the method %q", h.rows, h.classes, h.components, h.method)
	case (h.rule == "") != (h.classes == 0), h.rule != "" && m.newRule(h.rule) == nil:
		c.fail("rule", "%q is not a rule that this program knows of the method %q with %d classes", h.rule, h.method, h.classes)
	case max(h.rows, h.cols) > min(maxRows, math.MaxInt):
		c.fail("rows", "%d×%d is not the shape of a table", h.rows, h.cols)
	case len(hash) != len(h.training.SHA256):
		c.fail("sha256", "%s, want %d", plural.Count(len(hash), "byte"), len(h.training.SHA256))
	case h.scaling > MinMax:
		c.fail("scaling", "not a kind of scaling")
	default:
		h.training = Training{Rows: int(h.rows), Cols: int(h.cols), SHA256: [32]byte([]byte(hash))}
	}
}

// plausible reports whether the numbers of rows, classes and components go
// together in any method.
func (h *fileHead) plausible() bool {
	if h.components < 1 || h.rows < 1 || (h.labels == 0) != (h.classes == 0) {
		return false
	}
	return h.classes == 0 || h.classes >= 2 && h.rows >= h.classes
}

// fitted returns the model that is to be read.
func (h *fileHead) fitted() *fitted {
	return &fitted{method: methods[h.method], training: h.training, pipeline: &pipeline{}}
}
