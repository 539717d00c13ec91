package export

import "github.com/seed92411348/kfda/internal/formula"

// hasPosteriors reports whether the model knows how probable each class is.
func (m *Model) hasPosteriors() bool {
	switch m.Rule.Kind {
	case "gaussian", "gaussian per class", "knn":
		return true
	}
	return m.Rule.Sigmoids != nil
}

// rule writes the functions that classify a row.
func (m *Model) rule(s *source) {
	r := &m.Rule
	switch r.Kind {
	case "centroid":
		s.array("centroids", r.Centroids.Data)
	case "gaussian", "gaussian per class", "knn":
		m.posteriors(s)
	case "vote", "svm":
		if r.Machines != nil {
			m.machines(s, "voter", r.Machines, m.Components)
		}
		if r.Sigmoids != nil {
			m.coupling(s)
		}
	}
	s.line("func Classify(x []float64) int {")
	switch p, c := m.Components, m.Classes; r.Kind {
	case "ridge":
		s.block("\tvar z [{p}]float64\n\tProject(x, all(z))\n", "p", p)
		if p == 1 {
			s.block("\tif z[0] > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n")
		} else {
			argMax(s, "z", p)
		}
	case "threshold":
		s.block("\tvar z [1]float64\n\tProject(x, all(z))\n\tif math.FMA({scale}, z[0], {threshold}) > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n",
			"scale", r.Scale, "threshold", -r.Threshold)
	case "centroid":
		s.block(`
	var z [{p}]float64
	Project(x, all(z))
	best := 0.0
	var at int = 0
	for j := 0; j < {c}; j++ {
		v := 0.0
		for k := 0; k < {p}; k++ {
			d := centroids[j*{p}+k] - z[k]
			v = math.FMA(d, d, v)
		}
		if j == 0 || v < best {
			best = v
			at = j
		}
	}
	return at
`, "p", p, "c", c)
	case "gaussian", "gaussian per class", "knn":
		s.block("\tvar p [{c}]float64\n\tPosteriors(x, all(p))\n", "c", c)
		argMax(s, "p", c)
	default:
		m.values(s)
		s.block("\tvar votes [{c}]float64\n", "c", c)
		i := 0
		for a := range c {
			for b := a + 1; b < c; b++ {
				s.block("\tif v[{i}] > 0 {\n\t\tvotes[{b}] += 1\n\t} else {\n\t\tvotes[{a}] += 1\n\t}\n", "i", i, "a", a, "b", b)
				i++
			}
		}
		argMax(s, "votes", c)
	}
	s.line("}")
}

// argMax writes the return of the first of the largest of n values.
func argMax(s *source, name string, n int) {
	s.block(`
	var best int = 0
	for j := 1; j < {n}; j++ {
		if {v}[j] > {v}[best] {
			best = j
		}
	}
	return best
`, "v", name, "n", n)
}

// values writes v, the values of the machines.
func (m *Model) values(s *source) {
	pairs := m.Classes * (m.Classes - 1) / 2
	if m.Rule.Machines == nil {
		s.block("\tvar v [{n}]float64\n\tProject(x, all(v))\n", "n", pairs)
		return
	}
	s.block("\tvar z [{p}]float64\n\tProject(x, all(z))\n\tvar v [{n}]float64\n\tvoterValues(all(z), all(v))\n", "p", m.Components, "n", pairs)
}

// posteriors writes the function of probabilities from the standardised projection t.
func (m *Model) posteriors(s *source) {
	r := &m.Rule
	p, c := m.Components, m.Classes
	s.array("centre", r.Standard.Shift)
	s.array("spread", r.Standard.Scale)
	switch r.Kind {
	case "gaussian":
		s.array("coefficients", r.Coefficients.Data)
		s.array("constants", r.Offsets)
	case "gaussian per class":
		s.array("constants", r.Offsets)
		s.array("classMeans", r.Means.Data)
		s.array("whitening", r.Whitening.Data)
	default:
		s.neighbours(r)
	}
	s.block(`
func Posteriors(x []float64, p []float64) {
	var z [{p}]float64
	Project(x, all(z))
	var t [{p}]float64
	for k := 0; k < {p}; k++ {
		t[k] = math.Max(-0x1p300, math.Min((z[k]-centre[k])/spread[k], 0x1p300))
	}
`, "p", p)
	switch r.Kind {
	case "gaussian":
		s.block(`
	for j := 0; j < {c}; j++ {
		v := constants[j]
		for k := 0; k < {p}; k++ {
			v = math.FMA(coefficients[j*{p}+k], t[k], v)
		}
		p[j] = v
	}
`, "c", c, "p", p)
	case "gaussian per class":
		s.block(`
	for j := 0; j < {c}; j++ {
		squares := 0.0
		for l := 0; l < {p}; l++ {
			y := 0.0
			for k := 0; k < {p}; k++ {
				y = math.FMA(whitening[(j*{p}+l)*{p}+k], t[k]-classMeans[j*{p}+k], y)
			}
			squares = math.FMA(y, y, squares)
		}
		p[j] = constants[j] - float64(0.5*squares)
	}
`, "c", c, "p", p)
	default:
		s.vote(p, c, r.K, r.Rows.Rows)
		return
	}
	s.block(`
	largest := p[0]
	for j := 1; j < {c}; j++ {
		if p[j] > largest {
			largest = p[j]
		}
	}
	sum := 0.0
	for j := 0; j < {c}; j++ {
		p[j] = exp(p[j] - largest)
		sum += p[j]
	}
	for j := 0; j < {c}; j++ {
		p[j] = p[j] / sum
	}
}
`, "c", c)
}

