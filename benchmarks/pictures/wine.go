package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// wine reads the demonstration's table.
func wine(root string) (*matrix.Dense, []string, error) {
	f, err := os.Open(filepath.Join(root, "cmd", "kfda", "demo", "wine.csv"))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	var rows [][]float64
	var labels []string
	for _, record := range records[1:] {
		last := len(record) - 1
		row := make([]float64, last)
		for j, cell := range record[:last] {
			if row[j], err = strconv.ParseFloat(cell, 64); err != nil {
				return nil, nil, err
			}
		}
		rows = append(rows, row)
		labels = append(labels, record[last])
	}
	x, err := matrix.FromRows(rows)
	return x, labels, err
}

// twoWines are the rows of the first two cultivars, columns standardised.
func twoWines(root string) (*matrix.Dense, []int, error) {
	x, labels, err := wine(root)
	if err != nil {
		return nil, nil, err
	}
	var rows [][]float64
	var codes []int
	for i, l := range labels {
		if l != "class_2" {
			rows = append(rows, x.Row(i))
			codes = append(codes, int(l[len(l)-1]-'0'))
		}
	}
	if x, err = matrix.FromRows(rows); err != nil {
		return nil, nil, err
	}
	scaler, err := discriminant.FitScaler(discriminant.Standard, x)
	if err != nil {
		return nil, nil, err
	}
	x, err = scaler.Transform(nil, x)
	return x, codes, err
}
