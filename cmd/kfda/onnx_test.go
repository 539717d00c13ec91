package main

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// An evaluator of the operators that graphs of kfda have, by the text of the specification: all
// numbers are float64.

type tensor struct {
	dims  []int
	data  []float64
	texts []string
}

func size(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// fields are those of a message: varints as numbers, all else as bytes.
func fields(t *testing.T, b []byte, each func(field protowire.Number, v uint64, b []byte)) {
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		b = b[max(n, 0):]
		var v uint64
		var bytes []byte
		if kind == protowire.VarintType {
			v, n = protowire.ConsumeVarint(b)
		} else {
			bytes, n = protowire.ConsumeBytes(b)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		each(field, v, bytes)
		b = b[n:]
	}
}

func constant(t *testing.T, b []byte) (name string, c tensor) {
	var kind uint64
	var raw []byte
	fields(t, b, func(field protowire.Number, v uint64, b []byte) {
		switch field {
		case 1:
			c.dims = append(c.dims, int(v))
		case 2:
			kind = v
		case 6:
			c.texts = append(c.texts, string(b))
		case 8:
			name = string(b)
		case 9:
			raw = b
		}
	})
	for len(raw) > 0 {
		switch kind {
		case 7:
			c.data, raw = append(c.data, float64(int64(binary.LittleEndian.Uint64(raw)))), raw[8:]
		case 11:
			c.data, raw = append(c.data, math.Float64frombits(binary.LittleEndian.Uint64(raw))), raw[8:]
		default:
			c.data, raw = append(c.data, float64(raw[0])), raw[1:]
		}
	}
	return name, c
}

// spread is a with the dimensions of dims.
func (a tensor) spread(dims []int) []float64 {
	out := make([]float64, size(dims))
	for i := range out {
		at, step, rest := 0, 1, i
		for k := len(dims) - 1; k >= 0; k-- {
			j := k - (len(dims) - len(a.dims))
			if j >= 0 {
				if a.dims[j] > 1 {
					at += rest % dims[k] * step
				}
				step *= a.dims[j]
			}
			rest /= dims[k]
		}
		out[i] = a.data[at]
	}
	return out
}

func together(all ...tensor) (dims []int) {
	for _, a := range all {
		for len(dims) < len(a.dims) {
			dims = append([]int{1}, dims...)
		}
		for j, d := range a.dims {
			k := j + len(dims) - len(a.dims)
			dims[k] = max(dims[k], d)
		}
	}
	return dims
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var unary = map[string]func(float64) float64{
	"Abs": math.Abs, "Neg": func(v float64) float64 { return -v }, "Exp": math.Exp, "Tanh": math.Tanh, "Sqrt": math.Sqrt,
	"IsNaN": func(v float64) float64 { return flag(v != v) }, "Cast": func(v float64) float64 { return v },
}

var binaryOps = map[string]func(a, b float64) float64{
	"Add": func(a, b float64) float64 { return a + b }, "Sub": func(a, b float64) float64 { return a - b },
	"Mul": func(a, b float64) float64 { return a * b }, "Div": func(a, b float64) float64 { return a / b },
	"Max": math.Max, "Min": math.Min,
	"Equal": func(a, b float64) float64 { return flag(a == b) }, "Less": func(a, b float64) float64 { return flag(a < b) },
	"Greater": func(a, b float64) float64 { return flag(a > b) }, "LessOrEqual": func(a, b float64) float64 { return flag(a <= b) },
}

// along calls f with the lines of a along an axis and returns what it makes of them.
func (a tensor) along(axis int, f func(line []float64) []float64) tensor {
	inner, n := size(a.dims[axis+1:]), a.dims[axis]
	outer := size(a.dims[:axis])
	var out tensor
	for o := range outer {
		for i := range inner {
			line := make([]float64, n)
			for k := range line {
				line[k] = a.data[(o*n+k)*inner+i]
			}
			made := f(line)
			if out.dims == nil {
				out.dims = slices.Clone(a.dims)
				out.dims[axis] = len(made)
				out.data = make([]float64, size(out.dims))
			}
			for k, v := range made {
				out.data[(o*len(made)+k)*inner+i] = v
			}
		}
	}
	return out
}

func matMul(a, b tensor) tensor {
	m, k, n := a.dims[len(a.dims)-2], a.dims[len(a.dims)-1], b.dims[len(b.dims)-1]
	batch := together(tensor{dims: a.dims[:len(a.dims)-2]}, tensor{dims: b.dims[:len(b.dims)-2]})
	as := tensor{dims: a.dims, data: a.data}.spread(append(slices.Clone(batch), m, k))
	bs := tensor{dims: b.dims, data: b.data}.spread(append(slices.Clone(batch), k, n))
	out := tensor{dims: append(batch, m, n)}
	for g := range size(batch) {
		for i := range m {
			for j := range n {
				s := 0.0
				for l := range k {
					s += as[(g*m+i)*k+l] * bs[(g*k+l)*n+j]
				}
				out.data = append(out.data, s)
			}
		}
	}
	return out
}

func reduce(kind string, line []float64) []float64 {
	s := 0.0
	for _, v := range line {
		if kind == "ReduceSumSquare" {
			v *= v
		}
		s += v
	}
	if kind == "ReduceMean" {
		s /= float64(len(line))
	}
	return []float64{s}
}

func argMax(line []float64) []float64 {
	return []float64{float64(slices.Index(line, slices.Max(line)))}
}

func softmax(line []float64) []float64 {
	top, sum := slices.Max(line), 0.0
	for k, v := range line {
		line[k] = math.Exp(v - top)
		sum += line[k]
	}
	for k := range line {
		line[k] /= sum
	}
	return line
}

// drop is a without dimensions of length 1.
func drop(a tensor, axes []int) tensor {
	slices.Sort(axes)
	a.dims = slices.Clone(a.dims)
	for i := len(axes) - 1; i >= 0; i-- {
		a.dims = slices.Delete(a.dims, axes[i], axes[i]+1)
	}
	return a
}

// node evaluates one operator.
func node(t *testing.T, kind string, in []tensor, ints map[string][]int) tensor {
	if f := unary[kind]; f != nil {
		out := tensor{dims: in[0].dims}
		for _, v := range in[0].data {
			out.data = append(out.data, f(v))
		}
		return out
	}
	if f := binaryOps[kind]; f != nil {
		out := tensor{dims: together(in...)}
		b := in[1].spread(out.dims)
		for i, v := range in[0].spread(out.dims) {
			out.data = append(out.data, f(v, b[i]))
		}
		return out
	}
	axis := append(ints["axis"], 0)[0]
	switch kind {
	case "Identity":
		return in[0]
	case "Where":
		out := tensor{dims: together(in...)}
		a, b := in[1].spread(out.dims), in[2].spread(out.dims)
		for i, v := range in[0].spread(out.dims) {
			if v != 0 {
				b[i] = a[i]
			}
		}
		out.data = b
		return out
	case "MatMul":
		return matMul(in[0], in[1])
	case "Softmax":
		return in[0].along(axis, softmax)
	case "ArgMax":
		return drop(in[0].along(axis, argMax), []int{axis})
	case "TopK":
		return in[0].along(axis, func(line []float64) []float64 { slices.Sort(line); return line[:int(in[1].data[0])] })
	case "Unsqueeze":
		in[0].dims = slices.Insert(slices.Clone(in[0].dims), int(in[1].data[0]), 1)
		return in[0]
	case "Squeeze":
		return drop(in[0], []int{int(in[1].data[0])})
	}
	return rearranged(t, kind, in, ints, axis)
}

// rearranged are the operators that choose, join or sum elements.
func rearranged(t *testing.T, kind string, in []tensor, ints map[string][]int, axis int) tensor {
	switch kind {
	case "Gather":
		if in[0].texts != nil {
			var out tensor
			for _, k := range in[1].data {
				out.texts = append(out.texts, in[0].texts[int(k)])
			}
			return out
		}
		return in[0].along(axis, func(line []float64) (some []float64) {
			for _, k := range in[1].data {
				some = append(some, line[int(k)])
			}
			return some
		})
	case "Concat":
		out := tensor{dims: []int{in[0].dims[0], 0}}
		for i := range in[0].dims[0] {
			for _, a := range in {
				out.data = append(out.data, a.data[i*a.dims[1]:(i+1)*a.dims[1]]...)
			}
		}
		out.dims[1] = len(out.data) / out.dims[0]
		return out
	case "ReduceSum", "ReduceMean", "ReduceSumSquare":
		axes, out := ints["axes"], in[0]
		if len(in) > 1 {
			axes = []int{int(in[1].data[0])}
		}
		for i, k := range axes {
			step := kind
			if i > 0 {
				step = "ReduceSum"
			}
			out = out.along(k, func(line []float64) []float64 { return reduce(step, line) })
		}
		if ints["keepdims"][0] == 0 {
			out = drop(out, slices.Clone(axes))
		}
		return out
	}
	t.Fatalf("operator %s", kind)
	return tensor{}
}

// evaluate runs a graph on rows.
func evaluate(t *testing.T, model []byte, x [][]float64) map[string]tensor {
	values := map[string]tensor{}
	in := tensor{dims: []int{len(x), len(x[0])}}
	for _, row := range x {
		in.data = append(in.data, row...)
	}
	values["x"] = in
	var graph []byte
	fields(t, model, func(field protowire.Number, _ uint64, b []byte) {
		if field == 7 {
			graph = b
		}
	})
	fields(t, graph, func(field protowire.Number, _ uint64, b []byte) {
		if field == 5 {
			name, c := constant(t, b)
			values[name] = c
		}
	})
	fields(t, graph, func(field protowire.Number, _ uint64, b []byte) {
		if field != 1 {
			return
		}
		var kind, out string
		var in []tensor
		ints := map[string][]int{}
		fields(t, b, func(field protowire.Number, _ uint64, b []byte) {
			switch field {
			case 1:
				v, ok := values[string(b)]
				if !ok {
					t.Fatalf("no value %s", b)
				}
				in = append(in, v)
			case 2:
				if out == "" {
					out = string(b)
				}
			case 4:
				kind = string(b)
			case 5:
				var name string
				var list []int
				fields(t, b, func(field protowire.Number, v uint64, b []byte) {
					switch field {
					case 1:
						name = string(b)
					case 3, 8:
						list = append(list, int(v))
					}
				})
				ints[name] = list
			}
		})
		values[out] = node(t, kind, in, ints)
	})
	return values
}

// A graph gives the projections, classes and probabilities of its model, but for rounding.
func TestExportedONNX(t *testing.T) {
	all := exportRows(t, 1000)
	for name, flags := range exported {
		rows := rowsFor(name, all)[150:250] // the last of them are not wines
		path := exportedModel(t, name, flags)
		m := load(t, path)
		got := evaluate(t, []byte(works(t, "export", path, "--format", "onnx", "-o", "-")), rows)
		largest := 0.0
		for i, want := range computed(t, m, rows) {
			if m.numbers != nil {
				largest = max(largest, math.Abs(got["prediction"].data[i]-want[0])/max(1, math.Abs(want[0])))
				continue
			}
			p := m.Components()
			for k, v := range want[:p] {
				largest = max(largest, math.Abs(got["projection"].data[i*p+k]-v)/max(1, math.Abs(v)))
			}
			if code := int(want[p]); int(got["label"].data[i]) != code || got["class"].texts[i] != m.Classes()[code] {
				t.Errorf("%s, row %d: class %v %q, want %d", name, i, got["label"].data[i], got["class"].texts[i], code)
			}
			for j, v := range want[p+1:] {
				largest = max(largest, math.Abs(got["scores"].data[i*len(m.Classes())+j]-v))
			}
		}
		if !(largest <= 2e-6) {
			t.Errorf("%s (%s): the largest difference is %.2g", name, strings.TrimSpace(flags), largest)
		}
	}
}
