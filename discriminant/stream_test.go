package discriminant_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

var ctx = context.Background()

// streamed fits by a stream of the rows, with landmarks drawn from some of them.
func streamed(t *testing.T, m discriminant.Method, x *matrix.Dense, codes []int, sample, landmarks int, weights ...float64) (*discriminant.Stream[int], *discriminant.Model[int]) {
	t.Helper()
	s := must.Get(discriminant.NewStream(ctx, m, x.View(0, 0, sample, x.Cols), codes[:sample], discriminant.Landmarks{Count: landmarks}, weights[:min(len(weights), sample)]...))(t)
	must.Do(t, s.Append(ctx, x, codes, weights...))
	return s, must.Get(s.Model(ctx, m))(t)
}

// sameFit compares eigenvalues, ridges, predictions and differences of projections, up to signs.
func sameFit(t *testing.T, what string, got, want *discriminant.Model[int], x, y *matrix.Dense, tolerance float64) {
	t.Helper()
	near := func(what string, got, want, scale float64) {
		if !(math.Abs(got-want) <= tolerance*scale) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if d, ok := got.Details().(interface{ Eigenvalues() []float64 }); ok {
		for k, v := range want.Details().(interface{ Eigenvalues() []float64 }).Eigenvalues() {
			near(what+", λ", d.Eigenvalues()[k], v, v)
		}
	}
	ridge := func(m *discriminant.Model[int]) float64 {
		if d, ok := m.Details().(interface{ Ridge() float64 }); ok {
			return d.Ridge()
		}
		return 0
	}
	near(what+", ridge", ridge(got), ridge(want), ridge(want))
	a, b := must.Get(got.Project(nil, x))(t), must.Get(want.Project(nil, y))(t)
	must.Equal(t, what+", components", a.Cols, b.Cols)
	for k := range a.Cols {
		sign, far := 1.0, 0
		for i := range a.Rows {
			if math.Abs(b.At(i, k)-b.At(0, k)) > math.Abs(b.At(far, k)-b.At(0, k)) {
				far = i
			}
		}
		width := b.At(far, k) - b.At(0, k)
		if (a.At(far, k)-a.At(0, k) < 0) != (width < 0) {
			sign = -1
		}
		for i := range a.Rows {
			near(fmt.Sprintf("%s, projection %d of row %d", what, k, i), sign*(a.At(i, k)-a.At(0, k)), b.At(i, k)-b.At(0, k), math.Abs(width))
		}
	}
	must.EqualSlices(t, what+", classes", must.Get(got.Predict(nil, x))(t), must.Get(want.Predict(nil, y))(t))
	if q, err := want.Posteriors(nil, y); err == nil {
		p := must.Get(got.Posteriors(nil, x))(t)
		for i, v := range q.Data {
			near(what+", posterior", p.Data[i], v, 1)
		}
	}
	if len(got.Classes()) == 2 {
		p, q := must.Get(got.Decision(nil, x))(t), must.Get(want.Decision(nil, y))(t)
		scale := 1.0
		for _, v := range q {
			scale = max(scale, math.Abs(v))
		}
		for i, v := range q {
			near(what+", decision", p[i], v, scale)
		}
	}
}

// The model of a stream is that of the matrix K̂ of its landmarks, by the dense solvers, and
// where all rows are landmarks that of the kernel itself.
func TestStreamIsTheFit(t *testing.T) {
	const n, d, m = 150, 3, 30
	kernel := gram.RBF{Gamma: 0.4}
	gaussian, centroid := discriminant.Gaussian{}, discriminant.NearestCentroid{}
	for _, c := range []int{2, 4} {
		x, codes := blobs(5, d, sizes(n, c)...)
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = float64(1+i%3) / 2
		}
		priors := make([]float64, c)
		for j := range priors {
			priors[j] = 0.5 / float64(c-1)
		}
		priors[0] = 0.5
		for _, reg := range []discriminant.Regularizer{discriminant.RelativeRKHS(0.01), discriminant.RKHS(0.5), discriminant.RelativeRidge(0.01), discriminant.Ridge(2)} {
			for _, w := range [][]float64{nil, weights} {
				methods := []discriminant.Method{
					discriminant.KFDA{Kernel: kernel, Regularizer: reg, Classifier: gaussian},
					discriminant.KFDA{Kernel: kernel, Regularizer: reg, Classifier: centroid, Priors: priors, Components: c - 1},
				}
				if reg == discriminant.RelativeRKHS(0.01) || reg == discriminant.RKHS(0.5) { // posteriors by rows that are left out
					methods = append(methods, discriminant.KFDA{Kernel: kernel, Regularizer: reg}, discriminant.KFDA{Kernel: kernel, Regularizer: reg, LeaveOneOut: true, Priors: priors})
				}
				if reg == discriminant.Ridge(2) || reg == discriminant.RelativeRidge(0.01) {
					methods = append(methods, discriminant.KernelRidge{Kernel: kernel, Regularizer: reg})
				}
				for _, method := range methods {
					what := fmt.Sprintf("%d classes, %T%v, weights %t", c, method, method, w != nil)
					_, got := streamed(t, method, x, codes, n, n, w...)
					want := must.Get(discriminant.Fit(ctx, method, x, codes, w...))(t)
					sameFit(t, what, got, want, x, x, 1e-9)

					s := must.Get(discriminant.NewStream(ctx, method, x.View(0, 0, 100, d), codes[:100], discriminant.Landmarks{Count: m}, w[:min(len(w), 100)]...))(t)
					must.Do(t, s.Append(ctx, x, codes, w...))
					got = must.Get(s.Model(ctx, method))(t)
					features := must.Get(gram.NewFeatures(ctx, kernel, landmarksOf(t, x.View(0, 0, 100, d), kernel, m)))(t)
					phi := matrix.New(n, features.Dim())
					must.Do(t, features.Map(ctx, phi, x))
					k := matrix.SymRankK(nil, phi, matrix.NoTrans)
					set := method.Settings()
					set.Kernel = gram.Precomputed{}
					sameFit(t, what+", K̂", got, must.Get(discriminant.Fit(ctx, method.With(set), k, codes, w...))(t), x, k, 1e-9)
				}
			}
		}
	}
}

