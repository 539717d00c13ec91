package inference

import (
	"context"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/internal/wilson"
	"github.com/seed92411348/kfda/matrix"
)

// Permutations are what labels in random order say of a statistic.
type Permutations struct {
	Count   int       // B, of the permutations
	AsLarge int       // with a statistic that is at least as large as that of the labels
	P       float64   // (1 + AsLarge)/(1 + B), Phipson and Smyth 2010
	Null    []float64 // statistic of each permutation, in their order

	// Interval is Wilson's, of 95 %, of the p-value that all permutations would give: what is unknown
	// as there are only so many.
	Interval [2]float64

	// Distinct is how many ways of permuting the labels the statistic can tell apart, +Inf where that is
	// above the range of float64: classes of as many rows may swap their names. Over all of them the p-value
	// is at least one in so many. Of [Changes] it is the inverse of [ChangeOptions.SmallestP].
	Distinct float64
}

// newPermutations counts what is at least as large.
func newPermutations(statistic float64, null []float64, distinct float64) *Permutations {
	p := &Permutations{Count: len(null), Null: null, Distinct: distinct}
	for _, v := range null {
		if v >= statistic {
			p.AsLarge++
		}
	}
	p.P = float64(1+p.AsLarge) / float64(1+p.Count)
	p.Interval[0], p.Interval[1] = wilson.Of(p.AsLarge, p.Count)
	return p
}

// relabelling permutes labels: within strata, and those of rows of one group together. Rows that
// move together are a unit.
type relabelling struct {
	seed    uint64
	codes   []int   // the class of each unit
	unit    []int   // of each row; nil: each row is one
	strata  [][]int // units of each stratum
	classes int
}

// newRelabelling takes strata and groups of the rows, nil for none.
func newRelabelling(codes []int, classes int, o TestOptions) (*relabelling, error) {
	r := &relabelling{seed: o.Seed, codes: codes, classes: classes}
	strata := o.Strata
	if o.Groups != nil {
		var err error
		if strata, err = r.join(o.Groups, o.Strata); err != nil {
			return nil, err
		}
	}
	which := make(map[int]int)
	for u := range r.codes {
		stratum := 0
		if strata != nil {
			stratum = strata[u]
		}
		k, known := which[stratum]
		if !known {
			k = len(r.strata)
			which[stratum] = k
			r.strata = append(r.strata, nil)
		}
		r.strata[k] = append(r.strata[k], u)
	}
	if restricted := o.Strata != nil || o.Groups != nil; r.ways() == 1 || restricted && r.distinct() == 1 {
		field, reason := "Strata", "no stratum has rows of two classes, so that there is nothing to permute"
		if o.Groups != nil {
			field, reason = "Groups", "no two groups that may change places have different labels, so that there is nothing to permute"
		}
		if r.ways() > 1 {
			reason = "permuted labels make the same classes by other names, as where all rows of a class are one group"
		}
		return nil, &RestrictionError{Field: field, Row: -1, Reason: reason}
	}
	return r, nil
}

// join makes the rows of a group a unit, and returns the strata of the units.
func (r *relabelling) join(groups, strata []int) ([]int, error) {
	rows := r.codes
	r.codes, r.unit = nil, make([]int, len(rows))
	which := make(map[int]int)
	var first []int // row of each unit
	for i, g := range groups {
		u, known := which[g]
		if !known {
			u = len(first)
			which[g] = u
			first = append(first, i)
			r.codes = append(r.codes, rows[i])
		}
		r.unit[i] = u
		if rows[i] != r.codes[u] {
			return nil, &RestrictionError{Field: "Groups", Row: i, Reason: "it has another label than the first row of its group: rows that move together must be of one class"}
		}
		if strata != nil && strata[i] != strata[first[u]] {
			return nil, &RestrictionError{Field: "Groups", Row: i, Reason: "it is in another stratum than the first row of its group: rows that move together must be in one"}
		}
	}
	if strata == nil {
		return nil, nil
	}
	of := make([]int, len(first))
	for u, i := range first {
		of[u] = strata[i]
	}
	return of, nil
}

