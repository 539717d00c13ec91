package inference

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// mappedRows are rows by what landmarks say of them: n×m features whose products are the kernel.
type mappedRows struct {
	*fisher.Mapped
	features *gram.Features
	beside   []float64 // left, of the rows
	share    float64   // of the trace of the centred kernel matrix that is left
}

// mapRows maps rows of x to features, and returns what these leave of k(x, x).
func mapRows(ctx context.Context, f *gram.Features, x *matrix.Dense) (phi *matrix.Dense, left []float64, err error) {
	if left, err = ownValues(f.Kernel(), x); err != nil {
		return nil, nil, err
	}
	phi = matrix.New(x.Rows, f.Dim())
	if err := f.Map(ctx, phi, x); err != nil {
		return nil, nil, err
	}
	for i, v := range left {
		left[i] = math.Max(0, v-matrix.SumSquares(phi.Row(i)))
	}
	return phi, left, nil
}

// offBy bounds the norm of ΦΦᵀ less what it is for exact features of the rounded kernel values, by the bound of an
// entry in [gram.Features]: 4(m+2)u·Σa(x)². Cost: nm² flops.
func offBy(f *gram.Features, phi *matrix.Dense) float64 {
	const batch = 512
	roots, sum := make([]float64, f.Dim()), 0.0
	for i := range roots { // √k(l, l) of landmarks: the norms of the rows of their factor
		roots[i] = math.Sqrt(matrix.SumSquares(f.Factor().Row(i)[:i+1]))
	}
	for first := 0; first < phi.Rows; first += batch {
		c := matrix.Transpose(nil, phi.View(first, 0, min(batch, phi.Rows-first), phi.Cols))
		matrix.SolveLowerTrans(f.Factor(), c) // K_LL⁻¹k(L, x)
		sizes := make([]float64, c.Cols)
		for i, root := range roots {
			for k, v := range c.Row(i) {
				sizes[k] += float64(math.Abs(v) * root)
			}
		}
		sum += matrix.SumSquares(sizes)
	}
	return float64(float64(4*float64(f.Dim()+2)*f64.Roundoff) * sum)
}

func (r *mappedRows) product(_ context.Context, b *matrix.Dense) (*matrix.Dense, error) {
	return r.Product(b), nil
}

func (r *mappedRows) own() []float64 { return r.Own() }

func (r *mappedRows) blocks(ctx context.Context, members [][]int) (blocks []*matrix.Dense, err error) {
	for _, rows := range members {
		blocks = append(blocks, r.Block(rows))
	}
	return blocks, ctx.Err()
}

func (r *mappedRows) augment(ctx context.Context, y *matrix.Dense) (v *matrix.Dense, spread, left []float64, err error) {
	phi, left, err := mapRows(ctx, r.features, y)
	if err != nil {
		return nil, nil, nil, err
	}
	for i := range left {
		left[i] /= r.Ridge()
	}
	v, spread = r.Augment(phi)
	return v, spread, left, nil
}

func (r *mappedRows) left() []float64 { return r.beside }
func (r *mappedRows) landmarks() int  { return r.features.Dim() }

func (r *mappedRows) half() *matrix.Dense {
	if r.Order() <= leastRows*r.landmarks() {
		return nil
	}
	return r.Half()
}

// traceNorms takes S = (F + I)⁻¹, F the within-class scatter of features over ε, with the same eigenvalues.
// Cost: nm² + 2m³ flops.
func (r *mappedRows) traceNorms(ctx context.Context, of *fisher.Classes) (trace, norm float64, err error) {
	scatter, _ := r.Within(of)
	inverse := matrix.New(scatter.Rows, scatter.Rows)
	for j := range scatter.Rows {
		scatter.Row(j)[j]++
		inverse.Set(j, j, 1)
	}
	factor, err := solve.FactorCholesky(ctx, scatter)
	if err != nil {
		return 0, 0, err
	}
	factor.Solve(inverse)
	for j := range inverse.Rows {
		inverse.Row(j)[j]--
		trace -= inverse.At(j, j)
	}
	return trace, matrix.NormFrobenius(inverse), nil
}

// within takes the eigenpairs (ℓ, v) of ΦᵀPΦ, with which uᵀPKQ = √ℓ·vᵀΦᵀQ. Cost: nm² flops and those
// of [solve.Leading] for m rows.
func (r *mappedRows) within(ctx context.Context, of *fisher.Classes, most int) (*withinPairs, error) {
	scatter, contrasts := r.Within(of)
	pairs, err := solve.Leading(ctx, scatter, min(most, scatter.Rows))
	if err != nil {
		return nil, err
	}
	w := &withinPairs{limit: float64(withinLimit(float64(r.Order()), pairs.Norm) * r.Ridge())}
	w.parts = matrix.Mul(nil, pairs.Vectors, matrix.Transposed, contrasts, matrix.Transposed)
	for p, l := range pairs.Values {
		w.values = append(w.values, float64(l*r.Ridge()))
		root := math.Sqrt(math.Max(l, math.SmallestNonzeroFloat64))
		for j, v := range w.parts.Row(p) {
			w.parts.Row(p)[j] = v / root
		}
	}
	return w, nil
}
