package main

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/matrix"
)

// dataSet is a table of two classes, −1 and 1, with its divisions into training
// and test rows.
type dataSet struct {
	x      *matrix.Dense
	labels []int
	splits []split
}

// split is one division: every row that is not a training row is a test row.
type split struct {
	number int
	train  []int // 0-based rows, in the order of the file, none twice
}

// readDataSet reads data.csv or data.csv.gz and the file of splits in a folder.
// All splits must have equally many training rows.
func readDataSet(folder, splits string) (dataSet, error) {
	var set dataSet
	err := readFile(filepath.Join(folder, "data.csv"), func(r io.Reader) (err error) {
		set.x, set.labels, err = readTable(r)
		return err
	})
	if err != nil {
		return dataSet{}, err
	}
	err = readFile(filepath.Join(folder, splits), func(r io.Reader) (err error) {
		set.splits, err = readSplits(r, set.x.Rows)
		return err
	})
	return set, err
}

// readFile calls read with the contents of a file or, where it does not exist, of
// that name with .gz at its end.
func readFile(path string, read func(io.Reader) error) error {
	f, err := os.Open(path)
	missing := err
	if compressed := path + ".gz"; errors.Is(err, fs.ErrNotExist) {
		if f, err = os.Open(compressed); errors.Is(err, fs.ErrNotExist) {
			return missing
		}
		path = compressed
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := read(r); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readTable reads features with the label, 1 or -1, in the last column, after one line of
// column names.
func readTable(r io.Reader) (*matrix.Dense, []int, error) {
	x, names, err := tableFile{file: "data.csv"}.parse(r)
	if err != nil {
		return nil, nil, err
	}
	labels := make([]int, len(names))
	for i, name := range names {
		if labels[i], err = strconv.Atoi(name); err != nil || labels[i] != 1 && labels[i] != -1 {
			return nil, nil, fmt.Errorf("row %d: label %q, want 1 or -1", i, name)
		}
	}
	return x, labels, nil
}

// readSplits reads lines "number,row row row …" after one line of column names,
// for a table of n rows.
func readSplits(r io.Reader, n int) ([]split, error) {
	records := csv.NewReader(r)
	records.FieldsPerRecord = 2
	if header, err := records.Read(); err != nil {
		return nil, fmt.Errorf("the line of column names: %w", err)
	} else if header[0] != "split" || header[1] != "train_rows" {
		return nil, fmt.Errorf("the columns are %q, want split and train_rows", header)
	}
	var splits []split
	for {
		record, err := records.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		number, err := strconv.Atoi(record[0])
		if err != nil {
			return nil, fmt.Errorf("the number of a split: %w", err)
		}
		train, err := parseRows(record[1], n)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", number, err)
		}
		if len(splits) > 0 && len(splits[0].train) != len(train) {
			return nil, fmt.Errorf("split %d has %d training rows, the first has %d", number, len(train), len(splits[0].train))
		}
		splits = append(splits, split{number, train})
	}
	if len(splits) == 0 {
		return nil, errors.New("there are no splits")
	}
	return splits, nil
}

// parseRows reads row numbers separated by blanks: at least one, less than n of
// them, each below n and none twice.
func parseRows(text string, n int) ([]int, error) {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) >= n {
		return nil, fmt.Errorf("%d training rows of %d leave nothing to train or to test on", len(words), n)
	}
	rows := make([]int, len(words))
	seen := make([]bool, n)
	for i, word := range words {
		row, err := strconv.Atoi(word)
		if err != nil {
			return nil, err
		}
		if row < 0 || row >= n {
			return nil, fmt.Errorf("row %d of a table of %d rows", row, n)
		}
		if seen[row] {
			return nil, fmt.Errorf("row %d occurs twice", row)
		}
		seen[row], rows[i] = true, row
	}
	return rows, nil
}

// testRows returns the rows that are not training rows, ascending.
func (set dataSet) testRows(s split) []int {
	train := make([]bool, set.x.Rows)
	for _, i := range s.train {
		train[i] = true
	}
	var rows []int
	for i, t := range train {
		if !t {
			rows = append(rows, i)
		}
	}
	return rows
}

// at returns copies of those rows and their labels.
func (set dataSet) at(rows []int) (*matrix.Dense, []int) {
	return takeRows(set.x, rows), take(set.labels, rows)
}

func takeRows(x *matrix.Dense, rows []int) *matrix.Dense {
	taken := matrix.New(len(rows), x.Cols)
	for i, row := range rows {
		copy(taken.Row(i), x.Row(row))
	}
	return taken
}

func take[L any](labels []L, rows []int) []L {
	taken := make([]L, len(rows))
	for i, row := range rows {
		taken[i] = labels[row]
	}
	return taken
}

// errorFloor returns the least share of wrong labels, in %, that any function of
// the features can reach on these rows: equal rows with different labels can't all
// be right.
func errorFloor(x *matrix.Dense, labels []int) float64 {
	counts := make(map[string][2]int)
	for i, label := range labels {
		key := fmt.Sprint(x.Row(i))
		c := counts[key]
		c[(label+1)/2]++
		counts[key] = c
	}
	wrong := 0
	for _, c := range counts {
		wrong += min(c[0], c[1])
	}
	return 100 * float64(wrong) / float64(len(labels))
}
