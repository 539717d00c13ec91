package block

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/asm/isa"
	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
)

var (
	allOps   = []f64.Op{f64.Product, f64.SquaredDistance, f64.ManhattanDistance, f64.ChiSquared}
	allModes = []Mode{Overwrite, Add, Subtract}
	allParts = []Part{Whole, Lower, StrictUpper, Symmetric}
)

// newMat returns a matrix with stride cols+pad whose entries are in data that
// Fill fills; the pad is NaN.
func newMat(r *rand.Rand, rows, cols, pad int) Mat {
	x := Mat{Rows: rows, Cols: cols, Stride: cols + pad, Data: make([]float64, max(0, (rows-1)*(cols+pad)+cols))}
	asmtest.Poison(x.Data)
	for i := range rows {
		if cols > 0 {
			asmtest.Fill(r, x.Data[i*x.Stride:i*x.Stride+cols])
		}
	}
	return x
}

func (x Mat) at(trans bool, i, j int) float64 {
	if trans {
		i, j = j, i
	}
	return x.Data[i*x.Stride+j]
}

func absolute(x Mat) {
	for i, v := range x.Data {
		x.Data[i] = math.Abs(v)
	}
}

func (p Part) has(i, j int) bool {
	switch p {
	case Lower, Symmetric:
		return i >= j
	case StrictUpper:
		return i < j
	}
	return true
}

// step is one step of a chain.
func step(op f64.Op, x, y, s float64) float64 {
	switch op {
	case f64.Product:
		return math.FMA(x, y, s)
	case f64.SquaredDistance:
		d := x - y
		return math.FMA(d, d, s)
	case f64.ManhattanDistance:
		return s + math.Abs(x-y)
	}
	d, q := x-y, 0.0
	if d != 0 {
		q = d / (x + y)
	}
	return math.FMA(d, q, s)
}

// plain does a job entry by entry and returns what all of C.Data must become.
func plain(job Job) []float64 {
	m, n, k := job.sizes()
	want := append([]float64(nil), job.C.Data...)
	for i := range m {
		for j := range n {
			if !job.Part.has(i, j) {
				continue
			}
			s := 0.0
			if job.Mode != Overwrite {
				s = want[i*job.C.Stride+j]
			}
			for l := range k {
				if job.Backward {
					l = k - 1 - l
				}
				x := job.A.at(job.TransA, i, l)
				if job.Mode == Subtract {
					x = -x
				}
				s = step(job.Op, x, job.B.at(job.TransB, l, j), s)
			}
			want[i*job.C.Stride+j] = s
		}
	}
	if job.Epilogue != nil {
		for i := range m {
			for j := range n {
				if job.Part.has(i, j) {
					job.Epilogue(want[i*job.C.Stride+j:][:1], i, j)
				}
			}
		}
	}
	if job.Part == Symmetric {
		for i := range m {
			for j := range i {
				want[j*job.C.Stride+i] = want[i*job.C.Stride+j]
			}
		}
	}
	return want
}

// newJob makes a job with random operands. Entries of C that it must not read are
// NaN, and so is everything between the rows.
func newJob(r *rand.Rand, op f64.Op, mode Mode, part Part, ta, tb bool, m, n, k int) Job {
	rows := func(trans bool, a, b int) (int, int) {
		if trans {
			return b, a
		}
		return a, b
	}
	am, ak := rows(ta, m, k)
	bk, bn := rows(tb, k, n)
	job := Job{
		Op: op, Mode: mode, Part: part, TransA: ta, TransB: tb,
		C: newMat(r, m, n, r.IntN(4)),
		A: newMat(r, am, ak, r.IntN(4)),
		B: newMat(r, bk, bn, r.IntN(4)),
	}
	if op == f64.ChiSquared {
		absolute(job.A)
		absolute(job.B)
	}
	for i := range m {
		for j := range n {
			if mode == Overwrite || !part.has(i, j) {
				job.C.Data[i*job.C.Stride+j] = math.NaN()
			}
		}
	}
	return job
}

func (job Job) String() string {
	m, n, k := job.sizes()
	return fmt.Sprintf("%v mode %d part %d trans %v %v backward %v m=%d n=%d k=%d", job.Op, job.Mode, job.Part, job.TransA, job.TransB, job.Backward, m, n, k)
}

