package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// group is a table.
type group struct {
	title string
	note  string
	rows  []row
	unit  string // of a time that was divided by row.units; "" means seconds
	set   string // what the results are sets of, to be counted in the table; "" if they are no sets
}

// row is what several programs do alike. The first entry is what the others are
// compared with.
type row struct {
	what    string
	threads int
	flops   float64 // floating-point operations of a run, for rates; 0 where they mean little
	units   float64 // what the time of a run is divided by; 0 means 1
	entries []entry
}

// entry is a program with a task.
type entry struct {
	label       string
	program     string
	env         []string // further variables of its environment
	task        string   // with its parameters
	tolerance   float64  // of its result, relative; 0 means that of rounding
	unlike      bool     // it computes something else, so that results can't be compared
	allocations bool     // they are counted
	share       float64  // of the row's work that the task does, by which times are divided; 0 means all
}

const avx2 = "GODEBUG=cpu.avx512f=off" // for kfda, where the machine has AVX-512

// plan returns the tables.
func plan(f files, full bool) []group {
	b := planner{files: f, full: full}
	return []group{b.products(), b.rankK(), b.grams(), b.exponentials(), b.transforms(), b.factorizations(), b.fits(), b.components(), b.machines(), b.linearMachines(), b.choices(), b.readings()}
}

// planner makes the tables for one size of the benchmark.
type planner struct {
	files files
	full  bool
}

// threads returns the numbers of threads to measure with.
func threads() []int {
	if runtime.NumCPU() < 2 {
		return []int{1}
	}
	return []int{1, 2}
}

// most returns the largest of them.
func most() int { return len(threads()) }

func counted(threads int) string {
	if threads == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", threads)
}

func size(n, threads int) string { return fmt.Sprintf("n = %d, %s", n, counted(threads)) }

func (b planner) products() group {
	g := group{
		title: "Products",
		note:  "C = A·B of n×n matrices, 2n³ operations.",
	}
	for _, t := range threads() {
		for _, n := range []int{256, 512, 1024, 2048} {
			task := fmt.Sprintf("product n=%d numbers=%s", n, b.files.numbers)
			r := row{what: size(n, t), threads: t, flops: 2 * cube(n), entries: []entry{
				{label: "kfda", program: "kfda", task: task},
				{label: "OpenBLAS dgemm", program: "openblas", task: task},
				{label: "BLIS dgemm", program: "blis", task: task},
				{label: "Eigen", program: "eigen", task: task},
			}}
			if n <= 512 || b.full {
				r.entries = append(r.entries, entry{label: "gonum", program: "gonum", task: task})
			}
			g.rows = append(g.rows, r)
		}
	}
	if runtime.GOARCH == "amd64" {
		task := fmt.Sprintf("product n=1024 numbers=%s", b.files.numbers)
		g.rows = append(g.rows, row{what: "n = 1024, 1 thread, AVX2 alone", threads: 1, flops: 2 * cube(1024), entries: []entry{
			{label: "kfda", program: "kfda", env: []string{avx2}, task: task},
		}})
	}
	return g
}

func (b planner) rankK() group {
	g := group{
		title: "Symmetric rank-k",
		note:  "C = A·Aᵀ of an n×n matrix, n²(n+1) operations. kfda writes both triangles, dsyrk one.",
	}
	for _, t := range threads() {
		for _, n := range []int{500, 1000, 2000} {
			task := fmt.Sprintf("rankk n=%d numbers=%s", n, b.files.numbers)
			g.rows = append(g.rows, row{what: size(n, t), threads: t, flops: cube(n) + float64(n*n), entries: []entry{
				{label: "kfda", program: "kfda", task: task},
				{label: "OpenBLAS dsyrk", program: "openblas", task: task},
				{label: "BLIS dsyrk", program: "blis", task: task},
			}})
		}
	}
	return g
}

func (b planner) grams() group {
	g := group{
		title: "Gram matrices",
		note: "exp(−γ‖x−y‖²) of n rows of d features. kfda writes to a buffer that it is given or, where it says fresh, " +
			"to memory that the system has not handed out before; the others allocate each time.",
	}
	sizes := []int{2000}
	if b.full {
		sizes = []int{2000, 5000}
	}
	for _, n := range sizes {
		for _, d := range []int{2, 16, 64, 500, 784} {
			for _, t := range threads() {
				g.rows = append(g.rows, b.gram(n, d, t, false))
			}
		}
	}
	if !b.full {
		for _, t := range threads() {
			g.rows = append(g.rows, b.gram(5000, 64, t, false))
		}
	}
	for _, t := range threads() {
		g.rows = append(g.rows, b.gram(5000, 64, t, true))
	}
	return g
}

