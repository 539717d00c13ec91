package discriminant

import (
	"slices"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/misuse"
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

// Votes writes to dst, m×classes in class order, how much the machines of an [SVM] are
// for each class, for each row of x; a nil dst is allocated. An entry is the number of
// the machines that vote for the class, plus s/(3(|s| + 1)), where s is the sum of the
// values of its machines, each positive for the class: less than a third of a vote, which
// orders classes of as many votes. (scikit-learn's decision_function has these values for
// decision_function_shape="ovr".) The prediction is the first class with most votes,
// whatever the sums. The errors are those of Project, and a *[VotesError] for a model
// without machines.
func (f *fitted) Votes(dst, x *matrix.Dense) (*matrix.Dense, error) {
	f.needs("Votes")
	misuse.NotNil("discriminant: Votes", "x", x)
	r, ok := f.rule.(votingRule)
	if !ok {
		return nil, &VotesError{Rule: f.rule.kind()}
	}
	if dst == nil {
		dst = matrix.New(x.Rows, len(f.counts))
	}
	checkDestination("Votes", dst, x, x.Rows, len(f.counts))
	err := f.eachClassified(x, func(first int, w *workspace) error {
		return r.tally(dst, first, w)
	})
	if err != nil {
		return nil, err
	}
	return dst, nil
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

// fields names those of machines that see rows of dim columns.
func (m *machines) fields(c *codec, dim uint64) {
	if c.reading() {
		m.classes, m.dim = int(c.classes), int(dim)
	}
	c.section("machines")
	c.kernel(&m.svm.Kernel)
	c.float64("C", &m.svm.C)
	if c.floats("weights", &m.svm.Weights); c.reading() && len(m.svm.Weights) == 0 {
		m.svm.Weights = nil
	}
	if c.float64("tolerance", &m.svm.Tolerance); m.svm.C == 0 || m.svm.Tolerance == 0 || m.svm.Validate() != nil || m.svm.Weights != nil && len(m.svm.Weights) != m.classes {
		c.fail("tolerance", "not the settings of a support vector machine")
	}
	n := c.count("machines", len(m.fits), 32)
	if want := m.classes * (m.classes - 1) / 2; n != want {
		c.fail("machines", "%d for %d classes, want %d", n, m.classes, want)
	}
	if c.reading() {
		m.fits = make([]machineFit, n)
	}
	for p := range m.fits {
		f := &m.fits[p]
		c.float64("bias", &f.bias)
		c.float64("objective", &f.objective)
		c.float64("gap", &f.gap)
		c.number("iterations", &f.iterations)
	}
	m.supportFields(c)
	x := matrix.New(0, 0)
	if m.evaluator != nil {
		x = m.evaluator.X()
	}
	c.section("support")
	if isPrecomputed(m.svm.Kernel) {
		if c.shaped("rows", &x, 0, 0); dim != c.rows {
			c.fail("rows", "a precomputed kernel has the dimension %d, found %d", c.rows, dim)
		}
		return
	}
	c.shaped("rows", &x, uint64(len(m.support)), dim)
	if c.ok() && c.reading() {
		if m.evaluator = c.evaluator(m.svm.Kernel, x, "support"); m.evaluator != nil {
			m.svm.Kernel = m.evaluator.Kernel()
		}
	}
}

// supportFields are the rows that support the machines, and their coefficients.
func (m *machines) supportFields(c *codec) {
	if n := c.count("support", len(m.support), 8); c.reading() {
		m.support, m.counts = make([]int, n), make([]int, m.classes)
	}
	for i := range m.support {
		if row := c.number("row", &m.support[i]); row >= c.rows {
			c.fail("row", "there is no row %d", row)
		}
	}
	sum := 0
	for j := range m.counts {
		if count := c.number("count", &m.counts[j]); count == 0 || count > uint64(len(m.support)-sum) {
			c.fail("count", "%d of %d supporting rows in class %d", count, len(m.support), j)
			break
		}
		sum += m.counts[j]
	}
	if sum != len(m.support) {
		c.fail("count", "the classes have %d supporting rows together, the machines %d", sum, len(m.support))
	}
	c.shaped("coefficients", &m.coefficients, uint64(len(m.support)), c.classes-1)
}
