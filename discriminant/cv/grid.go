package cv

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// line is a kernel, by its text, and a scaling.
type line struct {
	kernel  string
	scaling discriminant.Scaling
}

// point is one combination of what is searched.
type point struct {
	line
	gamma float64
	value float64 // the ridge, or that of what is searched in its place
}

// compare is the order in which candidates of a KFDA are tried and recorded.
func (p point) compare(q point) int {
	return cmp.Or(p.line.compare(q.line), cmp.Compare(p.gamma, q.gamma), cmp.Compare(p.value, q.value))
}

func (l line) compare(m line) int {
	return cmp.Or(cmp.Compare(l.kernel, m.kernel), cmp.Compare(l.scaling, m.scaling))
}

// grid is a set of points, in order.
type grid []point

// product returns the grid of all combinations.
func product(lines []line, gammas func(line) []float64, values []float64) grid {
	var g grid
	for _, l := range lines {
		for _, gamma := range gammas(l) {
			for _, value := range values {
				g = append(g, point{l, gamma, value})
			}
		}
	}
	slices.SortFunc(g, point.compare)
	return slices.CompactFunc(g, func(p, q point) bool { return p.compare(q) == 0 })
}

// listed returns the points in the order in which those of other methods are tried, of which
// the first best wins: by value, smoother ones first, then by the step of γ, then by line.
func (g grid) listed(smallFirst bool) grid {
	step := make(map[point]int) // of γ
	for i, p := range g {
		if at := step[g[max(0, i-1)]]; i > 0 && g[i-1].line == p.line {
			if step[p] = at; p.gamma != g[i-1].gamma {
				step[p]++
			}
		}
	}
	slices.SortStableFunc(g, func(p, q point) int {
		byValue := cmp.Compare(q.value, p.value)
		if smallFirst {
			byValue = -byValue
		}
		return cmp.Or(byValue, cmp.Compare(step[p], step[q]))
	})
	return g
}

// without returns the points that have not been tried.
func (g grid) without(tried []Candidate) grid {
	return slices.DeleteFunc(slices.Clone(g), func(p point) bool {
		return slices.ContainsFunc(tried, func(c Candidate) bool { return c.point().compare(p) == 0 })
	})
}

// neighbourhood returns p and the points of its line that differ from it by one
// step in γ or in the value.
func (g grid) neighbourhood(p point) grid {
	var gammas, values []float64
	for _, q := range g {
		if q.line == p.line && q.value == p.value {
			gammas = append(gammas, q.gamma)
		}
		if q.line == p.line && q.gamma == p.gamma {
			values = append(values, q.value)
		}
	}
	near := grid{p}
	for _, gamma := range beside(gammas, p.gamma) {
		near = append(near, point{p.line, gamma, p.value})
	}
	for _, value := range beside(values, p.value) {
		near = append(near, point{p.line, p.gamma, value})
	}
	return near
}

// beside returns the values before and after v among values, where there are
// such.
func beside(values []float64, v float64) []float64 {
	slices.SortFunc(values, cmp.Compare)
	values = slices.CompactFunc(values, func(a, b float64) bool { return cmp.Compare(a, b) == 0 })
	at, _ := slices.BinarySearchFunc(values, v, cmp.Compare)
	var near []float64
	if at > 0 {
		near = append(near, values[at-1])
	}
	if at+1 < len(values) {
		near = append(near, values[at+1])
	}
	return near
}

// firstGrid returns the candidates of the first round, and the lines that have no γ to
// begin with, each with a *[ScalingError]: 0 stands for γ in their candidates.
func (s Search) firstGrid(x *matrix.Dense, weights []float64) (grid, map[line]error) {
	scalings := s.Scalings
	switch {
	case scalings != nil:
	case s.precomputed():
		scalings = []discriminant.Scaling{discriminant.NoScaling}
	default:
		scalings = []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax}
	}
	parameter := s.Method.Parameter()
	values := s.Values
	if values == nil {
		values = parameter.Values
	}
	var lines []line
	gammas, refused := make(map[line][]float64), make(map[line]error)
	for _, name := range s.kernelNames() {
		for _, scaling := range scalings {
			l := line{name, scaling}
			lines = append(lines, l)
			switch kernel, tuned := s.kernelOf(name, 0); {
			case !tuned:
				gammas[l] = []float64{0}
			case s.Gammas != nil:
				gammas[l] = s.Gammas
			default:
				var err error
				if gammas[l], err = defaultGammas(kernel, scaling, x, weights); err != nil {
					gammas[l], refused[l] = []float64{0}, err
				}
			}
		}
	}
	g := product(lines, func(l line) []float64 { return gammas[l] }, values)
	if _, ok := s.kfda(); !ok {
		g = g.listed(parameter.Values[0] < parameter.Values[1])
	}
	return g, refused
}

// steps are factors of γ and of the ridge.
type steps struct {
	gammas, ridges []float64
}

// steps returns those of the grid of a round.
func (s Search) steps(round int) steps {
	inRKHS := s.inRKHS()
	switch {
	case round == 0 && inRKHS:
		return steps{[]float64{0.25, 1, 4}, []float64{0.1, 1, 10}}
	case round == 0:
		return steps{[]float64{0.25, 1, 4}, []float64{0.01, 1, 100}}
	case round == 1 && inRKHS:
		return steps{[]float64{0.5, 1, 2}, []float64{0.3, 1, 3}}
	case round == 1:
		return steps{[]float64{0.5, 1, 2}, []float64{0.1, 0.3, 1, 3, 10}}
	case round == 2:
		return steps{[]float64{0.8, 1, 1.25}, []float64{0.5, 0.7, 1, 1.4, 2}}
	}
	return steps{[]float64{0.95, 1, 1.05}, []float64{0.9, 1, 1.1}}
}

// around returns the grid of the candidate times the steps. Ridges have twelve digits, so that
// steps forth and back meet.
func (s Search) around(c Candidate, by steps) grid {
	gammas := []float64{float64(c.Gamma)}
	if s.tunesGamma(c.Kernel) {
		gammas = times(float64(c.Gamma), by.gammas)
	}
	ridges := times(float64(c.Ridge), by.ridges)
	for i, ridge := range ridges {
		ridges[i], _ = strconv.ParseFloat(strconv.FormatFloat(ridge, 'g', 12, 64), 64)
	}
	ridges[slices.Index(by.ridges, 1)] = float64(c.Ridge)
	return product([]line{c.point().line}, func(line) []float64 { return gammas }, ridges)
}

func times(a float64, factors []float64) []float64 {
	products := make([]float64, len(factors))
	for i, f := range factors {
		products[i] = float64(a * f)
	}
	return products
}
