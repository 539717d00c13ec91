package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// denseEntries is a matrix that is stored.
type denseEntries struct {
	k     *matrix.Dense
	rows  *int // rows requested, or nil
	fault error
}

func (e denseEntries) Order() int { return e.k.Rows }

func (e denseEntries) Diag(dst []float64) []float64 {
	for i := range dst {
		dst[i] = e.k.At(i, i)
	}
	return dst
}

func (e denseEntries) Columns(cols []int) Columns { return denseColumns{e, cols} }

type denseColumns struct {
	denseEntries
	cols []int
}

func (c denseColumns) Rows(dst *matrix.Dense, rows []int) error {
	if dst.Rows != len(rows) || dst.Cols != len(c.cols) || !slices.IsSorted(c.cols) {
		panic(fmt.Sprintf("%d×%d for %d rows of %v", dst.Rows, dst.Cols, len(rows), c.cols))
	}
	if c.rows != nil {
		*c.rows += len(rows)
	}
	for i, t := range rows {
		for j, s := range c.cols {
			dst.Row(i)[j] = c.k.At(t, s)
		}
	}
	return c.fault
}

// margins is a problem of n rows of d features around the corners of a cube, with
// noise, and an rbf or linear kernel matrix.
func margins(n, d int, noise, gamma float64, seed uint64) (k *matrix.Dense, positive []bool) {
	r := newRand(seed)
	x := matrix.New(n, d)
	positive = make([]bool, n)
	for i := range n {
		positive[i] = r.Float64() < 0.4
		for j := range d {
			v := float64(noise * r.NormFloat64())
			if positive[i] {
				v += 0.5
			}
			x.Set(i, j, v)
		}
	}
	positive[0], positive[1] = true, false
	k = matrix.Mul(nil, x, matrix.NoTrans, x, matrix.Transposed)
	if gamma > 0 {
		sq := make([]float64, n)
		for i := range sq {
			sq[i] = k.At(i, i)
		}
		for i := range n {
			for j := range n {
				k.Set(i, j, math.Exp(-gamma*math.Max(0, sq[i]+sq[j]-2*k.At(i, j))))
			}
			k.Set(i, i, 1)
		}
	}
	return k, positive
}

func constant(n int, v float64) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = v
	}
	return c
}

// gapOf returns the largest violation of the optimality conditions, from u alone.
func gapOf(k *matrix.Dense, positive []bool, c, u []float64) float64 {
	rise, fall := math.Inf(-1), math.Inf(1)
	for t := range u {
		y, lo, hi := -1.0, -c[t], 0.0
		if positive[t] {
			y, lo, hi = 1, 0, c[t]
		}
		g := y
		for s, v := range u {
			g = math.FMA(-v, k.At(s, t), g)
		}
		if u[t] < hi {
			rise = math.Max(rise, g)
		}
		if u[t] > lo {
			fall = math.Min(fall, g)
		}
	}
	return math.Max(rise-fall, 0)
}

func objectiveOf(k *matrix.Dense, positive []bool, u []float64) float64 {
	s := 0.0
	for t, v := range u {
		ku := 0.0
		for r, w := range u {
			ku = math.FMA(k.At(t, r), w, ku)
		}
		s += math.Abs(v) - 0.5*v*ku
	}
	return s
}

func mustSMO(t testing.TB, k *matrix.Dense, positive []bool, c []float64, o SMOOptions) *Machine {
	t.Helper()
	return must.Get(SMO(context.Background(), denseEntries{k: k}, positive, c, o))(t)
}

// checkMachine holds a solution to the conditions that define it: feasible, its
// stated gap within the tolerance and that of u, its bias between the rows that can
// rise and those that can fall.
func checkMachine(t testing.TB, k *matrix.Dense, positive []bool, c []float64, m *Machine, tolerance float64) {
	t.Helper()
	sum, scale := 0.0, 0.0
	for i, v := range m.U {
		if positive[i] && !(v >= 0 && v <= c[i]) || !positive[i] && !(v <= 0 && v >= -c[i]) {
			t.Fatalf("u[%d] = %v is outside of its bounds (c = %v)", i, v, c[i])
		}
		sum += v
		scale += math.Abs(v)
	}
	// Every step keeps the sum up to a rounding error of u.
	if math.Abs(sum) > float64(m.Iterations+len(m.U))*0x1p-52*scale {
		t.Errorf("Σu = %g", sum)
	}
	gap := gapOf(k, positive, c, m.U)
	slack := float64(len(m.U)) * 0x1p-52 * (1 + scale*matrix.MaxAbs(k)) // rounding of a gradient
	if !(m.Gap <= tolerance) || math.Abs(gap-m.Gap) > slack {
		t.Errorf("gap %g, stated %g, tolerance %g", gap, m.Gap, tolerance)
	}
	if want := objectiveOf(k, positive, m.U); math.Abs(m.Objective-want) > slack*(1+scale) {
		t.Errorf("objective %v, stated %v", want, m.Objective)
	}
}