// LDA of a stream is that of the rows, with every regulariser that does not need each row by itself, and
// in columns that are constant, far from their mean in units of any size, or combinations of others.
func TestStreamLDA(t *testing.T) {
	const n, d = 150, 4
	tables := map[string]func(row []float64){
		"plain":     func([]float64) {},
		"units":     func(row []float64) { row[0], row[1] = 1e150*row[0], 1e-150*row[1] },
		"far":       func(row []float64) { row[0], row[1] = row[0]+300, 1000-row[1] },
		"constant":  func(row []float64) { row[2] = 1.1 },
		"collinear": func(row []float64) { row[3] = row[0] - 3*row[1] },
	}
	for _, c := range []int{2, 4} {
		for kind, change := range tables {
			x, codes := blobs(5, d, sizes(n, c)...)
			weights := make([]float64, n)
			for i := range n {
				change(x.Row(i))
				weights[i] = float64(i%3) / 2
			}
			for _, lda := range []discriminant.LDA{
				{},
				{Components: 1, Classifier: discriminant.NearestCentroid{}},
				{Regularizer: discriminant.Ridge(3), Scaling: discriminant.Standard},
				{Regularizer: discriminant.RelativeRidge(0.1), Scaling: discriminant.MinMax},
				{Regularizer: discriminant.Shrink(0.2)},
				{Regularizer: discriminant.Shrink(1), Scaling: discriminant.Standard},
				{Regularizer: discriminant.Shrink(0)},
			} {
				for _, w := range [][]float64{nil, weights} {
					what := fmt.Sprintf("%s, %d classes, %+v, weights %t", kind, c, lda, w != nil)
					want, refused := discriminant.Fit(ctx, lda, x, codes, w...)
					got, err := streamedError(t, lda, x, codes, n, 0, w...)
					if fmt.Sprint(err) != fmt.Sprint(refused) {
						t.Errorf("%s: the error %v, want %v", what, err, refused)
					}
					if err != nil {
						continue
					}
					sameFit(t, what, got, want, x, x, 1e-10)
					a, b := got.Details().(discriminant.LDADetails), want.Details().(discriminant.LDADetails)
					must.Equal(t, what+", shrinkage", a.Shrinkage(), b.Shrinkage())
					must.Equal(t, what+", rank", a.Certificate().Rank, b.Certificate().Rank)
					for k, v := range b.Eigenvalues() {
						if off := math.Abs(a.Eigenvalues()[k]-v) / v; !(off <= a.Certificate().EigenvalueError+b.Certificate().EigenvalueError) {
							t.Errorf("%s: eigenvalue %d is off by %.3g, certified %.3g", what, k, off, a.Certificate().EigenvalueError)
						}
					}
				}
			}
		}
	}
	apart, codes := matrix.New(12, 2), make([]int, 12)
	for i := range codes {
		codes[i] = i % 2
		apart.Set(i, 0, float64(i%2))
		apart.Set(i, 1, float64(i/2))
	}
	must.Refuse[*discriminant.ScatterError](streamedError(t, discriminant.LDA{}, apart, codes, 12, 0))(t, "no scatter within the classes")
	must.Refuse[*discriminant.CoincidentMeansError](streamedError(t, discriminant.LDA{}, matrix.New(12, 2), codes, 12, 0))(t, "zeros")
}

func landmarksOf(t *testing.T, x *matrix.Dense, kernel gram.Kernel, m int) *matrix.Dense {
	e := must.Get(gram.NewEvaluator(kernel, x))(t)
	l := must.Get(e.Landmarks(ctx, m, gram.RPCholesky, 0))(t)
	rows := matrix.New(m, x.Cols)
	for i, r := range l.Rows {
		copy(rows.Row(i), x.Row(r))
	}
	return rows
}

// sizes shares n rows among c classes.
func sizes(n, c int) []int {
	all := make([]int, c)
	for i := range n {
		all[i%c]++
	}
	return all
}

