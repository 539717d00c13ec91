package worker

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// Params are the parameters of a task, key=value. The first that is missing or wrong
// is the error of the setup.
type Params struct {
	values []string
	err    error
}

// Has reports whether a parameter is given.
func (p *Params) Has(key string) bool {
	_, ok := p.find(key)
	return ok
}

func (p *Params) find(key string) (string, bool) {
	for _, v := range p.values {
		if value, ok := strings.CutPrefix(v, key+"="); ok {
			return value, true
		}
	}
	return "", false
}

// Text returns a parameter as it stands.
func (p *Params) Text(key string) string {
	v, ok := p.find(key)
	if !ok {
		p.fail(fmt.Errorf("the parameter %s is missing", key))
	}
	return v
}

// Float returns a number.
func (p *Params) Float(key string) float64 {
	v, err := strconv.ParseFloat(p.Text(key), 64)
	p.fail(err)
	return v
}

// Int returns an integer.
func (p *Params) Int(key string) int {
	v, err := strconv.Atoi(p.Text(key))
	p.fail(err)
	return v
}

func (p *Params) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// Numbers returns n numbers from the file, float64 in little-endian order, that a
// parameter names, without the first few.
func (p *Params) Numbers(key string, skip, n int) []float64 {
	x := make([]float64, n)
	file, err := os.Open(p.Text(key))
	if err != nil {
		p.fail(err)
		return x
	}
	defer file.Close()
	if _, err := file.Seek(8*int64(skip), io.SeekStart); err != nil {
		p.fail(err)
	}
	if err := binary.Read(file, binary.LittleEndian, x); err != nil {
		p.fail(fmt.Errorf("%s: %w", file.Name(), err))
	}
	return x
}

// Definite returns a symmetric positive definite n×n matrix by rows: off the diagonal
// numbers in [-1, 1), on it such a number plus n.
func Definite(n int, p *Params) []float64 {
	numbers := p.Numbers("numbers", 0, 1<<20)
	a := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			v := numbers[(i*n+j)%len(numbers)]
			a[i*n+j], a[j*n+i] = v, v
		}
		a[i*n+i] += float64(n)
	}
	return a
}

// WriteNumbers writes a file that Numbers reads.
func WriteNumbers(name string, x []float64) error {
	data := make([]byte, 0, 8*len(x))
	for _, v := range x {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return os.WriteFile(name, data, 0o644)
}
