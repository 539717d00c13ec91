package lanes

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

var fmaArgs = flag.Int("fma.args", 1_000_000, "the multiply-adds of TestTile")

// engine has the module run here, where math.FMA is an instruction: the memory as numbers, and the functions.
type engine struct {
	*testing.T
	memory []float64
	module api.Module
}

func start(t *testing.T) engine {
	t.Helper()
	ctx := t.Context()
	r := wazero.NewRuntime(ctx)
	t.Cleanup(func() { r.Close(context.Background()) })
	// A module with one memory of a page, mem.
	memory, err := r.InstantiateWithConfig(ctx, []byte("\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x01\x07\x07\x01\x03mem\x02\x00"), wazero.NewModuleConfig().WithName("go"))
	if err != nil {
		t.Fatal(err)
	}
	module, err := r.Instantiate(ctx, Module())
	if err != nil {
		t.Fatal(err)
	}
	bytes, _ := memory.Memory().Read(0, 1<<16)
	return engine{t, unsafe.Slice((*float64)(unsafe.Pointer(&bytes[0])), len(bytes)/size), module}
}

// call calls a function, with places in the memory as the addresses of what the rest of the bits has.
func (e engine) call(name string, args ...int) int {
	e.Helper()
	stack := make([]uint64, len(args))
	for i, v := range args {
		stack[i] = uint64(v)
	}
	result, err := e.module.ExportedFunction(name).Call(e.Context(), stack...)
	if err != nil {
		e.Fatal(err)
	}
	return int(result[0])
}

// Whole tiles are those of math.FMA on what is hard for it: as far as they say that they are done, and no further.
func TestTile(t *testing.T) {
	if testing.Short() {
		*fmaArgs = min(*fmaArgs, 100_000)
	}
	var all sync.WaitGroup
	for part := range uint64(2) {
		e := start(t)
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, part))
			tiles, whole := 0, 0
			for done := 0; done < *fmaArgs/2 && !t.Failed(); tiles++ {
				steps, rows := e.tile(r)
				done += steps
				if rows == 8 {
					whole++
				}
			}
			if whole < tiles*3/4 {
				t.Errorf("%d of %d tiles were done: the test tests little", whole, tiles)
			}
		})
	}
	all.Wait()
}

// tile tests one tile, and returns how many multiply-adds it had and how many rows were done.
func (e engine) tile(r *rand.Rand) (steps, done int) {
	const ldc = 9
	k, op, load := 1, r.IntN(2), r.IntN(8)
	if r.IntN(8) == 0 {
		k += r.IntN(12)
	}
	c, a, b := e.memory[:8*ldc], e.memory[100:][:8*k], e.memory[300:][:8*k]
	ea, eb, es := 0, 0, 0
	if r.IntN(8) == 0 { // of any size, which may be too small or too large
		ea, eb, es = r.IntN(2100)-1050, r.IntN(2100)-1050, r.IntN(2100)-1050
	}
	for i := range a {
		a[i], b[i] = math.Ldexp(asmtest.FMAFactor(r), ea), math.Ldexp(asmtest.FMAFactor(r), eb)
	}
	huge := op == 0 && r.IntN(32) == 0
	if huge { // a product of upper halves that is too large where none is, beside others that are not
		below := func() float64 { return math.Ldexp(1-math.Ldexp(1, -28-r.IntN(24)), 512) }
		for i := range a {
			if a[i] = below(); i%2 == 0 {
				b[i] = 0x1p-300
			} else {
				b[i] = below()
			}
		}
	} else if r.IntN(4) == 0 {
		for i := range a {
			b[i] = asmtest.FMAPartner(r, a[i])
		}
	}
	factors := func(l, i, j int) (x, y float64) {
		x, y = a[8*l+i], b[8*l+j]
		if op == 1 {
			x -= y
			y = x
		}
		return x, y
	}
	for i := range 8 {
		for j := range 8 {
			x, y := factors(0, i, j)
			c[ldc*i+j] = math.Ldexp(asmtest.FMASum(r, x, y), es) + 0 // not −0
			if huge && j%2 == 1 {
				c[ldc*i+j] = -float64(x * y)
			} else if huge { // a tie: x is 2⁵¹² − 2ᵏ, which is half a unit of c
				c[ldc*i+j] = math.Ldexp(0x1p512-x, 53-300)
			}
		}
	}
	spoil(r, 8, a, b, c)
	before := slices.Clone(c)
	done = e.call("tile", op, 0, ldc, 100*size, 300*size, k, load)
	for at, got := range c {
		i, j, want := at/ldc, at%ldc, before[at]
		if i < done && j < 8 {
			if load == 0 {
				want = 0
			}
			for l := range k {
				x, y := factors(l, i, j)
				want = math.FMA(x, y, want)
			}
			if !finite(want) {
				e.Errorf("a row is done with %x", want)
			}
		}
		if !asmtest.Same(got, want) {
			e.Errorf("op %d, row %d of %d, column %d: %x after %d steps of %x and %x from %x, want %x", op, i, done, j, got, k, a, b, before[at], want)
		}
	}
	if done > 0 && (slices.ContainsFunc(a, tiny) || slices.ContainsFunc(b, tiny)) {
		e.Errorf("a tile of %x and %x is done", a, b)
	}
	return 64 * k, done
}