func (job Job) check(t *testing.T, team *Team) {
	t.Helper()
	want := plain(job)
	before := append([]float64(nil), job.C.Data...)
	for _, panels := range []*Panels{nil, PackB(job.B, job.TransB)} {
		job.Panels = panels
		copy(job.C.Data, before)
		Run(team, job)
		if at := asmtest.Diff(job.C.Data, want); at >= 0 {
			t.Fatalf("%v, packed before %v: element (%d, %d) = %v, want %v", job, panels != nil, at/job.C.Stride, at%job.C.Stride, job.C.Data[at], want[at])
		}
	}
}

// TestSmallSizes runs all sizes up to a tile and a little more, in all four
// orientations.
func TestSmallSizes(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 1))
		limit, stride := 20, 1
		if testing.Short() {
			stride = 3
		}
		for m := 0; m <= limit; m += stride {
			for n := range limit + 1 {
				for k := range limit + 1 {
					mode := allModes[(m+n+k)%3]
					newJob(r, f64.Product, mode, Whole, k%2 == 0, k/2%2 == 0, m, n, k).check(t, nil)
				}
			}
		}
	})
}

// TestTileSizes runs sizes around one and several tiles for everything that a job
// can be.
func TestTileSizes(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(2, 2))
		shape := f64.TileShape()
		var sizes []int
		for _, tile := range []int{shape.Rows, shape.Cols, 2 * shape.Cols} {
			sizes = append(sizes, tile-1, tile, tile+1)
		}
		for _, op := range allOps {
			for _, mode := range allModes {
				if mode != Overwrite && op != f64.Product {
					continue
				}
				for _, part := range allParts {
					for _, m := range sizes {
						for _, n := range sizes {
							if part != Whole && m != n {
								continue
							}
							for orientation := range 4 {
								job := newJob(r, op, mode, part, orientation&1 != 0, orientation&2 != 0, m, n, 1+r.IntN(40))
								job.Backward = r.IntN(2) == 0
								if r.IntN(2) == 0 {
									job.Epilogue = func(row []float64, i, j int) {
										for c := range row {
											row[c] = row[c]/2 + float64(1000*i+j+c)
										}
									}
								}
								job.check(t, nil)
							}
						}
					}
				}
			}
		}
	})
}

// TestBlocks runs sizes beyond each of the blocking constants.
func TestBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("computes some 10⁸ terms one by one for comparison")
	}
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 3))
		for c, s := range []struct {
			part    Part
			m, n, k int
		}{
			{Whole, 70, 250, 1100},
			{Whole, 1100, 30, 521},
			{Whole, 30, 2100, 521},
			{Lower, 260, 260, 300},
			{StrictUpper, 260, 260, 300},
			{Symmetric, 260, 260, 300},
			{Symmetric, 260, 260, 521},
		} {
			job := newJob(r, f64.Product, allModes[c%3], s.part, c&1 != 0, c&2 != 0, s.m, s.n, s.k)
			job.Backward = c%4 == 0
			job.check(t, nil)
		}
	})
}

// TestWorkers runs jobs of several tasks on 1 to 5 workers: the bits are the same,
// and all workers take part.
func TestWorkers(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 4))
		for _, part := range allParts {
			for workers := 1; workers <= 5; workers++ {
				withWorkers(workers, func() {
					team := NewTeam()
					defer team.Close()
					job := newJob(r, f64.SquaredDistance, Overwrite, part, false, true, 400, 400, 5)
					job.Epilogue = func(row []float64, i, j int) {
						for c := range row {
							row[c] = -row[c]
						}
					}
					want := plain(job)

					// The first call on each worker waits for the others.
					var calls atomic.Int32
					var all sync.WaitGroup
					all.Add(workers)
					negate := job.Epilogue
					job.Epilogue = func(row []float64, i, j int) {
						if int(calls.Add(1)) <= workers {
							all.Done()
							arrived := make(chan struct{})
							go func() { all.Wait(); close(arrived) }()
							select {
							case <-arrived:
							case <-time.After(10 * time.Second):
								t.Errorf("%d workers: the others do not come", workers)
							}
						}
						negate(row, i, j)
					}
					Run(team, job)
					if at := asmtest.Diff(job.C.Data, want); at >= 0 {
						t.Fatalf("%d workers, %v: element (%d, %d) = %v, want %v", workers, job, at/job.C.Stride, at%job.C.Stride, job.C.Data[at], want[at])
					}
				})
			}
		}
	})
}

