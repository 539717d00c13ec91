package fisher

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// Trial is the solution with one regulariser, as it projects the training rows and rows that
// it was not fitted to.
type Trial struct {
	*Solution               // whose α may be in coordinates of a reduction
	Centroids *matrix.Dense // of the projections of the training rows, where no more is wanted; else nil

	rows *heldOut
}

// Wanted says what trials are to know of the training rows.
type Wanted struct {
	Centroids bool // the class means of their projections alone, where that is less work
	Equal     bool // equal rows have equal projections to the last bit
	Signs     bool // the signs of the components are those of [Solve]
}

// fewFactors is the number of ridges in the RKHS up to which as many factorizations take
// less than one reduction, 4n³/3 flops.
const fewFactors = 4

// Try calls use with a trial for each of the regularisers, several at a time, for the rows
// with the kernel values y, m×n. The errors are those of the trials, or of use. K is
// overwritten.
//
// One reduction of K or HKH serves all. Few ridges in the RKHS, and those with LeaveOneOut,
// have a factorization each.
func Try(ctx context.Context, p Problem, y *matrix.Dense, regularizers []Regularizer, wanted Wanted, use func(i int, t *Trial) error) ([]error, error) {
	if p.LeaveOneOut || regularizers[0].Kind.InRKHS() && len(regularizers) <= fewFactors {
		return tryFactors(ctx, p, y, regularizers, wanted, use)
	}
	return tryPath(ctx, p, y, regularizers, wanted, use)
}

// tryFactors is Try with a factorization for each ridge in the RKHS, as a single fit
// has it. The centred matrix, the contrasts and the centred rows serve all.
func tryFactors(ctx context.Context, p Problem, y *matrix.Dense, regularizers []Regularizer, wanted Wanted, use func(i int, t *Trial) error) ([]error, error) {
	var equal []int
	if wanted.Equal {
		equal = firstEqual(p.K)
	}
	s, err := p.scaled(true)
	if err != nil {
		return nil, err
	}
	if err := s.findContrasts(); err != nil {
		return nil, err
	}
	rows := newHeldOut(matrix.Transpose(nil, s.unscaledCentring().Cross(nil, y)))
	centred := solve.NewUpper(p.K)
	errs := make([]error, len(regularizers))
	for i, reg := range regularizers {
		found, err := s.centredIn(ctx, p.K, reg)
		restoreLower(p.K, centred)
		if err == nil {
			err = found.finish(reg)
		}
		if err == nil && found.Projections == nil {
			beta := s.weights.overRoots(found.Alpha.Clone())
			found.Projections = s.weights.overRoots(matrix.Mul(nil, p.K, matrix.NoTrans, beta, matrix.NoTrans))
			scaleBy(-s.scale.exp).matrix(found.Projections)
		}
		if err == nil {
			err = found.makeEqual(equal)
		}
		if err == nil {
			err = use(i, &Trial{Solution: found, rows: rows})
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		errs[i] = err
	}
	return errs, nil
}

// restoreLower overwrites the lower triangle and the diagonal of k, which a factorization has
// overwritten, by those of the same matrix as it was.
func restoreLower(k *matrix.Dense, was *solve.Upper) {
	const atOnce = 64
	rows := matrix.New(min(atOnce, k.Rows), k.Cols)
	for first := 0; first < k.Rows; first += atOnce {
		some := rows.View(0, 0, min(atOnce, k.Rows-first), k.Cols)
		was.Rows(some, first)
		for r := range some.Rows {
			i := first + r
			copy(k.Row(i)[:i+1], some.Row(r))
		}
	}
}

// makeEqual makes the projections of each row those of the first that is equal to it, for nil
// of none: where rows are at distance 0 from each other, they are to be equally far from a
// new one to the last bit. A projection that is not finite is an error.
func (s *Solution) makeEqual(equal []int) error {
	for i, first := range equal {
		copy(s.Projections.Row(i), s.Projections.Row(first))
	}
	return checkProjections(s.Projections)
}

// tryPath is Try by a path. In coordinates of its reduction K ≈ V T Vᵀ, which α = V a is
// given in, new rows with the kernel values Y have the projections Yα = (VᵀYᵀ)ᵀa, the class
// means (VᵀKL)ᵀa with the weights L, and the training rows Kα = V(Ta).
func tryPath(ctx context.Context, p Problem, y *matrix.Dense, regularizers []Regularizer, wanted Wanted, use func(i int, t *Trial) error) ([]error, error) {
	p.Source = nil // K is all there is, and it is overwritten
	path, shifts, err := startPath(p, regularizers)
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(regularizers))
	if len(shifts) > 0 {
		s := path.of
		means := matrix.Mul(nil, p.K, matrix.NoTrans, averages(p.Classes), matrix.NoTrans)
		var equal []int
		if wanted.Equal {
			equal = firstEqual(p.K)
		}
		r, err := solve.Reduce(ctx, p.K, path.start(), shifts)
		if err != nil {
			return nil, err
		}
		if s.centring != nil {
			y = s.unscaledCentring().Cross(nil, y)
		}
		first, second := s.kq.Cols, s.kq.Cols+means.Cols
		all := matrix.New(p.K.Rows, second+y.Rows)
		all.View(0, 0, p.K.Rows, first).CopyFrom(s.kq.Dense)
		all.View(0, first, p.K.Rows, means.Cols).CopyFrom(means)
		matrix.Transpose(all.View(0, second, p.K.Rows, y.Rows), y)
		s.weights.TimesRoots(all.View(0, second, p.K.Rows, y.Rows))
		all = r.Coordinates(all)
		path.take(r, all.View(0, 0, all.Rows, first))
		means = all.View(0, first, all.Rows, means.Cols)
		rows := newHeldOut(all.View(0, second, all.Rows, y.Rows))
		if wanted.Centroids {
			r.DropVectors(p.K)
		}
		path.each(ctx, func(i int, found *Solution) error {
			t := &Trial{Solution: found, rows: rows}
			var err error
			if wanted.Centroids {
				t.Centroids = matrix.Mul(nil, means, matrix.Transposed, found.Alpha, matrix.NoTrans)
				scaleBy(-s.scale.exp).matrix(t.Centroids)
				err = checkProjections(t.Centroids)
			} else {
				err = t.train(r, s.scale, equal, wanted.Signs)
			}
			if err != nil {
				return err
			}
			return use(i, t)
		})
	}
	for i, e := range path.Entries {
		errs[i] = e.Err
	}
	return errs, ctx.Err()
}

