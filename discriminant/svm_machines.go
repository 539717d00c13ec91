package discriminant

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// machines are the trained machines of an SVM, one for each pair of classes.
type machines struct {
	svm     SVM // with all defaults resolved
	classes int
	dim     int // columns of a row

	support      []int           // the training rows that support a machine, by class, then ascending
	counts       []int           // how many of them each class has
	evaluator    *gram.Evaluator // for the supporting rows; nil for a precomputed kernel
	coefficients *matrix.Dense   // uᵢ of each supporting row in the machines of its class, see coefficientOf
	fits         []machineFit    // by pair
}

type machineFit struct {
	bias, objective, gap float64
	iterations           int
}

// pairsOf returns the pairs of classes in the order of their machines.
func pairsOf(classes int) [][2]int {
	var pairs [][2]int
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// coefficientOf returns the column of a row of class j for the machine of a pair
// that has j: the other class, those above j moved one to the left.
func coefficientOf(j int, pair [2]int) int {
	if j == pair[0] {
		return pair[1] - 1
	}
	return pair[0]
}

// evaluate writes the values of all machines for the rows of z. Each is a chain of
// fused multiply-adds over the supporting rows of the first class of the pair, one
// over those of the second, their sum, and the bias.
func (m *machines) evaluate(values *matrix.Dense, w *workspace, z *matrix.Dense) error {
	resize(values, z.Rows, len(m.fits))
	s := len(m.support)
	batch := max(1, batchValues/s)
	for first := 0; first < z.Rows; first += batch {
		b := min(batch, z.Rows-first)
		w.part = matrix.Dense{Rows: b, Cols: z.Cols, Stride: z.Stride, Data: z.Data[first*z.Stride:]}
		resize(&w.kernel, b, s)
		if err := m.kernelValues(&w.kernel, &w.part); err != nil {
			return offsetRow(err, first)
		}
		at := 0
		for j, count := range m.counts {
			w.part = matrix.Dense{Rows: b, Cols: count, Stride: s, Data: w.kernel.Data[at:]}
			w.coefficients = matrix.Dense{Rows: count, Cols: m.coefficients.Cols, Stride: m.coefficients.Stride, Data: m.coefficients.Data[at*m.coefficients.Stride:]}
			resize(&w.terms, b, m.coefficients.Cols)
			matrix.Mul(&w.terms, &w.part, matrix.NoTrans, &w.coefficients, matrix.NoTrans)
			for i := range b {
				m.add(values.Row(first+i), j, w.terms.Row(i))
			}
			at += count
		}
	}
	return nil
}

// add adds the terms of class j, in order of the classes, to the values of one row.
func (m *machines) add(values []float64, j int, terms []float64) {
	p := 0
	for a := range m.classes {
		for b := a + 1; b < m.classes; b++ {
			switch j {
			case a:
				values[p] = terms[b-1]
			case b:
				values[p] = values[p] + terms[a] + m.fits[p].bias
			}
			p++
		}
	}
}

func (m *machines) kernelValues(dst, rows *matrix.Dense) error {
	if m.evaluator != nil {
		_, err := m.evaluator.Cross(dst, rows)
		return err
	}
	for i := range dst.Rows {
		from, to := rows.Row(i), dst.Row(i)
		for k, s := range m.support {
			to[k] = from[s]
		}
	}
	return nil
}

// Machine is one of the machines of an [SVM], for a pair of classes.
type Machine struct {
	First, Second int // class numbers; values above 0 are for Second

	// Support has the training rows with u ≠ 0, those of the first class first, and
	// Coefficients their u: negative in the first class, positive in the second, C
	// times the weight of the class at most.
	Support      []int
	Coefficients []float64
	Bias         float64

	Objective  float64 // of the dual: Σ|uᵢ| − ½ Σ uᵢ uⱼ k(xᵢ, xⱼ)
	Gap        float64 // the largest violation of the optimality conditions
	Iterations int
}

// Machines returns the machines of the model or of its classifier, one for each pair of
// classes where that is an [SVM].
func (f *fitted) Machines() []Machine {
	f.needs("Machines")
	m := f.machines()
	if m == nil {
		return nil
	}
	all := make([]Machine, 0, len(m.fits))
	starts := make([]int, len(m.counts)+1)
	for j, count := range m.counts {
		starts[j+1] = starts[j] + count
	}
	for p, pair := range pairsOf(m.classes) {
		fit, a, b := m.fits[p], pair[0], pair[1]
		one := Machine{First: a, Second: b, Bias: fit.bias, Objective: fit.objective, Gap: fit.gap, Iterations: fit.iterations}
		for _, j := range pair {
			for i := starts[j]; i < starts[j+1]; i++ {
				if u := m.coefficients.At(i, coefficientOf(j, pair)); u != 0 {
					one.Support = append(one.Support, m.support[i])
					one.Coefficients = append(one.Coefficients, u)
				}
			}
		}
		all = append(all, one)
	}
	return all
}

// SVM returns the settings of the machines of a model, with all defaults resolved but
// for those of the limits of the fit, and whether there are machines.
func (f *fitted) SVM() (settings SVM, ok bool) {
	f.needs("SVM")
	m := f.machines()
	if m == nil {
		return SVM{}, false
	}
	settings = m.svm
	settings.Weights = slices.Clone(settings.Weights)
	_, settings.Probability = posteriorsOf(f.rule)
	if s := f.Scaler(); s != nil && f.method == methodSVM {
		settings.Scaling = s.kind
	}
	return settings, true
}

func (f *fitted) machines() *machines {
	if e, ok := f.pipeline.embedding.(*machineEmbedding); ok {
		return e.machines
	}
	if r, ok := f.rule.(*machineRule); ok {
		return r.machines
	}
	return nil
}

func (m *machines) encode(w *fileWriter) error {
	kernel, err := gram.Format(m.svm.Kernel)
	if err != nil {
		return err
	}
	e := w.section("machines", true)
	e.String("kernel", kernel)
	e.Float64("C", m.svm.C)
	e.Floats("weights", m.svm.Weights)
	e.Float64("tolerance", m.svm.Tolerance)
	e.Count("machines", len(m.fits))
	for _, fit := range m.fits {
		e.Float64("bias", fit.bias)
		e.Float64("objective", fit.objective)
		e.Float64("gap", fit.gap)
		e.Count("iterations", fit.iterations)
	}
	e.Count("support", len(m.support))
	for _, i := range m.support {
		e.Count("row", i)
	}
	for _, count := range m.counts {
		e.Count("count", count)
	}
	e.Matrix("coefficients", m.coefficients)
	rows := matrix.New(0, 0)
	if m.evaluator != nil {
		rows = m.evaluator.X()
	}
	w.section("support", true).Matrix("rows", rows)
	return nil
}

// decodeMachines reads machines that see rows of dim columns.
func decodeMachines(r *fileReader, shape fileShape, dim uint64) (*machines, error) {
	d := r.section("machines")
	kernel, err := gram.Parse(d.String("kernel"))
	if err != nil {
		d.Fail("kernel", err.Error())
	}
	m := &machines{classes: int(shape.classes), dim: int(dim)}
	m.svm = SVM{Kernel: kernel, C: d.Float64("C"), Weights: d.Floats("weights"), Tolerance: d.Float64("tolerance")}
	if len(m.svm.Weights) == 0 {
		m.svm.Weights = nil
	}
	if d.Err() == nil && (m.svm.C == 0 || m.svm.Tolerance == 0 || m.svm.Validate() != nil || m.svm.Weights != nil && len(m.svm.Weights) != m.classes) {
		d.Fail("tolerance", "not the settings of a support vector machine")
	}
	m.fits = make([]machineFit, d.Count("machines", 32))
	if want := m.classes * (m.classes - 1) / 2; len(m.fits) != want {
		d.Fail("machines", fmt.Sprintf("%d for %d classes, want %d", len(m.fits), m.classes, want))
	}
	for p := range m.fits {
		m.fits[p] = machineFit{bias: d.Float64("bias"), objective: d.Float64("objective"), gap: d.Float64("gap"), iterations: int(min(d.Uint64("iterations"), math.MaxInt))}
	}
	m.support = make([]int, d.Count("support", 8))
	for i := range m.support {
		row := d.Uint64("row")
		if row >= shape.rows {
			d.Fail("row", fmt.Sprintf("there is no row %d", row))
		}
		m.support[i] = int(row)
	}
	m.counts = make([]int, m.classes)
	sum := 0
	for j := range m.counts {
		count := d.Uint64("count")
		if count == 0 || count > uint64(len(m.support)-sum) {
			d.Fail("count", fmt.Sprintf("%d of %d supporting rows in class %d", count, len(m.support), j))
			break
		}
		m.counts[j] = int(count)
		sum += m.counts[j]
	}
	if sum != len(m.support) {
		d.Fail("count", fmt.Sprintf("the classes have %d supporting rows together, the machines %d", sum, len(m.support)))
	}
	m.coefficients = d.Matrix("coefficients")
	d.Shape("coefficients", m.coefficients, uint64(len(m.support)), shape.classes-1)
	if err := d.Close(); err != nil {
		return nil, err
	}

	d = r.section("support")
	x := d.Matrix("rows")
	switch {
	case isPrecomputed(kernel):
		d.Shape("rows", x, 0, 0)
		if dim != shape.rows {
			d.Fail("rows", fmt.Sprintf("a precomputed kernel has the dimension %d, found %d", shape.rows, dim))
		}
	default:
		d.Shape("rows", x, uint64(len(m.support)), dim)
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	if !isPrecomputed(kernel) {
		if m.evaluator, err = r.evaluator(kernel, x, "support"); err != nil {
			return nil, err
		}
		m.svm.Kernel = m.evaluator.Kernel()
	}
	return m, nil
}
