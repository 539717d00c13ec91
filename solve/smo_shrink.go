package solve

import "math"

// shrink leaves out the rows that sit at a bound and would have to move against
// the gradient by more than any other pair: those that can only fall with g above
// all that can rise, and those that can only rise with g below all that can fall.
// It does so where that is a tenth of the rows at least, and reports whether.
func (s *smo) shrink() bool {
	rise, fall := math.Inf(-1), math.Inf(1)
	for p, g := range s.g {
		if s.can[p]&canRise != 0 {
			rise = max(rise, g)
		}
		if s.can[p]&canFall != 0 {
			fall = min(fall, g)
		}
	}
	idle := func(p int) bool {
		return s.can[p] == canFall && s.g[p] > rise || s.can[p] == canRise && s.g[p] < fall
	}
	m := len(s.active)
	keep := make([]int, 0, m)
	for p := range s.active {
		if !idle(p) {
			keep = append(keep, p)
		}
	}
	if len(keep) == 0 || m-len(keep) < (m+9)/10 {
		return false
	}
	for p, t := range s.active {
		s.all.u[t] = s.u[p]
	}
	active := make([]int, len(keep)) // its columns keep it
	for q, p := range keep {
		active[q] = s.active[p]
		s.g[q], s.u[q], s.lo[q], s.hi[q] = s.g[p], s.u[p], s.lo[p], s.hi[p]
		s.diag[q], s.can[q] = s.diag[p], s.can[p]
	}
	q := len(keep)
	s.active, s.g, s.can = active, s.g[:q], s.can[:q]
	s.u, s.lo, s.hi, s.diag = s.u[:q], s.lo[:q], s.hi[:q], s.diag[:q]
	s.cache.keep(keep, s.entries.Columns(active), active)
	return true
}
