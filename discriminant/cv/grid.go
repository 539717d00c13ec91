package cv

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// point is one combination of what is searched.
type point struct {
	scaling discriminant.Scaling
	gamma   float64
	ridge   float64
}

// compare is the order in which candidates are tried and recorded.
func (p point) compare(q point) int {
	return cmp.Or(cmp.Compare(p.scaling, q.scaling), cmp.Compare(p.gamma, q.gamma), cmp.Compare(p.ridge, q.ridge))
}

// grid is a set of points, in order.
type grid []point

// product returns the grid of all combinations.
func product(scalings []discriminant.Scaling, gammas func(discriminant.Scaling) []float64, ridges []float64) grid {
	var g grid
	for _, scaling := range scalings {
		for _, gamma := range gammas(scaling) {
			for _, ridge := range ridges {
				g = append(g, point{scaling, gamma, ridge})
			}
		}
	}
	slices.SortFunc(g, point.compare)
	return slices.CompactFunc(g, func(p, q point) bool { return p.compare(q) == 0 })
}

// without returns the points that have not been tried.
func (g grid) without(tried []Candidate) grid {
	return slices.DeleteFunc(slices.Clone(g), func(p point) bool {
		return slices.ContainsFunc(tried, func(c Candidate) bool { return c.point().compare(p) == 0 })
	})
}

// neighbourhood returns p and the points of its scaling that differ from it by one
// step in γ or in the ridge.
func (g grid) neighbourhood(p point) grid {
	var gammas, ridges []float64
	for _, q := range g {
		if q.scaling == p.scaling {
			gammas, ridges = append(gammas, q.gamma), append(ridges, q.ridge)
		}
	}
	near := grid{p}
	for _, gamma := range beside(gammas, p.gamma) {
		near = append(near, point{p.scaling, gamma, p.ridge})
	}
	for _, ridge := range beside(ridges, p.ridge) {
		near = append(near, point{p.scaling, p.gamma, ridge})
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

// firstGrid returns the candidates of the first round, and the scalings that have no γ to
// begin with, each with a *[ScalingError]: 0 stands for γ in their candidates.
func (s Search) firstGrid(x *matrix.Dense) (grid, map[discriminant.Scaling]error) {
	scalings := s.Scalings
	switch {
	case scalings != nil:
	case s.precomputed():
		scalings = []discriminant.Scaling{discriminant.NoScaling}
	default:
		scalings = []discriminant.Scaling{discriminant.NoScaling, discriminant.Standard, discriminant.MinMax}
	}
	ridges := s.Ridges
	switch {
	case ridges != nil:
	case s.inRKHS():
		ridges = []float64{1e-3, 1e-2, 1e-1, 1, 10, 100}
	default:
		ridges = []float64{1e-8, 1e-6, 1e-4, 1e-2, 1, 1e2}
	}
	gammas, refused := make(map[discriminant.Scaling][]float64), make(map[discriminant.Scaling]error)
	for _, scaling := range scalings {
		switch {
		case !s.tunesGamma():
			gammas[scaling] = []float64{0}
		case s.Gammas != nil:
			gammas[scaling] = s.Gammas
		default:
			var err error
			if gammas[scaling], err = DefaultGammas(scaling, x); err != nil {
				gammas[scaling], refused[scaling] = []float64{0}, err
			}
		}
	}
	return product(scalings, func(s discriminant.Scaling) []float64 { return gammas[s] }, ridges), refused
}

// DefaultGammas returns the γ of an rbf kernel that are tried where none are given:
// γ₀·4ᵏ, k = −3 … 3, with γ₀ that of [gram.GammaScale] for the rows of x, scaled. Its
// error is a *[ScalingError] with that of GammaScale or [discriminant.FitScaler].
func DefaultGammas(scaling discriminant.Scaling, x *matrix.Dense) ([]float64, error) {
	centre, err := scaleOf(scaling, x)
	if err != nil {
		return nil, &ScalingError{Scaling: scaling, Err: err}
	}
	var gammas []float64
	for k := -3; k <= 3; k++ {
		gammas = append(gammas, math.Ldexp(centre, 2*k))
	}
	return gammas, nil
}

// scaleOf returns γ₀, that of GammaScale for the scaled rows.
func scaleOf(scaling discriminant.Scaling, x *matrix.Dense) (float64, error) {
	if scaling != discriminant.NoScaling {
		scaler, err := discriminant.FitScaler(scaling, x)
		if err != nil {
			return 0, err
		}
		if x, err = scaler.Transform(nil, x); err != nil {
			return 0, err
		}
	}
	return gram.GammaScale(x)
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
	if s.tunesGamma() {
		gammas = times(float64(c.Gamma), by.gammas)
	}
	ridges := times(float64(c.Ridge), by.ridges)
	for i, ridge := range ridges {
		ridges[i], _ = strconv.ParseFloat(strconv.FormatFloat(ridge, 'g', 12, 64), 64)
	}
	ridges[slices.Index(by.ridges, 1)] = float64(c.Ridge)
	return product([]discriminant.Scaling{c.Scaling}, func(discriminant.Scaling) []float64 { return gammas }, ridges)
}

func times(a float64, factors []float64) []float64 {
	products := make([]float64, len(factors))
	for i, f := range factors {
		products[i] = float64(a * f)
	}
	return products
}