// A model has the same bytes however its rows came: at once, by a sequence, in parts that are
// merged in any order, by one worker, or by a stream that was saved in the middle of a block. It is
// the same model when it is loaded.
func TestStreamBytes(t *testing.T) {
	const n, m, sample = 2*discriminant.BlockRows + 1000, 6, 90
	x, codes := blobs(8, 2, sizes(n, 3)...)
	method := discriminant.KFDA{Scaling: discriminant.Standard}
	whole, model := streamed(t, method, x, codes, sample, m)
	want, state := must.Get(model.MarshalBinary())(t), must.Get(whole.MarshalBinary())(t)
	append := func(s *discriminant.Stream[int], lo, hi int) *discriminant.Stream[int] {
		must.Do(t, s.Append(ctx, x.View(lo, 0, hi-lo, x.Cols), codes[lo:hi]))
		return s
	}
	check := func(what string, s *discriminant.Stream[int]) {
		t.Helper()
		if !bytes.Equal(must.Get(must.Get(s.Model(ctx, method))(t).MarshalBinary())(t), want) {
			t.Errorf("%s: another model", what)
		}
	}
	block := discriminant.BlockRows
	parts := []*discriminant.Stream[int]{append(whole.From(0), 0, block), append(whole.From(block), block, 2*block), append(whole.From(2*block), 2*block, n)}
	merged := whole.From(0)
	for _, i := range []int{2, 0, 1} {
		part := new(discriminant.Stream[int])
		must.Do(t, part.UnmarshalBinary(must.Get(parts[i].MarshalBinary())(t)))
		must.Do(t, merged.Merge(part))
	}
	check("merged", merged)
	workers := matrix.SetWorkers(1)
	check("one worker", append(append(whole.From(0), 0, 12345), 12345, n))
	matrix.SetWorkers(workers)
	kept := new(discriminant.Stream[int])
	must.Do(t, kept.UnmarshalBinary(must.Get(append(whole.From(0), 0, block+7777).MarshalBinary())(t)))
	must.Equal(t, "next row", kept.Next(), block+7777)
	check("kept", append(kept, block+7777, n))
	sequence := whole.From(0)
	must.Do(t, sequence.AppendSeq(ctx, func(yield func([]float64, int) bool) {
		for i, code := range codes {
			if !yield(x.Row(i), code) {
				return
			}
		}
	}))
	check("a sequence", sequence)

	loaded := must.Get(discriminant.Load[int](bytes.NewReader(want)))(t)
	share := func(m *discriminant.Model[int]) float64 { return m.Details().(discriminant.KFDADetails).LeftShare() }
	must.Equal(t, "share", share(loaded), share(model))
	must.Equal(t, "landmarks", whole.Landmarks(), m)
	must.EqualSlices(t, "spans", append(whole.From(2*block), 0, 10).Spans(), []discriminant.RowSpan{{2 * block, 2*block + 10}})
	must.EqualSlices(t, "spans", merged.Spans(), []discriminant.RowSpan{{0, n}})
	must.EqualSlices(t, "predictions", must.Get(loaded.Predict(nil, x))(t), must.Get(model.Predict(nil, x))(t))
	must.Equal(t, "rows", loaded.Training().Rows, n)

	twice := append(whole.From(block), block, 2*block)
	must.Fail[*solve.BlockError](t, "a block twice", merged.Merge(twice))
	check("after a refused part", merged)
	gap := append(whole.From(block), block, 2*block)
	must.Do(t, gap.Merge(append(whole.From(4*block), 0, 7)))
	must.EqualSlices(t, "spans", gap.Spans(), []discriminant.RowSpan{{block, 2 * block}, {4 * block, 4*block + 7}})
	must.Refuse[error](gap.Model(ctx, method))(t, "a block is missing")
	for i := 0; i < len(state); i += 131 {
		spoiled := bytes.Clone(state)
		spoiled[i] ^= 1
		for _, bad := range [][]byte{state[:i], spoiled} {
			if err := new(discriminant.Stream[int]).UnmarshalBinary(bad); !errors.As(err, new(*discriminant.FormatError)) {
				t.Fatalf("byte %d: %v", i, err)
			}
		}
	}
	if err := new(discriminant.Stream[string]).UnmarshalBinary(state); !errors.As(err, new(*discriminant.LabelTypeError)) {
		t.Errorf("labels of another kind: %v", err)
	}
}

// 1, 2, 7 and 64 parts of whole blocks, the last one excepted, merged in shuffled order, have one
// model.
func TestStreamShards(t *testing.T) {
	if testing.Short() {
		t.Skip("four million rows: left to the long tests")
	}
	const block = discriminant.BlockRows
	const blocks, n = 64, 63*block + 1000
	x, codes := blobs(9, 2, sizes(n, 3)...)
	method := discriminant.KFDA{Regularizer: discriminant.RelativeRKHS(0.1)}
	whole, model := streamed(t, method, x, codes, 90, 4)
	want := must.Get(model.MarshalBinary())(t)
	for _, parts := range []int{2, 7, blocks} {
		var all []*discriminant.Stream[int]
		for i := range parts {
			lo, hi := i*blocks/parts*block, min(n, (i+1)*blocks/parts*block)
			part := whole.From(lo)
			must.Do(t, part.Append(ctx, x.View(lo, 0, hi-lo, x.Cols), codes[lo:hi]))
			all = append(all, part)
		}
		random := splitmix.Random(parts)
		for i := range all {
			j := random.Below(i + 1)
			all[i], all[j] = all[j], all[i]
		}
		merged := whole.From(0)
		for _, part := range all {
			must.Do(t, merged.Merge(part))
		}
		if !bytes.Equal(must.Get(must.Get(merged.Model(ctx, method))(t).MarshalBinary())(t), want) {
			t.Errorf("%d parts: another model", parts)
		}
	}
}

