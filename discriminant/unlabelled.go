package discriminant

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/seed92411348/kfda/internal/formula"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// unlabelled is what models without classes have in common.
type unlabelled struct {
	f *fitted // no counts and no rule
}

// Dim returns the number of columns that a row must have: the features of the
// training rows or, for a precomputed kernel, their number.
func (m unlabelled) Dim() int { return m.f.Dim() }

// Preparation returns what a fit of [Prepared] learnt of the columns, or nil for another.
func (m unlabelled) Preparation() *Preparation { return m.f.Preparation() }

// Scaler returns the scaling of the features, or nil where there is none.
func (m unlabelled) Scaler() *Scaler { return m.f.Scaler() }

// Training returns the shape and a hash of the table of the fit: of its rows, as
// float64 little-endian, each followed by its targets, where there are such.
func (m unlabelled) Training() Training { return m.f.Training() }

// Note returns the text under a key, and whether there is one.
func (m unlabelled) Note(key string) (text string, ok bool) { return m.f.Note(key) }

// Formula is [Model.Formula].
func (m unlabelled) Formula() *formula.Model { return m.f.Formula() }

// trainingOf identifies a table without classes; targets may be nil.
func trainingOf(x, targets *matrix.Dense) Training {
	h := sha256.New()
	var buffer []byte
	for i := range x.Rows {
		buffer = appendCells(buffer[:0], x.Row(i))
		if targets != nil {
			buffer = appendCells(buffer, targets.Row(i))
		}
		h.Write(buffer)
	}
	t := Training{Rows: x.Rows, Cols: x.Cols}
	h.Sum(t.SHA256[:0])
	return t
}

// WriteTo writes the model in the format of [Model.WriteTo]. The same fit gives
// the same bytes on every platform. A kernel that is a Go function can't be
// written: the error is then a *[gram.UnsavableError].
func (m unlabelled) WriteTo(w io.Writer) (int64, error) {
	m.f.needs("WriteTo")
	sections, err := m.sections()
	if err != nil {
		return 0, err
	}
	return section.Write(w, sections)
}

func (m unlabelled) sections() ([]section.Section, error) { return m.f.write(0, nil) }

// MarshalBinary returns what WriteTo writes.
func (m unlabelled) MarshalBinary() ([]byte, error) {
	m.f.needs("MarshalBinary")
	sections, err := m.sections()
	if err != nil {
		return nil, err
	}
	return section.Marshal(sections)
}

// readUnlabelled reads a model of the method without classes, to the end of r.
func readUnlabelled(r io.Reader, method *methodFacts) (*fitted, int64, error) {
	c, h, n, err := readHead(r)
	if err != nil {
		return nil, n, err
	}
	f, err := h.unlabelled(c, method)
	return f, n, err
}

// unlabelled is readUnlabelled after the head.
func (h fileHead) unlabelled(c *codec, method *methodFacts) (*fitted, error) {
	if h.method != method.name || h.classes != 0 {
		return nil, &section.FormatError{Section: "model", Field: "method", Reason: fmt.Sprintf("%q with %d classes, want %q without classes", h.method, h.classes, method.name)}
	}
	f := h.fitted()
	return f, f.read(c, h)
}

// LoadPCA reads a model that its WriteTo wrote, to the end of r. A file that is
// damaged or made by hand gives an error that names the section and the field.
func LoadPCA(r io.Reader) (*PCA, error) {
	p := new(PCA)
	if _, err := p.ReadFrom(r); err != nil {
		return nil, err
	}
	return p, nil
}

// ReadFrom is [LoadPCA] into p, which is changed only where there is no error. It
// returns the number of bytes read.
func (p *PCA) ReadFrom(r io.Reader) (int64, error) {
	f, n, err := readUnlabelled(r, methodKernelPCA)
	if err == nil {
		*p = *newPCA(f)
	}
	return n, err
}

// UnmarshalBinary is [LoadPCA] from bytes, into a zero PCA.
func (p *PCA) UnmarshalBinary(data []byte) error {
	_, err := p.ReadFrom(bytes.NewReader(data))
	return err
}

// LoadRegression reads a model that its WriteTo wrote, to the end of r. A file
// that is damaged or made by hand gives an error that names the section and the
// field.
func LoadRegression(r io.Reader) (*Regression, error) {
	m := new(Regression)
	if _, err := m.ReadFrom(r); err != nil {
		return nil, err
	}
	return m, nil
}

// ReadFrom is [LoadRegression] into m, which is changed only where there is no
// error. It returns the number of bytes read.
func (m *Regression) ReadFrom(r io.Reader) (int64, error) {
	f, n, err := readUnlabelled(r, methodRegression)
	if err == nil {
		*m = *newRegression(f)
	}
	return n, err
}

// UnmarshalBinary is [LoadRegression] from bytes, into a zero Regression.
func (m *Regression) UnmarshalBinary(data []byte) error {
	_, err := m.ReadFrom(bytes.NewReader(data))
	return err
}

// LoadEither reads what a model of classes or a [Regression] wrote: one of them is nil. The
// errors are those of [Load].
func LoadEither[L Label](r io.Reader) (*Model[L], *Regression, error) {
	c, h, _, err := readHead(r)
	if err != nil {
		return nil, nil, err
	}
	if h.method == methodRegression.name && h.classes == 0 {
		f, err := h.unlabelled(c, methodRegression)
		if err != nil {
			return nil, nil, err
		}
		return nil, newRegression(f), nil
	}
	m := new(Model[L])
	if err := m.readFrom(c, h); err != nil {
		return nil, nil, err
	}
	return m, nil, nil
}
