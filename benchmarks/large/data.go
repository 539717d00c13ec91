package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
)

// table writes a table with the columns named x1, x2, … or as given, and the label.
type table struct {
	file *os.File
	w    *bufio.Writer
	row  []byte
	err  error
}

func create(path string, names ...string) *table {
	f, err := os.Create(path)
	t := &table{file: f, err: err}
	if err == nil {
		t.w = bufio.NewWriterSize(f, 1<<20)
		for _, name := range names {
			t.row = append(append(t.row, name...), ',')
		}
		t.end("label")
	}
	return t
}

func numbered(d int) []string {
	names := make([]string, d)
	for j := range names {
		names[j] = fmt.Sprint("x", j+1)
	}
	return names
}

func (t *table) number(v float64) {
	t.row = append(strconv.AppendFloat(t.row, v, 'g', 6, 64), ',')
}

func (t *table) text(s string) { t.row = append(append(t.row, s...), ',') }

func (t *table) end(label string) {
	if t.err != nil {
		return
	}
	t.row = append(append(t.row, label...), '\n')
	_, t.err = t.w.Write(t.row)
	t.row = t.row[:0]
}

func (t *table) close() error {
	if t.file == nil {
		return t.err
	}
	return errors.Join(t.err, t.w.Flush(), t.file.Close())
}

// twonorm is that of Breiman: 20 normal columns with the means ±2/√20; the least error is
// Φ(−2) = 2.275 %.
func twonorm(n int) func(data, train, test string) error {
	return func(_, train, test string) error {
		r := rand.New(rand.NewPCG(1, 2))
		for path, rows := range ordered(train, n, test, 500_000) {
			t := create(path, numbered(20)...)
			for range rows {
				class := r.IntN(2)
				for range 20 {
					t.number(r.NormFloat64() + float64(2*class-1)*2/math.Sqrt(20))
				}
				t.end([]string{"minus", "plus"}[class])
			}
			if err := t.close(); err != nil {
				return err
			}
		}
		return nil
	}
}

// clusters are 10 classes of three normal clusters each in 64 columns.
func clusters(n int) func(data, train, test string) error {
	return func(_, train, test string) error {
		r := rand.New(rand.NewPCG(3, 4))
		centres := make([][64]float64, 30)
		for i := range centres {
			for j := range centres[i] {
				centres[i][j] = 0.6 * r.NormFloat64()
			}
		}
		for path, rows := range ordered(train, n, test, 20_000) {
			t := create(path, numbered(64)...)
			for range rows {
				k := r.IntN(len(centres))
				for _, mean := range centres[k] {
					t.number(r.NormFloat64() + mean)
				}
				t.end(strconv.Itoa(k % 10))
			}
			if err := t.close(); err != nil {
				return err
			}
		}
		return nil
	}
}

// ordered yields two tables with their numbers of rows.
func ordered(train string, n int, test string, m int) func(func(string, int) bool) {
	return func(yield func(string, int) bool) {
		_ = yield(train, n) && yield(test, m)
	}
}

// mnist writes the bytes of the pixels over 255.
func mnist(data, train, test string) error {
	for _, part := range [][2]string{{"train", train}, {"t10k", test}} {
		folder := filepath.Join(data, "mnist")
		pixels, err := unzip(filepath.Join(folder, part[0]+"-images-idx3-ubyte.gz"))
		if err != nil {
			return err
		}
		classes, err := unzip(filepath.Join(folder, part[0]+"-labels-idx1-ubyte.gz"))
		if err != nil {
			return err
		}
		pixels, classes = pixels[16:], classes[8:]
		const d = 28 * 28
		t := create(part[1], numbered(d)...)
		for i, class := range classes {
			for _, v := range pixels[i*d : (i+1)*d] {
				t.number(float64(v) / 255)
			}
			t.end(strconv.Itoa(int(class)))
		}
		if err := t.close(); err != nil {
			return err
		}
	}
	return nil
}

func unzip(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// flight is a row of the file.
type flight struct {
	Date        int64  `parquet:"date,optional"`
	Delay       int64  `parquet:"delay,optional"`
	Distance    int64  `parquet:"distance,optional"`
	Origin      string `parquet:"origin,optional"`
	Destination string `parquet:"destination,optional"`
}

// flights draws a million flights to train with and 200,000 others to test, in the order of
// the file, labelled by a delay of 15 minutes or more.
func flights(data, train, test string) error {
	all, err := parquet.ReadFile[flight](filepath.Join(data, "flights", "flights-3m.parquet"))
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(5, 6))
	part := make([]byte, len(all))
	for i, at := range r.Perm(len(all))[:1_200_000] {
		part[at] = byte(1 + min(1, i/1_000_000))
	}
	for p, path := range []string{train, test} {
		t := create(path, "hour", "weekday", "month", "distance", "origin", "destination")
		for i, f := range all {
			if part[i] != byte(p+1) {
				continue
			}
			at := time.UnixMicro(f.Date).UTC()
			t.number(float64(at.Hour()) + float64(at.Minute())/60)
			t.number(float64(at.Weekday()))
			t.number(float64(at.Month()))
			t.number(float64(f.Distance))
			t.text(f.Origin)
			t.text(f.Destination)
			t.end(map[bool]string{false: "intime", true: "late"}[f.Delay >= 15])
		}
		if err := t.close(); err != nil {
			return err
		}
	}
	return nil
}
