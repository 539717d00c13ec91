package fisher

import (
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// cancellation is the factor by which the real part of a column of W_Q, which is as
// good as its last rounding, may shrink where its share of w₀ is taken out. Where one
// shrinks more, the system is solved for Q − q₀·share, the solution of which is W itself.
const cancellation = 16

func cancelled(before, after []float64) bool {
	for j, size := range after {
		if before[j] > float64(cancellation*size) {
			return true
		}
	}
	return false
}

// without returns Q − q₀·share as a sum of two matrices. The first is that rounded;
// where the share is large, it holds Q with few digits.
func (s *shiftedSystem) without(share, q *matrix.Dense) (f, low *matrix.Dense) {
	f, low = matrix.New(q.Rows, q.Cols), matrix.New(q.Rows, q.Cols)
	for i := range q.Rows {
		q0 := s.q0.At(i, 0)
		for j, v := range q.Row(i) {
			sum, rest := f64.AddProduct(v, 0, -q0, share.At(0, j))
			f.Set(i, j, sum)
			low.Set(i, j, rest)
		}
	}
	return f, low
}

// takeCommon takes out of W, the solution for the sum of f, its share of w₀, which it
// returns, and adds what that may do to the errors of the columns.
func (s *shiftedSystem) takeCommon(w columns, errors []float64, kq contrastProducts, f ...*matrix.Dense) (share *matrix.Dense) {
	sizes, common := w.norms(), s.common.norms()[0]
	share, shareErrors := s.commonShare(w, errors, kq, f...)
	for j, size := range sizes {
		held := math.Abs(float64(share.At(0, j) * common))
		errors[j] += float64(common*shareErrors[j]) + float64(s.common.forward*held) + float64(4*u*(size+held))
	}
	matrix.SubMul(w.re, s.common.re, matrix.NoTrans, share, matrix.NoTrans)
	matrix.SubMul(w.im, s.common.im, matrix.NoTrans, share, matrix.NoTrans)
	if w.kre != nil {
		matrix.SubMul(w.kre, s.common.kre, matrix.NoTrans, share, matrix.NoTrans)
	}
	return share
}

// commonShare returns, 1×(c−1), how much of w₀ each column of the solution W_Q, for
// the sum of f, holds and W does not: s/S₀, s = σ Im(w₀)ᵀQ, which is the real inner product of
// σw₀ with σW_Q over S₀ = ‖σw₀‖². In that form W comes out orthogonal to w₀ up to
// the rounding of W_Q, also where Q is orthogonal to q₀ only up to rounding: with
// Q + q₀e for Q both the solution and the share hold w₀e more.
//
// Where σ is far above K, w₀ is nearly i q₀/σ and the product nothing but
// rounding. There s = −(KQ)ᵀRe(w₀), from (K − iσI)w₀ = q₀ and Qᵀq₀ = 0, and e =
// q₀ᵀQ is summed in doubled precision. The form with the smaller factors, and so
// the smaller rounding error, is taken.
//
// With it come bounds of its errors, given those of the columns of W_Q.
func (s *shiftedSystem) commonShare(w columns, errors []float64, kq contrastProducts, f ...*matrix.Dense) (share *matrix.Dense, shareErrors []float64) {
	common := columns{re: scaled(s.common.re, s.sigma), im: scaled(s.common.im, s.sigma)}
	s0 := common.inner(common).At(0, 0)
	s.scaled = columns{re: scaledIn(s.scaled.re, w.re, s.sigma), im: scaledIn(s.scaled.im, w.im, s.sigma)}
	inner := common.inner(s.scaled)
	fromRe := matrix.Mul(nil, s.common.re, matrix.Transposed, kq.Dense, matrix.NoTrans)
	sizeRe, sizeKQ := columnNorms(s.common.re)[0], columnNorms(kq.Dense)
	size, sizeW := s.common.norms()[0], w.norms()
	of := float64(s.common.forward * size) // the error of w₀
	n := len(common.re.Data)

	share, shareErrors = matrix.New(1, kq.Cols), make([]float64, kq.Cols)
	for j := range kq.Cols {
		if float64(sizeRe*sizeKQ[j]) < float64(math.Sqrt(s0)*float64(s.sigma*sizeW[j])) {
			mean := 0.0
			for _, part := range f {
				mean += s.mean(part, j)
			}
			share.Set(0, j, mean-fromRe.At(0, j)/s0)
			shareErrors[j] = innerError(n, sizeRe, of, sizeKQ[j], kq.errors[j]) / s0
		} else {
			share.Set(0, j, inner.At(0, j)/s0)
			shareErrors[j] = innerError(2*n, size, of, sizeW[j], errors[j]) / float64(size*size)
		}
		// S₀ has twice the relative error of w₀.
		shareErrors[j] += float64((chainError(2*n+8) + float64(2*s.common.forward)) * math.Abs(share.At(0, j)))
	}
	return share, shareErrors
}
