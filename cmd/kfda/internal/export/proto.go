package export

import (
	"encoding/binary"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/seed92411348/kfda/matrix"
)

// message is a message of Protocol Buffers that is being written.
type message []byte

func (m *message) int(field protowire.Number, v int) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(v))
}

func (m *message) bytes(field protowire.Number, v []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

func (m *message) string(field protowire.Number, v string) { m.bytes(field, []byte(v)) }

// Types of elements of ONNX.
const (
	int64Type  = 7
	stringType = 8
	boolType   = 9
	doubleType = 11
)

// graph is a graph of ONNX that is being built. Values are named by numbers.
type graph struct {
	nodes, initializers []message
	inputs, outputs     []message
	names               int
}

func (g *graph) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// attribute is an integer, or a list of them.
type attribute struct {
	name string
	list bool
	ints []int
}

func axis(k int) attribute             { return attribute{"axis", false, []int{k}} }
func axes(k ...int) attribute          { return attribute{"axes", true, k} }
func keep(k int) attribute             { return attribute{"keepdims", false, []int{k}} }
func option(s string, k int) attribute { return attribute{s, false, []int{k}} }

// node adds an operator to the graph and returns the name of its first output.
func (g *graph) node(kind string, outputs int, inputs []string, attributes ...attribute) string {
	var n message
	for _, in := range inputs {
		n.string(1, in)
	}
	first := g.name()
	n.string(2, first)
	for range outputs - 1 {
		n.string(2, g.name())
	}
	n.string(4, kind)
	for _, a := range attributes {
		var at message
		at.string(1, a.name)
		if a.list {
			for _, v := range a.ints {
				at.int(8, v)
			}
			at.int(20, 7)
		} else {
			at.int(3, a.ints[0])
			at.int(20, 2)
		}
		n.bytes(5, at)
	}
	g.nodes = append(g.nodes, n)
	return first
}

// op adds an operator with one output.
func (g *graph) op(kind string, inputs ...string) string { return g.node(kind, 1, inputs) }

// tensor adds a constant and returns its name.
func (g *graph) tensor(kind int, raw []byte, texts []string, dims ...int) string {
	name := g.name()
	var t message
	for _, d := range dims {
		t.int(1, d)
	}
	t.int(2, kind)
	for _, s := range texts {
		t.string(6, s)
	}
	t.string(8, name)
	if texts == nil {
		t.bytes(9, raw)
	}
	g.initializers = append(g.initializers, t)
	return name
}

func (g *graph) doubles(values []float64, dims ...int) string {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return g.tensor(doubleType, raw, nil, dims...)
}

func (g *graph) number(v float64) string           { return g.doubles([]float64{v}) }
func (g *graph) row(values []float64) string       { return g.doubles(values, 1, len(values)) }
func (g *graph) matrix(a *matrix.Dense) string     { return g.doubles(dense(a).Data, a.Rows, a.Cols) }
func (g *graph) transposed(a *matrix.Dense) string { return g.matrix(matrix.Transpose(nil, a)) }

// dense is a with its rows one after the other.
func dense(a *matrix.Dense) *matrix.Dense {
	if a.Stride == a.Cols {
		return a
	}
	return a.Clone()
}

func (g *graph) ints(values ...int) string {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return g.tensor(int64Type, raw, nil, len(values))
}

// value describes an input or an output with any number of rows.
func value(name string, kind int, cols ...int) message {
	var shape, rows, of, t, v message
	rows.string(2, "rows")
	shape.bytes(1, rows)
	for _, n := range cols {
		var d message
		d.int(1, n)
		shape.bytes(1, d)
	}
	of.int(1, kind)
	of.bytes(2, shape)
	t.bytes(1, of)
	v.string(1, name)
	v.bytes(2, t)
	return v
}

// output gives a value a name of its own in the outputs.
func (g *graph) output(of, name string, kind int, cols ...int) {
	var n message
	n.string(1, of)
	n.string(2, name)
	n.string(4, "Identity")
	g.nodes = append(g.nodes, n)
	g.outputs = append(g.outputs, value(name, kind, cols...))
}

// model is the file of the graph.
func (g *graph) model() []byte {
	var body, opset, m message
	for _, n := range g.nodes {
		body.bytes(1, n)
	}
	body.string(2, "kfda")
	for _, t := range g.initializers {
		body.bytes(5, t)
	}
	for _, v := range g.inputs {
		body.bytes(11, v)
	}
	for _, v := range g.outputs {
		body.bytes(12, v)
	}
	opset.string(1, "")
	opset.int(2, 13)
	m.int(1, 7)
	m.string(2, "kfda")
	m.bytes(7, body)
	m.bytes(8, opset)
	return m
}
