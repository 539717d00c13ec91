package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// columnsOf returns the columns of some CSV without quotes, by name.
func columnsOf(text string) map[string][]string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	names, columns := strings.Split(lines[0], ","), map[string][]string{}
	for _, line := range lines[1:] {
		for j, cell := range strings.Split(line, ",") {
			columns[names[j]] = append(columns[names[j]], cell)
		}
	}
	return columns
}

// fixed are settings that no row was looked at for.
var fixed = []string{"--gamma", "0.1", "--ridge", "0.1", "--scale", "none"}

func TestSets(t *testing.T) {
	out := filepath.Join(t.TempDir(), "sets.csv")
	args := append([]string{"sets", "demo/wine.csv", "demo/wine.csv", "--rows", "0::2", "--new-rows", "1::2", "--check"}, fixed...)
	said := works(t, append(args, "-o", out)...)
	says(t, said, "89 rows", "rbf(gamma=0.1), ridge 0.1, scaling none", "guarantee is exact", "held")
	csv := columnsOf(read(t, out))
	must.Equal(t, "rows", len(csv["row"]), 89)
	r := object(t, works(t, append(args, "--json")...))
	must.Equal(t, "exact", r["exact"].(bool), true)
	sizes, total := r["sizes"].([]any), 0.0
	for size, count := range sizes {
		total += float64(size) * count.(float64)
	}
	must.Equal(t, "mean size", r["mean_size"].(float64), total/89)
	held := 0.0
	for _, v := range r["held"].([]any) {
		held += v.(map[string]any)["held"].(float64)
	}
	if held < 72 {
		t.Errorf("%v of 89 sets hold the class, with a coverage of 0.9", held)
	}
	for i, v := range r["rows"].([]any) {
		row := v.(map[string]any)
		var set []string
		for _, class := range row["set"].([]any) {
			set = append(set, class.(string))
		}
		must.Equal(t, "set", csv["set"][i], strings.Join(set, "|"))
		must.Equal(t, "prediction", csv["prediction"][i], row["prediction"].(string))
		must.Equal(t, "credibility", csv["credibility"][i], fmt.Sprint(row["credibility"]))
		for _, p := range row["p_values"].([]any) {
			one := p.(map[string]any)
			must.Equal(t, "p", csv["p("+one["name"].(string)+")"][i], fmt.Sprint(one["value"]))
			must.Equal(t, "in the set", strings.Contains("|"+csv["set"][i]+"|", "|"+one["name"].(string)+"|"), one["value"].(float64) > 0.1+1e-12)
		}
	}
}

// What is learnt from the training rows is said, and so is a model that was fitted to them.
func TestSetsGuarantee(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m")
	other := filepath.Join(dir, "of-new-rows")
	works(t, "fit", "demo/wine.csv", "--rows", "0::3", "-o", model)
	works(t, "fit", "demo/wine.csv", "--rows", "2::3", "-o", other)
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "approximate, with gamma, the ridge and the scaling from"},
		{[]string{"--gamma", "0.1", "--ridge", "0.1"}, "approximate, with the scaling from"},
		{[]string{"--kernel", "laplacian", "--relative-ridge", "0.1", "--scale", "none"}, "approximate, with the ridge from"},
		{fixed, "exact"},
		{[]string{"--kernel", "columns(0,2,rbf(gamma=0))", "--ridge", "0.1", "--scale", "none"}, "approximate, with gamma from"},
		{[]string{"--kernel", "scaled(factor=2,sum(product(rbf(gamma=0),linear()),linear()))", "--ridge", "0.1", "--scale", "none"}, "say all gammas in --kernel, or"},
		{[]string{"--kernel", "columns(0,2,rbf(gamma=0.1))", "--ridge", "0.1", "--scale", "none"}, "exact"},
		{[]string{"--settings", model, "--rows", "1::3"}, "exact"},
		{[]string{"--settings", model, "--rows", "0::3"}, "approximate, for all settings, as"},
		{append([]string{"--rows", "1:"}, fixed...), "void, for 59 of 59 rows of FILE are in TRAIN too"},
		{[]string{"--settings", other, "--rows", "1::3"}, "approximate, for 59 of 59 rows of FILE are in the fit of"},
	} {
		for _, command := range []string{"sets", "novelty"} {
			out := works(t, append([]string{command, "demo/wine.csv", "demo/wine.csv", "--label", "label", "--rows", "0::3", "--new-rows", "2::3", "-o", filepath.Join(dir, "o.csv")}, c.flags...)...)
			says(t, out, c.want)
		}
	}
}

