package solve

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// factorOf returns the RowFactor of the rows in blocks of so many from the first on, which it
// appends some at a time. The last block has ended.
func factorOf(t *testing.T, a *matrix.Dense, first, size, atOnce int) *RowFactor {
	t.Helper()
	f := NewRowFactor(a.Cols, first)
	for i := 0; i < a.Rows; i += size {
		end := min(a.Rows, i+size)
		for k := i; k < end; k += atOnce {
			must.Do(t, f.Append(a.View(k, 0, min(atOnce, end-k), a.Cols)))
		}
		must.Do(t, f.EndBlock())
	}
	return f
}

// upperOf returns R, upper triangular.
func upperOf(f *RowFactor) (*matrix.Dense, error) {
	lower, err := f.Lower()
	if err != nil {
		return nil, err
	}
	return matrix.Transpose(nil, UnpackLower(f.Cols(), lower)), nil
}

// gradedMatrix has columns of sizes 2^(±40), and every third is nearly a multiple of the one before it.
func gradedMatrix(seed uint64, rows, cols int) *matrix.Dense {
	a := uniformMatrix(seed, rows, cols)
	for j := range cols {
		for i := range rows {
			if j%3 == 1 {
				a.Set(i, j, a.At(i, j-1)+0x1p-24*a.At(i, j))
			}
		}
	}
	for j := range cols {
		for i := range rows {
			a.Set(i, j, math.Ldexp(a.At(i, j), j%5*20-40))
		}
	}
	return a
}

// R is upper triangular with a diagonal ≥ 0, RᵀR = AᵀA relative to the norms of the columns, and
// the singular values of R are those of A, also where AᵀA has lost the least of them.
func TestRowFactor(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {3, 5}, {700, 3}, {1200, 49}, {900, 110}, {60, 120}} {
		n, p := shape[0], shape[1]
		for _, graded := range []bool{false, true} {
			a := uniformMatrix(5, n, p)
			if graded {
				a = gradedMatrix(5, n, p)
			}
			r := must.Get(upperOf(factorOf(t, a, 0, 600, n)))(t)
			g, back := matrix.SymRankK(nil, a, matrix.Transposed), matrix.SymRankK(nil, r, matrix.Transposed)
			for i := range p {
				if r.At(i, i) < 0 {
					t.Errorf("%d×%d: diagonal element %d is %v", n, p, i, r.At(i, i))
				}
				for j := range p {
					if i > j && r.At(i, j) != 0 {
						t.Fatalf("%d×%d: element (%d, %d) of R is %v", n, p, i, j, r.At(i, j))
					}
					if e := math.Abs(back.At(i, j) - g.At(i, j)); !(e <= 1e-14*math.Sqrt(g.At(i, i)*g.At(j, j))) {
						t.Fatalf("%d×%d: RᵀR − AᵀA is %.3g relative to columns %d and %d", n, p, e/math.Sqrt(g.At(i, i)*g.At(j, j)), i, j)
					}
				}
			}
			unit := a.Clone() // of columns of the same size
			for j := range p {
				for i := range n {
					if graded {
						unit.Set(i, j, math.Ldexp(unit.At(i, j), 40-j%5*20))
					}
				}
				for i := range p {
					if graded {
						r.Set(i, j, math.Ldexp(r.At(i, j), 40-j%5*20))
					}
				}
			}
			want, got := must.Get(SingularValues(unit))(t), must.Get(SingularValues(r))(t)
			for i, v := range want {
				if e := math.Abs(got[i] - v); !(e <= 1e-14*want[0]) {
					t.Errorf("%d×%d, graded %t: singular value %d is %v, want %v (of %v)", n, p, graded, i, got[i], v, want[0])
				}
			}
		}
	}
}

