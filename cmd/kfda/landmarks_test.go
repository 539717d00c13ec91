package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/splitmix"
)

const block = discriminant.BlockRows

// shards writes a table of rows, and parts of it: of each number of parts, in files of whole blocks.
func shards(t *testing.T, rows int, counts ...int) (whole string, parts [][]string) {
	t.Helper()
	const header = "x,colour,z,w,y\n"
	dir, random := t.TempDir(), splitmix.Random(7)
	var lines bytes.Buffer
	starts := make([]int, 0, rows/block+2) // of the blocks
	for i := range rows {
		if i%block == 0 {
			starts = append(starts, lines.Len())
		}
		class := random.Below(3)
		x := random.Below(40) + 9*class
		cell := strconv.Itoa(x)
		if random.Below(50) == 0 {
			cell = "NA"
		}
		fmt.Fprintf(&lines, "%s,%c,%d,%d,%c\n", cell, 'r'+rune(random.Below(2)), random.Below(9)*x, random.Below(4), 'a'+rune(class))
	}
	starts = append(starts, lines.Len())
	whole = filepath.Join(dir, "whole.csv")
	write(t, whole, header+lines.String())
	blocks := len(starts) - 1
	for _, count := range counts {
		var files []string
		for k := range count {
			lo, hi := k*blocks/count, (k+1)*blocks/count
			file := filepath.Join(dir, fmt.Sprintf("%d.%d.csv", count, lo))
			write(t, file, header+string(lines.Bytes()[starts[lo]:starts[hi]]))
			files = append(files, file)
		}
		parts = append(parts, files)
	}
	return whole, parts
}

// accumulated runs accumulate on a file of shards, and returns the file that it writes.
func accumulated(t *testing.T, l, file string) string {
	t.Helper()
	var count, first int
	must.Get(fmt.Sscanf(filepath.Base(file), "%d.%d.csv", &count, &first))(t)
	works(t, "accumulate", l, file, "--first-row", strconv.Itoa(first*block), "-o", file+".acc")
	return file + ".acc"
}

// However a table is cut in parts, and in whatever order they are merged, the model has the bytes of
// fit --landmarks.
func TestPartsOfATable(t *testing.T) {
	whole, parts := shards(t, block+1000, 2)
	dir := t.TempDir()
	l, model, merged := filepath.Join(dir, "L"), filepath.Join(dir, "model"), filepath.Join(dir, "merged")
	check := func(parts [][]string, start, end string) {
		t.Helper()
		from := append([]string{whole, "--seed", "3", "--landmarks"}, strings.Fields(start)...)
		works(t, slices.Concat([]string{"fit", "-o", model}, from, strings.Fields(end))...)
		works(t, slices.Concat([]string{"landmarks", "-o", l}, from)...)
		for k, files := range parts {
			var all []string
			for _, file := range files {
				all = append(all, accumulated(t, l, file))
			}
			random := splitmix.Random(k)
			for i := range all {
				j := random.Below(i + 1)
				all[i], all[j] = all[j], all[i]
			}
			works(t, slices.Concat([]string{"merge", "-o", merged}, strings.Fields(end), all)...)
			if read(t, merged) != read(t, model) {
				t.Errorf("%s, %d parts: another model", start, len(files))
			}
		}
	}
	check(parts, "5 --missing indicator --weight w", "")
	check(parts, "5 --missing mean --target z --kernel poly", "")
	check(parts, "5 --missing mean --model kpca", "--share 0.9 --classifier gaussian")
	check(parts, "0 --missing mean --model lda", "--shrink 0.1 --priors 0.2,0.2,0.6")
	if testing.Short() {
		whole, parts = shards(t, 2*block+1000, 3)
	} else {
		whole, parts = shards(t, 3*block+1000, 1, 2, 4)
	}
	check(parts, "5 --missing median --relative-ridge 0.1", "--classifier centroid --relative-ridge 0.1")
}

