package discriminant

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"reflect"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// A model file holds these sections, in the container of internal/section. All
// but "certificate", "accuracy" and "notes" are critical; those in brackets are there where
// the model has them.
//
//	model        method, kinds of embedding and rule, label kind, classes,
//	             components; rows, columns and hash of the training table; scaling
//	classes      labels and counts
//	[scaler]     shift, scale
//	[constant]   columns that the scaler takes for constant, the distances that count as 0
//	kernel       the kernel as text, hexadecimal numbers; whether it is centred
//	rows         the training rows, n×d, as the kernel sees them; 0×0 if precomputed
//	alpha        n×p coefficients
//	[centring]   the means of the kernel matrix
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

// methodEmbeddings names the embedding of each method.
var methodEmbeddings = map[string]string{
	"kfda":       kernelEmbeddingKind,
	"lda":        linearEmbeddingKind,
	"kpca":       kernelEmbeddingKind,
	"ridge":      offsetEmbeddingKind,
	"regression": offsetEmbeddingKind,
	"svm":        machineEmbeddingKind,
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
// damaged or made by hand gives an error that names the section and the field,
// labels of another kind than L a *[LabelTypeError]. It allocates at most 16 bytes for
// each byte of the file, and 64 KiB; what a feature map that the program has registered
// makes of the rows comes to that.
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
	misuse.NotNil("discriminant: Load", "the reader", r)
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
	m.encodeHead(&w, labelKind[L](), m.rule.kind())
	e := w.section("classes", true)
	for j, l := range m.classes {
		encodeLabel(e, l)
		e.Count("count", m.counts[j])
	}
	if err := m.encodeBody(&w); err != nil {
		return nil, err
	}
	return w.finish()
}

// encodeHead appends the section that says what the others are.
func (f *fitted) encodeHead(w *fileWriter, labels uint64, rule string) {
	e := w.section("model", true)
	e.String("method", f.method.name)
	e.String("embedding", f.pipeline.embedding.kind())
	e.String("rule", rule)
	e.Uint64("label kind", labels)
	e.Count("classes", len(f.counts))
	e.Count("components", f.Components())
	e.Count("rows", f.training.Rows)
	e.Count("columns", f.training.Cols)
	e.String("sha256", string(f.training.SHA256[:]))
	scaling := NoScaling
	if s := f.Scaler(); s != nil {
		scaling = s.kind
	}
	e.Uint64("scaling", uint64(scaling))
}

