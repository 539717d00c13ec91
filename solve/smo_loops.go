package solve

import "math"

// curvature returns K_ii + K_jj − 2K_ij, or a small positive number where rounding
// or an indefinite kernel leaves nothing positive.
func curvature(kii, kjj, kij float64) float64 {
	if a := math.FMA(-2, kij, kii+kjj); a > 0 {
		return a
	}
	return smoTau
}

// firstToRise returns the first of the rows that can rise with the largest g, −1
// where there are none.
func firstToRise(g []float64, can []uint8) int {
	best, at := math.Inf(-1), -1
	can = can[:len(g)]
	for t, v := range g {
		if v > best && can[t]&canRise != 0 {
			best, at = v, t
		}
	}
	return at
}

// bestToFall returns the first of the rows that can fall with the largest
// (g_i − g_t)² / (K_ii + K_tt − 2K_it), among those with g_t < g_i, and the largest
// g_i − g_t; ki is row i of K. Where there is none it returns −1 and a gap ≤ 0.
func bestToFall(g []float64, can []uint8, ki, diag []float64, gi, kii float64) (j int, gap float64) {
	best := 0.0
	j, gap = -1, math.Inf(-1)
	can, ki, diag = can[:len(g)], ki[:len(g)], diag[:len(g)]
	for t, v := range g {
		if can[t]&canFall == 0 {
			continue
		}
		d := gi - v
		if d > gap {
			gap = d
		}
		if d > 0 {
			if gain := float64(d*d) / curvature(kii, diag[t], ki[t]); gain > best {
				best, j = gain, t
			}
		}
	}
	return j, gap
}

// subtractRows sets g_t ← FMA(−dj, kj_t, FMA(−di, ki_t, g_t)) and returns what
// firstToRise returns for the new g.
func subtractRows(g []float64, can []uint8, di float64, ki []float64, dj float64, kj []float64) int {
	best, at := math.Inf(-1), -1
	can, ki, kj = can[:len(g)], ki[:len(g)], kj[:len(g)]
	di, dj = -di, -dj
	for t, v := range g {
		v = math.FMA(dj, kj[t], math.FMA(di, ki[t], v))
		g[t] = v
		if v > best && can[t]&canRise != 0 {
			best, at = v, t
		}
	}
	return at
}

// subtractRow sets g_t ← FMA(−d, k_t, g_t).
func subtractRow(g []float64, d float64, k []float64) {
	k = k[:len(g)]
	d = -d
	for t, v := range g {
		g[t] = math.FMA(d, k[t], v)
	}
}
