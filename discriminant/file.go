package discriminant

import (
	"bytes"
	"fmt"
	"io"
	"reflect"

	"github.com/seed92411348/kfda/internal/section"
)

// A model file holds these sections, in the container of internal/section. All
// but "certificate" and "notes" are critical; those in brackets are there where
// the model has them.
//
//	model        method, kinds of embedding and rule, label kind, classes,
//	             components; rows, columns and hash of the training table; scaling
//	classes      labels and counts
//	[scaler]     shift, scale
//	kernel       the kernel as text, hexadecimal numbers; whether it is centred
//	rows         the training rows, n×d, as the kernel sees them; 0×0 if precomputed
//	alpha        n×p coefficients
//	[centring]   the means of the kernel matrix
//	linear       for lda, in place of the four: the origin, d×p weights
//	eigenvalues  one a component
//	regularizer  kind, value, resolved ε, scatter, given priors
//	certificate  of the fit
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
const (
	methodKFDA = "kfda"
	methodLDA  = "lda"
	methodSVM  = "svm"
)

// methodEmbeddings names the embedding of each method.
var methodEmbeddings = map[string]string{
	methodKFDA: kernelEmbeddingKind,
	methodLDA:  linearEmbeddingKind,
	methodSVM:  machineEmbeddingKind,
}

// LabelTypeError says that the labels of a model file are not of the type that
// was asked for.
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
	sections, err := m.sections()
	if err != nil {
		return 0, err
	}
	return section.Write(w, sections)
}

// MarshalBinary returns what WriteTo writes.
func (m *Model[L]) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Load reads a model that [Model.WriteTo] wrote, to the end of r. A file that is
// damaged or made by hand gives an error that names the section and the field,
// labels of another kind than L a *[LabelTypeError].
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
	counter := &countingReader{r: r}
	sections, err := section.Read(counter)
	if err != nil {
		return counter.n, err
	}
	f, err := decodeFile[L](sections)
	if err != nil {
		return counter.n, err
	}
	*m = *f
	return counter.n, nil
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

// sections encodes the model.
func (m *Model[L]) sections() ([]section.Section, error) {
	w := fileWriter{}
	e := w.section("model", true)
	e.String("method", m.method)
	e.String("embedding", m.pipeline.embedding.kind())
	e.String("rule", m.rule.kind())
	e.Uint64("label kind", labelKind[L]())
	e.Count("classes", len(m.classes))
	e.Count("components", m.Components())
	e.Count("rows", m.training.Rows)
	e.Count("columns", m.training.Cols)
	e.String("sha256", string(m.training.SHA256[:]))
	scaling := NoScaling
	if s := m.Scaler(); s != nil {
		scaling = s.kind
	}
	e.Uint64("scaling", uint64(scaling))

	e = w.section("classes", true)
	for j, l := range m.classes {
		encodeLabel(e, l)
		e.Count("count", m.counts[j])
	}
	if s := m.Scaler(); s != nil {
		e = w.section("scaler", true)
		e.Floats("shift", s.shift)
		e.Floats("scale", s.scale)
	}
	if err := m.pipeline.embedding.encode(&w); err != nil {
		return nil, err
	}
	if m.method != methodSVM {
		w.section("eigenvalues", true).Floats("eigenvalues", m.lambda)
		m.kfda.encode(&w)
	}
	if err := m.rule.encode(&w); err != nil {
		return nil, err
	}
	e = w.section("notes", false)
	e.Count("notes", len(m.notes))
	for _, key := range m.noteKeys() {
		e.String("key", key)
		e.String("text", m.notes[key])
	}
	return w.finish()
}

// fileWriter collects encoders and whether their sections are critical.
type fileWriter struct {
	encoders []*section.Encoder
	critical []bool
}

func (w *fileWriter) section(name string, critical bool) *section.Encoder {
	e := section.NewEncoder(name)
	w.encoders = append(w.encoders, e)
	w.critical = append(w.critical, critical)
	return e
}

func (w *fileWriter) finish() ([]section.Section, error) {
	sections := make([]section.Section, len(w.encoders))
	for i, e := range w.encoders {
		var err error
		if sections[i], err = e.Section(w.critical[i]); err != nil {
			return nil, err
		}
	}
	return sections, nil
}

func encodeLabel[L Label](e *section.Encoder, l L) {
	v := reflect.ValueOf(l)
	switch labelKind[L]() {
	case stringLabels:
		e.String("label", v.String())
	case signedLabels:
		e.Int64("label", v.Int())
	default:
		e.Uint64("label", v.Uint())
	}
}

