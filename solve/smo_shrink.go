package solve

// shrink leaves out the rows that sit at a bound and would have to move against
// the gradient by more than any other pair: those that can only fall with g above
// all that can rise, and those that can only rise with g below all that can fall.
// It does so where that is a tenth of the rows at least, and reports whether.
func (s *smo) shrink() bool {
	rise, fall := s.extremes()
	idle := func(p int) bool {
		return s.rise[p] != 0 && s.g[p] > rise || s.fall[p] != 0 && s.g[p] < fall
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
		s.diag[q], s.rise[q], s.fall[q] = s.diag[p], s.rise[p], s.fall[p]
	}
	q := len(keep)
	s.active, s.g, s.rise, s.fall = active, s.g[:q], s.rise[:q], s.fall[:q]
	s.u, s.lo, s.hi, s.diag = s.u[:q], s.lo[:q], s.hi[:q], s.diag[:q]
	s.cache.keep(keep, s.entries.Columns(active), active)
	return true
}
