package cv

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Alignment returns the centred alignment of a symmetric n×n kernel matrix with the labels
// of its rows,
//
//	⟨HKH, HTTᵀH⟩ / (‖HKH‖ ‖HTTᵀH‖),   H = I − 11ᵀ/n,
//
// with T the n×c class indicators and the inner product and norm of Frobenius (Cortes,
// Mohri and Rostamizadeh, "Algorithms for learning kernels based on centered alignment",
// JMLR 13, 2012, definition 4). For two classes HTTᵀH is half of HyyᵀH, y = ±1. It is at
// most 1, not negative for a positive semidefinite kernel, and does not change when K is
// multiplied by a positive number or a number is added to all its entries.
//
// A number of labels other than n is a *[RowsError], fewer than two classes a
// *[discriminant.ClassesError], an entry that is not finite a *[matrix.NotFiniteError], and
// a K that is constant up to rounding, which HKH does not tell from 0, a *[ParameterError].
// Cost: O(n²), and the memory of another matrix. The result does not depend on the number
// of processors.
func Alignment[L discriminant.Label](k *matrix.Dense, labels []L) (float64, error) {
	misuse.NotNil("cv: Alignment", "k", k)
	if k.Rows != k.Cols {
		panic(fmt.Sprintf("cv: Alignment: kernel matrix is %d×%d", k.Rows, k.Cols))
	}
	target, err := newTarget(k.Rows, labels)
	if err != nil {
		return 0, err
	}
	if err := matrix.CheckFinite(k); err != nil {
		return 0, err
	}
	// A power of two of about 1/max|K| keeps squares and sums in range.
	centred := matrix.New(k.Rows, k.Rows)
	_, e := math.Frexp(matrix.MaxAbs(k))
	for i := range k.Rows {
		row := centred.Row(i)
		for j, v := range k.Row(i) {
			row[j] = math.Ldexp(v, -e)
		}
	}
	a, ok := target.alignment(centred, centred)
	if !ok {
		return 0, &ParameterError{Field: "K", Value: "constant", Reason: "the centred kernel matrix is 0 up to rounding: it has no alignment"}
	}
	return a, nil
}

// Alignments returns the [Alignment] of the rbf kernel of the rows of x for each γ: a
// quick look at which γ may be worth a search, without a fit. What it prefers is not
// always what makes the fewest errors, see docs/choosing.md. A γ so small or large that
// HKH is 0 up to rounding has the alignment 0.
//
// Scale x first, see [discriminant.FitScaler]. The squared distances are computed once.
// Cost: O(n²d), and O(n²) for each γ; memory: two n×n matrices and a half. The errors are
// those of Alignment, and of an illegal γ. ctx can cancel it.
func Alignments[L discriminant.Label](ctx context.Context, x *matrix.Dense, labels []L, gammas []float64) ([]float64, error) {
	misuse.NotNil("cv: Alignments", "ctx", ctx, "x", x)
	target, err := newTarget(x.Rows, labels)
	if err != nil {
		return nil, err
	}
	if err := matrix.CheckFinite(x); err != nil {
		return nil, err
	}
	for _, gamma := range gammas {
		if err := checkGamma(gamma); err != nil {
			return nil, err
		}
	}
	distances, all := distancesOf(nil, x), allRows(x)
	k, centred := matrix.New(x.Rows, x.Rows), matrix.New(x.Rows, x.Rows)
	values := make([]float64, len(gammas))
	for i, gamma := range gammas {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		distances.fill(k, all, all)
		expNeg(k, gamma)
		values[i], _ = target.alignment(k, centred)
	}
	return values, nil
}

// target is HTTᵀH.
type target struct {
	codes  []int // class of each row
	counts []float64
	norm   float64
}

func newTarget[L discriminant.Label](n int, labels []L) (*target, error) {
	if n != len(labels) {
		return nil, &RowsError{Rows: n, Labels: len(labels), Folds: n}
	}
	t := &target{codes: make([]int, n)}
	var found []string
	for j, c := range rowsOf(labels) {
		for _, i := range c.rows {
			t.codes[i] = j
		}
		t.counts = append(t.counts, float64(len(c.rows)))
		found = append(found, fmt.Sprint(c.label))
	}
	if len(found) < 2 {
		return nil, &discriminant.ClassesError{Found: found}
	}
	// ‖HTTᵀH‖ = ‖TᵀHT‖, TᵀHT = diag(l) − llᵀ/n with the classes' numbers of rows l.
	c := len(t.counts)
	squares := make([]float64, 0, c*c)
	for a, la := range t.counts {
		for b, lb := range t.counts {
			v := -float64(la*lb) / float64(n)
			if a == b {
				v += la
			}
			squares = append(squares, float64(v*v))
		}
	}
	t.norm = math.Sqrt(matrix.Sum(squares))
	return t, nil
}

// alignment returns the alignment of k, or false where HKH is 0 up to rounding. It
// overwrites centred, which may be k.
func (t *target) alignment(k, centred *matrix.Dense) (float64, bool) {
	n := k.Rows
	largest := matrix.MaxAbs(k)
	gram.NewCentring(k).Matrix(centred, k)
	inner, squares := make([]float64, n), make([]float64, n)
	team := block.TeamFor(n, n, 2)
	defer team.Close()
	team.Rows(n, func(lo, hi int) {
		same := make([]float64, 0, n)
		for i := lo; i < hi; i++ {
			row := centred.Row(i)
			same = same[:0]
			for j, v := range row {
				if t.codes[j] == t.codes[i] {
					same = append(same, v)
				}
			}
			// ⟨HKH, HTTᵀH⟩ = ⟨HKH, TTᵀ⟩, the sum of HKH over pairs of one class.
			inner[i], squares[i] = matrix.Sum(same), matrix.SumSquares(row)
		}
	})
	norm := math.Sqrt(matrix.Sum(squares))
	// Each entry of HKH has an error of some u·max|K|, u = 2⁻⁵³.
	if !(norm > float64(8*f64.Roundoff*float64(n))*largest) {
		return 0, false
	}
	return matrix.Sum(inner) / norm / t.norm, true
}