func (b planner) gram(n, d, threads int, fresh bool) row {
	task := fmt.Sprintf("gram n=%d d=%d gamma=%g numbers=%s", n, d, 1.5/float64(d), b.files.numbers)
	r := row{what: fmt.Sprintf("d = %d, %s", d, size(n, threads)), threads: threads}
	if fresh {
		r.what += ", fresh"
		r.entries = []entry{{label: "kfda", program: "kfda", task: task + " fresh=1"}}
	} else {
		r.entries = []entry{{label: "kfda", program: "kfda", task: task}}
	}
	r.entries = append(r.entries, entry{label: "scikit-learn rbf_kernel", program: "python", task: task})
	if n == 2000 && d == 64 {
		r.entries = append(r.entries, entry{label: "kernlab kernelMatrix", program: "r", task: task})
	}
	return r
}

func (b planner) exponentials() group {
	const n, turns = 1024, 2000
	g := group{
		title: "Exponentials",
		note: "Time for a number, in a line of 1024 numbers that stays in the first cache: x ← e^−x in place for kfda and " +
			"SLEEF (u10, 1 ULP). NumPy: y ← e^x, lines of 8192, so that the cost of a call does not count.",
		unit: "number",
	}
	task := func(n, turns int) string {
		return fmt.Sprintf("exp n=%d turns=%d numbers=%s", n, turns, b.files.numbers)
	}
	g.rows = []row{{what: "widest instructions", threads: 1, units: n * turns, entries: []entry{
		{label: "kfda", program: "kfda", task: task(n, turns)},
		{label: "SLEEF expd8 avx512f", program: "sleef-avx512", task: task(n, turns)},
		{label: "NumPy exp", program: "python", task: task(8*n, turns/8), unlike: true},
	}}}
	if runtime.GOARCH == "amd64" {
		g.rows = append(g.rows, row{what: "AVX2 alone", threads: 1, units: n * turns, entries: []entry{
			{label: "kfda", program: "kfda", env: []string{avx2}, task: task(n, turns)},
			{label: "SLEEF expd4 avx2", program: "sleef-avx2", task: task(n, turns)},
		}})
	}
	return g
}

// classified is the parameters of a task on rows of classes.
func (b planner) classified(n int) string {
	return fmt.Sprintf("n=%d d=%d classes=%d gamma=%g epsilon=1 rows=%s", n, rowFeatures, rowClasses, 1./rowFeatures, b.files.rows)
}

func (b planner) transforms() group {
	g := group{
		title: "Transform",
		note: "Projection of new rows on nine discriminants of n = 5000 training rows, d = 64: for scikit-learn rbf_kernel, " +
			"then the product. One row: the latency of a call.",
	}
	const n = 5000
	add := func(m, turns, threads int, what string) {
		task := fmt.Sprintf("transform %s new=%d turns=%d model=%s alpha=%s", b.classified(n), m, turns,
			filepath.Join(b.files.folder, "model"), filepath.Join(b.files.folder, "alpha"))
		g.rows = append(g.rows, row{what: what, threads: threads, units: float64(turns), entries: []entry{
			{label: "kfda", program: "kfda", task: task, allocations: m == 1},
			{label: "scikit-learn", program: "python", task: task},
		}})
	}
	add(10000, 1, most(), "10,000 rows, "+counted(most()))
	add(1, 100, 1, "one row, "+counted(1))
	return g
}

func (b planner) factorizations() group {
	g := group{
		title: "Factorizations",
		note: "Cholesky: n³/3 operations, in place, A restored between the runs without being timed. Shifted: K − iI = LDLᵀ of " +
			"an rbf kernel matrix, 4n³/3 operations.",
	}
	for _, t := range threads() {
		for _, n := range []int{500, 1000, 2000, 4000} {
			task := fmt.Sprintf("cholesky n=%d numbers=%s", n, b.files.numbers)
			r := row{what: "Cholesky, " + size(n, t), threads: t, flops: cube(n) / 3, entries: []entry{
				{label: "kfda", program: "kfda", task: task},
				{label: "OpenBLAS dpotrf", program: "openblas", task: task},
			}}
			if n <= 1000 || b.full {
				r.entries = append(r.entries, entry{label: "gonum", program: "gonum", task: task})
			}
			g.rows = append(g.rows, r)
		}
	}
	for _, n := range []int{2000, 5000} {
		g.rows = append(g.rows, row{what: "Shifted, " + size(n, most()), threads: most(), flops: 4 * cube(n) / 3, entries: []entry{
			{label: "kfda", program: "kfda", task: "shifted " + b.classified(n)},
		}})
	}
	return g
}