// However rows come in, however blocks are shared out and whichever is first, and for any
// number of workers, R has the same bits; so has one that was kept in the middle of a block.
func TestRowFactorShards(t *testing.T) {
	const n, p, size = 64 * 30, 30, 30
	a := gradedMatrix(7, n-3, p)
	whole := must.Get(upperOf(factorOf(t, a, 0, size, n)))(t)
	defer block.SetWorkers(block.SetWorkers(0))
	for _, shards := range []int{1, 2, 7, 64} {
		for _, workers := range []int{1, 2} {
			block.SetWorkers(workers)
			var parts []*RowFactor
			for s := range shards {
				lo, hi := 64*s/shards, 64*(s+1)/shards
				rows := a.View(lo*size, 0, min(hi*size, a.Rows)-lo*size, p)
				parts = append(parts, factorOf(t, rows, lo, size, 7+s))
			}
			newRand(uint64(shards)).Shuffle(shards, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			for _, g := range parts[1:] {
				must.Do(t, parts[0].Merge(must.Get(RestoreRowFactor(g.State()))(t)))
			}
			matrixtest.SameBits(t, fmt.Sprintf("%d shards, %d workers", shards, workers), must.Get(upperOf(parts[0]))(t), whole)
		}
	}

	b := gradedMatrix(8, 1700, 96) // more than a piece, and columns for several workers
	block.SetWorkers(1)
	one := must.Get(upperOf(factorOf(t, b, 0, 900, b.Rows)))(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, workers := range []int{1, 3} {
		block.SetWorkers(workers)
		for _, at := range []int{1, PieceRows, PieceRows + 5} {
			f := NewRowFactor(b.Cols, 0)
			must.Do(t, f.Append(b.View(0, 0, at, b.Cols)))
			g := must.Get(RestoreRowFactor(f.State()))(t)
			must.Do(t, g.Append(b.View(at, 0, 900-at, b.Cols)))
			must.Do(t, g.EndBlock())
			must.Do(t, g.Append(b.View(900, 0, 800, b.Cols)))
			matrixtest.SameBits(t, "factor with an open block", must.Get(upperOf(g))(t), one)
			must.Do(t, g.EndBlock())
			matrixtest.SameBits(t, "factor of ended blocks", must.Get(upperOf(g))(t), one)
		}
	}
}

func TestRowFactorErrors(t *testing.T) {
	a := uniformMatrix(1, 12, 3)
	part := func(first, blocks int) *RowFactor { return factorOf(t, a.View(0, 0, 2*blocks, 3), first, 2, 2) }
	open := NewRowFactor(3, 4)
	must.Do(t, open.Append(a))
	factor := func(f *RowFactor) error { _, err := f.Lower(); return err }
	for _, c := range []struct {
		what  string
		err   error
		block int
	}{
		{"overlap", part(0, 6).Merge(part(5, 2)), 5},
		{"a block in a node", part(2, 1).Merge(part(0, 4)), 2},
		{"again", part(0, 4).Merge(part(0, 4)), 0},
		{"open", part(0, 4).Merge(open), 4},
		{"into an open one", open.Merge(part(0, 4)), 4},
		{"first blocks are missing", factor(part(1, 2)), 0},
	} {
		if e := (*BlockError)(nil); !errors.As(c.err, &e) || e.Block != c.block {
			t.Errorf("%s: %v, want one for block %d", c.what, c.err, c.block)
		}
	}
	f := part(0, 3)
	must.Do(t, f.Merge(part(5, 1)))
	if e := (*BlockError)(nil); !errors.As(factor(f), &e) || e.Block != 3 {
		t.Errorf("a gap: %v", factor(f))
	}
	before := f.State()
	if err := f.Merge(part(4, 2)); err == nil || !slices.EqualFunc(before.Nodes, f.State().Nodes, func(x, y RowNode) bool { return x.Level == y.Level && x.Index == y.Index }) {
		t.Errorf("a refused merge: %v, and nodes %v", err, f.State().Nodes)
	}

	good := part(0, 3).State()
	a.Set(1, 2, math.NaN())
	if e := (*matrix.NotFiniteError)(nil); !errors.As(NewRowFactor(3, 0).Append(a), &e) || e.Row != 1 || e.Col != 2 {
		t.Error("NaN is accepted")
	}
	huge := NewRowFactor(1, 0)
	must.Do(t, huge.Append(matrix.Column([]float64{math.MaxFloat64, math.MaxFloat64})))
	if e := (*RangeError)(nil); !errors.As(factor(huge), &e) || !errors.As(huge.EndBlock(), &e) {
		t.Errorf("beyond the range: %v", factor(huge))
	}

	for i, spoil := range []func(*RowState){
		func(s *RowState) { s.Cols = 0 },
		func(s *RowState) { s.Block = -1 },
		func(s *RowState) { s.Rows = 1 },
		func(s *RowState) { s.Nodes[0].Level = 63 },
		func(s *RowState) { s.Nodes[0].Index = -1 },
		func(s *RowState) { s.Nodes[1].Index = 1 },
		func(s *RowState) { s.Nodes[0].Level = 0; s.Nodes[1].Index = 1 },
		func(s *RowState) { s.Nodes[0].Lower = s.Nodes[0].Lower[:2] },
		func(s *RowState) { s.Piece = matrix.New(1, 3) },
	} {
		s := good
		s.Nodes = slices.Clone(s.Nodes)
		spoil(&s)
		if _, err := RestoreRowFactor(s); err == nil {
			t.Errorf("state %d is accepted", i)
		}
	}
}

// Joined factors are those of the rows of both, and a hash is the same on every platform.
func TestRowFactorSameBits(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		a := gradedMatrix(9, 1300, 75)
		r := must.Get(upperOf(factorOf(t, a, 0, 700, 1300)))(t)
		must.Equal(t, "hash of R", hashOf(r.Data), "b43d06f76b30f776")
		var halves [2][]float64
		for i := range halves {
			halves[i] = must.Get(factorOf(t, a.View(700*i, 0, 700-100*i, a.Cols), 0, 700, 700).Lower())(t)
		}
		joined := matrix.Transpose(nil, UnpackLower(a.Cols, JoinFactors(a.Cols, halves[0], halves[1])))
		for i := range r.Rows {
			for j := range r.Cols {
				if e := math.Abs(joined.At(i, j) - r.At(i, j)); e > 1e-6*matrix.NormFrobenius(r.View(0, j, r.Rows, 1)) {
					t.Fatalf("element (%d, %d) of joined factors is %v, want %v", i, j, joined.At(i, j), r.At(i, j))
				}
			}
		}
	})
}