// What is wrong with parts is said by the names of their files.
func TestPartsAreRefused(t *testing.T) {
	whole, parts := shards(t, 2*block+500, 3)
	dir := t.TempDir()
	l, other, model := filepath.Join(dir, "L"), filepath.Join(dir, "other"), filepath.Join(dir, "model")
	works(t, "landmarks", whole, "--landmarks", "5", "--missing", "mean", "--ridge", "1", "-o", l)
	works(t, "landmarks", whole, "--landmarks", "5", "--missing", "mean", "--ridge", "1", "--seed", "1", "-o", other)
	first, second, third := accumulated(t, l, parts[0][0]), accumulated(t, l, parts[0][1]), accumulated(t, l, parts[0][2])
	wrong := filepath.Join(dir, "wrong.acc")
	works(t, "accumulate", other, parts[0][1], "--shard", "1", "-o", wrong)
	short := filepath.Join(dir, "short.acc")
	works(t, "accumulate", l, parts[0][2], "--shard", "0", "-o", short)
	class := writeBytes(t, "class.csv", []byte("x,colour,z,w,y\n1,r,0,1,a\n2,s,0,1,new\n"))
	unfilled, wine := filepath.Join(dir, "unfilled"), read(t, "demo/wine.csv")
	works(t, "landmarks", "demo/wine.csv", "--landmarks", "5", "--ridge", "1", "-o", unfilled)
	gap := writeBytes(t, "gap.csv", []byte(strings.Replace(wine, "\n13.2,", "\n,", 1)))
	target := filepath.Join(dir, "target")
	works(t, "landmarks", "demo/wine.csv", "--target", "alcohol", "--ignore", "label", "--landmarks", "5", "--ridge", "1", "-o", target)
	numbers := filepath.Join(dir, "numbers.acc")
	works(t, "accumulate", target, "demo/wine.csv", "--shard", "0", "-o", numbers)
	level := writeBytes(t, "level.csv", []byte("x,colour,z,w,y\n1,r,0,1,a\n2,green,0,1,b\n"))
	for _, c := range []struct {
		status int
		words  []string
		args   []string
	}{
		{statusData, []string{first + " and " + first + " both have rows 1 to 65536 of the table"}, []string{"merge", first, second, first}},
		{statusData, []string{"rows 65537 to 131072 of the table are missing, between " + first + " and " + third}, []string{"merge", third, first}},
		{statusData, []string{"rows 1 to 65536 of the table are missing, before " + second}, []string{"merge", second}},
		{statusData, []string{short + ": its last block has 500 rows, want 65536, since " + second + " follows"}, []string{"merge", second, short}},
		{statusData, []string{first + " and " + wrong + " are not parts of one table"}, []string{"merge", wrong, first}},
		{statusData, []string{l + ": holds no rows"}, []string{"merge", l, first}},
		{statusData, []string{whole + ": no file of"}, []string{"merge", whole}},
		{statusUsage, []string{"--classifier does not apply to landmarks"}, []string{"landmarks", whole, "--landmarks", "5", "--classifier", "centroid"}},
		{statusUsage, []string{"--components 6: at most 5, the number of --landmarks"}, []string{"fit", whole, "--landmarks", "5", "--model", "kpca", "--components", "6"}},
		{statusUsage, []string{"--class-weight with --weight needs all rows at a time"}, []string{"fit", whole, "--landmarks", "5", "--missing", "mean", "--weight", "w", "--class-weight", "balanced"}},
		{statusUsage, []string{"--shrink does not apply to --landmarks: say --relative-ridge 0.01, or --model lda"}, []string{"merge", first, "--shrink", "0.5"}},
		{statusUsage, []string{"--shrink does not apply to --landmarks"}, []string{"fit", whole, "--landmarks", "5", "--shrink", "0.5"}},
		{statusUsage, []string{"--regularizer ledoit-wolf does not apply to --landmarks"}, []string{"fit", whole, "--landmarks", "0", "--model", "lda", "--regularizer", "ledoit-wolf"}},
		{statusData, []string{"or read it in parts, with --landmarks 0, or allow more"}, []string{"fit", whole, "--model", "lda", "--max-memory", "100kB"}},
		{statusUsage, []string{"--gamma does not apply to merge"}, []string{"merge", first, "--gamma", "1"}},
		{statusUsage, []string{"--relative-ridge", "'kfda landmarks'"}, []string{"merge", first, second, third, "--regularizer", "ridge"}},
		{statusData, []string{"--components 6: at most 5, the number of landmarks"}, []string{"merge", first, second, third, "--model", "kpca", "--components", "6"}},
		{statusUsage, []string{"--shard 0 for the first 65536,"}, []string{"accumulate", l, class, "-o", short}},
		{statusUsage, []string{"--first-row and --shard exclude each other"}, []string{"accumulate", l, class, "--shard", "0", "--first-row", "0"}},
		{statusData, []string{"; a smaller ridge or scaled columns help"}, []string{"fit", "demo/wine.csv", "--landmarks", "9", "--relative-ridge", "1e100"}},
		{statusData, []string{"; a larger ridge or scaled columns help"}, []string{"fit", "demo/wine.csv", "--landmarks", "9", "--relative-ridge", "1e-100"}},
		{statusData, []string{"after 1 step of", "; a smaller ridge or --solver direct help"}, []string{"fit", "demo/wine.csv", "--solver", "conjugate", "--relative-ridge", "1e100"}},
		{statusUsage, []string{"--landmarks: cv fits by kernel matrices alone"}, []string{"cv", whole, "--landmarks", "5"}},
		{statusUsage, []string{"--solver: tune fits by kernel matrices alone", "--rows ::10"}, []string{"tune", whole, "--solver", "conjugate"}},
		{statusUsage, []string{"--model lda: these are parts of a fit with --model kfda"}, []string{"merge", first, second, third, "--model", "lda"}},
		{statusUsage, []string{"--model kfda: these are parts of a fit of numbers"}, []string{"merge", numbers, "--model", "kfda"}},
		{statusData, []string{class + ":3: row 2: the class new is none of those that are known: a, b, c"}, []string{"accumulate", l, class, "--shard", "0"}},
		{statusData, []string{level, "row 2", `column 2 (colour)`, `"green"`, "level"}, []string{"accumulate", l, level, "--shard", "0"}},
		{statusData, []string{gap + ":3: row 2, column 1 (alcohol)", "; leave such rows out before the table is cut, or fill cells in, as with 'kfda landmarks --missing median'\n"}, []string{"accumulate", unfilled, gap, "--shard", "0"}},
		{statusData, []string{first + ": holds rows already"}, []string{"accumulate", first, class, "--shard", "0"}},
		{statusUsage, []string{"--first-row 5: want a multiple of 65536"}, []string{"accumulate", l, class, "--first-row", "5"}},
		{statusUsage, []string{"--first-row", "want a multiple of 65536"}, []string{"accumulate", l, class, "--first-row", fmt.Sprint(math.MaxInt / block * block)}},
		{statusUsage, []string{"--shard -1: want the number of the part, from 0"}, []string{"accumulate", l, class, "--shard", "-1"}},
		{statusUsage, []string{"want the number of the part"}, []string{"accumulate", l, class, "--shard", fmt.Sprint(math.MaxInt/block + 1)}},
		{statusUsage, []string{"--leave-one-out does not apply to --classifier centroid"}, []string{"fit", whole, "--landmarks", "5", "--leave-one-out", "--classifier", "centroid"}},
		{statusUsage, []string{"--missing drop does not apply to landmarks"}, []string{"landmarks", whole, "--landmarks", "5", "--missing", "drop"}},
		{statusUsage, []string{"write it to a file first"}, []string{"fit", "-", "--landmarks", "5"}},
		{statusUsage, []string{"--model svm does not apply to --landmarks"}, []string{"fit", whole, "--landmarks", "5", "--model", "svm"}},
		{statusUsage, []string{"--holdout does not apply to --landmarks"}, []string{"fit", whole, "--landmarks", "5", "--holdout", "0.2"}},
		{statusUsage, []string{"--checkpoint is for --landmarks"}, []string{"fit", whole, "--checkpoint", model + ".part"}},
		{statusUsage, []string{"--missing does not apply to accumulate"}, []string{"accumulate", l, class, "--shard", "0", "--missing", "mean"}},
		{statusData, []string{first + ": no model, but of 'kfda landmarks' or 'kfda accumulate'"}, []string{"predict", first, whole}},
		{statusUsage, []string{"this is the file of the model, too"}, []string{"fit", whole, "--landmarks", "5", "--checkpoint", model}},
		{statusUsage, []string{"would overwrite the file that is read"}, []string{"fit", whole, "--landmarks", "5", "--checkpoint", whole}},
		{statusData, []string{"there is no directory"}, []string{"fit", whole, "--landmarks", "5", "--checkpoint", filepath.Join(dir, "no", "part")}},
		{statusData, []string{"--components 3: at most 2"}, []string{"fit", whole, "--landmarks", "5", "--missing", "mean", "--components", "3", "--scale", "none"}},
		{statusData, []string{"a positive semidefinite kernel, which sigmoid is not"}, []string{"fit", "demo/wine.csv", "--landmarks", "20", "--kernel", "sigmoid"}},
		{statusData, []string{"100000 landmarks need", "give fewer --landmarks"}, []string{"fit", "no such file", "--landmarks", "100000", "--max-memory", "1GB"}},
	} {
		fails(t, c.status, c.words, append(c.args, "-o", model)...)
		onlyMissing(t, model)
	}
}

