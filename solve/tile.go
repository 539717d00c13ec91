package solve

import "math"

// Both factorizations spend their time in products of packed panels. An operand
// holds rows of k numbers, those of one chain in the order in which the chain
// takes them, in groups that fit the tile kernel: within a group, step by step.

// The tile of C that the kernel keeps in registers.
const (
	tileRows = 4
	tileCols = 4
)

// operand is one side of a product A·Bᵀ: rows 0 … rows-1 of length k. Element t
// of row i is data[g·k·group + t·group + i mod group], with g = i/group.
// Places without a row hold zeros.
type operand struct {
	data           []float64
	group, rows, k int
}

func newLeft(rows, k int) *operand  { return newOperand(tileRows, rows, k) }
func newRight(rows, k int) *operand { return newOperand(tileCols, rows, k) }

func newOperand(group, rows, k int) *operand {
	p := &operand{group: group}
	p.data = make([]float64, p.size(rows, k))
	p.rows, p.k = rows, k
	return p
}

func (p *operand) size(rows, k int) int { return (rows + p.group - 1) / p.group * p.group * k }

// reset gives p another size, not larger than its first.
func (p *operand) reset(rows, k int) {
	p.rows, p.k = rows, k
	if tail := rows % p.group; tail > 0 {
		clear(p.panel(rows/p.group, k))
	}
}

// row returns the place of row i: element t is at [t·step].
func (p *operand) row(i int) (data []float64, step int) {
	g := i / p.group
	return p.data[g*p.group*p.k+i%p.group:], p.group
}

// setStep sets element t of all rows.
func (p *operand) setStep(t int, x []float64) {
	for g := 0; g*p.group < len(x); g++ {
		copy(p.data[(g*p.k+t)*p.group:], x[g*p.group:min((g+1)*p.group, len(x))])
	}
}

// panel returns the first t steps of group g.
func (p *operand) panel(g, t int) []float64 {
	lo := g * p.group * p.k
	return p.data[lo : lo+t*p.group]
}

// addProduct adds to C, whose rows start ldc apart, the product of the first k
// steps of rows i0 … i1-1 of a and rows j0 … j1-1 of b:
//
//	s = c[(i-i0)·ldc + j-j0];  for t = 0 … k-1 ↑: s = FMA(a(i,t), b(j,t), s)
//
// i0 and j0 begin groups.
func addProduct(c []float64, ldc int, a *operand, i0, i1 int, b *operand, j0, j1, k int) {
	if k == 0 {
		return
	}
	for j := j0; j < j1; j += b.group {
		bj := b.panel(j/b.group, k)
		for i := i0; i < i1; i += a.group {
			tile(c[(i-i0)*ldc+j-j0:], ldc, min(a.group, i1-i), min(b.group, j1-j), a.panel(i/a.group, k), bj, k)
		}
	}
}

// tile runs k steps of the chains of a rows×cols tile of C with one group of each
// operand.
func tile(c []float64, ldc, rows, cols int, a, b []float64, k int) {
	if rows == tileRows && cols == tileCols {
		fullTile(c, ldc, a, b, k)
		return
	}
	var scratch [tileRows * tileCols]float64
	for i := range rows {
		copy(scratch[i*tileCols:], c[i*ldc:i*ldc+cols])
	}
	fullTile(scratch[:], tileCols, a, b, k)
	for i := range rows {
		copy(c[i*ldc:i*ldc+cols], scratch[i*tileCols:])
	}
}

// fullTile is tile for a whole tile, two rows at a time.
func fullTile(c []float64, ldc int, a, b []float64, k int) {
	for i := 0; i < tileRows; i += 2 {
		c0, c1 := (*[tileCols]float64)(c[i*ldc:]), (*[tileCols]float64)(c[(i+1)*ldc:])
		c00, c01, c02, c03 := c0[0], c0[1], c0[2], c0[3]
		c10, c11, c12, c13 := c1[0], c1[1], c1[2], c1[3]
		for t := range k {
			x := (*[2]float64)(a[t*tileRows+i:])
			y := (*[tileCols]float64)(b[t*tileCols:])
			c00 = math.FMA(x[0], y[0], c00)
			c10 = math.FMA(x[1], y[0], c10)
			c01 = math.FMA(x[0], y[1], c01)
			c11 = math.FMA(x[1], y[1], c11)
			c02 = math.FMA(x[0], y[2], c02)
			c12 = math.FMA(x[1], y[2], c12)
			c03 = math.FMA(x[0], y[3], c03)
			c13 = math.FMA(x[1], y[3], c13)
		}
		c0[0], c0[1], c0[2], c0[3] = c00, c01, c02, c03
		c1[0], c1[1], c1[2], c1[3] = c10, c11, c12, c13
	}
}