// The ridge that the folds of a stream choose is that of kernel ridge regressions on the rows of the
// other folds, one by one.
func TestStreamChoosesByFolds(t *testing.T) {
	const n, folds = 120, 5
	kernel := gram.RBF{Gamma: 0.5}
	ridges := []float64{100, 30, 10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001}
	chosen := map[float64]bool{}
	for seed := range uint64(6) {
		x, codes := blobs(seed, 2, sizes(n, 3)...)
		for i := range x.Data {
			x.Data[i] /= float64(1 + seed) // classes that overlap more and more
		}
		for i := range codes {
			if uint64(i%10) < seed {
				codes[i] = (codes[i] + i) % 3
			}
		}
		least, want := math.Inf(1), 0.0
		for _, r := range ridges {
			loss := 0.0
			for fold := range folds {
				var train, held []int
				for i := range n {
					random := splitmix.Random(i)
					if random.Below(folds) == fold {
						held = append(held, i)
					} else {
						train = append(train, i)
					}
				}
				targets := matrix.New(len(train), 3)
				for k, i := range train {
					targets.Set(k, codes[i], 1)
				}
				m := must.Get(discriminant.FitRegression(ctx, discriminant.KernelRidge{Kernel: kernel, Regularizer: discriminant.RelativeRidge(r)}, some(x, train), targets))(t)
				values := must.Get(m.Predict(nil, some(x, held)))(t)
				for k, i := range held {
					for j, v := range values.Row(k) {
						if j == codes[i] {
							v--
						}
						loss += v * v
					}
				}
			}
			if loss < least {
				least, want = loss, r
			}
		}
		chosen[want] = true
		_, kfda := streamed(t, discriminant.KFDA{Kernel: kernel}, x, codes, n, n)
		must.Equal(t, "kfda", kfda.Details().(discriminant.KFDADetails).Regularizer(), discriminant.RelativeRKHS(want))
		_, ridge := streamed(t, discriminant.KernelRidge{Kernel: kernel}, x, codes, n, n)
		must.Equal(t, "ridge", ridge.Details().(discriminant.KernelRidgeDetails).Regularizer(), discriminant.RelativeRidge(want))
	}
	if len(chosen) < 3 {
		t.Errorf("the same ridge nearly always: %v", chosen)
	}
}

func some(x *matrix.Dense, rows []int) *matrix.Dense {
	y := matrix.New(len(rows), x.Cols)
	for k, i := range rows {
		copy(y.Row(k), x.Row(i))
	}
	return y
}

// 1000 landmarks of the 60,000 digits of MNIST, each pixel in [0, 1].
func TestStreamMNIST(t *testing.T) {
	if testing.Short() || os.Getenv("KFDA_DATA") == "" {
		t.Skip("takes 10 seconds, and KFDA_DATA")
	}
	x, labels := mnist(t, "train")
	y, want := mnist(t, "t10k")
	sample := gram.NewSample(4096, 0)
	for i := range labels {
		must.Do(t, sample.Add(uint64(i), x.Row(i)))
	}
	rows, numbers := sample.Rows()
	codes := make([]int, len(numbers))
	for k, i := range numbers {
		codes[k] = labels[i]
	}
	m := discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.025}}
	s := must.Get(discriminant.NewStream(ctx, m, rows, codes, discriminant.Landmarks{Count: 1000}))(t)
	must.Do(t, s.Append(ctx, x, labels))
	wrong := 0
	for i, label := range must.Get(must.Get(s.Model(ctx, m))(t).Predict(nil, y))(t) {
		if label != want[i] {
			wrong++
		}
	}
	t.Logf("%.2f %% of the test images", float64(wrong)/100)
	if wrong > 413 { // 4.13 % is that of Falkon with as many
		t.Errorf("%d of %d test images are wrong", wrong, len(want))
	}
}

func mnist(t *testing.T, name string) (*matrix.Dense, []int) {
	read := func(name string) []byte {
		f := must.Get(os.Open(filepath.Join(os.Getenv("KFDA_DATA"), "mnist", name)))(t)
		defer f.Close()
		return must.Get(io.ReadAll(must.Get(gzip.NewReader(f))(t)))(t)
	}
	pixels, labels := read(name + "-images-idx3-ubyte.gz")[16:], read(name + "-labels-idx1-ubyte.gz")[8:]
	x, codes := matrix.New(len(labels), len(pixels)/len(labels)), make([]int, len(labels))
	for i, v := range pixels {
		x.Data[i] = float64(v) / 255
	}
	for i, v := range labels {
		codes[i] = int(v)
	}
	return x, codes
}