// onlyMissing fails the test if the file is there.
func onlyMissing(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s was written", path)
	}
}

// With all rows as landmarks a fit is that of the kernel matrix.
func TestLandmarksOfAllRows(t *testing.T) {
	const wine = "demo/wine.csv"
	for _, flags := range []string{
		"--label label --relative-ridge 0.01 --scale standard --classifier gaussian --leave-one-out=false",
		"--label label --relative-ridge 0.01 --scale standard --priors 0.2,0.3,0.5",
		"--label label --regularizer ridge --relative-ridge 0.01 --scale standard --priors 0.2,0.3,0.5",
		"--label label --model ridge --ridge 0.1 --scale minmax",
		"--label label --model lda",
		"--label label --model lda --relative-ridge 0.1 --scale none",
		"--label label --model kpca --classifier gaussian",
		"--label label --model kpca --components 7",
		"--label label --model lda --class-weight 1,2,3",
		"--label label --relative-ridge 0.01 --class-weight balanced --classifier gaussian --leave-one-out=false",
		"--target alcohol --ignore label --ridge 0.1 --scale standard",
	} {
		words := strings.Fields(flags)
		dense := fitted(t, wine, words...)
		landmarks := "178"
		if strings.Contains(flags, "lda") {
			landmarks = "0"
		}
		streamed := fitted(t, wine, append(words, "--landmarks", landmarks)...)
		predict := []string{"predict", dense, wine}
		if strings.Contains(flags, "gaussian") || strings.Contains(flags, "priors") {
			predict = append(predict, "--posteriors")
		}
		want := strings.Split(works(t, predict...), "\n")
		predict[1] = streamed
		for i, line := range strings.Split(works(t, predict...), "\n") {
			got, cells := strings.Split(line, ","), strings.Split(want[i], ",")
			for j := range cells {
				a, errA := strconv.ParseFloat(got[j], 64)
				b, errB := strconv.ParseFloat(cells[j], 64)
				if errA == nil && errB == nil && math.Abs(a-b) <= 1e-7*max(1, math.Abs(b)) {
					continue
				}
				if got[j] != cells[j] {
					t.Fatalf("%s: line %d is %q, want %q", flags, i, line, want[i])
				}
			}
		}
	}
}