// decodeLabel reads a label of the kind of L; a number that L can't hold is
// reported as false.
func decodeLabel[L Label](d *section.Decoder) (l L, ok bool) {
	v := reflect.ValueOf(&l).Elem()
	switch labelKind[L]() {
	case stringLabels:
		v.SetString(d.String("label"))
	case signedLabels:
		n := d.Int64("label")
		if v.OverflowInt(n) {
			return l, false
		}
		v.SetInt(n)
	default:
		n := d.Uint64("label")
		if v.OverflowUint(n) {
			return l, false
		}
		v.SetUint(n)
	}
	return l, true
}

// decodeFile makes a model of the sections and checks that they agree.
func decodeFile[L Label](sections []section.Section) (*Model[L], error) {
	r := newFileReader(sections)
	f := &fitted{}
	m := &Model[L]{fitted: f}

	d := r.section("model")
	f.method = d.String("method")
	embeddingKind, ruleKind := d.String("embedding"), d.String("rule")
	kind := d.Uint64("label kind")
	classes, components := d.Uint64("classes"), d.Uint64("components")
	rows, cols := d.Uint64("rows"), d.Uint64("columns")
	hash := d.String("sha256")
	scaling := Scaling(min(d.Uint64("scaling"), 255))
	switch {
	case methodEmbeddings[f.method] == "":
		d.Fail("method", fmt.Sprintf("%q is not a method that this program knows", f.method))
	case methodEmbeddings[f.method] != embeddingKind:
		d.Fail("embedding", fmt.Sprintf("%q is not that of the method %q", embeddingKind, f.method))
	case labelKindNames[kind] == "":
		d.Fail("label kind", fmt.Sprintf("%d is not a kind of label", kind))
	case classes < 2 || components < 1 || components > mostComponents(f.method, classes) || rows < classes:
		d.Fail("classes", fmt.Sprintf("%d rows, %d classes and %d components don't go together", rows, classes, components))
	case rows > maxRows || cols > maxRows:
		d.Fail("rows", fmt.Sprintf("%d×%d is not the shape of a table", rows, cols))
	case len(hash) != len(f.training.SHA256):
		d.Fail("sha256", fmt.Sprintf("%d bytes, want %d", len(hash), len(f.training.SHA256)))
	case scaling > MinMax:
		d.Fail("scaling", "not a kind of scaling")
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	if kind != labelKind[L]() {
		return nil, &LabelTypeError{File: labelKindNames[kind], Want: reflect.TypeFor[L]().String()}
	}
	f.training = Training{Rows: int(rows), Cols: int(cols), SHA256: [32]byte([]byte(hash))}

	d = r.section("classes")
	if err := decodeClasses(d, m, classes, rows); err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}

	f.pipeline = &pipeline{}
	var err error
	if scaling != NoScaling {
		if f.pipeline.scaler, err = decodeScaler(r, scaling, cols); err != nil {
			return nil, err
		}
	}
	shape := fileShape{rows: rows, cols: cols, classes: classes, components: components}
	if f.pipeline.embedding, err = decodeEmbedding(embeddingKind, r, shape); err != nil {
		return nil, err
	}

	if f.method != methodSVM {
		d = r.section("eigenvalues")
		if f.lambda = d.Floats("eigenvalues"); uint64(len(f.lambda)) != components {
			d.Fail("eigenvalues", fmt.Sprintf("%d eigenvalues for %d components", len(f.lambda), components))
		}
		if err := d.Close(); err != nil {
			return nil, err
		}
		if f.kfda, err = decodeKFDA(r, f.method, classes); err != nil {
			return nil, err
		}
	}
	if f.rule, err = decodeRule(ruleKind, r, shape); err != nil {
		return nil, err
	}
	if f.notes, err = decodeNotes(r); err != nil {
		return nil, err
	}
	return m, r.finish()
}

// fileShape is what the sections of a file must agree on.
type fileShape struct {
	rows, cols          uint64 // of the training table
	classes, components uint64
}

// mostComponents returns the largest number of components of a model.
func mostComponents(method string, classes uint64) uint64 {
	if method == methodSVM {
		return classes * (classes - 1) / 2 // overflows only for more classes than a file can name
	}
	return classes - 1
}

func decodeEmbedding(kind string, r *fileReader, s fileShape) (embedding, error) {
	switch kind {
	case kernelEmbeddingKind:
		return decodeKernelEmbedding(r, s)
	case linearEmbeddingKind:
		return decodeLinearEmbedding(r, s)
	case machineEmbeddingKind:
		return decodeMachineEmbedding(r, s)
	}
	return nil, &section.FormatError{Section: "model", Field: "embedding", Reason: fmt.Sprintf("%q is not an embedding that this program knows", kind)}
}