// distinct returns how many of the ways make other classes: those with as many units in each stratum may
// swap their names.
func (r *relabelling) distinct() float64 {
	sizes := make([][]int, r.classes) // in each stratum
	for _, units := range r.strata {
		for k := range sizes {
			sizes[k] = append(sizes[k], 0)
		}
		for _, u := range units {
			of := sizes[r.codes[u]]
			of[len(of)-1]++
		}
	}
	ways := r.ways()
	for k := range sizes {
		alike := 1.0 // among the classes up to this one
		for _, other := range sizes[:k] {
			if slices.Equal(other, sizes[k]) {
				alike++
			}
		}
		ways = math.Round(ways / alike)
	}
	return ways
}

// ways returns in how many ways the units can be labelled: the product of the multinomial
// coefficients of the strata.
func (r *relabelling) ways() float64 {
	ways := 1.0
	counts := make([]int, r.classes)
	for _, units := range r.strata {
		clear(counts)
		for placed, u := range units {
			k := r.codes[u]
			counts[k]++
			ways = math.Round(float64(ways*float64(placed+1)) / float64(counts[k]))
		}
	}
	return ways
}

// draw writes the classes of the rows in permutation number p, which depends on the seed and p alone,
// with two buffers of as many numbers.
func (r *relabelling) draw(p int, rows, units, some []int) {
	random := splitmix.Random(splitmix.At(r.seed, uint64(p)))
	if r.unit == nil {
		units = rows
	}
	for _, of := range r.strata {
		some = some[:len(of)]
		for i, u := range of {
			some[i] = r.codes[u]
		}
		random.Shuffle(some, len(some)-1)
		for i, u := range of {
			units[u] = some[i]
		}
	}
	for i, u := range r.unit {
		rows[i] = units[u]
	}
}

// unchanged is draw for the labels as they are.
func (r *relabelling) unchanged(_ int, rows, _, _ []int) {
	if r.unit == nil {
		copy(rows, r.codes)
	}
	for i, u := range r.unit {
		rows[i] = r.codes[u]
	}
}

// Permutations are taken in blocks of about so many columns, which decides nothing but the memory of
// a block, and by a worker so many at a time.
const (
	blockColumns = 480
	atOnce       = 8
)

// columnsAtOnce is the number of columns of a block beside so many landmarks, 0 for none.
func columnsAtOnce(landmarks int) int {
	if landmarks == 0 {
		return blockColumns
	}
	return min(blockColumns, max(32, landmarks/4))
}

// labelled are columns made of labels: of each permutation each columns, whose values on the rows of
// a class are in a row of what values returns for the classes' sizes.
type labelled struct {
	rows, classes, each int
	draw                func(p int, rows, units, some []int)
	values              func(sizes []float64) *matrix.Dense
	fixed               *matrix.Dense // where sizes do not change
}

// fill overwrites b by the columns of the permutations from first on.
func (l *labelled) fill(b *matrix.Dense, first int) {
	count := b.Cols / l.each
	team := block.TeamFor(b.Rows, b.Cols, 16)
	defer team.Close()
	team.Do((count+atOnce-1)/atOnce, func(task int) {
		from := task * atOnce
		some := min(atOnce, count-from)
		codes := make([]int, (some+2)*l.rows)
		buffers := codes[some*l.rows:]
		values := make([]*matrix.Dense, some)
		sizes := make([]float64, l.classes)
		for k := range some {
			drawn := codes[k*l.rows : (k+1)*l.rows]
			l.draw(first+from+k, drawn, buffers[:l.rows], buffers[l.rows:])
			if values[k] = l.fixed; l.fixed == nil {
				clear(sizes)
				for _, j := range drawn {
					sizes[j]++
				}
				values[k] = l.values(sizes)
			}
		}
		for i := range l.rows {
			row := b.Row(i)[from*l.each : (from+some)*l.each]
			for k, v := range values {
				copy(row[k*l.each:], v.Row(codes[k*l.rows+i]))
			}
		}
	})
}