// fitEntries are whole fits with n rows: of one method, and of what it is compared with.
func (b planner) fitEntries(n int) (ridge, rkhs, regression []entry) {
	data := b.classified(n)
	ridge = []entry{
		{label: "kfda, Ridge", program: "kfda", task: "fit method=ridge " + data},
		{label: "NumPy, Ridge", program: "python", task: "fit method=ridge " + data},
	}
	if n <= 2000 {
		ridge = append(ridge, entry{label: "scipy.linalg.eigh(M, N)", program: "python", task: "fit method=textbook " + data})
	}
	rkhs = []entry{
		{label: "kfda, RKHS", program: "kfda", task: "fit method=rkhs " + data},
		{label: "NumPy, RKHS", program: "python", task: "fit method=rkhs " + data},
		{label: "kfda, RKHS, fresh", program: "kfda", task: "fit method=rkhs fresh=1 " + data},
		{label: "kfda, RKHS, default classifier", program: "kfda", task: "fit method=default " + data},
		{label: "scikit-learn KernelRidge", program: "python", task: "kernelridge " + data, unlike: true},
	}
	regression = []entry{
		{label: "kfda, KernelRidge", program: "kfda", task: "fit method=kernelridge " + data},
		{label: "scikit-learn KernelRidge", program: "python", task: "kernelridge " + data},
	}
	return ridge, rkhs, regression
}

func (b planner) fits() group {
	g := group{
		title: "Fits",
		note: "Whole fits, from the rows to the discriminants: rbf kernel, d = 64, c = 10, ε = 1. kfda refines and checks " +
			"its solution; NumPy takes one Cholesky factorization, of K² − (KE)(KE)ᵀ + εI or of HKH + εI. Programs allocate as a " +
			"second fit does, from what the first has left; where it says fresh, the system hands the memory out anew, as for the first. " +
			"The default classifier rests on leave-one-out projections, which take the diagonal of an inverse; the others have class means.",
	}
	for _, n := range []int{2000, 5000} {
		ridge, rkhs, regression := b.fitEntries(n)
		g.rows = append(g.rows,
			row{what: "Ridge, " + size(n, most()), threads: most(), entries: ridge},
			row{what: "RKHS, " + size(n, most()), threads: most(), entries: rkhs},
			row{what: "regression, " + size(n, most()), threads: most(), entries: regression})
	}
	return g
}

func (b planner) components() group {
	g := group{
		title: "Kernel PCA",
		note:  "Whole fits of the ten leading components: rbf kernel, d = 64.",
	}
	for _, n := range []int{2000, 5000} {
		task := fmt.Sprintf("pca components=10 %s", b.classified(n))
		entries := []entry{{label: "kfda", program: "kfda", task: task}}
		for _, solver := range []string{"arpack", "randomized", "dense"} {
			if solver != "dense" || n <= 2000 || b.full {
				entries = append(entries, entry{label: "scikit-learn, " + solver, program: "python", task: task + " solver=" + solver})
			}
		}
		if n <= 2000 {
			entries = append(entries, entry{label: "kernlab kpca", program: "r", task: task})
		}
		g.rows = append(g.rows, row{what: size(n, most()), threads: most(), entries: entries})
	}
	return g
}

// memoryGroup is what the peak of the memory is measured of.
func memoryGroup(f files, full bool) group {
	b := planner{f, full}
	g := group{
		title: "Memory",
		note: "Peak resident memory (VmHWM) of a fit in a process of its own, less that of the same process when it has loaded the " +
			"rows, in units of the 8n² bytes of a kernel matrix. A search is that of the table of model choice.",
	}
	for _, n := range []int{2000, 5000} {
		ridge, rkhs, _ := b.fitEntries(n)
		entries := ridge
		for _, e := range rkhs {
			if !strings.HasSuffix(e.label, "fresh") {
				entries = append(entries, e)
			}
		}
		g.rows = append(g.rows, row{what: fmt.Sprintf("n = %d", n), threads: most(), units: 8 * float64(n*n), entries: entries})
	}
	for _, r := range b.choices().rows {
		r.what, r.units = fmt.Sprintf("search, n = %d", b.digits().n), 8*float64(b.digits().n*b.digits().n)
		r.entries = r.entries[:2]
		g.rows = append(g.rows, r)
	}
	return g
}

func cube(n int) float64 { return float64(n) * float64(n) * float64(n) }
