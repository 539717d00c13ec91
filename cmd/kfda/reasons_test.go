package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/cases"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/table"
)

// mixedFile is a table with a category, which says most, and a missing cell.
func mixedFile(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	text := "size,colour,noise,class\n"
	for i := range 60 {
		colour := []string{"red", "green", "blue"}[i%3]
		class := "no"
		if (colour == "red") != (i%10 == 0) {
			class = "yes"
		}
		size := fmt.Sprintf("%.3f", random.NormFloat64())
		if i == 7 {
			size = ""
		}
		text += fmt.Sprintf("%s,%s,%.3f,%s\n", size, colour, random.NormFloat64(), class)
	}
	return writeBytes(t, "mixed.csv", []byte(text))
}

// explained decodes what explain prints of rows.
func explained(t *testing.T, args ...string) (r reasonReport) {
	t.Helper()
	if err := json.Unmarshal([]byte(works(t, append([]string{"explain", "--json"}, args...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// The terms that are printed sum exactly to the projection that is printed, which is that of
// project, for models of each method, and the offset is one number a direction. It comes out as
// well as what all terms leave.
func TestReasonsSum(t *testing.T) {
	mixed := mixedFile(t)
	for _, c := range []struct{ file, flags string }{
		{wineFile, ""}, {wineFile, "--regularizer ridge"}, {wineFile, "--model lda"}, {wineFile, "--model kpca --components 3"},
		{wineFile, "--model ridge --kernel linear"}, {wineFile, "--model svm"}, {wineFile, "--kernel poly --degree 2 --classifier knn"},
		{mixed, "--missing median"}, {mixed, "--missing indicator --model lda --relative-ridge 0.01"},
	} {
		model := fitted(t, c.file, append([]string{"--rows", "0::2"}, strings.Fields(c.flags)...)...)
		args := []string{model, c.file, "--rows", "1::7"}
		few, all := explained(t, args...), explained(t, append(args, "--top", "100000")...)
		z := strings.Split(works(t, append([]string{"project"}, args...)...), "\n")[1:]
		for i, row := range few.Rows {
			cells := strings.Split(z[i], ",")
			for j, s := range row.Sums {
				sum, parts := new(big.Rat), []json.Number{s.OthersSum, s.Offset}
				largest := 0.0
				for _, term := range s.Terms {
					parts = append(parts, term.Value)
				}
				for _, p := range parts {
					sum.Add(sum, must.Get(rational(p))(t))
					largest = max(largest, math.Abs(must.Get(p.Float64())(t)))
				}
				if sum.Cmp(must.Get(rational(s.Value))(t)) != 0 {
					t.Errorf("%s: row %d, %s: the terms sum to %s, not to %s", c.flags, row.Row, s.Direction, sum.FloatString(20), s.Value)
				}
				near := func(a, b json.Number) bool {
					x, y := must.Get(a.Float64())(t), must.Get(b.Float64())(t)
					return math.Abs(x-y) <= 1e-10*max(1, largest)
				}
				if want := json.Number(cells[j+1]); !near(s.Value, want) {
					t.Errorf("%s: row %d, %s: %s, project has %s", c.flags, row.Row, s.Direction, s.Value, want)
				}
				if first := few.Rows[0].Sums[j].Offset; !near(s.Offset, first) || !near(s.Offset, all.Rows[i].Sums[j].Offset) {
					t.Errorf("%s: row %d, %s: offset %s, that of the first row is %s, and what all terms leave %s",
						c.flags, row.Row, s.Direction, s.Offset, first, all.Rows[i].Sums[j].Offset)
				}
				if a := all.Rows[i].Sums[j]; a.Others != 0 || len(a.Terms) != len(s.Terms)+s.Others {
					t.Errorf("%s: %d terms and %d others, %d in all", c.flags, len(s.Terms), s.Others, len(a.Terms))
				}
			}
		}
		checkSumsText(t, works(t, append([]string{"explain"}, args...)...))
	}
}

func rational(n json.Number) (*big.Rat, error) {
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil, strconv.ErrSyntax
	}
	return r, nil
}

// checkSumsText adds the columns of numbers that explain prints for people.
func checkSumsText(t *testing.T, text string) {
	t.Helper()
	sum, sums := new(big.Rat), 0
	for _, m := range regexp.MustCompile(`(?m)^ +(-?[0-9.]+)  (.*)$|.* =$`).FindAllStringSubmatch(text, -1) {
		if m[1] == "" {
			sum.SetInt64(0) // a sum begins
			continue
		}
		v := must.Get(rational(json.Number(m[1])))(t)
		if !strings.HasPrefix(m[2], "sum, the ") {
			sum.Add(sum, v)
			continue
		}
		if sum.Cmp(v) != 0 {
			t.Errorf("the terms sum to %s, printed is %s", sum.FloatString(12), m[1])
		}
		sums++
	}
	if sums == 0 {
		t.Errorf("no sums in %s", text)
	}
}

// Terms of prepared columns bear the names of columns and levels.
func TestReasonsNames(t *testing.T) {
	file := mixedFile(t)
	r := explained(t, fitted(t, file, "--missing", "indicator", "--model", "lda", "--relative-ridge", "0.01"), file, "--rows", ":1", "--top", "9")
	var names []string
	for _, term := range r.Rows[0].Sums[0].Terms {
		names = append(names, term.Of)
	}
	slices.Sort(names)
	if want := []string{"colour=blue", "colour=green", "colour=red", "noise", "size", "size missing"}; !slices.Equal(names, want) {
		t.Errorf("terms of %q, want %q", names, want)
	}
}

// The nearest training rows are those of the squared distance 2 − 2 exp(−γ‖x−y‖²), numbered as in
// the table of the training where that is given; a row beyond all of them is said to be so.
func TestReasonsNearest(t *testing.T) {
	var b strings.Builder
	for line := range strings.Lines(read(t, wineFile)) {
		fmt.Fprintf(&b, "w%d,%s", b.Len(), line)
	}
	file := writeBytes(t, "numbered.csv", []byte(strings.Replace(b.String(), "w0", "id", 1)))
	model := fitted(t, file, "--ignore", "id", "--rows", "0::2", "--scale", "none", "--gamma", "0.0001")
	u := must.Get(table.Read(file, nil, table.Options{IDs: "id"}))(t)
	r := explained(t, model, file, "--rows", "1::10", "--training", file, "--ids", "id")
	for _, row := range r.Rows {
		d := make(map[int]float64)
		for i := 0; i < u.X.Rows; i += 2 {
			s := 0.0
			for j, v := range u.X.Row(i) {
				s += (v - u.X.At(row.Row, j)) * (v - u.X.At(row.Row, j))
			}
			d[i] = 2 - 2*math.Exp(-0.0001*s)
		}
		last := 0.0
		for _, near := range row.Nearest {
			if math.Abs(d[near.Row]-near.Distance) > 1e-9 || near.Distance < last || near.Label != u.Labels[near.Row] || near.ID != u.IDs[0][near.Row] {
				t.Errorf("row %d: %+v is at %v, of class %s", row.Row, near, d[near.Row], u.Labels[near.Row])
			}
			last = near.Distance
		}
		nearer := 0
		for _, v := range d {
			if v < last-1e-9 {
				nearer++
			}
		}
		if len(row.Nearest) != 5 || nearer >= 5 {
			t.Errorf("row %d: %d rows are nearer than the farthest of %d", row.Row, nearer, len(row.Nearest))
		}
	}
	line := func(tail string) string {
		cells := strings.Split(strings.Split(read(t, wineFile), "\n")[1], ",")
		cells[0] = tail
		return strings.Join(cells, ",") + "\n"
	}
	odd := writeBytes(t, "odd.csv", []byte(strings.SplitAfter(read(t, wineFile), "\n")[0]+line("14.2")+line("300")+line("90000")))
	text := works(t, "explain", model, odd)
	parts := strings.Split(text, "\n\n")
	if strings.Contains(parts[0], "unlike") {
		t.Errorf("a row like others: %s", parts[0])
	}
	says(t, parts[1], "unlike anything in training: farther from the nearest of the training rows than all of these from the others")
	says(t, parts[2], "unlike anything in training: all kernel values with the training rows are 0")
}

// Of fifty columns the five that make the class are the most important, and what the others add is
// within a few deviations of nothing.
func TestImportance(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for range 500 {
		x, sum := make([]string, 50), 0.0
		for j := range x {
			v := random.NormFloat64()
			x[j] = strconv.FormatFloat(v, 'f', 4, 64)
			if j%10 == 3 {
				sum += v
			}
		}
		fmt.Fprintf(&b, "%s,%t\n", strings.Join(x, ","), sum > 0)
	}
	file := writeBytes(t, "fifty.csv", []byte(b.String()))
	for _, flags := range [][]string{nil, {"--model", "svm"}, {"--model", "lda", "--relative-ridge", "0.1"}} {
		model := fitted(t, file, append([]string{"--rows", ":300"}, flags...)...)
		var r importanceReport
		out := works(t, "explain", model, file, "--rows", "300:", "--columns", "--json")
		if out != works(t, "explain", model, file, "--rows", "300:", "--columns", "--json") {
			t.Error("another answer the second time")
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		var best []int
		for _, c := range r.Columns[:5] {
			best = append(best, c.Position)
		}
		slices.Sort(best)
		if want := []int{4, 14, 24, 34, 44}; !slices.Equal(best, want) {
			t.Errorf("%v: the most important columns are %v, want %v", flags, best, want)
		}
		least, most := r.Columns[4], r.Columns[5]
		if a, b := least.measure(), most.measure(); a.Mean-a.SD < b.Mean+b.SD {
			t.Errorf("%v: the least of the five adds %+v, the most of the others %+v", flags, a, b)
		}
	}
}

// The dependence on a column is the mean of what the model makes of the table with its values.
func TestDependence(t *testing.T) {
	file := mixedFile(t)
	model := fitted(t, file, "--missing", "median")
	var r dependenceReport
	if err := json.Unmarshal([]byte(works(t, "explain", model, file, "--column", "colour", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`,(red|green|blue),`)
	for _, v := range r.Values {
		same := writeBytes(t, "same.csv", []byte(all.ReplaceAllString(read(t, file), ","+v.Level+",")))
		var p []float64
		mean := 0.0
		for line := range strings.Lines(strings.SplitN(works(t, "predict", model, same, "--posteriors"), "\n", 2)[1]) {
			one := must.Get(strconv.ParseFloat(strings.TrimSpace(line[strings.LastIndexByte(line, ',')+1:]), 64))(t)
			p, mean = append(p, one), mean+one/60
		}
		slices.Sort(p)
		if math.Abs(mean-v.Mean[1]) > 1e-12 || v.Low[1] != p[3] || v.High[1] != p[56] {
			t.Errorf("%s: %v (%v to %v), want %v (%v to %v)", v.Level, v.Mean[1], v.Low[1], v.High[1], mean, p[3], p[56])
		}
	}
	if len(r.Values) != 3 {
		t.Errorf("%d levels", len(r.Values))
	}
	says(t, works(t, "explain", model, file, "--column", "1"), "column 1 (size) set to each value in 60 rows")
	fails(t, statusData, []string{"'kfda inspect' lists them"}, "explain", model, file, "--column", "weight")
	svg, texts := plotted(t, "dependence", model, file)
	if again, _ := plotted(t, "dependence", model, file, "--column", "colour"); again != svg {
		t.Errorf("colour is not the most important column: %q", texts)
	}
}

// Tables of rows like those of the training are said to differ from them no more often than the
// level says; shifted and stretched ones are, by the names of their columns.
func TestDifference(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	kinds := map[string]func() float64{
		"normal":      random.NormFloat64,
		"exponential": func() float64 { return random.ExpFloat64() - 1 },
		"rare":        func() float64 { return map[bool]float64{true: 9.95, false: -0.1005}[random.Float64() < 0.01] },
	}
	const trials, level = 4000, 0.005
	for name, draw := range kinds {
		for _, m := range []int{5, 30, 200} {
			distance, mean := 0, 0
			for range trials {
				a, b := make([]float64, m), make([]float64, 300)
				for i := range a {
					a[i] = draw()
				}
				for i := range b {
					b[i] = draw()
				}
				slices.Sort(a)
				slices.Sort(b)
				if 2*min(chanceOfDistance(a, b), chanceOfRange(a, b)) < level {
					distance++
				}
				s := spreadOf(b, 0)
				for i := range a {
					a[i] = (a[i] - s.Mean) / max(s.SD, 1e-9)
				}
				if s.SD > 0 && chanceOfScaled(a, 300) < level {
					mean++
				}
			}
			// 20 of 4000 are expected at most, with a deviation of 4.5.
			if distance > 33 || mean > 33 {
				t.Errorf("%s, %d rows: of %d tables %d and %d differ", name, m, trials, distance, mean)
			}
		}
	}
	rounded := cases.File(t, "160-column-constant-but-for-rounding/train.csv")
	says(t, kfda(t, "", "predict", fitted(t, rounded, "--label", "species"), cases.File(t, "160-column-constant-but-for-rounding/new.csv")).err, "in total (mean 1.0001, in training 1)")
	mixed := mixedFile(t)
	stretched := writeBytes(t, "stretched.csv", []byte(regexp.MustCompile(`(?m)^(-?)(\d)`).ReplaceAllString(read(t, mixed), "${1}9$2")))
	for file, flags := range map[string]string{wineFile: "", mixed: "--missing mean"} {
		for _, method := range []string{"", "--model lda --relative-ridge 0.01", "--model svm", "--model kpca"} {
			model := fitted(t, file, strings.Fields("--rows 0::2 "+flags+" "+method)...)
			if r := kfda(t, "", "score", model, file, "--rows", "1::2"); strings.Contains(r.err, "as a whole") {
				t.Errorf("%s %s: %s", filepath.Base(file), method, r.err)
			}
			if file == mixed {
				says(t, kfda(t, "", "predict", model, stretched, "--rows", "1::2").err, "the 30 rows as a whole differ from the training rows, in size (mean ")
				red := writeBytes(t, "red.csv", []byte(strings.NewReplacer("green", "red", "blue", "red").Replace(read(t, mixed))))
				says(t, kfda(t, "", "score", model, red).err, "colour=red (mean 1, in training 0.3")
			}
		}
	}
}