func TestSMOConditions(t *testing.T) {
	for _, n := range []int{2, 3, 5, 17, 60, 150} {
		for _, gamma := range []float64{0, 0.5, 20} {
			for _, c := range []float64{1e-3, 1, 100} {
				for _, tolerance := range []float64{1e-3, 1e-8} {
					k, positive := margins(n, 3, 0.7, gamma, uint64(n))
					m := mustSMO(t, k, positive, constant(n, c), SMOOptions{Tolerance: tolerance})
					checkMachine(t, k, positive, constant(n, c), m, tolerance)
				}
			}
		}
	}
}

// bestOfFaces solves the dual of a tiny problem by trying, for every row, lower
// bound, upper bound or free: the best feasible stationary point of a face is the
// optimum.
func bestOfFaces(k *matrix.Dense, positive []bool, c []float64) float64 {
	n := len(c)
	best := math.Inf(-1)
	faces := 1
	for range n {
		faces *= 3
	}
	for face := range faces {
		u := make([]float64, n)
		var free []int
		for t, f := 0, face; t < n; t, f = t+1, f/3 {
			switch bound := c[t]; {
			case f%3 == 2:
				free = append(free, t)
			case f%3 == 1 && positive[t]:
				u[t] = bound
			case f%3 == 1:
				u[t] = -bound
			}
		}
		if !solveFace(k, positive, u, free) {
			continue
		}
		feasible, sum := true, 0.0
		for t, v := range u {
			lo, hi := -c[t], 0.0
			if positive[t] {
				lo, hi = 0, c[t]
			}
			feasible = feasible && v >= lo-1e-9*c[t] && v <= hi+1e-9*c[t]
			sum += v
		}
		if feasible && math.Abs(sum) < 1e-9 {
			best = math.Max(best, objectiveOf(k, positive, u))
		}
	}
	return best
}

// solveFace solves [K_ff 1; 1ᵀ 0][u_f; b] = [y_f − K_fb u_b; −Σu_b] by elimination
// with row exchanges.
func solveFace(k *matrix.Dense, positive []bool, u []float64, free []int) bool {
	m := len(free) + 1
	if m == 1 {
		return true
	}
	a := matrix.New(m, m+1)
	for p, t := range free {
		for q, s := range free {
			a.Set(p, q, k.At(t, s))
		}
		a.Set(p, m-1, 1)
		a.Set(m-1, p, 1)
		r := -1.0
		if positive[t] {
			r = 1
		}
		for s, v := range u {
			r -= k.At(t, s) * v
		}
		a.Set(p, m, r)
	}
	for _, v := range u {
		a.Set(m-1, m, a.At(m-1, m)-v)
	}
	for p := range m {
		pivot := p
		for i := p; i < m; i++ {
			if math.Abs(a.At(i, p)) > math.Abs(a.At(pivot, p)) {
				pivot = i
			}
		}
		if math.Abs(a.At(pivot, p)) < 1e-10 {
			return false
		}
		for j := range m + 1 {
			x, y := a.At(p, j), a.At(pivot, j)
			a.Set(p, j, y)
			a.Set(pivot, j, x)
		}
		for i := range m {
			if i != p {
				f := a.At(i, p) / a.At(p, p)
				for j := range m + 1 {
					a.Set(i, j, a.At(i, j)-f*a.At(p, j))
				}
			}
		}
	}
	for p, t := range free {
		u[t] = a.At(p, m) / a.At(p, p)
	}
	return true
}

// The objective is that of the best face. With a gap of ε the dual is within
// ε Σc of its optimum (by its concavity).
func TestSMOAgainstEnumeration(t *testing.T) {
	for seed := range uint64(30) {
		n := 3 + int(seed%5)
		k, positive := margins(n, 2, 0.8, 0.7, 100+seed)
		c := make([]float64, n)
		for i := range c {
			c[i] = []float64{0.5, 2, 30}[(uint64(i)+seed)%3]
		}
		const tolerance = 1e-10
		m := mustSMO(t, k, positive, c, SMOOptions{Tolerance: tolerance})
		checkMachine(t, k, positive, c, m, tolerance)
		want := bestOfFaces(k, positive, c)
		if math.Abs(m.Objective-want) > tolerance*matrix.Sum(c)+1e-9*math.Abs(want) { // 1e-9: of the elimination
			t.Errorf("seed %d: objective %v, want %v", seed, m.Objective, want)
		}
	}
}

