package solve

import (
	"context"
	"fmt"
	"math"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Entries gives entries of a symmetric matrix that is not stored. It must give
// the same bits for an entry whenever and with whatever other rows it is requested.
type Entries interface {
	// Order returns the number of rows and columns.
	Order() int
	// Diag fills dst, of length Order(), with the diagonal.
	Diag(dst []float64) []float64
	// Columns returns the part of the matrix in the given columns, which ascend.
	// It may keep cols, which is not changed.
	Columns(cols []int) Columns
}

// Columns is some columns of a symmetric matrix.
type Columns interface {
	// Rows fills dst, with as many rows as there are in rows and as many columns
	// as this part of the matrix, with the entries of those rows. All of them are
	// finite unless there is an error.
	Rows(dst *matrix.Dense, rows []int) error
}

// InMemory is Columns that lie in memory in at most two pieces. Its rows are read
// there and not copied.
type InMemory interface {
	Columns
	// Row returns the entries of a row: those of the first columns, and those of
	// the others. All are finite.
	Row(row int) (head, tail []float64)
}

// DefaultTolerance, DefaultCacheBytes are what the zero values of the fields of
// [SMOOptions] stand for.
const (
	DefaultTolerance  = 1e-3
	DefaultCacheBytes = 200 << 20
)

// SMOOptions bounds the work of [SMO]. The zero value is the default.
type SMOOptions struct {
	// Tolerance is the largest violation of the optimality conditions with which
	// the solver stops, in units of the decision value; 0 means 1e-3.
	Tolerance float64
	// MaxIterations bounds the number of steps; 0 means that each 10⁷ steps, or 100
	// a row where that is more, must halve the least violation so far, which is 2 to
	// begin with.
	MaxIterations int
	// CacheBytes bounds the rows of the matrix that are kept; 0 means 200 MiB. Two
	// rows are kept in any case. It never changes a result.
	CacheBytes int64
}

// Machine is the solution of a [SMO] problem: the decision function
// f(x) = Σ_t u_t k(x_t, x) + Bias.
type Machine struct {
	// U holds u_t = y_t α_t, one a row: within [0, c_t] for a row of the positive
	// class, [−c_t, 0] for one of the negative class, and exactly 0 for a row that
	// supports nothing.
	U          []float64
	Bias       float64
	Objective  float64 // of the dual, Σ α_t − ½ uᵀKu
	Gap        float64 // the largest violation that is left, at most the tolerance
	Iterations int
}

// SMO solves the dual problem of the C-support vector machine,
//
//	maximise  yᵀu − ½ uᵀKu   subject to  Σ u_t = 0,  0 ≤ y_t u_t ≤ c_t,
//
// with y_t = +1 where positive[t], −1 elsewhere, and c_t > 0; u_t is y_t α_t of
// the textbooks. There must be rows of both classes. K is normally positive
// semidefinite; otherwise the result is a stationary point.
//
// The method is sequential minimal optimisation (Platt, "Fast training of support
// vector machines using sequential minimal optimization", 1999). With the
// gradient g = y − Ku, the solution is optimal where no row that can rise (u_t below
// its upper bound, c_t or 0) has a larger g than one that can fall (u_t above its
// lower bound, 0 or −c_t). Each step takes the row i that can rise with the largest g_i and,
// of those that can fall, the row j that promises the largest gain to second order,
//
//	(g_i − g_j)² / (K_ii + K_jj − 2K_ij),
//
// the first of several in a tie (Fan, Chen & Lin, "Working set selection using
// second order information for training support vector machines", JMLR 6, 2005,
// WSS 2), and moves u_i up and u_j down by the same amount to the best place or
// the nearest bound. Rows that sit at a bound and are far from moving are left out
// for a while. Before the solver stops it computes the gradient anew from u, for
// all rows, and the conditions are checked on that: Gap is a property of the
// result. Every entry of the gradient is a chain of fused multiply-adds; the
// cache and the number of workers do not change a bit.
//
// [Linear] entries with at most as many features as rows are left to an
// interior-point method (Ferris & Munson, "Interior-point methods for massive support
// vector machines", SIAM J. Optim. 13, 2002) after 2²⁵/n steps, or 32 a feature where
// that is more. The steps go on from its result, with a gradient that comes from the
// features; mostly none is left to do.
//
// Errors: an *[IterationLimitError] where the tolerance is not reached, that of
// ctx, and those of the matrix. Cost: one row of the matrix a step as far as it
// is not in the cache, and two passes over the rows that were not left out; for d
// features some 45nd² flops once, and memory for n(d + 20) numbers.
func SMO(ctx context.Context, k Entries, positive []bool, c []float64, options SMOOptions) (*Machine, error) {
	misuse.NotNil("solve: SMO", "ctx", ctx, "k", k)
	n := k.Order()
	if len(positive) != n || len(c) != n {
		panic(fmt.Sprintf("solve: SMO: %d classes and %d bounds for a %d×%d matrix", len(positive), len(c), n, n))
	}
	if options.Tolerance == 0 {
		options.Tolerance = DefaultTolerance
	}
	if options.CacheBytes == 0 {
		options.CacheBytes = DefaultCacheBytes
	}
	s := newSMO(k, positive, c, options)
	defer s.cache.release()
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	m := s.machine()
	if !f64.AllFinite([]float64{m.Bias, m.Objective, m.Gap}) {
		return nil, s.limit(math.Inf(1), overflows)
	}
	return m, nil
}

// smo is the state of a run. The rows that are not left out, the active ones, are
// numbered by position; the slices below hold one entry for each of them, in the
// order of the rows.
type smo struct {
	entries Entries
	options SMOOptions

	active []int // the row of each position, ascending
	g      []float64
	u      []float64
	lo, hi []float64
	diag   []float64
	rise   []float64 // 0 where u can rise, −Inf at the upper bound
	fall   []float64 // 0 where u can fall, +Inf at the lower bound

	all   rowsOfAll
	cache *rowCache

	features *matrix.Dense // of a linear kernel that has no more of them than rows, or nil
	leapt    bool          // the interior-point method has been tried

	iterations int
	least      float64 // violation so far
	wanted     float64 // least at the end of a stretch of steps
	due        int     // step at which that ends
	fresh      bool    // g was computed from u, for all rows
	restored   bool    // the rows have all been brought back once, near the end
}

// rowsOfAll holds, by row, what the active rows came from and go back to.
type rowsOfAll struct {
	y, u, lo, hi, diag []float64
}

func newSMO(k Entries, positive []bool, c []float64, options SMOOptions) *smo {
	n := k.Order()
	a := rowsOfAll{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
	for t, yes := range positive {
		if yes {
			a.y[t], a.hi[t] = 1, c[t]
		} else {
			a.y[t], a.lo[t] = -1, -c[t]
		}
	}
	k.Diag(a.diag)
	s := &smo{entries: k, options: options, all: a, fresh: true, least: math.Inf(1), wanted: 1}
	if linear, ok := k.(Linear); ok {
		if x := linear.Features(); x != nil && x.Cols <= n {
			s.features = x
		}
	}
	s.g, s.u, s.lo, s.hi, s.diag = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	s.rise, s.fall = make([]float64, n), make([]float64, n)
	s.cache = newRowCache(n, options.CacheBytes)
	s.activateAll()
	copy(s.g, a.y) // u = 0
	s.due = s.stretch()
	return s
}

// activateAll makes all rows active; g is then undefined.
func (s *smo) activateAll() {
	n := len(s.all.u)
	s.active = make([]int, n) // its columns keep it
	for t := range s.active {
		s.active[t] = t
	}
	s.g, s.rise, s.fall = s.g[:n], s.rise[:n], s.fall[:n]
	s.u, s.lo, s.hi, s.diag = s.u[:n], s.lo[:n], s.hi[:n], s.diag[:n]
	copy(s.u, s.all.u)
	copy(s.lo, s.all.lo)
	copy(s.hi, s.all.hi)
	copy(s.diag, s.all.diag)
	for t := range s.u {
		s.note(t)
	}
	s.cache.reset(s.entries.Columns(s.active), s.active)
}

// note records where u[t] can go.
func (s *smo) note(t int) {
	s.rise[t], s.fall[t] = 0, 0
	if s.u[t] >= s.hi[t] {
		s.rise[t] = math.Inf(-1)
	}
	if s.u[t] <= s.lo[t] {
		s.fall[t] = math.Inf(1)
	}
}

func (s *smo) run(ctx context.Context) error {
	const contextEvery = 64
	untilShrink := shrinkFirst
	i := s.firstToRise()
	for {
		if s.iterations%contextEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		ki, j, gap, err := s.partner(i)
		if err != nil {
			return err
		}
		switch {
		case math.IsInf(gap, 1), gap > s.options.Tolerance && j < 0:
			return s.limit(gap, overflows)
		case gap <= s.options.Tolerance && s.fresh:
			return nil
		case s.fresh && gap <= s.resolution():
			return s.limit(gap, belowResolution)
		case gap <= s.options.Tolerance, gap <= 10*s.options.Tolerance && !s.restored && len(s.active) < len(s.all.u):
			// Near the end, or at what would be the end.
			s.restored = true
			if err := s.restore(ctx); err != nil {
				return err
			}
			i = s.firstToRise()
			untilShrink = s.shrinkEvery()
			continue
		case s.options.MaxIterations > 0 && s.iterations >= s.options.MaxIterations:
			return s.limit(gap, "raise the limit or the tolerance, or scale the features")
		case s.options.MaxIterations == 0 && s.stalls(gap):
			return s.limit(gap, "it comes down too slowly; scale the features, lower the bounds or raise the tolerance")
		case s.features != nil && !s.leapt && s.iterations >= stepsBeforeLeap(s.features):
			if err := s.leap(ctx); err != nil {
				return err
			}
			i = s.firstToRise()
			continue
		}
		kj, err := s.cache.row(j)
		if err != nil {
			return err
		}
		var moved bool
		if i, moved = s.step(i, j, ki, kj); !moved {
			if s.fresh {
				return s.limit(gap, belowResolution)
			}
			if err := s.restore(ctx); err != nil {
				return err
			}
			i = s.firstToRise()
			continue
		}
		s.iterations++
		s.fresh = false
		if untilShrink--; untilShrink == 0 {
			untilShrink = s.shrinkEvery()
			if gap <= s.resolution() {
				return s.limit(gap, belowResolution)
			}
			if s.shrink() {
				i = s.firstToRise()
			}
		}
	}
}

const (
	overflows       = "the gradient overflows; lower the bounds or scale the kernel"
	belowResolution = "float64 does not resolve less; raise the tolerance"
)

// stalls reports, at the end of each stretch of steps, whether it did not halve the
// least violation so far.
func (s *smo) stalls(gap float64) bool {
	s.least = min(s.least, gap)
	if s.iterations < s.due {
		return false
	}
	stalls := s.least > s.wanted
	s.due += s.stretch()
	s.wanted = float64(0.5 * s.least)
	return stalls
}

func (s *smo) stretch() int { return max(1e7, 100*len(s.all.u)) }

func (s *smo) limit(gap float64, reason string) error {
	return &IterationLimitError{Iterations: s.iterations, Gap: gap, Tolerance: s.options.Tolerance, Reason: reason}
}

// partner returns, for the row i that rises, its kernel values, the row j that
// falls and the violation of the pair that violates most.
func (s *smo) partner(i int) (ki kernelRow, j int, gap float64, err error) {
	if i < 0 {
		return ki, -1, math.Inf(-1), nil
	}
	if ki, err = s.cache.row(i); err != nil {
		return ki, -1, 0, err
	}
	h := len(ki.head)
	gap, best, j := f64.LargestGain(s.g[:h], s.fall[:h], s.g[i], ki.head, s.diag[:h], s.diag[i])
	if len(ki.tail) > 0 {
		g, b, at := f64.LargestGain(s.g[h:], s.fall[h:], s.g[i], ki.tail, s.diag[h:], s.diag[i])
		if b > best {
			j = h + at
		}
		gap = max(gap, g)
	}
	return ki, j, gap, nil
}

// subtract follows a change of u by di in row i and dj in row j, and returns the
// first of the rows that can rise with the largest g, −1 where there are none.
func (s *smo) subtract(di float64, ki kernelRow, dj float64, kj kernelRow) int {
	h := len(ki.head)
	best, next := f64.PairUpdate(s.g[:h], s.rise[:h], di, ki.head, dj, kj.head)
	if len(ki.tail) > 0 {
		if b, at := f64.PairUpdate(s.g[h:], s.rise[h:], di, ki.tail, dj, kj.tail); b > best {
			next = h + at
		}
	}
	return next
}

// firstToRise returns what subtract returns, without a change.
func (s *smo) firstToRise() int {
	best, at := math.Inf(-1), -1
	for t, g := range s.g {
		if v := g + s.rise[t]; v > best {
			best, at = v, t
		}
	}
	return at
}

// step moves u[i] up and u[j] down, follows with g, and returns the next row to
// rise. It reports false where the step is too small to change u.
func (s *smo) step(i, j int, ki, kj kernelRow) (next int, moved bool) {
	curvature := math.FMA(-2, ki.at(j), s.diag[i]+s.diag[j])
	if !(curvature > 0) {
		curvature = f64.LeastCurvature
	}
	delta := (s.g[i] - s.g[j]) / curvature
	roomI, roomJ := s.hi[i]-s.u[i], s.u[j]-s.lo[j]
	delta = min(delta, roomI, roomJ)
	ui, uj := s.u[i]+delta, s.u[j]-delta
	if delta == roomI {
		ui = s.hi[i]
	}
	if delta == roomJ {
		uj = s.lo[j]
	}
	di, dj := ui-s.u[i], uj-s.u[j]
	if di == 0 && dj == 0 {
		return i, false
	}
	s.u[i], s.u[j] = ui, uj
	s.note(i)
	s.note(j)
	return s.subtract(di, ki, dj, kj), true
}

// resolution returns the rounding unit of the sums that g consists of.
func (s *smo) resolution() float64 {
	total, largest := 0.0, 0.0
	for p, v := range s.u {
		total += math.Abs(v)
		largest = max(largest, math.Abs(s.diag[p]))
	}
	return float64(math.FMA(total, largest, 1) * unit)
}

// shrinkFirst is the number of steps to the first look at the rows to leave out:
// when they come back their part of the gradient has to be computed anew, so a short
// run is better off with all of them.
const shrinkFirst = 4000

// shrinkEvery returns the number of steps from one look to the next.
func (s *smo) shrinkEvery() int { return min(len(s.all.u), 1000) }

// restore makes all rows active and computes g = y − Ku from u alone, one chain an
// entry over the rows with u ≠ 0 in ascending order.
func (s *smo) restore(ctx context.Context) error {
	for p, t := range s.active {
		s.all.u[t] = s.u[p]
	}
	if len(s.active) < len(s.all.u) {
		s.activateAll()
	}
	if s.leapt {
		w := matrix.MulVec(nil, s.features, matrix.Transposed, s.u)
		matrix.MulVec(s.g, s.features, matrix.NoTrans, w)
		for t, v := range s.g {
			s.g[t] = s.all.y[t] - v
		}
		return s.finite()
	}
	copy(s.g, s.all.y)
	var support []int
	for t, v := range s.u {
		if v != 0 {
			support = append(support, t)
		}
	}
	const together = 1 << 19 // half of the kernel values at a time
	group := max(together/len(s.u), 1) * 2
	for lo := 0; lo < len(support); lo += group {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := support[lo:min(lo+group, len(support))]
		values, err := s.cache.rows(rows)
		if err != nil {
			return err
		}
		for k := 0; k < len(rows); k += 2 {
			if k+1 < len(rows) {
				s.subtract(s.u[rows[k]], values[k], s.u[rows[k+1]], values[k+1])
			} else {
				s.subtract(s.u[rows[k]], values[k], 0, values[k])
			}
		}
	}
	return s.finite()
}

// finite ends a restoration, with an error where the gradient overflows.
func (s *smo) finite() error {
	if !f64.AllFinite(s.g) {
		return s.limit(math.Inf(1), overflows)
	}
	s.fresh = true
	return nil
}

// extremes returns the largest g of the rows that can rise and the least of those
// that can fall.
func (s *smo) extremes() (rise, fall float64) {
	rise, fall = math.Inf(-1), math.Inf(1)
	for t, g := range s.g {
		rise, fall = max(rise, g+s.rise[t]), min(fall, g+s.fall[t])
	}
	return rise, fall
}

// machine reads the solution off a run that has ended, with all rows active.
func (s *smo) machine() *Machine {
	// A free row has f(x_t) = y_t, so g_t is the bias. Where there are none, the
	// bias lies between the rows that cannot fall and those that cannot rise.
	var free, terms []float64
	low, high := math.Inf(-1), math.Inf(1)
	for t, g := range s.g {
		switch rises, falls := s.rise[t] == 0, s.fall[t] == 0; {
		case rises && falls:
			free = append(free, g)
		case rises:
			low = max(low, g)
		case falls:
			high = min(high, g)
		}
		if s.u[t] != 0 {
			terms = append(terms, float64(s.u[t]*(s.all.y[t]+g)))
		}
	}
	m := &Machine{U: s.u, Iterations: s.iterations, Objective: float64(0.5 * matrix.Sum(terms))}
	if len(free) > 0 {
		m.Bias = matrix.Sum(free) / float64(len(free))
	} else {
		m.Bias = float64(0.5*low) + float64(0.5*high)
	}
	rise, fall := s.extremes()
	m.Gap = max(rise-fall, 0)
	return m
}
