package discriminant

import "github.com/seed92411348/kfda/matrix"

// centring holds what double centring needs of the training kernel matrix: the
// mean of each row and of all entries.
//
//	(HKH)ᵢⱼ = (Kᵢⱼ − mᵢ) + (g − mⱼ),   H = I − 11ᵀ/n
//	k_c(x)ᵢ = (k(x, xᵢ) − t) + (g − mᵢ),   t the mean of k(x, xⱼ) over j
type centring struct {
	rowMeans []float64
	mean     float64
	offset   []float64 // mean − rowMeans
}

func newCentring(rowMeans []float64) *centring {
	c := &centring{rowMeans: rowMeans, mean: mean(rowMeans), offset: make([]float64, len(rowMeans))}
	for i, m := range rowMeans {
		c.offset[i] = c.mean - m
	}
	return c
}

// centre overwrites the symmetric k by HKH, exactly symmetric, and returns what
// centres new rows.
func centre(k *matrix.Dense) *centring {
	rowMeans := make([]float64, k.Rows)
	for i := range rowMeans {
		rowMeans[i] = mean(k.Row(i))
	}
	c := newCentring(rowMeans)
	for i := range k.Rows {
		row := k.Row(i)
		for j := range i + 1 {
			v := (row[j] - c.rowMeans[i]) + c.offset[j]
			row[j] = v
			k.Row(j)[i] = v
		}
	}
	return c
}

// rows overwrites each row of k, the kernel values of a new row with the n
// training rows, by the centred ones.
func (c *centring) rows(k *matrix.Dense) {
	for i := range k.Rows {
		row := k.Row(i)
		t := mean(row)
		for j, v := range row {
			row[j] = (v - t) + c.offset[j]
		}
	}
}

func mean(x []float64) float64 { return matrix.Sum(x) / float64(len(x)) }