func TestSMODegenerate(t *testing.T) {
	equalRows := matrix.New(6, 6)
	for i := range equalRows.Data {
		equalRows.Data[i] = 2
	}
	labels := []bool{true, false, true, true, false, true}
	duplicates, positive := margins(20, 2, 0.5, 1, 5)
	for i := range 20 { // rows 10 … 19 repeat rows 0 … 9, half of them with the other label
		for j := range 20 {
			duplicates.Set(i, j, duplicates.At(i%10, j%10))
		}
	}
	for i := range 10 {
		positive[10+i] = positive[i] != (i%2 == 0)
	}
	separate, sides := margins(30, 2, 0.01, 0, 6)
	cases := []struct {
		name     string
		k        *matrix.Dense
		positive []bool
		c        []float64
	}{
		{"all rows equal", equalRows, labels, constant(6, 1)},
		{"zero kernel", matrix.New(6, 6), labels, constant(6, 1)},
		{"duplicates", duplicates, positive, constant(20, 1)},
		{"duplicates, large C", duplicates, positive, constant(20, 1e6)},
		{"separable, huge C", separate, sides, constant(30, 1e12)},
		{"tiny C", separate, sides, constant(30, 1e-300)},
		{"one row of a class", separate, append([]bool{true}, make([]bool, 29)...), constant(30, 10)},
		{"one weight huge", separate, sides, append(constant(15, 1e9), constant(15, 1)...)},
		{"indefinite", squareOf(2, 0, 1, 1, 0), []bool{true, false}, constant(2, 3)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := mustSMO(t, c.k, c.positive, c.c, SMOOptions{})
			checkMachine(t, c.k, c.positive, c.c, m, DefaultTolerance)
			if math.IsNaN(m.Bias) || math.IsInf(m.Bias, 0) {
				t.Errorf("bias %v", m.Bias)
			}
		})
	}
}

func squareOf(n int, values ...float64) *matrix.Dense {
	return &matrix.Dense{Rows: n, Cols: n, Stride: n, Data: values}
}

// The size of the cache changes the rows that are requested, and nothing else.
func TestSMOCache(t *testing.T) {
	const n = 400
	k, positive := margins(n, 4, 1, 0.3, 9)
	c := constant(n, 30)
	want := mustSMO(t, k, positive, c, SMOOptions{Tolerance: 1e-6})
	checkMachine(t, k, positive, c, want, 1e-6)
	if want.Iterations < 6000 {
		t.Errorf("%d steps: rows are hardly ever left out", want.Iterations)
	}
	var asked []int
	for _, bytes := range []int64{1, 8 * n * 20, 8 * n * 200, 1 << 30} {
		rows := 0
		got := must.Get(SMO(context.Background(), denseEntries{k: k, rows: &rows}, positive, c, SMOOptions{Tolerance: 1e-6, CacheBytes: bytes}))(t)
		if !slices.Equal(got.U, want.U) || got.Bias != want.Bias || got.Iterations != want.Iterations || got.Gap != want.Gap || got.Objective != want.Objective {
			t.Errorf("with %d bytes: %d steps and bias %v, want %d and %v", bytes, got.Iterations, got.Bias, want.Iterations, want.Bias)
		}
		asked = append(asked, rows)
	}
	t.Logf("%d steps ask for %v rows", want.Iterations, asked)
	if asked[0] < want.Iterations || asked[1] >= asked[0] || asked[2] >= asked[1] || asked[3] > 5*n {
		t.Error("want more rows with a smaller cache, and few with a large one")
	}
}

func TestSMOLimits(t *testing.T) {
	k, positive := margins(100, 3, 1, 0.5, 3)
	c := constant(100, 10)
	var limit *IterationLimitError
	_, err := SMO(context.Background(), denseEntries{k: k}, positive, c, SMOOptions{MaxIterations: 5})
	if !errors.As(err, &limit) || limit.Iterations != 5 || !(limit.Gap > limit.Tolerance) {
		t.Errorf("5 steps: %v", err)
	}
	must.Refuse[*IterationLimitError](SMO(context.Background(), denseEntries{k: k}, positive, c, SMOOptions{Tolerance: 1e-300}))(t, "a tolerance out of reach")
	large := k.Clone()
	for i := range large.Data {
		large.Data[i] *= 0x1p1000
	}
	if m, err := SMO(context.Background(), denseEntries{k: large}, positive, constant(100, 0x1p100), SMOOptions{}); err != nil && !errors.As(err, &limit) {
		t.Errorf("huge kernel values: %v, %v", m, err)
	}
	fault := errors.New("no rows today")
	if _, err := SMO(context.Background(), denseEntries{k: k, fault: fault}, positive, c, SMOOptions{}); !errors.Is(err, fault) {
		t.Errorf("a matrix that fails: %v", err)
	}
}