// blocks calls use with the filled columns, about so many, of blocks of count permutations, the first of
// which is number first, one block after the other.
func (l *labelled) blocks(ctx context.Context, columns, count int, progress func(done, total int), use func(b *matrix.Dense, first int)) error {
	perBlock := min(count, max(1, columns/l.each))
	buffer := matrix.New(l.rows, perBlock*l.each)
	for first := 0; first < count; first += perBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buffer.View(0, 0, l.rows, min(perBlock, count-first)*l.each)
		l.fill(b, first)
		use(b, first)
		if progress != nil {
			progress(min(count, first+perBlock), count)
		}
	}
	return ctx.Err()
}

// contrasts are those of c−1 columns of each permutation.
func (r *relabelling) contrasts(rows int, draw func(int, []int, []int, []int)) *labelled {
	l := &labelled{rows: rows, classes: r.classes, each: r.classes - 1, draw: draw, values: fisher.ClassContrasts}
	l.fix(r)
	return l
}

// fix computes the values once where the sizes of classes do not change.
func (l *labelled) fix(r *relabelling) {
	if r.unit == nil {
		sizes := make([]float64, r.classes)
		for _, j := range r.codes {
			sizes[j]++
		}
		l.fixed = l.values(sizes)
	}
}

// traces returns tr Σ⁻¹ = Σ(1 + λ) of count labellings, Σ = QᵀGQ = XᵀX for the whitened contrasts X.
// Cost: n²(c−1) flops each; memory of some 480 columns.
func (s *Sample) traces(ctx context.Context, l *labelled, count int, progress func(done, total int)) ([]float64, error) {
	traces := make([]float64, count)
	err := l.blocks(ctx, columnsAtOnce(s.rows.landmarks()), count, progress, func(b *matrix.Dense, first int) {
		squares(s.rows.Whiten(b), l.each, func(k int, sigma *matrix.Dense) { traces[first+k] = inverseTrace(sigma) })
	})
	return traces, err
}

// squares calls use with XᵀX of each m columns X, whose rows are those of all parts, on several goroutines at
// the same time.
func squares(parts []*matrix.Dense, m int, use func(k int, of *matrix.Dense)) {
	columns := parts[0].Cols
	count := columns / m
	team := block.TeamFor(parts[0].Rows, columns, m)
	defer team.Close()
	team.Do((count+atOnce-1)/atOnce, func(task int) {
		from := task * atOnce
		some := min(atOnce, count-from)
		sums := matrix.New(some*m, m)
		for _, x := range parts {
			for i := range x.Rows {
				addSquares(sums, x.Row(i)[from*m:(from+some)*m], m)
			}
		}
		for k := range some {
			use(from+k, sums.View(k*m, 0, m, m))
		}
	})
}

// addSquares adds to sums the products of the entries of each m columns of a row: the lower triangle of each.
func addSquares(sums *matrix.Dense, row []float64, m int) {
	if m == 1 {
		for k, v := range row {
			sums.Data[k] = math.FMA(v, v, sums.Data[k])
		}
		return
	}
	for k, v := range row {
		to, before := sums.Row(k), row[k-k%m:k+1]
		for j, w := range before {
			to[j] = math.FMA(v, w, to[j])
		}
	}
}

// inverseTrace returns tr A⁻¹ = ‖L⁻¹‖_F² of the positive definite A = LLᵀ, of which the lower triangle is
// read and overwritten: +Inf where A is singular up to rounding.
func inverseTrace(a *matrix.Dense) float64 {
	m, sum := a.Rows, 0.0
	for j := range m {
		for i := j; i < m; i++ {
			s := a.At(i, j)
			for k := range j {
				s = math.FMA(-a.At(i, k), a.At(j, k), s)
			}
			if i == j {
				if !(s > 0) {
					return math.Inf(1)
				}
				s = math.Sqrt(s)
			} else {
				s /= a.At(j, j)
			}
			a.Set(i, j, s)
		}
	}
	x := make([]float64, m)
	for j := range m {
		for i := j; i < m; i++ { // column j of L⁻¹
			s := 0.0
			if i == j {
				s = 1
			}
			for k := j; k < i; k++ {
				s = math.FMA(-a.At(i, k), x[k], s)
			}
			x[i] = s / a.At(i, i)
			sum = math.FMA(x[i], x[i], sum)
		}
	}
	return sum
}