// A stream of prepared columns keeps all levels, also those that the sample lacks, and its model takes
// rows of the table; notes, and what fills missing cells, are of its start.
func TestStreamPrepares(t *testing.T) {
	const n, sample = 160, 100
	x, codes := blobs(6, 3, n/2, n/2)
	for i := range n {
		x.Set(i, 1, float64((i+codes[i])%3))
		if i >= sample && i%2 == codes[i] {
			x.Set(i, 1, 3) // a level of the rest
		}
		if i%9 == 4 {
			x.Set(i, i%2, math.NaN())
		}
	}
	prepared := discriminant.Prepared{Method: discriminant.KFDA{Kernel: gram.RBF{Gamma: 0.3}, Regularizer: discriminant.RKHS(0.1), Classifier: discriminant.NearestCentroid{}}, Levels: []int{0, 4, 0}, Missing: discriminant.FillIndicator}
	_, got := streamed(t, prepared, x, codes, n, n)
	sameFit(t, "all rows", got, must.Get(discriminant.Fit(ctx, prepared, x, codes))(t), x, x, 1e-9)

	lda := discriminant.Prepared{Method: discriminant.LDA{Regularizer: discriminant.Ridge(2), Scaling: discriminant.MinMax}, Levels: []int{0, 4, 0}, Missing: discriminant.FillMedian}
	_, got = streamed(t, lda, x, codes, n, 0)
	want := must.Get(discriminant.Fit(ctx, lda, x, codes))(t)
	sameFit(t, "lda", must.Get(discriminant.Load[int](bytes.NewReader(must.Get(got.MarshalBinary())(t))))(t), want, x, x, 1e-11)

	s, got := streamed(t, prepared, x, codes, sample, sample)
	levels := 0
	for _, c := range got.Preparation().Columns() {
		if c.Level >= 0 {
			levels++
		}
	}
	must.Equal(t, "levels", levels, 4)
	y := x.View(sample, 0, 2, 3).Clone()
	for j := range 3 {
		y.Set(0, j, y.At(1, j))
	}
	y.Set(0, 1, 3)
	y.Set(1, 1, 1)
	if z := must.Get(got.Project(nil, y))(t); z.At(0, 0) == z.At(1, 0) {
		t.Error("a level that the sample lacks counts for nothing")
	}
	s.SetNote("columns", "a, b, c")
	part := s.From(0)
	loaded := new(discriminant.Stream[int])
	must.Do(t, loaded.UnmarshalBinary(must.Get(part.MarshalBinary())(t)))
	must.Do(t, loaded.Append(ctx, x, codes))
	must.Do(t, part.Merge(loaded))
	model := must.Get(part.Model(ctx, prepared.Method))(t)
	if note, ok := model.Note("columns"); !ok || note != "a, b, c" {
		t.Errorf("the model's note is %q", note)
	}
	must.EqualSlices(t, "predictions", must.Get(model.Predict(nil, x))(t), must.Get(got.Predict(nil, x))(t))
	other := s.From(0)
	other.SetNote("columns", "a, b, d")
	must.Fail[*discriminant.ParameterError](t, "another note", part.Merge(other))
	other = must.Get(discriminant.NewStream(ctx, prepared, x.View(0, 0, sample-1, 3), codes[:sample-1], discriminant.Landmarks{Count: 5}))(t)
	must.Fail[*discriminant.ParameterError](t, "another start", part.Merge(other))
}

// Landmarks that are given are those that are drawn where the rows are the same, and others where
// they are not; of what they leave the share is said.
func TestStreamGivenLandmarks(t *testing.T) {
	const n, m = 120, 20
	x, codes := blobs(7, 3, sizes(n, 3)...)
	x.Set(4, 1, math.NaN())
	kernel := gram.RBF{Gamma: 0.2}
	method := discriminant.Prepared{Method: discriminant.KFDA{Kernel: kernel, Regularizer: discriminant.RKHS(1)}, Missing: discriminant.FillMedian}
	s, want := streamed(t, method, x, codes, n, m)
	drawn := must.Get(discriminant.NewStream(ctx, method, x, codes, discriminant.Landmarks{Rows: want.Formula().Rows}))(t)
	must.Do(t, drawn.Append(ctx, x, codes))
	if !bytes.Equal(must.Get(must.Get(drawn.Model(ctx, method))(t).MarshalBinary())(t), must.Get(want.MarshalBinary())(t)) {
		t.Error("another model of the same landmarks")
	}
	if a, b := drawn.LeftShare(), s.LeftShare(); !(math.Abs(a-b) <= 1e-12) {
		t.Errorf("the landmarks leave %v, want %v", a, b)
	}
	twice := discriminant.Landmarks{Rows: some(x, []int{3, 4, 3, 50})}
	must.Equal(t, "landmarks", must.Get(discriminant.NewStream(ctx, method, x, codes, twice))(t).Landmarks(), 3)
	e := must.Refuse[*discriminant.FeatureError](discriminant.NewStream(ctx, method, x, codes, discriminant.Landmarks{Rows: matrix.New(2, 4)}))(t, "columns")
	must.Equal(t, "columns", *e, discriminant.FeatureError{Got: 4, Want: 3})
	must.Refuse[*matrix.NotFiniteError](discriminant.NewStream(ctx, method.Method, some(x, []int{0, 1, 2}), codes[:3], twice))(t, "a cell")
	for _, none := range []*matrix.Dense{matrix.New(0, 3), matrix.New(2, 3)} {
		linear := discriminant.Prepared{Method: discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.RKHS(1)}, Missing: discriminant.FillMedian}
		p := must.Refuse[*discriminant.ParameterError](discriminant.NewStream(ctx, linear, x, codes, discriminant.Landmarks{Rows: none}))(t, "none")
		must.Equal(t, "field", p.Field, "Landmarks.Rows")
	}
}

// What the landmarks leave is that of all rows, by the definition.
func TestStreamLeftShare(t *testing.T) {
	const n, sample, m = 200, 60, 12
	x, codes := blobs(7, 3, n/2, n/2)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = float64(1 + i%4)
	}
	kernel := gram.Polynomial{Degree: 4, Gamma: 0.1, Coef0: 1}
	features := must.Get(gram.NewFeatures(ctx, kernel, landmarksOf(t, x.View(0, 0, sample, 3), kernel, m)))(t)
	phi, left, all := matrix.New(n, features.Dim()), 0.0, 0.0
	must.Do(t, features.Map(ctx, phi, x))
	for i, k := range must.Get(gram.Diag(nil, kernel, x))(t) {
		all += weights[i] * k
		left += weights[i] * (k - matrix.SumSquares(phi.Row(i)))
	}
	for _, reg := range []discriminant.Regularizer{discriminant.RKHS(1), discriminant.LeaveOneOutRKHS()} {
		_, model := streamed(t, discriminant.KFDA{Kernel: kernel, Regularizer: reg}, x, codes, sample, m, weights...)
		if got := model.Details().(discriminant.KFDADetails).LeftShare(); !(math.Abs(got-left/all) <= 1e-12*left/all+1e-14) || left/all < 1e-6 {
			t.Errorf("the share is %v, want %v", got, left/all)
		}
	}
}

