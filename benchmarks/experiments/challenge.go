package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/matrix"
)

// challenge is a data set of the feature selection challenge of NIPS 2003: rows to
// train on and rows to validate with, of classes −1 and 1.
type challenge struct {
	x, validX           *matrix.Dense
	labels, validLabels []int
}

// readChallenge reads name_train.data, name_train.labels, name_valid.data and
// name_valid.labels in a folder, each possibly with .gz at its end.
func readChallenge(folder, name string) (challenge, error) {
	var c challenge
	var err error
	if c.x, c.labels, err = readPart(folder, name+"_train"); err != nil {
		return c, err
	}
	c.validX, c.validLabels, err = readPart(folder, name+"_valid")
	if err == nil && c.validX.Cols != c.x.Cols {
		err = fmt.Errorf("%s: %d columns to train on, %d to validate with", name, c.x.Cols, c.validX.Cols)
	}
	return c, err
}

func readPart(folder, name string) (x *matrix.Dense, labels []int, err error) {
	err = readFile(filepath.Join(folder, name+".data"), func(r io.Reader) error {
		var err error
		x, err = readNumbers(r)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	err = readFile(filepath.Join(folder, name+".labels"), func(r io.Reader) error {
		column, err := readNumbers(r)
		if err != nil {
			return err
		}
		if column.Cols != 1 || column.Rows != x.Rows {
			return fmt.Errorf("%d×%d labels for %d rows", column.Rows, column.Cols, x.Rows)
		}
		for i, v := range column.Data {
			if v != 1 && v != -1 {
				return fmt.Errorf("row %d: label %v, want 1 or -1", i, v)
			}
			labels = append(labels, int(v))
		}
		return nil
	})
	return x, labels, err
}

// readNumbers reads lines of numbers separated by blanks; lines without any are
// skipped.
func readNumbers(r io.Reader) (*matrix.Dense, error) {
	var rows [][]float64
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		row := make([]float64, len(words))
		for k, word := range words {
			var err error
			if row[k], err = strconv.ParseFloat(word, 64); err != nil {
				return nil, fmt.Errorf("row %d, column %d: %w", len(rows), k, err)
			}
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("there are no rows")
	}
	return matrix.FromRows(rows)
}