// encodeBody appends what a model has with or without classes.
func (f *fitted) encodeBody(w *fileWriter) error {
	if s := f.Scaler(); s != nil {
		s.encode(w)
	}
	if err := f.pipeline.embedding.encode(w); err != nil {
		return err
	}
	if f.method != methodSVM {
		w.section("eigenvalues", true).Floats("eigenvalues", f.lambda)
		if f.method == methodKernelPCA {
			f.pca.encode(w, f.kfda.priors)
		} else {
			f.kfda.encode(w)
		}
		f.kfda.certificate.encode(w)
	}
	if f.rule != nil {
		if err := f.rule.encode(w); err != nil {
			return err
		}
	}
	e := w.section("notes", false)
	e.Count("notes", len(f.notes))
	for _, key := range f.noteKeys() {
		e.String("key", key)
		e.String("text", f.notes[key])
	}
	return nil
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

// fileHead is what the section "model" says.
type fileHead struct {
	fileShape
	method, embedding, rule string
	labels                  uint64
	scaling                 Scaling
	training                Training
}

func decodeHead(r *fileReader) (fileHead, error) {
	h := fileHead{}
	d := r.section("model")
	h.method, h.embedding, h.rule = d.String("method"), d.String("embedding"), d.String("rule")
	h.labels = d.Uint64("label kind")
	h.classes, h.components = d.Uint64("classes"), d.Uint64("components")
	h.rows, h.cols = d.Uint64("rows"), d.Uint64("columns")
	hash := d.String("sha256")
	h.scaling = Scaling(min(d.Uint64("scaling"), 255))
	switch {
	case methodEmbeddings[h.method] == "":
		d.Fail("method", fmt.Sprintf("%q is not a method that this program knows", h.method))
	case methodEmbeddings[h.method] != h.embedding:
		d.Fail("embedding", fmt.Sprintf("%q is not that of the method %q", h.embedding, h.method))
	case h.labels != 0 && labelKindNames[h.labels] == "":
		d.Fail("label kind", fmt.Sprintf("%d is not a kind of label", h.labels))
	case !h.plausible():
		d.Fail("classes", fmt.Sprintf("%d rows, %d classes and %d components don't go together in the method %q", h.rows, h.classes, h.components, h.method))
	case (h.rule == ridgeRuleKind) != (h.method == "ridge"), (h.rule == "") != (h.classes == 0):
		d.Fail("rule", fmt.Sprintf("%q is not a rule of the method %q with %d classes", h.rule, h.method, h.classes))
	case max(h.rows, h.cols) > min(maxRows, math.MaxInt):
		d.Fail("rows", fmt.Sprintf("%d×%d is not the shape of a table", h.rows, h.cols))
	case len(hash) != len(h.training.SHA256):
		d.Fail("sha256", fmt.Sprintf("%s, want %d", plural.Count(len(hash), "byte"), len(h.training.SHA256)))
	case h.scaling > MinMax:
		d.Fail("scaling", "not a kind of scaling")
	}
	if err := d.Close(); err != nil {
		return h, err
	}
	h.training = Training{Rows: int(h.rows), Cols: int(h.cols), SHA256: [32]byte([]byte(hash))}
	return h, nil
}

// plausible reports whether the numbers of rows, classes and components go
// together.
func (h fileHead) plausible() bool {
	if h.components < 1 || h.rows < 1 || (h.labels == 0) != (h.classes == 0) {
		return false
	}
	if h.classes > 0 && (h.classes < 2 || h.rows < h.classes) {
		return false
	}
	switch h.method {
	case "kfda", "lda":
		return h.classes > 0 && h.components <= h.classes-1
	case "kpca":
		return h.components <= h.rows-1
	case "ridge":
		return h.classes == 2 && h.components == 1 || h.classes > 2 && h.components == h.classes
	case "svm":
		return h.classes > 0 && h.components == h.classes*(h.classes-1)/2 && h.rule == votingKind
	}
	return h.classes == 0
}

// decodeBody makes a model of the sections after the head and the classes.
func decodeBody(r *fileReader, h fileHead) (*fitted, error) {
	f := &fitted{method: methods[h.method], training: h.training, pipeline: &pipeline{}}
	var err error
	if h.scaling != NoScaling {
		if f.pipeline.scaler, err = decodeScaler(r, h.scaling, h.cols); err != nil {
			return nil, err
		}
	}
	if f.pipeline.embedding, err = decodeEmbedding(h.embedding, r, h.fileShape); err != nil {
		return nil, err
	}
	if h.method != "svm" {
		if err := f.decodeSolution(r, h); err != nil {
			return nil, err
		}
	}
	if h.classes > 0 {
		if f.rule, err = decodeRule(h.rule, r, h.fileShape); err != nil {
			return nil, err
		}
	}
	if f.notes, err = decodeNotes(r); err != nil {
		return nil, err
	}
	return f, r.finish()
}

// decodeSolution reads what a model of an eigenvalue problem or a ridge has.
func (f *fitted) decodeSolution(r *fileReader, h fileHead) error {
	want := h.components
	if h.embedding == offsetEmbeddingKind {
		want = 0
	}
	d := r.section("eigenvalues")
	if f.lambda = d.Floats("eigenvalues"); uint64(len(f.lambda)) != want {
		d.Fail("eigenvalues", fmt.Sprintf("%s, want %d", plural.Count(len(f.lambda), "eigenvalue"), want))
	}
	err := d.Close()
	if err != nil {
		return err
	}
	if h.method == "kpca" {
		f.pca, f.kfda.priors, err = decodePCA(r, f, h.classes)
	} else {
		f.kfda, err = decodeKFDA(r, h.method, h.classes)
	}
	if err != nil {
		return err
	}
	f.kfda.certificate, err = decodeCertificate(r)
	return err
}

// decodeFile makes a model with classes of the sections and checks that they
// agree.
func decodeFile[L Label](sections []section.Section) (*Model[L], error) {
	r := newFileReader(sections)
	h, err := decodeHead(r)
	if err != nil {
		return nil, err
	}
	if h.classes == 0 {
		return nil, &section.FormatError{Section: "model", Field: "classes", Reason: fmt.Sprintf("a model of the method %q without classes: LoadPCA or LoadRegression reads it", h.method)}
	}
	if h.labels != labelKind[L]() {
		return nil, &LabelTypeError{File: labelKindNames[h.labels], Want: reflect.TypeFor[L]().String()}
	}
	m := &Model[L]{}
	d := r.section("classes")
	counts, err := decodeClasses(d, m, h.classes, h.rows)
	if err != nil {
		return nil, err
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	if m.fitted, err = decodeBody(r, h); err != nil {
		return nil, err
	}
	m.counts = counts
	return m, nil
}

// fileShape is what the sections of a file must agree on.
type fileShape struct {
	rows, cols          uint64 // of the training table
	classes, components uint64
}

func decodeEmbedding(kind string, r *fileReader, s fileShape) (embedding, error) {
	switch kind {
	case kernelEmbeddingKind:
		return decodeKernelEmbedding(r, s)
	case linearEmbeddingKind:
		return decodeLinearEmbedding(r, s)
	case offsetEmbeddingKind:
		return decodeOffsetEmbedding(r, s)
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
	case ridgeRuleKind:
		return ridgeRule{}, nil
	case votingKind:
		return decodeVotingRule(r, s)
	case machineRuleKind:
		return decodeMachineRule(r, s)
	}
	return nil, &section.FormatError{Section: "model", Field: "rule", Reason: fmt.Sprintf("%q is not a rule that this program knows", kind)}
}

// maxRows bounds the numbers of rows and columns in a file.
const maxRows = 1 << 40

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

func decodeClasses[L Label](d *section.Decoder, m *Model[L], classes, rows uint64) (counts []int, err error) {
	sum := uint64(0)
	seen := make(map[L]bool)
	for range classes {
		l, ok := decodeLabel[L](d)
		count := d.Uint64("count")
		if d.Err() != nil {
			return nil, d.Err()
		}
		if !ok {
			return nil, &LabelTypeError{File: labelKindNames[labelKind[L]()], Want: reflect.TypeFor[L]().String()}
		}
		if seen[l] {
			d.Fail("label", fmt.Sprintf("%v stands there twice", l))
		}
		if count == 0 || count > rows-sum {
			d.Fail("count", fmt.Sprintf("class %v has %d of the %d rows", l, count, rows))
			return nil, d.Err()
		}
		seen[l] = true
		sum += count
		m.classes, counts = append(m.classes, l), append(counts, int(count))
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
	return counts, d.Err()
}

// fileReader hands out sections by name.
type fileReader struct {
	size     int // bytes of all sections
	sections map[string]section.Section
	order    []string
	used     map[string]bool
}

func newFileReader(sections []section.Section) *fileReader {
	r := &fileReader{sections: make(map[string]section.Section), used: make(map[string]bool)}
	for _, s := range sections {
		r.sections[s.Name] = s
		r.order = append(r.order, s.Name)
		r.size += len(s.Data)
	}
	return r
}

// evaluator makes the evaluator of a kernel for the rows of a section.
func (r *fileReader) evaluator(kernel gram.Kernel, x *matrix.Dense, name string) (*gram.Evaluator, error) {
	const most = 8 // bytes for each of the file
	if _, bytes := gram.Kept(kernel, x.Rows, x.Cols); bytes > float64(most*float64(r.size)) {
		return nil, &section.FormatError{Section: name, Field: "rows", Reason: fmt.Sprintf("the parts of the kernel would take %s of memory for them, which is more than %d times the file", bytesText(bytes), most)}
	}
	e, err := gram.NewEvaluator(kernel, x)
	if err != nil {
		return nil, &section.FormatError{Section: name, Field: "rows", Reason: err.Error()}
	}
	return e, nil
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