// A merge takes the ridge of 'kfda landmarks' unless it is told another, and the lines by which a page
// says how a model is made again give its bytes.
func TestRidgeOfMerge(t *testing.T) {
	const wine = "demo/wine.csv"
	dir := t.TempDir()
	l, part, merged := filepath.Join(dir, "L"), filepath.Join(dir, "part"), filepath.Join(dir, "merged")
	for _, c := range []struct{ start, end, fit string }{
		{"--landmarks 9 --relative-ridge 0.3", "", "--relative-ridge 0.3"},
		{"--landmarks 9 --relative-ridge 0.3", "--ridge 2", "--ridge 2"},
		{"--landmarks 9 --ridge 2", "--model ridge", ""},
		{"--landmarks 9 --ridge 2", "--model kpca", ""},
		{"--landmarks 9", "--relative-ridge 1", ""},
		{"--landmarks 0 --model lda --ridge 2", "", "--ridge 2"},
		{"--landmarks 9 --target alcohol --ignore label --ridge 2", "", "--ridge 2"},
	} {
		start := strings.Fields(c.start)
		works(t, slices.Concat([]string{"landmarks", wine, "-o", l}, start)...)
		works(t, "accumulate", l, wine, "--shard", "0", "-o", part)
		works(t, slices.Concat([]string{"merge", part, "-o", merged}, strings.Fields(c.end))...)
		model := read(t, merged)
		if c.fit != "" {
			must.Equal(t, c.start+c.end, read(t, fitted(t, wine, slices.Concat(start[:2], strings.Fields(c.fit), start[2:len(start)-2])...)) == model, true)
		}
		for line := range strings.Lines(strings.NewReplacer(" L ", " "+l+" ", "-o L\n", "-o "+l+"\n", "ACC", part).Replace(load(t, merged).refitLine(wine, merged))) {
			works(t, strings.Fields(line)[1:]...)
		}
		must.Equal(t, c.start+c.end+" again", read(t, merged) == model, true)
	}
}

