package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// labelled is a table with a class for each row, in files of numbers.
type labelled struct {
	name         string
	n, d         int
	gamma        float64 // gram.GammaScale
	rows, labels string  // files
}

// machines compares support vector machines, on rows of classes and on the tables
// that there are. The same supporting rows, up to 1 %, are the result to compare: where
// a solver stops differs in the last digits of its tolerance.
func (b planner) machines() group {
	g := group{
		title: "Support vector machines",
		note: "C-SVC, rbf kernel, one against one, tolerance 1e-3, 200 MiB for kernel values. scikit-learn is libsvm, " +
			"which keeps kernel values in single precision. The last columns are the rows that support any machine.",
		set: "support vectors",
	}
	for _, t := range b.files.tables {
		for _, c := range []float64{1, 10} {
			task := fmt.Sprintf("machine n=%d d=%d gamma=%v C=%v rows=%s labels=%s", t.n, t.d, t.gamma, c, t.rows, t.labels)
			entries := []entry{
				{label: "kfda", program: "kfda", task: task},
				{label: "scikit-learn SVC", program: "python", task: task, tolerance: 0.01},
			}
			if b.full {
				entries = append(entries, entry{label: "kernlab ksvm", program: "r", task: task, tolerance: 0.01})
			}
			g.rows = append(g.rows, row{what: fmt.Sprintf("%s, n = %d, d = %d, C = %v, 1 thread", t.name, t.n, t.d, c), threads: 1, entries: entries})
		}
	}
	return g
}

// linearMachines compares machines with a linear kernel.
func (b planner) linearMachines() group {
	g := group{
		title: "Linear support vector machines",
		note: "C-SVC, linear kernel, the spam data of kernlab (Debian's r-cran-kernlab), columns standardised, tolerance 1e-3. " +
			"Compared are the objectives of the dual.",
	}
	t := b.files.spam
	if t.n == 0 {
		g.note += " Left out, as R or kernlab is not on this machine."
		return g
	}
	for _, c := range []float64{1, 100} {
		task := fmt.Sprintf("machine kernel=linear n=%d d=%d C=%v rows=%s labels=%s", t.n, t.d, c, t.rows, t.labels)
		g.rows = append(g.rows, row{what: fmt.Sprintf("%s, n = %d, d = %d, C = %v, 1 thread", t.name, t.n, t.d, c), threads: 1, entries: []entry{
			{label: "kfda", program: "kfda", task: task},
			{label: "scikit-learn SVC", program: "python", task: task, tolerance: 1e-4},
		}})
	}
	return g
}

// csvLines is the number of lines that are read.
func (b planner) csvLines() int {
	if b.full {
		return 100000
	}
	return 20000
}

// readings compares readers of a file of numbers, which is in memory.
func (b planner) readings() group {
	g := group{
		title: "Reading CSV",
		note:  "Numbers of eight decimals. kfda takes the last column for text, and reads on all threads.",
	}
	task := fmt.Sprintf("read n=%d d=%d csv=%s", b.csvLines(), csvColumns, b.files.csv)
	for _, t := range threads() {
		g.rows = append(g.rows, row{what: fmt.Sprintf("%d × %d, %s", b.csvLines(), csvColumns, counted(t)), threads: t, entries: []entry{
			{label: "kfda", program: "kfda", task: task},
			{label: "NumPy loadtxt", program: "python", task: task},
			{label: "pandas read_csv", program: "python", task: task + " pandas=1", tolerance: 1e-15},
		}})
	}
	return g
}

// writeSpam writes the rows of spam by a script of R, where that can be run.
func (f *files) writeSpam(script string) {
	t := labelled{name: "spam", rows: filepath.Join(f.folder, "spam-rows"), labels: filepath.Join(f.folder, "spam-labels")}
	shape, err := exec.Command("Rscript", "--vanilla", script, t.rows, t.labels).Output()
	if err != nil {
		return
	}
	if _, err := fmt.Sscan(string(shape), &t.n, &t.d); err == nil {
		f.spam = t
	}
}

// writeTables writes the tables of the machines to the folder: the first rows of
// classes and, from a folder of data sets, letter (the first 2000 rows), digits and
// banana, as far as they are there.
func (f *files) writeTables(data string) error {
	labels := make([]float64, 5000)
	for i := range labels {
		labels[i] = float64(i % rowClasses)
	}
	x := make([]float64, len(labels)*rowFeatures)
	copy(x, overlapping(random(2)))
	if err := f.writeTable("classes", tableOfNumbers{x, labels}); err != nil {
		return err
	}
	if data == "" {
		return nil
	}
	for _, t := range []struct {
		name, path string
		most       int
	}{
		{"letter", "classic/letter.csv", 2000},
		{"digits", "classic/digits.csv", 0},
		{"banana", "raetsch/banana/data.csv", 0},
	} {
		read, err := readTable(filepath.Join(data, t.path), t.most)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := f.writeTable(t.name, read); err != nil {
			return err
		}
	}
	return nil
}

// tableOfNumbers is rows of features and the class of each.
type tableOfNumbers struct{ x, labels []float64 }

func (f *files) writeTable(name string, t tableOfNumbers) error {
	n := len(t.labels)
	d := len(t.x) / n
	gamma, err := gram.GammaScale(&matrix.Dense{Rows: n, Cols: d, Stride: d, Data: t.x})
	if err != nil {
		return err
	}
	l := labelled{name: name, n: n, d: d, gamma: gamma, rows: filepath.Join(f.folder, name+"-rows"), labels: filepath.Join(f.folder, name+"-labels")}
	f.tables = append(f.tables, l)
	return errors.Join(worker.WriteNumbers(l.rows, t.x), worker.WriteNumbers(l.labels, t.labels))
}

// readTable reads a file, possibly with .gz at the end of its name; at most the first
// rows, where most is not 0. The classes are numbered in order of their labels.
func readTable(path string, most int) (tableOfNumbers, error) {
	opt := table.Options{Header: table.WithHeader, Rows: table.Range{Stop: most, Ended: most > 0}}
	read, err := table.Read(path, nil, opt)
	if errors.Is(err, fs.ErrNotExist) {
		read, err = table.Read(path+".gz", nil, opt)
	}
	if err != nil {
		return tableOfNumbers{}, err
	}
	classes := discriminant.Classes(read.Labels)
	t := tableOfNumbers{x: read.X.Data}
	for _, label := range read.Labels {
		t.labels = append(t.labels, float64(slices.Index(classes, label)))
	}
	return t, nil
}
