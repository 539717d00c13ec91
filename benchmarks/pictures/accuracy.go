package main

import (
	"context"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/bigref"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// accuracy shows the errors of the projections of two classes for ridges on N, by the
// fit and by the textbook's route, against the condition number of N + εI. The truth is
// computed with 500 bits from the same kernel matrix.
func accuracy(ctx context.Context, root string) (*picture, error) {
	x, codes, err := twoWines(root)
	if err != nil {
		return nil, err
	}
	k, err := gram.Matrix(nil, gram.RBF{}, x)
	if err != nil {
		return nil, err
	}
	n, means := textbook(k, codes)
	values, _, err := solve.Eigen(ctx, n.Clone())
	if err != nil {
		return nil, err
	}
	p := &picture{width: 560, height: 360}
	h := axis{min: 1, max: 1e18, from: 70, to: 540, log: true}
	v := axis{min: 1e-17, max: 1, from: 305, to: 45, log: true}
	p.frame(h, v, "condition number of N + εI", "relative error of the projections",
		[]float64{1, 1e4, 1e8, 1e12, 1e16}, []float64{1e-16, 1e-12, 1e-8, 1e-4, 1})
	p.key(80, 24, "K − i√ε I, as here", "N + εI formed, as in the textbook")
	exact := bigref.Default.FromDense(k)
	for e := 2; e >= -14; e -= 2 {
		epsilon := math.Pow10(e)
		truth, err := bigref.Default.Solve(bigref.Problem{K: exact, Classes: codes, Eps: bigref.Default.Of(epsilon)})
		if err != nil {
			return nil, err
		}
		want := bigref.Default.Project(exact, truth.Alpha).Col(0)
		condition := (values[0] + epsilon) / epsilon

		m, err := discriminant.Fit(ctx, discriminant.KFDA{Kernel: gram.Precomputed{}, Regularizer: discriminant.Ridge(epsilon)}, k, codes)
		if err != nil {
			return nil, err
		}
		z, err := m.Project(nil, k)
		if err != nil {
			return nil, err
		}
		p.dot(h.at(condition), v.at(max(bigref.Default.ColErrorUpToSign(z.Data, want), 1e-17)), colours[0], true)

		system := n.Clone()
		for i := range system.Rows {
			system.Set(i, i, system.At(i, i)+epsilon)
		}
		factor, err := solve.FactorCholesky(ctx, system)
		if err != nil {
			p.text(h.at(condition), v.to+14, "middle", "refused")
			continue
		}
		alpha := means.Clone()
		factor.Solve(alpha)
		// Up to the length, which is that of the truth.
		z = matrix.Mul(nil, k, matrix.NoTrans, alpha, matrix.NoTrans)
		scale := bigref.Float64(bigref.Default.Norm(want)) / matrix.NormFrobenius(z)
		for i := range z.Data {
			z.Data[i] *= scale
		}
		p.dot(h.at(condition), v.at(min(1, bigref.Default.ColErrorUpToSign(z.Data, want))), colours[1], true)
	}
	return p, nil
}

// textbook forms N = Σ_j K_j (I − 1_j) K_jᵀ and the difference of the columns' means.
func textbook(k *matrix.Dense, codes []int) (n, difference *matrix.Dense) {
	count := [2]float64{}
	means := [2]*matrix.Dense{matrix.New(k.Rows, 1), matrix.New(k.Rows, 1)}
	for j, c := range codes {
		count[c]++
		for i := range k.Rows {
			means[c].Data[i] += k.At(i, j)
		}
	}
	centred := k.Clone()
	difference = matrix.New(k.Rows, 1)
	for i := range k.Rows {
		for j, c := range codes {
			centred.Set(i, j, k.At(i, j)-means[c].Data[i]/count[c])
		}
		difference.Data[i] = means[1].Data[i]/count[1] - means[0].Data[i]/count[0]
	}
	return matrix.SymRankK(nil, centred, matrix.NoTrans), difference
}
