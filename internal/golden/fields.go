package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/matrix"
)

// Fields is one part of a golden file: named values. Its methods panic when a
// field is missing or is of another type, which is a mistake in the test.
type Fields struct {
	where string // for messages: "kfda/seven_rbf_1: input"
	dir   string // folder of the file, for CSV files beside it
	raw   map[string]json.RawMessage
}

// Has reports whether the field is present.
func (f Fields) Has(name string) bool { _, ok := f.raw[name]; return ok }

// Matrix returns a field that is a list of rows of equal length. Where the field
// is missing and a field of that name with "_csv" appended names a CSV file
// beside the problem, the matrix is read from there (X_csv in folder medium).
func (f Fields) Matrix(name string) *matrix.Dense {
	if !f.Has(name) && f.Has(name+"_csv") {
		header, m := f.CSV(name + "_csv")
		if header != nil {
			f.fail(name+"_csv", "the CSV file has a header")
		}
		return m
	}
	m, err := matrix.FromRows(f.Rows(name))
	if err != nil {
		f.fail(name, err.Error())
	}
	return m
}

// Rows returns a field that is a list of rows, which may differ in length.
func (f Fields) Rows(name string) [][]float64 {
	list := f.list(name)
	rows := make([][]float64, len(list))
	for i, v := range list {
		row, ok := v.([]any)
		if !ok {
			f.fail(name, "not a list of rows")
		}
		rows[i] = f.numbers(name, row)
	}
	return rows
}

// Vector returns a field that is a list of numbers.
func (f Fields) Vector(name string) []float64 { return f.numbers(name, f.list(name)) }

// Ints returns a field that is a list of integers.
func (f Fields) Ints(name string) []int {
	list := f.list(name)
	ints := make([]int, len(list))
	for i, v := range list {
		ints[i] = f.int(name, v)
	}
	return ints
}

// Float returns a field that is a number. The strings "NaN", "+Inf" and "-Inf"
// are numbers.
func (f Fields) Float(name string) float64 { return f.number(name, f.value(name)) }

// Int returns a field that is an integer.
func (f Fields) Int(name string) int { return f.int(name, f.value(name)) }

// String returns a field that is a string.
func (f Fields) String(name string) string {
	s, ok := f.value(name).(string)
	if !ok {
		f.fail(name, "not a string")
	}
	return s
}

// Bool returns a field that is true or false.
func (f Fields) Bool(name string) bool {
	b, ok := f.value(name).(bool)
	if !ok {
		f.fail(name, "neither true nor false")
	}
	return b
}

// Kernel is a kernel's name in the golden files (linear, poly, rbf, laplacian,
// sigmoid, cosine, chi2, circle_map, precomputed) with its parameters.
type Kernel struct {
	Type   string
	Params map[string]float64 // gamma, coef0, degree, as far as the kernel has them
}

// Text returns the kernel as gram.Parse reads it. The circle map, which is none of gram's,
// comes as the kernel matrix.
func (k Kernel) Text() string {
	name := k.Type
	switch k.Type {
	case "poly":
		name = "polynomial"
	case "circle_map":
		return "precomputed()"
	}
	var parameters []string
	for _, p := range []string{"gamma", "coef0", "degree"} {
		if v, ok := k.Params[p]; ok {
			parameters = append(parameters, fmt.Sprintf("%s=%v", p, v))
		}
	}
	return name + "(" + strings.Join(parameters, ", ") + ")"
}

// Kernel returns the field "kernel": an object with a type and parameters, or
// the bare type (kind svc).
func (f Fields) Kernel() Kernel {
	v := f.value("kernel")
	if name, ok := v.(string); ok {
		return Kernel{Type: name}
	}
	m, ok := v.(map[string]any)
	if !ok {
		f.fail("kernel", "not an object")
	}
	k := Kernel{Params: make(map[string]float64)}
	for name, v := range m {
		if name == "type" {
			k.Type, _ = v.(string)
		} else {
			k.Params[name] = f.number("kernel."+name, v)
		}
	}
	if k.Type == "" {
		f.fail("kernel", "no type")
	}
	return k
}

// CSV reads the file that the field names, which lies beside the problem. header
// is nil where the first line is numbers.
func (f Fields) CSV(name string) (header []string, m *matrix.Dense) {
	header, m, err := readCSV(path.Join(f.dir, f.String(name)))
	if err != nil {
		f.fail(name, err.Error())
	}
	return header, m
}

// CSV reads a file of numbers, such as "lda/iris.csv", without its header if it has one.
func CSV(t testing.TB, name string) *matrix.Dense {
	t.Helper()
	_, m, err := readCSV(name)
	if err != nil {
		t.Fatalf("golden: %s: %v", name, err)
	}
	return m
}

func readCSV(name string) (header []string, m *matrix.Dense, err error) {
	b, err := files.ReadFile(path.Join("testdata", name))
	if err != nil {
		return nil, nil, err
	}
	var rows [][]float64
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		cells := strings.Split(line, ",")
		row := make([]float64, len(cells))
		for j, cell := range cells {
			if row[j], err = strconv.ParseFloat(cell, 64); err != nil {
				break
			}
		}
		switch {
		case err == nil:
			rows = append(rows, row)
		case i == 0:
			header = cells
		default:
			return nil, nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	m, err = matrix.FromRows(rows)
	return header, m, err
}

func (f Fields) value(name string) any {
	raw, ok := f.raw[name]
	if !ok {
		f.fail(name, "no such field")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		f.fail(name, err.Error())
	}
	return v
}

func (f Fields) list(name string) []any {
	list, ok := f.value(name).([]any)
	if !ok {
		f.fail(name, "not a list")
	}
	return list
}

func (f Fields) numbers(name string, list []any) []float64 {
	x := make([]float64, len(list))
	for i, v := range list {
		x[i] = f.number(name, v)
	}
	return x
}

func (f Fields) number(name string, v any) float64 {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		if v != "NaN" && v != "+Inf" && v != "-Inf" {
			f.fail(name, fmt.Sprintf("%q is not a number", v))
		}
		s = v
	default:
		f.fail(name, fmt.Sprintf("%v is not a number", v))
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		f.fail(name, err.Error())
	}
	return x
}

func (f Fields) int(name string, v any) int {
	n, ok := v.(json.Number)
	if !ok {
		f.fail(name, fmt.Sprintf("%v is not an integer", v))
	}
	i, err := strconv.Atoi(n.String())
	if err != nil {
		f.fail(name, err.Error())
	}
	return i
}

func (f Fields) fail(name, reason string) {
	panic(fmt.Sprintf("golden: %s: field %q: %s", f.where, name, reason))
}
