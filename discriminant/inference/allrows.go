package inference

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// allRows are rows by their kernel matrix.
type allRows struct {
	*fisher.Unlabelled
	evaluator *gram.Evaluator
}

func (r *allRows) Solve(ctx context.Context, of *fisher.Classes) (*fisher.Solution, error) {
	found, err := r.Unlabelled.Solve(ctx, of)
	if err == nil && len(found.Lambda) > 0 && found.Projections == nil {
		found.Projections, err = r.evaluator.Product(ctx, found.Alpha, found.Centring)
	}
	return found, err
}

func (r *allRows) product(ctx context.Context, b *matrix.Dense) (*matrix.Dense, error) {
	return r.evaluator.Product(ctx, b, r.Centring())
}

func (r *allRows) own() []float64 {
	c, own := r.Centring(), r.evaluator.Diag(nil)
	for i, v := range own {
		own[i] = (v - c.Shift - float64(2*c.Means[i])) + c.Mean
	}
	return own
}

func (r *allRows) left() []float64     { return nil }
func (r *allRows) landmarks() int      { return 0 }
func (r *allRows) half() *matrix.Dense { return nil }

func (r *allRows) augment(_ context.Context, y *matrix.Dense) (v *matrix.Dense, spread, left []float64, err error) {
	values, err := r.evaluator.Cross(nil, y)
	if err != nil {
		return nil, nil, nil, err
	}
	own, err := ownValues(r.evaluator.Kernel(), y)
	if err != nil {
		return nil, nil, nil, err
	}
	v, spread = r.Augment(values, own)
	return v, spread, nil, nil
}

// ownValues returns k(x, x) of the rows of y, or a *[gram.NotFiniteError].
func ownValues(k gram.Kernel, y *matrix.Dense) ([]float64, error) {
	own, err := gram.Diag(nil, k, y)
	if err != nil {
		return nil, err
	}
	for i, v := range own {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &gram.NotFiniteError{What: "kernel value", Row: i, Col: i, Value: v}
		}
	}
	return own, nil
}

func (r *allRows) blocks(ctx context.Context, members [][]int) (blocks []*matrix.Dense, err error) {
	n := r.Order()
	for first := 0; first < len(members); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end, columns := first, 0
		for end < len(members) && (end == first || columns+len(members[end]) <= blockColumns) {
			columns += len(members[end])
			end++
		}
		g := matrix.New(n, columns)
		for i := range g.Data {
			g.Data[i] = -1 / float64(n)
		}
		column := 0
		for _, rows := range members[first:end] {
			for _, i := range rows {
				g.Row(i)[column]++
				column++
			}
		}
		r.Inverse(g)
		column = 0
		for ; first < end; first++ {
			rows := members[first]
			block := matrix.New(len(rows), len(rows))
			for k, i := range rows {
				copy(block.Row(k), g.Row(i)[column:column+len(rows)])
			}
			column += len(rows)
			blocks = append(blocks, block)
		}
	}
	return blocks, nil
}

// within takes the eigenpairs of the matrix itself, in 8n² bytes more.
func (r *allRows) within(ctx context.Context, of *fisher.Classes, most int) (*withinPairs, error) {
	k, err := r.evaluator.MatrixContext(ctx, nil)
	if err != nil {
		return nil, err
	}
	n, largest := float64(k.Rows), matrix.MaxAbs(k)
	gram.CentreInPlace(k, matrix.RowMeans(nil, k), func(int, []float64) {})
	products := matrix.Mul(nil, k, matrix.NoTrans, fisher.Contrasts(of), matrix.NoTrans)
	centreWithin(k, of)
	pairs, err := solve.Leading(ctx, k, most)
	if err != nil {
		return nil, err
	}
	products = of.Deviations(products, of.Centroids(products))
	w := &withinPairs{values: pairs.Values, parts: matrix.Mul(nil, pairs.Vectors, matrix.Transposed, products, matrix.NoTrans)}
	w.limit = withinLimit(n, math.Max(largest, pairs.Norm))
	for p, l := range w.values {
		row := w.parts.Row(p)
		for j := range row {
			row[j] /= l
		}
	}
	return w, nil
}

// withinLimit is up to which eigenvalues of a matrix of n rows and that size are rounding.
func withinLimit(n, size float64) float64 {
	return float64(float64(math.Max(n, float64(32*math.Sqrt(n)))*f64.Roundoff) * size)
}

// centreWithin overwrites the symmetric k by PKP, exactly symmetric: with the means m of each row over
// each class, and those M of these, kᵢⱼ − (m_{i,c(j)} + m_{j,c(i)}) + M_{c(i),c(j)}.
func centreWithin(k *matrix.Dense, of *fisher.Classes) {
	n, c := k.Rows, len(of.Sizes)
	means := matrix.New(n, c)
	for i := range n {
		of.Means(means.Row(i), k.Row(i))
	}
	all := of.Centroids(means)
	for j := range c {
		for l := range j {
			all.Set(l, j, all.At(j, l))
		}
	}
	team := block.TeamFor(n, n)
	defer team.Close()
	team.Rows(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			own, of, both := of.Codes[i], of.Codes, all.Row(of.Codes[i])
			mean := means.Row(i)
			for j, v := range k.Row(i) {
				k.Row(i)[j] = (v - (mean[of[j]] + means.At(j, own))) + both[of[j]]
			}
		}
	})
}

// traceNorms returns the trace D1 and the Frobenius norm D2 of (Σ_W + γI)⁻¹Σ_W, of which the eigenvalues
// other than 0 are those of the n×n matrix P − G_W: P centres within the classes, and G_W is G without
// what is along the contrasts,
//
//	G_W = ε P(PKP + εI)⁻¹P = G − GQ(QᵀGQ)⁻¹QᵀG
//
// Cost: 2n³ flops, by blocks of columns.
func (r *allRows) traceNorms(ctx context.Context, of *fisher.Classes) (trace, norm float64, err error) {
	n, q := r.Order(), fisher.Contrasts(of)
	gq := q.Clone()
	r.Inverse(gq)
	small := matrix.Mul(nil, q, matrix.Transposed, gq, matrix.NoTrans)
	f, err := solve.FactorCholesky(ctx, small)
	if err != nil {
		return 0, 0, err
	}
	half := matrix.Transpose(nil, gq)
	f.SolveLower(half) // L⁻¹QᵀG
	columns := min(n, blockColumns)
	buffer, sums := matrix.New(n, columns), make([]float64, n)
	squares := 0.0
	for first := 0; first < n; first += columns {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		b := buffer.View(0, 0, n, min(columns, n-first))
		for i := range n {
			row := b.Row(i)
			for j := range row {
				row[j] = -1 / float64(n)
			}
			if i >= first && i-first < b.Cols {
				row[i-first]++
			}
		}
		r.Inverse(b)
		matrix.SubMul(b, half, matrix.Transposed, half.View(0, first, half.Rows, b.Cols), matrix.NoTrans)
		for i := range n {
			row := b.Row(i)
			for j := range row {
				if of.Codes[first+j] == of.Codes[i] {
					row[j] += 1 / of.Sizes[of.Codes[i]]
				}
			}
			if i >= first && i-first < b.Cols {
				row[i-first]-- // now G_W − P
				trace -= row[i-first]
			}
			sums[i] = matrix.SumSquares(row)
		}
		squares += matrix.Sum(sums)
	}
	return trace, math.Sqrt(squares), nil
}