// Rows unlike the sample, in a column that is constant there, show in what the landmarks leave.
func TestStreamUnlikeSample(t *testing.T) {
	const n, sample = 300, 60
	x, codes := blobs(3, 3, n/2, n/2)
	for i := range n {
		x.Set(i, 2, 7)
		if i >= sample {
			x.Set(i, 2, float64(1000*i))
		}
	}
	s, model := streamed(t, discriminant.KFDA{Scaling: discriminant.Standard}, x, codes, sample, sample)
	if all := model.Details().(discriminant.KFDADetails).LeftShare(); !(s.LeftShare() < 1e-9) || !(all > 0.7) {
		t.Errorf("landmarks leave %v of the sample and %v of all rows", s.LeftShare(), all)
	}
}

// The regression of a stream is that of all rows where all are landmarks, by parts and sequences too.
func TestRegressionStream(t *testing.T) {
	const n = discriminant.BlockRows + 300
	x, _ := blobs(9, 2, n)
	targets := matrix.New(n, 2)
	for i := range n {
		targets.Set(i, 0, x.At(i, 0)*x.At(i, 1))
		targets.Set(i, 1, 1000*math.Sin(x.At(i, 0)))
	}
	for _, m := range []discriminant.KernelRidge{
		{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: discriminant.RelativeRidge(0.01), Scaling: discriminant.Standard},
		{Kernel: gram.RBF{Gamma: 0.2}, Regularizer: discriminant.Ridge(0.5)},
	} {
		const some = 120
		y, u := x.View(0, 0, some, 2), targets.View(0, 0, some, 2)
		var weights []float64 // none, or as many
		if m.Scaling == discriminant.Standard {
			for i := range some {
				weights = append(weights, float64(i%3))
			}
		}
		s := must.Get(discriminant.NewRegressionStream(ctx, m, y, 2, discriminant.Landmarks{Count: some}, weights...))(t)
		must.Do(t, s.Append(ctx, y, u, weights...))
		got, want := must.Get(s.Model(ctx, m))(t), must.Get(discriminant.FitRegression(ctx, m, y, u, weights...))(t)
		a, b := must.Get(got.Predict(nil, y))(t), must.Get(want.Predict(nil, y))(t)
		for i := range a.Data {
			if !(math.Abs(a.Data[i]-b.Data[i]) <= 1e-8*matrix.MaxAbs(b.View(0, i%2, some, 1))) {
				t.Fatalf("%v: prediction %v, want %v", m, a.Row(i/2), b.Row(i/2))
			}
		}
		must.Equal(t, "rows", got.Training().Rows, want.Training().Rows)
	}
	m := discriminant.KernelRidge{Kernel: gram.RBF{Gamma: 0.2}}
	start := must.Get(discriminant.NewRegressionStream(ctx, m, x.View(0, 0, 200, 2), 2, discriminant.Landmarks{Count: 40}))(t)
	whole := start.From(0)
	must.Do(t, whole.AppendSeq(ctx, func(yield func([]float64, []float64) bool) {
		for i := range n {
			if !yield(x.Row(i), targets.Row(i)) {
				return
			}
		}
	}))
	first, last, merged := start.From(0), start.From(discriminant.BlockRows), new(discriminant.RegressionStream)
	must.Do(t, first.Append(ctx, x.View(0, 0, discriminant.BlockRows, 2), targets.View(0, 0, discriminant.BlockRows, 2)))
	must.Do(t, last.Append(ctx, x.View(discriminant.BlockRows, 0, 300, 2), targets.View(discriminant.BlockRows, 0, 300, 2)))
	must.Do(t, merged.UnmarshalBinary(must.Get(last.MarshalBinary())(t)))
	must.Do(t, merged.Merge(first))
	model := must.Get(merged.Model(ctx, m))(t)
	if !bytes.Equal(must.Get(model.MarshalBinary())(t), must.Get(must.Get(whole.Model(ctx, m))(t).MarshalBinary())(t)) {
		t.Error("another model of merged parts")
	}
	missed := [2]float64{}
	for i, v := range must.Get(must.Get(discriminant.LoadRegression(bytes.NewReader(must.Get(model.MarshalBinary())(t))))(t).Predict(nil, x))(t).Data {
		missed[i%2] += (v - targets.Data[i]) * (v - targets.Data[i])
	}
	for j, squares := range missed {
		if size := matrix.SumSquares(targets.View(0, j, n, 1).Clone().Data); !(squares < 0.01*size) {
			t.Errorf("target %d: %.3g of the squares are missed", j, squares/size)
		}
	}
	must.Fail[*discriminant.TargetsError](t, "a target less", first.Append(ctx, x, targets.View(0, 0, n, 1)))
	must.Fail[*discriminant.FormatError](t, "a stream of numbers", new(discriminant.Stream[int]).UnmarshalBinary(must.Get(last.MarshalBinary())(t)))
	must.Refuse[*discriminant.ParameterError](discriminant.NewRegressionStream(ctx, discriminant.KFDA{}, x, 1, discriminant.Landmarks{Count: 4}))(t, "a discriminant")
	must.Refuse[*discriminant.RowsError](start.Model(ctx, m))(t, "no rows")
}