// Labels with the separator of a set, or what protects it, stay apart.
func TestJoinedSets(t *testing.T) {
	must.Equal(t, "plain", joined([]string{"a", "b c"}), "a|b c")
	must.Equal(t, "separators", joined([]string{"a|b", `\`, `c\|`}), `a\|b|\\|c\\\|`)
}

func TestSetsOfNumbers(t *testing.T) {
	var train, test strings.Builder
	for i := range 40 {
		fmt.Fprintf(&train, "%d,%d\n", i, i*i+i*7%5)
		fmt.Fprintf(&test, "%d.5\n", i)
	}
	dir := t.TempDir()
	file, other := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	write(t, file, "x,y\n"+train.String())
	write(t, other, "x\n"+test.String())
	args := []string{"sets", file, other, "--target", "y", "--kernel", "poly", "--degree", "2", "--gamma", "1", "--ridge", "0.001", "--scale", "none"}
	csv, held := columnsOf(works(t, args...)), 0
	for i := range 40 {
		var value, low, high float64
		must.Get(fmt.Sscan(csv["prediction"][i]+" "+csv["low"][i]+" "+csv["high"][i], &value, &low, &high))(t)
		if high-low > 6 || value < low || value > high {
			t.Errorf("%v in [%v, %v], where the noise is from 0 to 4", value, low, high)
		}
		if want := (float64(i)+0.5)*(float64(i)+0.5) + 2; low <= want && want <= high {
			held++
		}
	}
	must.Equal(t, "intervals that hold the mean", held, 40)
	fails(t, statusData, []string{"--coverage 0.99 takes 99 training rows, and there are 40"}, append(args, "--coverage", "0.99")...)
	r := object(t, works(t, append(args, "--json")...))
	must.Equal(t, "rows", len(r["rows"].([]any)), 40)
}

func TestNovelty(t *testing.T) {
	dir := t.TempDir()
	strange := filepath.Join(dir, "strange.csv")
	lines := strings.Split(strings.TrimSpace(read(t, "demo/wine.csv")), "\n")
	write(t, strange, strings.Join(append(lines[:30:30], "20,9,9,90,300,9,9,2,9,30,5,9,5000,1"), "\n"))
	args := []string{"novelty", "demo/wine.csv", strange, "--label", "label", "--json"}
	r := object(t, works(t, args...))
	rows := r["rows"].([]any)
	last := rows[len(rows)-1].(map[string]any)
	must.Equal(t, "rows", len(rows), 30)
	must.Equal(t, "p of the strange row", last["p_value"].(float64), 1.0/179)
	own := columnsOf(works(t, "novelty", "demo/wine.csv", "--label", "label"))
	must.Equal(t, "training rows", len(own["p"]), 178)
	small := 0
	for _, text := range own["p"] {
		if must.Get(strconv.ParseFloat(text, 64))(t) <= 0.5 {
			small++
		}
	}
	must.Equal(t, "p-values of at most a half", small, 89)
}

// A file as a whole is like the rows of the same table, but not where columns have moved; nothing of it
// depends on which file is named first, and rows of both are told.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	wine, moved := "demo/wine.csv", filepath.Join(dir, "moved.csv")
	lines := strings.Split(strings.TrimSpace(read(t, wine)), "\n")
	for i, line := range lines[1:] {
		cells := strings.Split(line, ",")
		alcohol := must.Get(strconv.ParseFloat(cells[0], 64))(t)
		cells[0] = fmt.Sprint(alcohol + 0.8)
		lines[1+i] = strings.Join(cells, ",")
	}
	write(t, moved, strings.Join(lines, "\n")+"\n")
	run := func(train, path string, more ...string) map[string]any {
		return object(t, works(t, append([]string{"novelty", train, path, "--label", "label", "--together", "--permutations", "199", "--json"}, more...)...))
	}
	halves := []string{"--rows", "0::2", "--new-rows", "1::2"}
	same, drift := run(wine, wine, halves...), run(wine, moved, halves...)
	if p := same["p_permutation"].(float64); p < 0.1 {
		t.Errorf("halves of a table differ with p = %v", p)
	}
	if p := drift["p_permutation"].(float64); p > 0.01 {
		t.Errorf("a column that has moved is found with p = %v", p)
	}
	must.Equal(t, "column", drift["columns"].([]any)[0].(map[string]any)["column"].(string), "alcohol")
	back := run(moved, wine, "--rows", "1::2", "--new-rows", "0::2")
	if a, b := drift["statistic"].(float64), back["statistic"].(float64); a-b > 1e-9*a || b-a > 1e-9*a {
		t.Errorf("the statistic is %v, and %v with the files exchanged", a, b)
	}
	// The same by hand.
	joined := lines[0] + ",file\n"
	for i, line := range strings.Split(strings.TrimSpace(read(t, wine)), "\n")[1:] {
		file := "train"
		if i%2 == 1 {
			line, file = lines[1+i], "new"
		}
		joined += line + "," + file + "\n"
	}
	write(t, moved, joined)
	hand := object(t, works(t, "test", moved, "--ignore", "label", "--truncations", "0", "--permutations", "199", "--json"))
	if a, b := drift["statistic"].(float64), hand["statistic"].(float64); a-b > 1e-9*a || b-a > 1e-9*a {
		t.Errorf("the statistic is %v, of one table %v", a, b)
	}
	all := kfda(t, "", "novelty", wine, wine, "--label", "label", "--together", "--permutations", "9")
	says(t, all.err, "178 of 178 rows are in demo/wine.csv too")
	says(t, all.out, "p-value      1:")
	for words, args := range map[string][]string{
		"--level does not apply to --together": {wine, "--together", "--level", "0.1"},
		"--seed does not apply to single rows": {wine, "--seed", "1"},
		"compares TRAIN with FILE":             {"--together"},
		"--permutations -1":                    {wine, "--together", "--permutations", "-1"},
		"cannot both be the standard input":    {"-", "--together"},
	} {
		first := wine
		if args[0] == "-" {
			first = "-"
		}
		fails(t, statusUsage, []string{words}, append([]string{"novelty", first}, args...)...)
	}
}

// Without new rows the order of the table, and so its labelling, plays no part, whatever is learnt of it.
func TestNoveltyOfOwnRows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.csv")
	var rows []string
	for i := range 40 {
		size := fmt.Sprint(i * 29 % 31)
		if i%8 == 7 {
			size = ""
		}
		rows = append(rows, fmt.Sprintf("r%d,%d,%s,s%d\n", i, i*i%41, size, i*7%5))
	}
	run := func() map[string]any {
		write(t, file, "id,x,size,town\n"+strings.Join(rows, ""))
		return object(t, works(t, "novelty", file, "--ids", "id", "--missing", "mean", "--json"))
	}
	p := func(r map[string]any) map[string]float64 {
		of := map[string]float64{}
		for _, row := range r["rows"].([]any) {
			row := row.(map[string]any)
			of[row["ids"].([]any)[0].(string)] = row["p_value"].(float64)
		}
		return of
	}
	r := run()
	slices.Reverse(rows)
	must.Equal(t, "exact", r["exact"].(bool), true)
	says(t, r["guarantee"].(string), "exact: of all these rows alike were learnt gamma, the ridge, the scaling and levels and filled cells")
	must.Equal(t, "p-values of the rows in another order", fmt.Sprint(p(run())), fmt.Sprint(p(r)))

	// Landmarks are not drawn alike; nor is a model that some of the rows were in the fit of.
	says(t, works(t, "novelty", "demo/wine.csv", "--label", "label", "--landmarks", "10", "-o", file), "approximate, for the landmarks are some of these rows")
	model := filepath.Join(t.TempDir(), "m")
	works(t, "fit", "demo/wine.csv", "--rows", "::2", "-o", model)
	says(t, works(t, "novelty", "demo/wine.csv", "--settings", model, "-o", file), "approximate, for all settings, as")
}

// Levels, booleans and filled cells are those of both files, as of one table.
func TestTogetherLearnsOfBoth(t *testing.T) {
	dir := t.TempDir()
	train, added, joint := filepath.Join(dir, "train.csv"), filepath.Join(dir, "new.csv"), filepath.Join(dir, "joint.csv")
	for town, word := range map[string]string{"s%d": "Yes", "t%d": "no"} { // of the rows of the second file
		var a, b, both strings.Builder
		for i := range 24 {
			of, said, size, to, file := fmt.Sprintf("s%d", i%5), "yes", fmt.Sprint(i*29%31), &a, "train"
			if i >= 12 {
				of, said, to, file = fmt.Sprintf(town, i%7), word, &b, "new"
			}
			if i%8 == 7 {
				size = ""
			}
			row := fmt.Sprintf("%d,%s,%s,%s", i*37%41, of, said, size)
			fmt.Fprintln(to, row)
			fmt.Fprintln(&both, row+","+file)
		}
		const names = "x,town,word,size"
		write(t, train, names+"\n"+a.String())
		write(t, added, names+"\n"+b.String())
		write(t, joint, names+",file\n"+both.String())
		for _, missing := range []string{"median", "indicator"} {
			flags := []string{"--missing", missing, "--permutations", "49", "--json"}
			got := object(t, works(t, append([]string{"novelty", train, added, "--together"}, flags...)...))
			back := object(t, works(t, append([]string{"novelty", added, train, "--together"}, flags...)...))
			want := object(t, works(t, append([]string{"test", joint, "--truncations", "0"}, flags...)...))
			for what, r := range map[string]map[string]any{"": got, " exchanged": back} {
				if a, b := r["statistic"].(float64), want["statistic"].(float64); math.Abs(a-b) > 1e-9*b {
					t.Errorf("%s: the statistic%s is %v, of one table %v", missing, what, a, b)
				}
			}
		}
	}
	codes := filepath.Join(dir, "codes.csv")
	write(t, codes, "x,town\n1,2\n2,3\n3,2\n4,5\n")
	write(t, added, "x,town\n1,2\n2,oslo\n3,rome\n4,5\n")
	command := []string{"novelty", codes, added, "--together", "--permutations", "0"}
	fails(t, statusData, []string{`"oslo" is not a number`, strings.Join(command[3:], " ") + " --categories town"}, command...)
	says(t, works(t, append(command, "--categories", "town")...), "town = oslo ")
	var many strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&many, "%d,v%d,yes,1\n", i%7, i)
	}
	write(t, added, "x,town,word,size\n"+many.String())
	fails(t, statusData, []string{"town", "beyond the 1000 levels"}, "novelty", train, added, "--together", "--missing", "mean")
}

// Kernels are printed with columns of the table, as they were given.
func TestKernelOfTableColumns(t *testing.T) {
	path := groupsTable(t)
	const kernel = "columns(2, rbf(gamma=1))"
	var curve []float64
	for _, args := range [][]string{
		{"test", path}, {"sets", path, path}, {"novelty", path}, {"novelty", path, path, "--together"},
	} {
		args = append(args, "--label", "arm", "--ignore", "site,donor", "--kernel", kernel, "--json")
		must.Equal(t, args[0], object(t, works(t, args...))["kernel"].(string), kernel)
	}
	for columns, ignore := range map[string]string{"columns(2, rbf(gamma=1))": "b,site,donor", "columns(0, rbf(gamma=1))": "a,b,colour,site,donor"} {
		r := object(t, works(t, "changes", path, "--ignore", ignore, "--kernel", columns, "--permutations", "0", "--json"))
		must.Equal(t, "changes", r["kernel"].(string), columns)
		curve = append(curve, r["curve"].([]any)[19].(float64))
	}
	must.Equal(t, "curve", curve[0], curve[1])
}

func TestNewRowsRefuse(t *testing.T) {
	wine := "demo/wine.csv"
	for _, c := range []struct {
		status int
		words  []string
		args   []string
	}{
		{statusUsage, []string{"--coverage 1:", "0.9"}, []string{"sets", wine, wine, "--coverage", "1"}},
		{statusUsage, []string{"--ridge 0:"}, []string{"sets", wine, wine, "--ridge", "0"}},
		{statusUsage, []string{"--relative-ridge -1:"}, []string{"novelty", wine, wine, "--relative-ridge", "-1"}},
		{statusUsage, []string{"--level 0:"}, []string{"novelty", wine, "--level", "0"}},
		{statusUsage, []string{"--kernel precomputed"}, []string{"sets", wine, wine, "--kernel", "precomputed"}},
		{statusUsage, []string{"--scale auto"}, []string{"sets", wine, wine, "--scale", "auto"}},
		{statusUsage, []string{"--new-rows"}, []string{"sets", wine, wine, "--new-rows", "x"}},
		{statusUsage, []string{"standard input"}, []string{"sets", "-", "-"}},
		{statusUsage, []string{"overwrite"}, []string{"sets", wine, wine, "-o", wine}},
		{statusUsage, []string{"--settings"}, []string{"sets", wine, wine, "--settings", "m", "--gamma", "1"}},
		{statusUsage, []string{"--target", "--ignore"}, []string{"novelty", wine, "--target", "ash"}},
		{statusData, []string{"indefinite", "--ridge far above"}, []string{"novelty", wine, "--kernel", "sigmoid"}},
		{statusData, []string{"needs", "memory", "--rows"}, []string{"novelty", wine, "--max-memory", "1kB"}},
		{statusData, []string{"nosuch"}, []string{"sets", "nosuch", wine}},
		{statusData, []string{"nosuch"}, []string{"sets", wine, "nosuch"}},
	} {
		fails(t, c.status, c.words, c.args...)
	}
	fails(t, statusUsage, []string{"--new-rows is of FILE", "--rows 0:9"}, "novelty", wine, "--new-rows", "0:9")
	fails(t, statusData, []string{"1 row alone"}, "novelty", wine, "--rows", "0:1")
	fails(t, statusData, []string{`"label" is the label, so it cannot be left out or be the id`}, "sets", wine, wine, "--ids", "label", "--check")
	fails(t, statusData, []string{"column 3 (ash) is a feature of TRAIN"}, "sets", wine, wine, "--ids", "ash")
	says(t, kfda(t, "", "novelty", wine, "--rows", "0:10").err, "ranks a row among 10", "below 0.1")
	rough := kfda(t, "", "novelty", wine, wine, "--label", "label", "--rows", "0:24", "--new-rows", "24:")
	says(t, rough.err, "13 columns, each level one, are many for 24 rows", "far from exact, with gamma")
	says(t, kfda(t, "", "novelty", wine, wine, "--label", "label", "--rows", "0:26", "--new-rows", "26:").err, "approximate, with gamma")
	model := filepath.Join(t.TempDir(), "m")
	works(t, "fit", wine, "--model", "ridge", "--target", "ash", "-o", model)
	fails(t, statusUsage, []string{"it predicts numbers", "--target ash"}, "sets", wine, wine, "--settings", model)
	works(t, "fit", wine, "--model", "svm", "-o", model)
	fails(t, statusData, []string{"--settings takes a kfda"}, "sets", wine, wine, "--settings", model)
	r := kfda(t, "", "sets", wine, wine, "--coverage", "0.99", "--json")
	says(t, r.err, "every set holds", "fewer than 99 rows")
}
