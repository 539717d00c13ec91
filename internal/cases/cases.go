// Package cases finds the small inputs of known faults, for tests: one folder a case, in testdata.
// Its expected.md says where the fault was met, what to do with the files, and the right outcome.
package cases

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Files returns the paths that match a pattern of [filepath.Glob] below testdata.
func Files(t testing.TB, pattern string) []string {
	t.Helper()
	// Tests run in their package's folder, also under an emulator: the root is above it.
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		root := filepath.Join(dir, "internal", "cases", "testdata")
		if _, err := os.Stat(root); err == nil {
			files, err := filepath.Glob(filepath.Join(root, pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("no file matches %s below %s: %v", pattern, root, err)
			}
			return files
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("no folder internal/cases/testdata above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// File returns the path of a case's file, named as "case/file".
func File(t testing.TB, name string) string {
	t.Helper()
	return Files(t, name)[0]
}

// Read returns the bytes of a case's file.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Records returns the cells of a CSV file.
func Records(t testing.TB, name string) [][]string {
	t.Helper()
	file, err := os.Open(File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// Numbers returns the rows of a CSV file of numbers, without its header if it has one.
func Numbers(t testing.TB, name string) [][]float64 {
	t.Helper()
	records := Records(t, name)
	if _, err := strconv.ParseFloat(records[0][0], 64); err != nil {
		records = records[1:]
	}
	return numbers(t, records)
}

// Labelled returns the rows and the labels, in the last column, of a CSV file with a header.
func Labelled(t testing.TB, name string) (rows [][]float64, labels []string) {
	t.Helper()
	records := Records(t, name)[1:]
	for i, record := range records {
		last := len(record) - 1
		labels = append(labels, record[last])
		records[i] = record[:last]
	}
	return numbers(t, records), labels
}

func numbers(t testing.TB, records [][]string) [][]float64 {
	t.Helper()
	rows := make([][]float64, len(records))
	for i, record := range records {
		for _, cell := range record {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			rows[i] = append(rows[i], v)
		}
	}
	return rows
}
