package inference

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// cells are the rows of two groups of the reference data of ktest, with the kernel that it takes.
func cells(t *testing.T, groups ...string) (x *matrix.Dense, labels []string, kernel gram.Kernel) {
	folder := os.Getenv("KFDA_DATA")
	if folder == "" {
		t.Skip("KFDA_DATA, the folder of data sets, is not set")
	}
	file := must.Get(os.Open(filepath.Join(folder, "ktest", "RTqPCR_reversion_logcentered.csv")))(t)
	defer file.Close()
	var rows [][]float64
	for _, line := range must.Get(csv.NewReader(file).ReadAll())(t)[1:] {
		group := strings.Split(line[0], ".")[1]
		if !slices.Contains(groups, group) {
			continue
		}
		row := make([]float64, len(line)-1)
		for j, cell := range line[1:] {
			row[j] = must.Get(strconv.ParseFloat(cell, 64))(t)
		}
		rows, labels = append(rows, row), append(labels, group)
	}
	x = must.Get(matrix.FromRows(rows))(t)
	var distances []float64
	for i := range x.Rows {
		for j := range x.Rows {
			sum := 0.0
			for k, v := range x.Row(i) {
				sum += (v - x.At(j, k)) * (v - x.At(j, k))
			}
			distances = append(distances, sum)
		}
	}
	slices.Sort(distances)
	variance := distances[(len(distances)-1)/2]
	if groups[0] == "48HREV" && math.Abs(variance-228.63752910854802) > 1e-11 {
		t.Errorf("the median is %v", variance)
	}
	return x, labels, gram.RBF{Gamma: 1 / (2 * variance)}
}

func within(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g, off by %.2g", what, got, want, math.Abs(got/want-1))
	}
}

// The reference values of ktest's data, computed independently.
func TestReferenceCells(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		groups []string
		want   []float64
	}{
		{[]string{"48HREV", "48HDIFF"}, []float64{124.24605050105, 175.42690079136, 180.64582255120, 224.91994049005, 514.49354884912}},
		{[]string{"0H", "48HREV"}, []float64{0.0632476170494, 37.2329731188, 42.7010105280, 78.2765898215, 110.134904691}},
	} {
		x, labels, kernel := cells(t, c.groups...)
		s := must.Get(NewSample(ctx, Settings{Kernel: kernel, Ridge: 1e-3 * float64(x.Rows)}, x))(t)
		found := must.Get(Truncated(ctx, s, labels, 5))(t)
		for k, want := range c.want {
			within(t, "truncated", found.Statistics[k], want, 2e-11)
		}
		if c.groups[0] != "48HREV" {
			continue
		}
		r := must.Get(Test(ctx, s, labels, TestOptions{Permutations: 199, Seed: 1}))(t)
		within(t, "statistic", r.Statistic, 1576.73024099, 1e-11)
		must.Equal(t, "p", r.Permuted.P, 1.0/200)
		all := must.Get(Truncated(ctx, s, labels, x.Rows-2))(t)
		// The statistic of a ridge by all directions, and what is outside of them.
		direct, before, outside := 0.0, 0.0, r.Between
		for p, l := range all.Eigenvalues {
			squared := (all.Statistics[p] - before) * l / float64(x.Rows) // of Q in direction p of the feature space
			direct += float64(x.Rows) * squared / (l + s.Ridge())
			outside -= squared
			before = all.Statistics[p]
		}
		direct += float64(x.Rows) * outside / s.Ridge()
		within(t, "directly", direct, r.Statistic, 1e-9)
	}
}

// plain is the n×n matrix PKP or HKH, by a product of three.
func plain(k *matrix.Dense, of *fisher.Classes) *matrix.Dense {
	p := matrix.New(k.Rows, k.Rows)
	for i := range p.Rows {
		for j := range p.Rows {
			if of.Codes[i] == of.Codes[j] {
				p.Set(i, j, -1/of.Sizes[of.Codes[i]])
			}
		}
		p.Set(i, i, 1+p.At(i, i))
	}
	return matrix.Mul(nil, matrix.Mul(nil, p, matrix.NoTrans, k, matrix.NoTrans), matrix.NoTrans, p, matrix.NoTrans)
}

// Statistics are those of a plain eigendecomposition of a product of three.
func TestTruncated(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(problems()) {
		c, n := 2+int(seed%4), 12+int(seed*7%30)
		x, labels := randomRows(seed, n, 3, c)
		kernel := gram.RBF{Gamma: 0.3}
		s := must.Get(NewSample(ctx, Settings{Kernel: kernel, Ridge: 0.1}, x))(t)
		got := must.Get(Truncated(ctx, s, labels, 4))(t)
		_, of := encode(labels)
		k := must.Get(s.rows.(*allRows).evaluator.Matrix(nil))(t)
		kq := matrix.Mul(nil, k, matrix.NoTrans, fisher.Contrasts(of), matrix.NoTrans)
		values, vectors, err := eigen(plain(k, of))
		must.Do(t, err)
		parts := matrix.Mul(nil, vectors, matrix.Transposed, kq, matrix.NoTrans)
		sum := 0.0
		for p := range 4 {
			for _, v := range parts.Row(p) {
				sum += float64(n) * v * v / (values[p] * values[p])
			}
			within(t, "statistic", got.Statistics[p], sum, 1e-9)
			must.Equal(t, "degrees", got.Degrees[p], (p+1)*(c-1))
		}
	}
}

func TestTruncatedRefuses(t *testing.T) {
	ctx := context.Background()
	x, labels := randomRows(1, 30, 3, 2)
	s := must.Get(NewSample(ctx, Settings{Kernel: gram.Linear{}, Ridge: 0.1}, x))(t)
	must.Get(Truncated(ctx, s, labels, 3))(t)
	if e := must.Refuse[*TruncationError](Truncated(ctx, s, labels, 4))(t, "beyond the columns"); e.Rank != 3 {
		t.Errorf("rank %d, want 3", e.Rank)
	}
	if e := must.Refuse[*TruncationError](Truncated(ctx, s, labels, 29))(t, "beyond the rows"); e.Most != 28 {
		t.Errorf("at most %d, want 28", e.Most)
	}
	must.Refuse[*discriminant.ParameterError](Truncated(ctx, s, labels, 0))(t, "no directions")
}
