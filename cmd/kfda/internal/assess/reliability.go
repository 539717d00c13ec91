package assess

import "math"

// Bin is the rows whose probability lies in a tenth of 0 to 1.
type Bin struct {
	Rows, Hits  int     // and how often what was predicted came true
	Probability float64 // their mean
	Middle      float64 // of the tenth
}

// Reliability divides rows by a predicted probability into ten bins, without those that are
// empty.
func Reliability(probability []float64, hit []bool) []Bin {
	const tenths = 10
	bins := make([]Bin, tenths)
	for i, p := range probability {
		b := &bins[min(tenths-1, max(0, int(p*tenths)))]
		b.Rows++
		b.Probability += p
		if hit[i] {
			b.Hits++
		}
	}
	full := bins[:0]
	for k, b := range bins {
		if b.Rows > 0 {
			b.Middle = (float64(k) + 0.5) / tenths
			b.Probability /= float64(b.Rows)
			full = append(full, b)
		}
	}
	return full
}

// LogLoss is −ln p of the class that a row has, of a p that counts as 2⁻⁵² at least, as in
// package cv.
func LogLoss(p float64) float64 { return -math.Log(max(p, 0x1p-52)) }
