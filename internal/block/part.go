package block

// Part says which entries of C are computed. All others are neither read nor
// written, except that Symmetric writes the mirror images in the end.
type Part uint8

const (
	Whole       Part = iota
	Lower            // i ≥ j
	StrictUpper      // i < j
	Symmetric        // i ≥ j, then C[j,i] = C[i,j]
)

// row returns the columns from lo to hi that row i has; none where lo ≥ hi.
func (p Part) row(i, lo, hi int) (int, int) {
	switch p {
	case Lower, Symmetric:
		return lo, min(hi, i+1)
	case StrictUpper:
		return max(lo, i+1), hi
	}
	return lo, hi
}

// some returns the columns from lo to hi that at least one of the rows from i0 to
// i1 has.
func (p Part) some(i0, i1, lo, hi int) (int, int) {
	if p == StrictUpper {
		return p.row(i0, lo, hi)
	}
	return p.row(i1-1, lo, hi)
}

// every reports whether all rows from i0 to i1 have all columns from lo to hi.
func (p Part) every(i0, i1, lo, hi int) bool {
	i := i0
	if p == StrictUpper {
		i = i1 - 1
	}
	a, b := p.row(i, lo, hi)
	return a == lo && b == hi
}
