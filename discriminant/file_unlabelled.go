package discriminant

import (
	"bytes"
	"fmt"
	"io"

	"github.com/seed92411348/kfda/internal/section"
)

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
	if h.method != method.name || h.classes != 0 {
		return nil, n, &section.FormatError{Section: "model", Field: "method", Reason: fmt.Sprintf("%q with %d classes, want %q without classes", h.method, h.classes, method.name)}
	}
	f := h.fitted()
	return f, n, f.read(c, h)
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