// TestThinResults runs results of few rows, and of at most one tile's columns, whose first factor
// is not packed, in several groups, chunks and stretches.
func TestThinResults(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(11, 12))
		shape := f64.TileShape()
		sizes := [][3]int{{shape.Rows + 3, 250, 350}, {140, shape.Cols, 350}, {140, min(9, shape.Cols), 350}}
		if !testing.Short() {
			sizes = append(sizes, [3]int{20, 2500, 330}, [3]int{70, shape.Cols, narrowSteps + 30})
		}
		for _, size := range sizes {
			for at := range 2 * len(allModes) {
				job := newJob(r, f64.Product, allModes[at/2], Whole, at%2 == 0, r.IntN(2) == 0, size[0], size[1], size[2])
				withWorkers(3, func() {
					team := NewTeam()
					defer team.Close()
					job.check(t, team)
				})
			}
		}
	})
}

// TestLines runs single rows, with and without a team.
func TestLines(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 7))
		for _, op := range allOps {
			for _, n := range []int{1, 5, 30, 1000, 2500} {
				for _, m := range []int{1, 2} {
					mode := Overwrite
					if op == f64.Product {
						mode = allModes[r.IntN(3)]
					}
					job := newJob(r, op, mode, Whole, n%2 == 0, false, m, n, r.IntN(20))
					job.Epilogue = func(row []float64, i, j int) {
						for c := range row {
							row[c] += float64(10000*i + j + c)
						}
					}
					job.check(t, nil)
					withWorkers(3, func() {
						team := NewTeam()
						defer team.Close()
						job.check(t, team)
					})
				}
			}
		}
	})
}

// TestGuardPages puts all matrices at the ends of memory, where a value beyond is
// a fault.
func TestGuardPages(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 9))
		var memory [3]*asmtest.Guarded
		for i := range memory {
			memory[i] = asmtest.NewGuarded(t, 70*80)
		}
		for range 200 {
			op := allOps[r.IntN(len(allOps))]
			part := allParts[r.IntN(len(allParts))]
			m, n, k := 1+r.IntN(60), 1+r.IntN(60), r.IntN(60)
			if part != Whole {
				n = m
			}
			job := newJob(r, op, Overwrite, part, r.IntN(2) == 0, r.IntN(2) == 0, m, n, k)
			for i, x := range []*Mat{&job.C, &job.A, &job.B} {
				guarded := memory[i].Back(len(x.Data))
				if r.IntN(2) == 0 {
					guarded = memory[i].Front(len(x.Data))
				}
				copy(guarded, x.Data)
				x.Data = guarded
			}
			job.check(t, nil)
		}
	})
}

// TestPanelsOfAnotherTier are not used.
func TestPanelsOfAnotherTier(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	tiers := isa.Available()
	for _, packing := range tiers {
		restore := isa.Override(packing)
		job := newJob(r, f64.Product, Overwrite, Whole, false, true, 5, 40, 9)
		job.Panels = PackB(job.B, true)
		restore()
		for _, tier := range tiers {
			restore := isa.Override(tier)
			want := plain(job)
			Run(nil, job)
			if at := asmtest.Diff(job.C.Data, want); at >= 0 {
				t.Errorf("packed for %v, run on %v: element %d = %v, want %v", packing, tier, at, job.C.Data[at], want[at])
			}
			restore()
		}
	}
}

func TestPanicInEpilogue(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for workers := 1; workers <= 5; workers++ {
		withWorkers(workers, func() {
			job := newJob(r, f64.SquaredDistance, Overwrite, Symmetric, false, true, 700, 700, 3)
			job.Epilogue = func(row []float64, i, j int) {
				if i == 333 {
					panic("row 333")
				}
			}
			defer func() {
				if value := recover(); value != "row 333" {
					t.Errorf("%d workers: recovered %v", workers, value)
				}
			}()
			Run(nil, job)
		})
	}
}