func (s *source) neighbours(r *formula.Rule) {
	s.array("neighbours", r.Rows.Data)
	codes := make([]float64, len(r.Codes))
	for i, code := range r.Codes {
		codes[i] = float64(code)
	}
	s.array("classOf", codes)
	s.array("voteOf", r.Weights)
}

// vote writes the votes of the nearest rows. Those at the k-th least distance, which is the last
// of nearest, share what is left of the k votes.
func (s *source) vote(p, c, k, n int) {
	s.block(`
	var distances [{n}]float64
	var nearest [{k}]float64
	for i := 0; i < {n}; i++ {
		v := 0.0
		for k := 0; k < {p}; k++ {
			d := neighbours[i*{p}+k] - t[k]
			v = math.FMA(d, d, v)
		}
		distances[i] = v
		var at int = {k}
		if i < {k} {
			at = i
		}
		for at > 0 && nearest[at-1] > v {
			if at < {k} {
				nearest[at] = nearest[at-1]
			}
			at--
		}
		if at < {k} {
			nearest[at] = v
		}
	}
	kth := nearest[{last}]
	nearer := 0.0
	tied := 0.0
	for i := 0; i < {n}; i++ {
		if distances[i] < kth {
			nearer += 1
		} else if distances[i] == kth {
			tied += 1
		}
	}
	for j := 0; j < {c}; j++ {
		p[j] = 0
	}
	for i := 0; i < {n}; i++ {
		var j int = int(classOf[i])
		if distances[i] < kth {
			p[j] += tied
		} else if distances[i] == kth {
			p[j] += {k} - nearer
		}
	}
	sum := 0.0
	for j := 0; j < {c}; j++ {
		p[j] = float64(p[j] * voteOf[j])
		sum += p[j]
	}
	for j := 0; j < {c}; j++ {
		p[j] = p[j] / sum
	}
}
`, "n", n, "k", k, "p", p, "c", c, "last", k-1)
}

// coupling writes the function of the probabilities of machines.
func (m *Model) coupling(s *source) {
	c := m.Classes
	s.block(`
func likely(x float64) float64 {
	return math.Max(1/(1+exp(x)), 1e-7)
}
func Posteriors(x []float64, p []float64) {
`)
	m.values(s)
	s.block("\tvar q [{n}]float64\n", "n", c*c)
	if c > 2 {
		s.block("\tfor i := 0; i < {c}; i++ {\n\t\tq[i*{c}+i] = 1\n\t}\n", "c", c)
	}
	i := 0
	for a := range c {
		for b := a + 1; b < c; b++ {
			s.block(`
	f{i} := math.FMA({slope}, v[{i}], {offset})
	first{i} := likely(-f{i})
	second{i} := likely(f{i})
`, "i", i, "slope", m.Rule.Sigmoids[i][0], "offset", m.Rule.Sigmoids[i][1])
			if c > 2 {
				s.block(`
	q[{aa}] = math.FMA(second{i}, second{i}, q[{aa}])
	q[{bb}] = math.FMA(first{i}, first{i}, q[{bb}])
	q[{ba}] = math.FMA(-first{i}, second{i}, 1)
`, "i", i, "aa", a*c+a, "bb", b*c+b, "ba", b*c+a)
			}
			i++
		}
	}
	if c == 2 {
		s.block("\tq[0] = 1 - 1e-7\n\tp[0] = math.Min(first0, q[0])\n\tp[1] = math.Min(second0, q[0])\n}\n")
		return
	}
	s.block(`
	for j := 0; j < {c}; j++ {
		for i := j; i < {c}; i++ {
			v := q[i*{c}+j]
			for k := 0; k < j; k++ {
				v = math.FMA(-q[i*{c}+k], q[j*{c}+k], v)
			}
			if i == j {
				q[j*{c}+j] = math.Sqrt(v)
			} else {
				q[i*{c}+j] = v / q[j*{c}+j]
			}
		}
	}
	for i := 0; i < {c}; i++ {
		v := 1.0
		for k := 0; k < i; k++ {
			v = math.FMA(-q[i*{c}+k], p[k], v)
		}
		p[i] = v / q[i*{c}+i]
	}
	for i := {last}; i >= 0; i-- {
		v := p[i]
		for k := i + 1; k < {c}; k++ {
			v = math.FMA(-q[k*{c}+i], p[k], v)
		}
		p[i] = v / q[i*{c}+i]
	}
	sum := 0.0
	for j := 0; j < {c}; j++ {
		sum += p[j]
	}
	for j := 0; j < {c}; j++ {
		p[j] = p[j] / sum
	}
}
`, "c", c, "last", c-1)
}
