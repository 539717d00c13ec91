package export

import (
	"fmt"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/formula"
	"github.com/seed92411348/kfda/matrix"
)

// ONNX returns the model as a graph of the operators of opset 13, in double precision. Its
// input is x, rows × features; its output is the prediction of a regression, or its outputs are projection; label, the number of the class; class,
// its name; and scores: the probabilities of the classes, where the model knows them, else what
// the class is the largest of.
func (m *Model) ONNX() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	const most = 20 // classes whose pairs are coupled, in nodes in proportion to their cube
	if m.Rule.Sigmoids != nil && m.Classes > most {
		return nil, fmt.Errorf("the probabilities of machines for %d classes make too large a graph (at most %d); fit without --probability", m.Classes, most)
	}
	g := &graph{inputs: []message{value("x", doubleType, m.Inputs)}}
	x := "x"
	if m.Prepared != nil {
		x = m.prepared(g, x)
	}
	if m.Scaling != nil {
		x = g.scaled(x, m.Scaling)
	}
	z := m.projection(g, x)
	if m.Labels == nil {
		g.output(z, "prediction", doubleType, m.Components)
		return g.model(), nil
	}
	scores, width, label := m.scores(g, z)
	g.output(z, "projection", doubleType, m.Components)
	g.output(scores, "scores", doubleType, width)
	g.output(label, "label", int64Type)
	g.output(g.op("Gather", g.tensor(stringType, nil, m.Labels, len(m.Labels)), label), "class", stringType)
	return g.model(), nil
}

func (g *graph) scaled(x string, s *formula.Scaling) string {
	v := g.op("Sub", x, g.row(s.Shift))
	for _, r := range s.Rounding {
		if r >= 0 {
			v = g.op("Where", g.op("LessOrEqual", g.op("Abs", v), g.row(s.Rounding)), g.number(0), v)
			break
		}
	}
	return g.op("Div", v, g.row(s.Scale))
}

func (m *Model) projection(g *graph, x string) string {
	var z string
	switch {
	case m.Machines != nil:
		return g.machines(x, m.Machines)
	case m.Kernel != nil:
		k := g.kernel(x, m.Kernel, m.Rows)
		if c := m.Centring; c != nil {
			k = g.op("Sub", k, g.number(c.Shift))
			var mean string
			if c.Shares == nil {
				mean = g.node("ReduceMean", 1, []string{k}, axes(1), keep(1))
			} else {
				mean = g.op("MatMul", k, g.matrix(matrix.Column(c.Shares)))
			}
			k = g.op("Add", g.op("Sub", k, g.op("Add", mean, g.row(c.Means))), g.number(c.Mean))
		}
		z = g.op("MatMul", k, g.matrix(m.Alpha))
	default:
		z = g.op("MatMul", g.op("Sub", x, g.row(m.Origin)), g.matrix(m.Weights))
	}
	if m.Offset != nil {
		z = g.op("Add", z, g.row(m.Offset))
	}
	return z
}

// differences are those of each row of x from each of y, rows × rows of y × columns.
func (g *graph) differences(x string, y *matrix.Dense) (wide, d string) {
	wide = g.op("Unsqueeze", x, g.ints(1))
	return wide, g.op("Sub", wide, g.matrix(y))
}

func (g *graph) squares(x string, y *matrix.Dense) string {
	_, d := g.differences(x, y)
	return g.node("ReduceSumSquare", 1, []string{d}, axes(2), keep(0))
}

func (g *graph) sum(x string, k, keepdims int) string {
	return g.node("ReduceSum", 1, []string{x, g.ints(k)}, keep(keepdims))
}

// kernel returns the values of a kernel between the rows of x and of y.
func (g *graph) kernel(x string, k gram.Kernel, y *matrix.Dense) string {
	decay := func(distance string, gamma float64) string {
		return g.op("Exp", g.op("Mul", distance, g.number(-gamma)))
	}
	dot := func() string { return g.op("MatMul", x, g.transposed(y)) }
	affine := func(gamma, coef0 float64) string {
		return g.op("Add", g.op("Mul", dot(), g.number(gamma)), g.number(coef0))
	}
	fold := func(op string, parts []gram.Kernel) string {
		v := g.kernel(x, parts[0], y)
		for _, p := range parts[1:] {
			v = g.op(op, v, g.kernel(x, p, y))
		}
		return v
	}
	switch k := k.(type) {
	case gram.RBF:
		return decay(g.squares(x, y), k.Gamma)
	case gram.Laplacian:
		_, d := g.differences(x, y)
		return decay(g.sum(g.op("Abs", d), 2, 0), k.Gamma)
	case gram.ChiSquared:
		wide, d := g.differences(x, y)
		terms := g.op("Mul", d, g.op("Div", d, g.op("Add", wide, g.matrix(y))))
		return decay(g.sum(g.op("Where", g.op("Equal", d, g.number(0)), g.number(0), terms), 2, 0), k.Gamma)
	case gram.Polynomial:
		t := affine(k.Gamma, k.Coef0)
		v := t
		for range k.Degree - 1 {
			v = g.op("Mul", v, t)
		}
		return v
	case gram.Sigmoid:
		return g.op("Tanh", affine(k.Gamma, k.Coef0))
	case gram.Cosine:
		norms := make([]float64, y.Rows)
		for i := range norms {
			norms[i] = matrix.Dot(y.Row(i), y.Row(i))
		}
		q := g.op("Mul", g.node("ReduceSumSquare", 1, []string{x}, axes(1), keep(1)), g.row(norms))
		v := g.op("Max", g.op("Min", g.op("Div", dot(), g.op("Sqrt", q)), g.number(1)), g.number(-1))
		return g.op("Where", g.op("Equal", q, g.number(0)), g.number(0), v)
	case gram.Scaled:
		return g.op("Mul", g.kernel(x, k.Kernel, y), g.number(k.Factor))
	case gram.Sum:
		return fold("Add", k.Terms)
	case gram.Product:
		return fold("Mul", k.Factors)
	}
	return dot()
}

// machines returns the values of machines, whose coefficients become one matrix.
func (g *graph) machines(x string, v *formula.Machines) string {
	all := matrix.New(v.Rows.Rows, len(v.Biases))
	starts := make([]int, len(v.Counts)+1)
	for j, n := range v.Counts {
		starts[j+1] = starts[j] + n
	}
	p := 0
	for a := range v.Counts {
		for b := a + 1; b < len(v.Counts); b++ {
			for i := starts[a]; i < starts[a+1]; i++ {
				all.Set(i, p, v.Coefficients.At(i, b-1))
			}
			for i := starts[b]; i < starts[b+1]; i++ {
				all.Set(i, p, v.Coefficients.At(i, a))
			}
			p++
		}
	}
	return g.op("Add", g.op("MatMul", g.kernel(x, v.Kernel, v.Rows), g.matrix(all)), g.row(v.Biases))
}