// A fit that is killed in the middle goes on from its checkpoint to the same bytes; a checkpoint of
// something else is refused.
func TestCheckpoint(t *testing.T) {
	whole, _ := shards(t, 2*block)
	dir := t.TempDir()
	model, again, part := filepath.Join(dir, "model"), filepath.Join(dir, "again"), filepath.Join(dir, "part")
	args := []string{"fit", whole, "--missing", "mean", "--landmarks", "20", "--checkpoint", part, "-o"}
	works(t, append(args, model)...)
	onlyMissing(t, part)

	cmd := process(t, append(args, again)...)
	cmd.Env = append(cmd.Env, checkpointOften+"=1")
	must.Do(t, cmd.Start())
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(part); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no checkpoint")
		}
	}
	must.Do(t, cmd.Process.Kill())
	cmd.Wait()
	onlyMissing(t, again)
	kept := read(t, part)

	fails(t, statusData, []string{part, "of a fit with another table, other settings or another --seed"}, append(args, again, "--seed", "1")...)
	changed := strings.Replace(read(t, whole), ",a\n", ",b\n", 1)
	write(t, whole+"2", changed)
	fails(t, statusData, []string{part, "remove it to begin again"}, append([]string{"fit", whole + "2"}, append(args[2:], again)...)...)
	write(t, part, kept[:len(kept)/2])
	fails(t, statusData, []string{part, "remove it to begin again"}, append(args, again)...)
	write(t, part, kept)

	r := kfda(t, "", append(args, again)...)
	says(t, r.err, part+": goes on after")
	if r.status != statusOK || read(t, again) != read(t, model) {
		t.Errorf("status %d, another model\n%s", r.status, r.err)
	}
	onlyMissing(t, part)
}

// A part of a table whose rows all have the weight 0 is one of no rows, not an error; a weight that
// is none is one with its line.
func TestWeightsInParts(t *testing.T) {
	dir := t.TempDir()
	var zeros, light strings.Builder
	for i, line := range strings.SplitAfter(strings.TrimSuffix(read(t, "demo/wine.csv"), "\n")+"\n", "\n") {
		if i == 0 {
			zeros.WriteString("w," + line)
			light.WriteString("w," + line)
		} else if line != "" {
			light.WriteString("1," + line)
			if zeros.WriteString("0," + line); i == 5 {
				light.WriteString("-1," + line)
			}
		}
	}
	name, bad := filepath.Join(dir, "zeros.csv"), filepath.Join(dir, "bad.csv")
	write(t, name, zeros.String()+strings.SplitN(strings.ReplaceAll(zeros.String(), "\n0,", "\n1,"), "\n", 2)[1])
	write(t, bad, light.String())
	withParts(50, func() {
		works(t, "fit", name, "--weight", "w", "--landmarks", "20", "-o", filepath.Join(dir, "model"))
		if r := kfda(t, "", "fit", bad, "--weight", "w", "--landmarks", "20", "-o", filepath.Join(dir, "model")); r.status != statusData || !strings.Contains(r.err, "bad.csv:7: row 6: the weight -1: want 0") {
			t.Errorf("%+v", r)
		}
	})
}

