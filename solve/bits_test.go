package solve

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"runtime"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// uniformMatrix has entries in [-1, 1), made with integer operations and exact
// conversions only.
func uniformMatrix(seed uint64, rows, cols int) *matrix.Dense {
	rng := newRand(seed)
	a := matrix.New(rows, cols)
	for i := range a.Data {
		a.Data[i] = float64(int64(rng.Uint64())>>11) * 0x1p-52
	}
	return a
}

func hashOf(parts ...[]float64) string {
	h := fnv.New64a()
	var b [8]byte
	for _, p := range parts {
		for _, v := range p {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// Results have the same bits on every platform: hashes of whole results,
// recorded once.
func TestSameBitsEverywhere(t *testing.T) { asmtest.EachTier(t, sameBits) }

func sameBits(t *testing.T) {
	ctx := context.Background()
	const n = 75
	x := uniformMatrix(1, n, 6)
	k := matrix.SymRankK(nil, x, matrix.NoTrans)
	f := uniformMatrix(2, n, 5)
	check := func(what, want string, parts ...[]float64) {
		t.Helper()
		must.Equal(t, fmt.Sprintf("%s: hash", what), hashOf(parts...), want)
	}

	a := k.Clone()
	s := must.Get(FactorShifted(ctx, a, 0.01))(t)
	check("FactorShifted", "e89a2b867d90f1ec", a.Data, s.e, []float64{s.growth})
	re, im := f.Clone(), matrix.New(n, 5)
	s.Solve(re, im)
	check("Shifted.Solve", "878c302e1fdbae93", re.Data, im.Data)
	refined := must.Get(s.Refine(ctx, Stored{k}, f, re, im, nil, 1))(t)
	check("Refine", "a58253316619e6b8", re.Data, im.Data, []float64{refined.Backward})

	a = k.Clone()
	for i := range n {
		a.Data[i*n+i] += 0.5
	}
	c := must.Get(FactorCholesky(ctx, a))(t)
	w := f.Clone()
	c.Solve(w)
	check("Cholesky", "49325a286d20af96", a.Data, w.Data, []float64{logDet(c)})

	values, vectors := must.Get2(Jacobi(k.View(0, 0, 30, 30).Clone()))(t)
	check("Jacobi", "30ca73febc8596d9", values, vectors.Data)
	singular := must.Get(SingularValues(x))(t)
	check("SingularValues", "fdeba26511871c62", singular)
	psi := matrix.SymRankK(nil, uniformMatrix(3, 9, 9), matrix.NoTrans)
	sigma := matrix.SymRankK(nil, uniformMatrix(4, 9, 12), matrix.NoTrans)
	lambda, gamma := must.Get2(Pencil(psi, sigma))(t)
	check("Pencil", "bce480bdb811d723", lambda, gamma.Data)
	Orthonormalize(f)
	check("Orthonormalize", "caba076b812999cc", f.Data)
}

// And for any number of workers.
func TestSameBitsForAnyWorkers(t *testing.T) {
	ctx := context.Background()
	const n, r = 150, 9
	defer func(former float64) { sharedWork = former }(sharedWork)
	sharedWork = 1
	k := matrix.SymRankK(nil, uniformMatrix(1, n, 9), matrix.NoTrans)
	f := uniformMatrix(2, n, r)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	defer block.SetWorkers(block.SetWorkers(0))
	var want string
	for workers := 1; workers <= 5; workers++ {
		block.SetWorkers(workers)
		a := k.Clone()
		s := must.Get(FactorShifted(ctx, a, 0.01))(t)
		re, im := f.Clone(), matrix.New(n, r)
		s.Solve(re, im)
		refined := must.Get(s.Refine(ctx, Stored{k}, f, re, im, nil, 1))(t)
		b := k.Clone()
		for i := range n {
			b.Data[i*n+i]++
		}
		must.Get(FactorCholesky(ctx, b))(t)
		got := hashOf(a.Data, s.e, re.Data, im.Data, []float64{s.growth, refined.Backward}, b.Data)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers: hash %s, with one %s", workers, got, want)
		}
	}
}