// What a stream does not do is an error that names it, and rows that are refused are not added.
func TestStreamRefuses(t *testing.T) {
	x, codes := blobs(4, 2, 20, 20)
	rkhs := discriminant.RKHS(1)
	for _, m := range []discriminant.Method{
		discriminant.SVM{}, discriminant.Prepared{Method: discriminant.SVM{}}, discriminant.LDA{Regularizer: discriminant.LedoitWolf()},
		discriminant.KFDA{Regularizer: rkhs, LeaveOneOut: true, Classifier: discriminant.NearestCentroid{}}, discriminant.KFDA{Scatter: discriminant.AveragedScatter}, discriminant.KFDA{Regularizer: discriminant.Shrink(0.5)},
		discriminant.KFDA{Classifier: discriminant.KNN{}}, discriminant.KFDA{Classifier: discriminant.Gaussian{PerClass: true}}, discriminant.KFDA{Scaling: discriminant.AutoScaling},
		discriminant.KernelRidge{Intercept: discriminant.NoIntercept()},
	} {
		must.Refuse[*discriminant.ParameterError](discriminant.NewStream(ctx, m, x, codes, discriminant.Landmarks{Count: 5}))(t, fmt.Sprintf("%T%v", m, m))
	}
	m := discriminant.KFDA{Regularizer: rkhs}
	s := must.Get(discriminant.NewStream(ctx, m, x, codes, discriminant.Landmarks{Count: 5}))(t)
	unknown := append([]int(nil), codes...)
	unknown[7] = 9
	e := must.Fail[*discriminant.UnknownClassError](t, "a class", s.Append(ctx, x, unknown))
	must.Equal(t, "class", fmt.Sprint(e.Row, " ", e.Class, " ", e.Known), "7 9 [0 1]")
	must.Fail[*discriminant.RowsError](t, "labels", s.Append(ctx, x, codes[1:]))
	must.Fail[*discriminant.FeatureError](t, "columns", s.Append(ctx, matrix.New(1, 3), codes[:1]))
	must.Fail[*discriminant.ParameterError](t, "weights", s.Append(ctx, x, codes, make([]float64, 40)...))
	_, err := discriminant.NewStream(ctx, discriminant.KFDA{Kernel: gram.Linear{}, Regularizer: discriminant.RKHS(1)}, matrix.New(40, 3), codes, discriminant.Landmarks{Count: 3})
	must.Fail[*discriminant.ParameterError](t, "rows of 0", err)
	bad := x.Clone()
	bad.Set(30, 1, math.NaN())
	must.Equal(t, "row", must.Fail[*matrix.NotFiniteError](t, "a cell", s.Append(ctx, bad, codes)).Row, 30)
	must.Equal(t, "rows", s.Next(), 0)
	must.Do(t, s.Append(ctx, x, make([]int, 40)))
	must.Refuse[*discriminant.ParameterError](s.Model(ctx, m))(t, "a class without rows")
	must.Do(t, s.Append(ctx, x, codes))
	must.Refuse[*discriminant.ParameterError](s.Model(ctx, discriminant.KFDA{}))(t, "no folds to choose by")
	must.Refuse[*discriminant.ParameterError](s.Model(ctx, discriminant.LDA{Regularizer: discriminant.Ridge(1)}))(t, "LDA of landmarks")
	other := must.Get(discriminant.NewStream(ctx, m, x, codes, discriminant.Landmarks{Count: 5, Seed: 3}))(t)
	must.Fail[*discriminant.ParameterError](t, "other landmarks", s.Merge(other))
}

// A part that is refused leaves a stream as it is, with a last block that rows can still be added
// to, and one that follows a block that is not whole is refused after other merges too.
func TestStreamRefusesParts(t *testing.T) {
	const block = discriminant.BlockRows
	x, codes := blobs(8, 2, sizes(block, 3)...)
	method := discriminant.KFDA{Regularizer: discriminant.RKHS(1)}
	start, _ := streamed(t, method, x, codes, 90, 2)
	of := func(first, rows int) *discriminant.Stream[int] {
		s := start.From(first)
		must.Do(t, s.Append(ctx, x.View(0, 0, rows, x.Cols), codes[:rows]))
		return s
	}
	refused := func(what string, s, part *discriminant.Stream[int], at int) {
		t.Helper()
		before, next := must.Get(s.MarshalBinary())(t), s.Next()
		var e *solve.BlockError
		if err := s.Merge(part); !errors.As(err, &e) || e.Block != at {
			t.Errorf("%s: %v, want block %d", what, err, at)
		}
		if !bytes.Equal(must.Get(s.MarshalBinary())(t), before) || s.Next() != next {
			t.Errorf("%s: the stream has changed", what)
		}
	}
	s := of(0, 100)
	refused("rows that follow", s, of(3*block, 5), 0)
	refused("the same rows", s, of(0, 5), 0)
	refused("itself", s, s, 0)
	must.Do(t, s.Append(ctx, x.View(100, 0, 50, x.Cols), codes[100:150]))
	must.EqualSlices(t, "spans", s.Spans(), []discriminant.RowSpan{{0, 150}})

	last := of(2*block, 100)
	must.Do(t, last.Merge(of(0, block)))
	refused("whole rows that follow", last, of(3*block, block), 2)
	must.Do(t, last.Merge(of(block, block)))
	must.Get(last.Model(ctx, method))(t)
	must.EqualSlices(t, "spans", last.Spans(), []discriminant.RowSpan{{0, 2*block + 100}})
}

