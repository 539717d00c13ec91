package main

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/seed92411348/kfda/benchmarks/peers/internal/worker"
)

// Sizes of the two files of data.
const (
	manyNumbers = 2048*2048 + 1000
	manyRows    = 15000
	rowFeatures = 64
	rowClasses  = 10

	csvColumns = 200
)

// files are the names of the data that all programs read.
type files struct {
	folder  string
	numbers string // manyNumbers numbers, uniform in [-1, 1)
	rows    string // manyRows×rowFeatures; row i is of class i mod rowClasses
	tables  []labelled
	spam    labelled // or empty
	csv     string   // lines of csvColumns numbers and a class
}

// writeData writes the files of data, the same in every run.
func writeData(folder string) (files, error) {
	f := files{folder: folder, numbers: filepath.Join(folder, "numbers"), rows: filepath.Join(folder, "rows")}
	next := random(1)
	x := make([]float64, manyNumbers)
	for i := range x {
		x[i] = next()
	}
	if err := worker.WriteNumbers(f.numbers, x); err != nil {
		return f, err
	}
	return f, worker.WriteNumbers(f.rows, overlapping(random(2)))
}

// writeCSV writes lines of numbers of eight decimals.
func (f *files) writeCSV(lines int) error {
	f.csv = filepath.Join(f.folder, "numbers.csv")
	file, err := os.Create(f.csv)
	if err != nil {
		return err
	}
	w, next := bufio.NewWriter(file), random(3)
	var line []byte
	for i := range lines {
		line = line[:0]
		for range csvColumns {
			line = append(strconv.AppendFloat(line, 3*next(), 'f', 8, 64), ',')
		}
		w.Write(append(strconv.AppendInt(line, int64(i%3), 10), '\n'))
	}
	return errors.Join(w.Flush(), file.Close())
}

// overlapping returns rows of classes that overlap: about normal with variance 1 in
// each feature, around means that are uniform in ±0.3.
func overlapping(next func() float64) []float64 {
	means := make([]float64, rowClasses*rowFeatures)
	for i := range means {
		means[i] = 0.3 * next()
	}
	x := make([]float64, manyRows*rowFeatures)
	for i := range x {
		row, feature := i/rowFeatures, i%rowFeatures
		x[i] = means[row%rowClasses*rowFeatures+feature] + next() + next() + next()
	}
	return x
}

// random returns a generator of numbers in [-1, 1).
func random(seed uint64) func() float64 {
	state := seed
	return func() float64 {
		state += 0x9e3779b97f4a7c15 // SplitMix64
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		return float64(int64(z)>>11) / (1 << 52)
	}
}