// spoil makes numbers of some 1 in n cases special: one of all, or a quarter of them zeros.
func spoil(r *rand.Rand, n int, lists ...[]float64) {
	switch r.IntN(2 * n) {
	case 0:
		x := lists[r.IntN(len(lists))]
		x[r.IntN(len(x))] = []float64{math.Inf(1), math.NaN(), 5e-324, math.MaxFloat64, 0x1p-1022, 0x1p-401, -0x1p-1021}[r.IntN(7)]
	case 1:
		for _, x := range lists {
			for i := range x {
				if r.IntN(4) == 0 {
					x[i] = math.Copysign(0, float64(r.IntN(2)*2-1))
				}
			}
		}
	}
}

func finite(v float64) bool { return v-v == 0 }
func tiny(v float64) bool   { return v != 0 && math.Abs(v) < leastFactor }

// Sums in doubled precision are those of f64.
func TestDoubled(t *testing.T) {
	e, r := start(t), rand.New(rand.NewPCG(3, 4))
	const n, groups, cols = 5_000, 6, 3
	sum := 0
	for range n {
		k, lda, ldb := 1+r.IntN(9), 16+r.IntN(3), cols+r.IntN(3)
		s, c, a, b := e.memory[:48], e.memory[50:][:48], e.memory[100:][:(k-1)*lda+16], e.memory[400:][:(k-1)*ldb+cols]
		for _, x := range [][]float64{a, b} {
			for i := range x {
				x[i] = asmtest.FMAFactor(r)
			}
		}
		clear(c)
		for i := range s {
			s[i] = f64.Anchor(2, float64(2*k))
		}
		spoil(r, 4, a, b, s)
		before := slices.Clone(e.memory[:100])
		done := e.call("doubled", 0, 50*size, 100*size, lda, 400*size, ldb, k, groups)
		sum += done
		want := slices.Clone(before)
		f64.Doubled(want[:48], want[50:98], a, lda, b, ldb, cols, k)
		some := lda == 16 && ldb == cols && (slices.ContainsFunc(a, tiny) || slices.ContainsFunc(b, tiny)) // and all are used
		if !f64.AllFinite(want[:8*done]) || some && done == groups {
			t.Fatalf("%d groups are done of %x and %x from %x", done, a, b, before)
		}
		copy(want[8*done:50], before[8*done:])
		copy(want[50+8*done:], before[50+8*done:])
		if i := asmtest.Diff(e.memory[:100], want); i >= 0 {
			t.Fatalf("%d steps, %d groups done, place %d: %x from %x, want %x", k, done, i, e.memory[i], before[i], want[i])
		}
	}
	if sum < n*groups*3/4 {
		t.Errorf("%d of %d groups were done: the test tests little", sum, n*groups)
	}
}

// The exponential is that of f64.
func TestExp(t *testing.T) {
	e, r := start(t), rand.New(rand.NewPCG(5, 6))
	const data, most = 2000, 1000
	copy(e.memory[data:], f64.ExpData())
	sum := 0
	const n = 300
	for range n {
		x := e.memory[:2+2*r.IntN(most/2)]
		for i := range x {
			switch r.IntN(6) {
			case 0:
				x[i] = -750 + float64(1480*r.Float64())
			case 1: // near the middle between two entries of the table
				x[i] = float64(float64(r.IntN(12000)-8600)*math.Ln2/16) + math.Ldexp(r.NormFloat64(), -r.IntN(60))
			case 2:
				x[i] = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), -745.13321910194122, 709.78271289338397, 0x1p-400}[r.IntN(8)]
			default:
				x[i] = -math.Ldexp(r.Float64(), 9-r.IntN(90))
			}
		}
		if r.IntN(8) == 0 {
			x[r.IntN(len(x))] = 0x1p-500 // too small for the module
		}
		want := slices.Clone(e.memory[:most])
		done := e.call("exp", 0, len(x), data*size)
		sum += done
		for i := range want[:done] {
			if tiny(want[i]) {
				t.Fatal("done with a small number")
			}
			want[i] = f64.Exp(want[i])
		}
		if i := asmtest.Diff(e.memory[:most], want); i >= 0 {
			t.Fatalf("%d of %d done, place %d: %x, want %x", done, len(x), i, e.memory[i], want[i])
		}
	}
	if sum < n*most/3 {
		t.Errorf("%d were done: the test tests little", sum)
	}
}