func decodeRule(kind string, r *fileReader, s fileShape) (rule, error) {
	switch kind {
	case centroidRuleKind:
		return decodeCentroidRule(r, s)
	case linearRuleKind:
		return decodeLinearRule(r, s)
	case quadraticRuleKind:
		return decodeQuadraticRule(r, s)
	case knnRuleKind:
		return decodeKNNRule(r, s)
	case votingKind:
		return decodeVotingRule(r, s)
	case machineRuleKind:
		return decodeMachineRule(r, s)
	}
	return nil, &section.FormatError{Section: "model", Field: "rule", Reason: fmt.Sprintf("%q is not a rule that this program knows", kind)}
}

// maxRows bounds the numbers of rows and columns in a file.
const maxRows = 1 << 40

func decodeScaler(r *fileReader, kind Scaling, dim uint64) (*Scaler, error) {
	d := r.section("scaler")
	s := decodeShiftScale(d, kind, dim)
	return s, d.Close()
}

func decodeShiftScale(d *section.Decoder, kind Scaling, dim uint64) *Scaler {
	s := &Scaler{kind: kind, shift: d.Floats("shift"), scale: d.Floats("scale")}
	if uint64(len(s.shift)) != dim || uint64(len(s.scale)) != dim {
		d.Fail("scale", fmt.Sprintf("%d shifts and %d scales for %d columns", len(s.shift), len(s.scale), dim))
	}
	for _, v := range s.scale {
		if v <= 0 {
			d.Fail("scale", fmt.Sprintf("%v is not positive", v))
		}
	}
	return s
}

func decodeNotes(r *fileReader) (map[string]string, error) {
	if !r.has("notes") {
		return nil, nil
	}
	d := r.section("notes")
	count := d.Count("notes", 16)
	notes := make(map[string]string, count)
	before := ""
	for i := range count {
		key := d.String("key")
		if i > 0 && key <= before {
			d.Fail("key", fmt.Sprintf("%q after %q: keys must ascend", key, before))
		}
		notes[key] = d.String("text")
		before = key
	}
	return notes, d.Close()
}

func decodeClasses[L Label](d *section.Decoder, m *Model[L], classes, rows uint64) error {
	sum := uint64(0)
	seen := make(map[L]bool)
	for range classes {
		l, ok := decodeLabel[L](d)
		count := d.Uint64("count")
		if d.Err() != nil {
			return d.Err()
		}
		if !ok {
			return &LabelTypeError{File: labelKindNames[labelKind[L]()], Want: reflect.TypeFor[L]().String()}
		}
		if seen[l] {
			d.Fail("label", fmt.Sprintf("%v stands there twice", l))
		}
		if count == 0 || count > rows-sum {
			d.Fail("count", fmt.Sprintf("class %v has %d of the %d rows", l, count, rows))
			return d.Err()
		}
		seen[l] = true
		sum += count
		m.classes, m.counts = append(m.classes, l), append(m.counts, int(count))
	}
	ordered := append([]L(nil), m.classes...)
	sortClasses(ordered)
	for j, l := range ordered {
		if m.classes[j] != l {
			d.Fail("label", "the classes are not in order")
			break
		}
	}
	if sum != rows {
		d.Fail("count", fmt.Sprintf("the classes have %d rows together, the model %d", sum, rows))
	}
	return d.Err()
}

// fileReader hands out sections by name.
type fileReader struct {
	sections map[string]section.Section
	order    []string
	used     map[string]bool
}

func newFileReader(sections []section.Section) *fileReader {
	r := &fileReader{sections: make(map[string]section.Section), used: make(map[string]bool)}
	for _, s := range sections {
		r.sections[s.Name] = s
		r.order = append(r.order, s.Name)
	}
	return r
}

func (r *fileReader) has(name string) bool {
	_, ok := r.sections[name]
	return ok
}

// section returns a decoder of the section; one that is missing decodes as an
// error.
func (r *fileReader) section(name string) *section.Decoder {
	s, ok := r.sections[name]
	r.used[name] = true
	d := section.NewDecoder(section.Section{Name: name, Data: s.Data})
	if !ok {
		d.Fail("", "the section is missing")
	}
	return d
}

// finish refuses critical sections that this program does not know.
func (r *fileReader) finish() error {
	for _, name := range r.order {
		if !r.used[name] && r.sections[name].Critical {
			return &section.FormatError{Section: name, Reason: "a critical section that this program does not know: the file is of a newer program"}
		}
	}
	return nil
}