// TestRunAllocatesNothing holds for jobs that the caller does alone.
func TestRunAllocatesNothing(t *testing.T) {
	if asmtest.Race {
		t.Skip("the race detector makes pools forget")
	}
	r := rand.New(rand.NewPCG(6, 6))
	job := newJob(r, f64.SquaredDistance, Overwrite, Whole, false, true, 1, 1000, 64)
	job.Epilogue = func(row []float64, i, j int) {}
	if n := testing.AllocsPerRun(100, func() { Run(nil, job) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

// TestCaseTailSizes multiplies integer matrices, whose products are exact, at
// sizes that leave awkward remainders.
func TestCaseTailSizes(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		for _, row := range cases.Numbers(t, "44-gemm-every-tail-size/sizes.csv") {
			m, k, n := int(row[0]), int(row[1]), int(row[2])
			for orientation := range 4 {
				ta, tb := orientation&1 != 0, orientation&2 != 0
				a, b := Mat{Rows: m, Cols: k}, Mat{Rows: k, Cols: n}
				if ta {
					a.Rows, a.Cols = k, m
				}
				if tb {
					b.Rows, b.Cols = n, k
				}
				c := Mat{Rows: m, Cols: n}
				for _, x := range []*Mat{&a, &b, &c} {
					x.Stride = x.Cols + 3
					x.Data = make([]float64, x.Rows*x.Stride)
					asmtest.Poison(x.Data)
				}
				for i := range m {
					for l := range k {
						v := float64((3*i+5*l)%7 - 3)
						if ta {
							a.Data[l*a.Stride+i] = v
						} else {
							a.Data[i*a.Stride+l] = v
						}
					}
				}
				for l := range k {
					for j := range n {
						v := float64((2*l+7*j)%5 - 2)
						if tb {
							b.Data[j*b.Stride+l] = v
						} else {
							b.Data[l*b.Stride+j] = v
						}
					}
				}
				for _, mode := range []Mode{Overwrite, Add} {
					if mode == Add {
						for i := range m {
							for j := range n {
								c.Data[i*c.Stride+j] = 0
							}
						}
					}
					Run(nil, Job{Op: f64.Product, Mode: mode, C: c, A: a, B: b, TransA: ta, TransB: tb})
					var sum, weighted float64
					for i := range m {
						for j := range n {
							sum += c.Data[i*c.Stride+j]
							weighted += float64(i+1) * float64(j+1) * c.Data[i*c.Stride+j]
						}
					}
					last := c.Data[(m-1)*c.Stride+n-1]
					if sum != float64(row[3]) || last != float64(row[4]) || weighted != float64(row[5]) {
						t.Errorf("%d×%d times %d×%d, trans %v %v, mode %d: sum %v, last %v, weighted %v, want %v",
							m, k, k, n, ta, tb, mode, sum, last, weighted, row[3:])
					}
				}
			}
		}
	})
}

// TestCaseOverwrite fills C with NaN and infinity before it is overwritten.
func TestCaseOverwrite(t *testing.T) {
	asmtest.EachTier(t, func(t *testing.T) {
		table := cases.Numbers(t, "47-beta-zero-must-not-read-c/sizes.csv")
		table = append(table, []float64{5, 0, 5}, []float64{30, 0, 70})
		for _, row := range table {
			m, k, n := int(row[0]), int(row[1]), int(row[2])
			ones := func(rows, cols int) Mat {
				x := Mat{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
				for i := range x.Data {
					x.Data[i] = 1
				}
				return x
			}
			c := ones(m, n)
			for _, old := range []float64{math.NaN(), math.Inf(1)} {
				for i := range c.Data {
					c.Data[i] = old
				}
				Run(nil, Job{Op: f64.Product, C: c, A: ones(m, k), B: ones(k, n)})
				for i, v := range c.Data {
					if v != float64(k) {
						t.Fatalf("%d×%d times %d×%d over %v: element %d is %v, want %d", m, k, k, n, old, i, v, k)
					}
				}
			}
		}
	})
}

func TestSizesRefused(t *testing.T) {
	mat := func(rows, cols int) Mat {
		return Mat{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
	}
	for name, job := range map[string]Job{
		"inner":      {C: mat(2, 3), A: mat(2, 4), B: mat(5, 3)},
		"rows":       {C: mat(3, 3), A: mat(2, 4), B: mat(4, 3)},
		"columns":    {C: mat(2, 2), A: mat(2, 4), B: mat(4, 3)},
		"triangle":   {C: mat(2, 3), A: mat(2, 4), B: mat(4, 3), Part: Lower},
		"add to":     {C: mat(2, 3), A: mat(2, 4), B: mat(4, 3), Mode: Add, Op: f64.SquaredDistance},
		"short data": {C: mat(2, 3), A: mat(2, 4), B: Mat{Rows: 4, Cols: 3, Stride: 3, Data: make([]float64, 11)}},
	} {
		must.Panic(t, name, func() { Run(nil, job) })
	}
}

func TestDivide(t *testing.T) {
	for n := range 100 {
		for unit := 1; unit < 10; unit++ {
			for parts := 1; parts < 8; parts++ {
				end := 0
				for p := range parts {
					lo, hi := divide(n, unit, parts, p)
					if lo != end || hi < lo || hi < n && hi%unit != 0 || hi-lo > (n+parts-1)/parts+unit {
						t.Fatalf("divide(%d, %d, %d, %d) = %d, %d after %d", n, unit, parts, p, lo, hi, end)
					}
					end = hi
				}
				if end != n {
					t.Fatalf("divide(%d, %d, %d) ends at %d", n, unit, parts, end)
				}
			}
		}
	}
}