// A stream that is written in parts reads back equal, and writing does not take the file's size in
// memory: its rows that are not factored yet are copied, of 7 MB.
func TestStreamFileInParts(t *testing.T) {
	x, codes := matrixtest.Blobs(1200, 3, 2)
	s := must.Get(discriminant.NewStream(ctx, discriminant.KFDA{Kernel: gram.RBF{Gamma: 40}}, x.View(0, 0, 400, 3), codes[:400], discriminant.Landmarks{Count: 400}))(t)
	must.Do(t, s.Append(ctx, x, codes))
	want := must.Get(s.MarshalBinary())(t)
	var before, after runtime.MemStats
	h := sha256.New()
	runtime.ReadMemStats(&before)
	must.Equal(t, "bytes written", must.Get(s.WriteTo(h))(t), int64(len(want)))
	runtime.ReadMemStats(&after)
	if allocated := float64(after.TotalAlloc - before.TotalAlloc); allocated > 0.7*float64(len(want)) {
		t.Errorf("%v bytes allocated to write %d", allocated, len(want))
	}
	if sum := sha256.Sum256(want); !bytes.Equal(h.Sum(nil), sum[:]) {
		t.Error("other bytes are written than marshalled")
	}
	loaded := new(discriminant.Stream[int])
	must.Equal(t, "bytes read", must.Get(loaded.ReadFrom(bytes.NewReader(want)))(t), int64(len(want)))
	if !bytes.Equal(must.Get(loaded.MarshalBinary())(t), want) {
		t.Error("what is read is written otherwise")
	}
}

// Kernel PCA of a stream is that of the matrix K̂ of its landmarks, by the dense solver, and where all
// rows are landmarks that of the kernel itself; a model that was loaded projects as before.
func TestStreamKernelPCA(t *testing.T) {
	const n, d, m = 150, 3, 30
	kernel := gram.RBF{Gamma: 0.4}
	x, codes := blobs(5, d, sizes(n, 3)...)
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = float64(1+i%3) / 2
	}
	for _, method := range []discriminant.KernelPCA{
		{Components: 4},
		{Components: 20, Share: 0.8, Whiten: discriminant.UnitVariance, Classifier: discriminant.Gaussian{}, Priors: []float64{0.5, 0.25, 0.25}},
		{Share: 0.5, Scaling: discriminant.Standard, Whiten: discriminant.UnitLength},
	} {
		method.Kernel = kernel
		for _, w := range [][]float64{nil, weights} {
			what := fmt.Sprintf("%+v, weights %t", method, w != nil)
			_, got := streamed(t, method, x, codes, n, n, w...)
			same := func(what string, want *discriminant.Model[int], y *matrix.Dense) {
				t.Helper()
				got := must.Get(discriminant.Load[int](bytes.NewReader(must.Get(got.MarshalBinary())(t))))(t)
				sameFit(t, what, got, want, x, y, 1e-10)
				a, b := got.Details().(discriminant.KernelPCADetails), want.Details().(discriminant.KernelPCADetails)
				for k, v := range b.ExplainedRatio() {
					if !(math.Abs(a.ExplainedRatio()[k]-v) <= 1e-12) {
						t.Errorf("%s: component %d explains %v, want %v", what, k, a.ExplainedRatio()[k], v)
					}
				}
				least, known := a.Least()
				if least != 0 || !known || a.Indefinite() || !(a.Certificate().KernelRounding < 1e-9) {
					t.Errorf("%s: least %v, %v, %+v", what, least, known, a.Certificate())
				}
			}
			same(what, must.Get(discriminant.Fit(ctx, method, x, codes, w...))(t), x)
			if method.Scaling != discriminant.NoScaling {
				continue
			}
			_, got = streamed(t, method, x, codes, n, m, w...)
			features := must.Get(gram.NewFeatures(ctx, kernel, landmarksOf(t, x, kernel, m)))(t)
			phi := matrix.New(n, m)
			must.Do(t, features.Map(ctx, phi, x))
			set := method.Settings()
			set.Kernel = gram.Precomputed{}
			k := matrix.SymRankK(nil, phi, matrix.NoTrans)
			same(what+", K̂", must.Get(discriminant.Fit(ctx, method.With(set), k, codes, w...))(t), k)
		}
	}
	must.Refuse[*discriminant.ParameterError](streamedError(t, discriminant.KernelPCA{Kernel: kernel, Components: m + 1}, x, codes, n, m))(t, "more components than landmarks")
	constant := matrix.New(n, d)
	must.Refuse[*discriminant.RankError](streamedError(t, discriminant.KernelPCA{Kernel: kernel}, constant, codes, n, m))(t, "rows that are all the same")
}

// streamedError is streamed with the error of the model.
func streamedError(t *testing.T, m discriminant.Method, x *matrix.Dense, codes []int, sample, landmarks int, weights ...float64) (*discriminant.Model[int], error) {
	t.Helper()
	s := must.Get(discriminant.NewStream(ctx, m, x.View(0, 0, sample, x.Cols), codes[:sample], discriminant.Landmarks{Count: landmarks}, weights[:min(len(weights), sample)]...))(t)
	must.Do(t, s.Append(ctx, x, codes, weights...))
	return s.Model(ctx, m)
}