// averages returns the n×c matrix with 1/l_j, or √w/l_j, in row i of column j for a row i of
// class j: of projections √w z the means are those of z.
func averages(of *Classes) *matrix.Dense {
	w := matrix.New(len(of.Codes), len(of.Sizes))
	for i, j := range of.Codes {
		w.Set(i, j, of.Weights.root(i)/of.Sizes[j])
	}
	return w
}

// train sets the projections of the training rows, from units of the given scale.
func (t *Trial) train(r *solve.Reduction, scale binaryScale, equal []int, signs bool) error {
	if signs {
		negated := fixSigns(t.weights.TimesRoots(r.Vectors(t.Alpha)))
		negate(t.Alpha, negated)
		t.Negated = negated[0]
	}
	t.Projections = t.weights.overRoots(r.Vectors(r.Multiply(t.Alpha)))
	scaleBy(-scale.exp).matrix(t.Projections)
	return t.makeEqual(equal)
}

// heldOut are rows by the kernel values that α takes, transposed.
type heldOut struct {
	values *matrix.Dense
	packed *block.Panels // the same
}

func newHeldOut(values *matrix.Dense) *heldOut {
	return &heldOut{values, block.PackB(block.Mat(*values), false)}
}

// Project returns the projections of the rows that had no part in the fit. They are
// computed as their transpose.
func (t *Trial) Project() (*matrix.Dense, error) {
	z := matrix.New(t.Alpha.Cols, t.rows.values.Cols)
	block.Run(nil, block.Job{
		Op: f64.Product, C: block.Mat(*z), A: block.Mat(*t.Alpha), TransA: true,
		B: block.Mat(*t.rows.values), Panels: t.rows.packed,
	})
	z = matrix.Transpose(nil, z)
	return z, checkProjections(z)
}

// checkProjections returns an *[OverflowError] for the first that is not finite.
func checkProjections(z *matrix.Dense) error {
	for i := range z.Rows {
		for j, v := range z.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &OverflowError{Row: i, Component: j}
			}
		}
	}
	return nil
}

// firstEqual returns, for each row of k, the first row that is equal to it.
func firstEqual(k *matrix.Dense) []int {
	order := make([]int, k.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(slices.Compare(k.Row(a), k.Row(b)), cmp.Compare(a, b))
	})
	first := make([]int, k.Rows)
	for at, i := range order {
		first[i] = i
		if at > 0 && slices.Equal(k.Row(order[at-1]), k.Row(i)) {
			first[i] = first[order[at-1]]
		}
	}
	return first
}
