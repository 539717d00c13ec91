package export

import (
	"github.com/seed92411348/kfda/matrix"
)

// scores returns the scores of the classes, how many there are, and the number of the class.
func (m *Model) scores(g *graph, z string) (scores string, width int, label string) {
	r, c := &m.Rule, m.Classes
	argMax := func(v string) string { return g.node("ArgMax", 1, []string{v}, axis(1), keep(0)) }
	positive := func(v string) string {
		return g.op("Squeeze", g.node("Cast", 1, []string{g.op("Greater", v, g.number(0))}, option("to", int64Type)), g.ints(1))
	}
	switch r.Kind {
	case "ridge":
		if m.Components == 1 {
			return z, 1, positive(z)
		}
		return z, c, argMax(z)
	case "threshold":
		d := g.op("Sub", g.op("Mul", z, g.number(r.Scale)), g.number(r.Threshold))
		return d, 1, positive(d)
	case "centroid":
		d := g.op("Neg", g.squares(z, r.Centroids))
		return d, c, argMax(d)
	case "gaussian", "gaussian per class", "knn":
		p := m.probabilities(g, z)
		return p, c, argMax(p)
	}
	v := z
	if r.Machines != nil {
		v = g.machines(z, r.Machines)
	}
	votes := m.votes(g, v)
	if r.Sigmoids == nil {
		return votes, c, argMax(votes)
	}
	return m.coupled(g, v), c, argMax(votes)
}

// probabilities are those of the classes from the standardised projection.
func (m *Model) probabilities(g *graph, z string) string {
	r := &m.Rule
	t := g.op("Max", g.op("Min", g.scaled(z, r.Standard), g.number(0x1p300)), g.number(-0x1p300))
	var scores string
	switch r.Kind {
	case "gaussian":
		scores = g.op("Add", g.op("MatMul", t, g.transposed(r.Coefficients)), g.row(r.Offsets))
	case "gaussian per class":
		p, c := m.Components, m.Classes
		_, d := g.differences(t, r.Means)
		d = g.op("Unsqueeze", d, g.ints(2)) // rows × classes × 1 × components
		var whitening []float64             // of each class, transposed
		for j := range c {
			whitening = append(whitening, matrix.Transpose(nil, r.Whitening.View(j*p, 0, p, p)).Data...)
		}
		y := g.op("MatMul", d, g.doubles(whitening, c, p, p))
		squares := g.node("ReduceSumSquare", 1, []string{y}, axes(2, 3), keep(0))
		scores = g.op("Sub", g.row(r.Offsets), g.op("Mul", squares, g.number(0.5)))
	default:
		return m.neighbours(g, t)
	}
	return g.node("Softmax", 1, []string{scores}, axis(1))
}

// neighbours are the shares of the votes of the nearest rows.
func (m *Model) neighbours(g *graph, t string) string {
	r := &m.Rule
	d := g.squares(t, r.Rows)
	nearest := g.node("TopK", 2, []string{d, g.ints(r.K)}, axis(1), option("largest", 0), option("sorted", 1))
	kth := g.node("Gather", 1, []string{nearest, g.ints(r.K - 1)}, axis(1))
	flags := func(op string) string {
		return g.node("Cast", 1, []string{g.op(op, d, kth)}, option("to", doubleType))
	}
	nearer, tied := flags("Less"), flags("Equal")
	classes := matrix.New(r.Rows.Rows, m.Classes)
	for i, code := range r.Codes {
		classes.Set(i, code, r.Weights[code])
	}
	of := g.matrix(classes)
	left := g.op("Sub", g.number(float64(r.K)), g.sum(nearer, 1, 1))
	votes := g.op("Add",
		g.op("Mul", g.op("MatMul", nearer, of), g.sum(tied, 1, 1)),
		g.op("Mul", g.op("MatMul", tied, of), left))
	return g.op("Div", votes, g.sum(votes, 1, 1))
}

// votes counts the machines that are for each class.
func (m *Model) votes(g *graph, v string) string {
	pairs := m.Classes * (m.Classes - 1) / 2
	second, first := matrix.New(pairs, m.Classes), matrix.New(pairs, m.Classes)
	p := 0
	for a := range m.Classes {
		for b := a + 1; b < m.Classes; b++ {
			second.Set(p, b, 1)
			first.Set(p, a, 1)
			p++
		}
	}
	won := g.node("Cast", 1, []string{g.op("Greater", v, g.number(0))}, option("to", doubleType))
	return g.op("Add", g.op("MatMul", won, g.matrix(second)), g.op("MatMul", g.op("Sub", g.number(1), won), g.matrix(first)))
}

// coupled are the probabilities of the classes from those of the pairs. For more than two it is
// the solution of a linear system, by Cholesky's factors, written out.
func (m *Model) coupled(g *graph, v string) string {
	c := m.Classes
	var slopes, offsets []float64
	for _, s := range m.Rule.Sigmoids {
		slopes, offsets = append(slopes, s[0]), append(offsets, s[1])
	}
	f := g.op("Add", g.op("Mul", v, g.row(slopes)), g.row(offsets))
	likely := func(f string) string {
		return g.op("Max", g.op("Div", g.number(1), g.op("Add", g.number(1), g.op("Exp", f))), g.number(1e-7))
	}
	first, second := likely(g.op("Neg", f)), likely(f)
	concat := func(parts ...string) string { return g.node("Concat", 1, parts, axis(1)) }
	if c == 2 {
		return g.op("Min", concat(first, second), g.number(1-1e-7))
	}
	column := func(of string, k int) string { return g.node("Gather", 1, []string{of, g.ints(k)}, axis(1)) }
	q := make([][]string, c) // the lower triangle, a column of a number for each row
	one := g.op("Add", g.op("Mul", column(f, 0), g.number(0)), g.number(1))
	for i := range q {
		q[i] = make([]string, c)
		q[i][i] = one
	}
	p := 0
	for a := range c {
		for b := a + 1; b < c; b++ {
			r, s := column(first, p), column(second, p)
			q[a][a] = g.op("Add", q[a][a], g.op("Mul", s, s))
			q[b][b] = g.op("Add", q[b][b], g.op("Mul", r, r))
			q[b][a] = g.op("Sub", one, g.op("Mul", r, s))
			p++
		}
	}
	y := g.solveOnes(q, one)
	all := concat(y...)
	return g.op("Div", all, g.sum(all, 1, 1))
}

// solveOnes solves Qy = 1 for each row.
func (g *graph) solveOnes(q [][]string, one string) []string {
	n := len(q)
	less := func(s, a, b string) string { return g.op("Sub", s, g.op("Mul", a, b)) }
	for j := range n {
		for i := j; i < n; i++ {
			for k := range j {
				q[i][j] = less(q[i][j], q[i][k], q[j][k])
			}
			if i == j {
				q[j][j] = g.op("Sqrt", q[j][j])
			} else {
				q[i][j] = g.op("Div", q[i][j], q[j][j])
			}
		}
	}
	y := make([]string, n)
	for i := range n {
		y[i] = one
		for k := range i {
			y[i] = less(y[i], q[i][k], y[k])
		}
		y[i] = g.op("Div", y[i], q[i][i])
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			y[i] = less(y[i], q[k][i], y[k])
		}
		y[i] = g.op("Div", y[i], q[i][i])
	}
	return y
}