// What a fit through landmarks says: what always the same answer comes to, how the data settled what,
// a ridge at the edge of those that are tried, as direct fits and merge do, and repeated rows.
func TestReportOfLandmarks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	random, chess, noise := splitmix.Random(1), "a,b,y\n", "a,b,y\n"
	for i := range 300 {
		a, b := random.Below(600), random.Below(600)
		chess += fmt.Sprintf("%d,%d,%c\n", a, b, "pq"[(a/200+b/200)%2])
		noise += fmt.Sprintf("%d,%d,%c\n", a, b, "pq"[i%2])
	}
	write(t, at("chess"), chess)
	write(t, at("noise"), noise)
	wine := read(t, wineFile)
	write(t, at("twice"), wine+wine[strings.Index(wine, "\n")+1:])
	const smallest, largest = "edge         the smallest ridge that is tried: --relative-ridge 0.0001 may", "edge         the largest ridge that is tried: --relative-ridge 1000 may"
	model := at("model")
	for _, c := range []struct {
		args  string
		words []string
	}{
		{"fit chess", []string{"chosen       scaling and ridge, by leaving out rows\n", smallest}},
		{"fit chess --landmarks 100", []string{"chosen       scaling by leaving out rows of the sample and ridge by 5 folds\n", smallest, "100, which leave out less than 0.1 % of the kernel\n"}},
		{"fit noise --landmarks 100", []string{largest}},
		{"fit chess --landmarks 50 --relative-ridge 0.001 --scale none", nil},
		{"landmarks chess --landmarks 100 --scale none -o L", []string{"100 landmarks of 2 columns"}},
		{"accumulate L chess --shard 0 -o ACC", []string{at("ACC") + ": 300 rows of " + at("chess") + ", of 2 classes, from row 1 of the table on\n"}},
		{"merge ACC", []string{"chosen       ridge by 5 folds\n", smallest}},
		{"fit twice --landmarks 20", []string{"356 of 356 rows are equal to another row of their class"}},
		{"fit twice --landmarks 20 --ridge 1", []string{"356 of 356 rows are equal to another row of their class"}},
		{"fit twice --landmarks 20 --target alcohol --ignore label", []string{"method       ridge, ", "baseline     always predicting the mean has an RMSE of 0.8095 in these rows\n"}},
		{"fit twice --target alcohol --ignore label", []string{"baseline     always predicting the mean has an RMSE of 0.8095 in these rows\n"}},
		{"fit twice --landmarks 20 --target alcohol --weight ash --ignore label", []string{"RMSE of 0.8118 in"}},
		{"fit twice --target alcohol --weight ash --ignore label", []string{"RMSE of 0.8118 in"}},
		{"fit twice --landmarks 0 --model lda --ridge 1", []string{"method       lda, "}},
	} {
		args := strings.Fields(c.args)
		for i, word := range args[1:] {
			if slices.Contains([]string{"chess", "noise", "twice", "L", "ACC"}, word) {
				args[1+i] = at(word)
			}
		}
		if !slices.Contains(args, "-o") {
			args = append(args, "-o", model)
		}
		r := kfda(t, "", args...)
		must.Equal(t, c.args, r.status, statusOK)
		says(t, r.out+r.err, c.words...)
		if c.words == nil && (strings.Contains(r.out, "edge ") || strings.Contains(r.err, "equal to")) {
			t.Errorf("%s: %s%s", c.args, r.out, r.err)
		}
	}
	// A row is explained by what a person can look up.
	works(t, "fit", at("chess"), "--landmarks", "40", "-o", model)
	text := works(t, "explain", model, at("chess"), "--rows", ":1")
	says(t, text, "discriminant 1 = ", "a sum over landmarks, whose terms cancel", "--training FILE names the landmarks that are near")
	if strings.Contains(text, "landmark ") || strings.Contains(text, "kernel value") {
		t.Errorf("explain says\n%s", text)
	}
	z := strings.Split(strings.Split(works(t, "project", model, at("chess"), "--rows", ":1"), "\n")[1], ",")
	shown := strings.Split(strings.Split(text, "discriminant 1 = ")[1], "\n")[0]
	if got, want := must.Get(strconv.ParseFloat(shown, 64))(t), must.Get(strconv.ParseFloat(z[len(z)-1], 64))(t); math.Abs(got-want) > 1e-5*math.Abs(want) {
		t.Errorf("the projection is %s, shown as %s", z, shown)
	}
	says(t, works(t, "explain", model, at("chess"), "--rows", ":1", "--training", at("chess")), "nearest landmarks, by squared distance\n", "row ")
	works(t, "report", model, at("chess"), "-o", at("page.html"))
	says(t, read(t, at("page.html")), "drawn from a sample by randomly pivoted Cholesky, seed 0", "40 landmarks stand for all training rows")
}
