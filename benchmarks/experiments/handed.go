package main

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/matrix"
)

// handedSet is a data set of the table of defaults.
type handedSet struct {
	name  string
	train int  // how many rows, the first, train in its own division; 0 where it has none
	named bool // takes part only where it is named
	read  func(folder string) (*matrix.Dense, []string, error)
}

// mostRows is how many rows of a set without a division of its own take part.
const mostRows = 2000

// handedSets are ordered by what they cost.
var handedSets = []handedSet{
	{name: "iris", read: plain("classic/iris.csv")},
	{name: "FisherIris", read: tableFile{file: "messy/FisherIris.csv"}.read},
	{name: "wine", read: plain("classic/wine.csv")},
	{name: "Fish", read: tableFile{file: "messy/Fish.csv"}.read},
	{name: "quality", read: tableFile{file: "messy/quality.csv", label: 13, leave: []int{0}, codes: codes{"FALSE": 0, "TRUE": 1}}.read},
	{name: "seeds", read: tableFile{file: "messy/seeds_dataset.txt", comma: ' ', noHeader: true, label: 7}.read},
	{name: "thyroid", read: plain("raetsch/thyroid/data.csv")},
	{name: "sonar", read: plain("classic/sonar.csv")},
	{name: "heart", read: plain("raetsch/heart/data.csv")},
	{name: "heart_scale", read: sparseFile("messy/heart_scale")},
	{name: "penguins", read: tableFile{file: "messy/penguins.csv", leave: []int{1, 6}}.read},
	{name: "ionosphere", read: plain("classic/ionosphere.csv")},
	{name: "svmguide2", read: sparseFile("messy/svmguide2.txt")},
	{name: "vote", read: tableFile{file: "messy/vote.arff", after: "@data", noHeader: true, label: 16, codes: codes{"'n'": -1, "'y'": 1, "?": 0}}.read},
	{name: "bone", read: tableFile{file: "messy/bone.data", comma: ' ', label: 2, leave: []int{0}}.read},
	{name: "breast-cancer", read: tableFile{file: "messy/breast-cancer-wisconsin.data", noHeader: true, label: 10, leave: []int{0}}.read},
	{name: "titanic-passengers", read: tableFile{file: "messy/titanic.csv", label: 1, leave: []int{0, 3, 8, 10, 11}, codes: codes{"male": 0, "female": 1}}.read},
	{name: "ktest", read: ktest},
	{name: "arcene", read: challengeRows("arcene")},
	{name: "vowel", train: 528, read: vowel},
	{name: "winequality-red", read: tableFile{file: "messy/winequality-red.csv", comma: ';', label: 11}.read},
	{name: "titanic", read: plain("raetsch/titanic/data.csv")},
	{name: "banana", read: plain("raetsch/banana/data.csv")},
	{name: "ringnorm", read: plain("raetsch/ringnorm/data.csv")},
	{name: "image", read: plain("raetsch/image/data.csv")},
	{name: "digits", read: plain("classic/digits.csv")},
	{name: "letter", read: plain("classic/letter.csv")},
	{name: "madelon", read: challengeRows("madelon")},
	{name: "mnist", train: 5000, named: true, read: mnist},
}

// load reads the set, with the numbers of the classes for labels; of one with more
// than mostRows rows that has no division of its own a random part remains, the same in
// every run.
func (s handedSet) load(folder string) (*matrix.Dense, []int, error) {
	x, names, err := s.read(folder)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.name, err)
	}
	if s.train == 0 && x.Rows > mostRows {
		rows := rand.New(rand.NewPCG(0, 0)).Perm(x.Rows)[:mostRows]
		x, names = takeRows(x, rows), take(names, rows)
	}
	classes, labels := discriminant.Classes(names), make([]int, len(names))
	for i, name := range names {
		labels[i] = slices.Index(classes, name)
	}
	return x, labels, nil
}

func (s handedSet) title() string { return s.name }

// plain reads a table with a header and the label in its last column.
func plain(file string) func(string) (*matrix.Dense, []string, error) {
	return tableFile{file: file, label: -1}.read
}

// codes are the numbers that stand for cells of text.
type codes map[string]float64

// tableFile says how a table is written. Rows with an empty cell or "?", which
// is no code, in a column of features are left out.
type tableFile struct {
	file     string
	after    string // the line before the table
	comma    rune   // ',' where 0; ' ' is any run of blanks and tabs
	noHeader bool
	label    int   // the column; from the end where negative
	leave    []int // other columns that are not features
	codes    codes
}

func (t tableFile) read(folder string) (x *matrix.Dense, labels []string, err error) {
	err = readFile(filepath.Join(folder, t.file), func(r io.Reader) (err error) {
		x, labels, err = t.parse(r)
		return err
	})
	return x, labels, err
}

func (t tableFile) parse(r io.Reader) (*matrix.Dense, []string, error) {
	records, err := t.records(r)
	if err != nil {
		return nil, nil, err
	}
	var rows [][]float64
	var labels []string
next:
	for i, record := range records {
		var row []float64
		label := (t.label + len(record)) % len(record)
		for k, cell := range record {
			if k == label || slices.Contains(t.leave, k) {
				continue
			}
			v, coded := t.codes[cell]
			if !coded {
				if cell == "" || cell == "?" {
					continue next
				}
				if v, err = strconv.ParseFloat(cell, 64); err != nil {
					return nil, nil, fmt.Errorf("row %d, column %d: %w", i, k, err)
				}
			}
			row = append(row, v)
		}
		rows, labels = append(rows, row), append(labels, record[label])
	}
	x, err := matrix.FromRows(rows)
	return x, labels, err
}

// records returns the cells of the rows, all equally many.
func (t tableFile) records(r io.Reader) ([][]string, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
	if t.after != "" {
		_, text, _ = bytes.Cut(text, []byte("\n"+t.after+"\n"))
	}
	if t.comma == ' ' {
		var lines []string
		for line := range strings.Lines(string(text)) {
			lines = append(lines, strings.Join(strings.Fields(line), ","))
		}
		text = []byte(strings.Join(lines, "\n"))
	}
	records := csv.NewReader(bytes.NewReader(text))
	records.Comment = '%'
	if t.comma != 0 && t.comma != ' ' {
		records.Comma = t.comma
	}
	all, err := records.ReadAll()
	if err != nil {
		return nil, err
	}
	if !t.noHeader && len(all) > 0 {
		all = all[1:]
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there are no rows")
	}
	return all, nil
}

// sparseFile reads lines "label index:value …", indices from 1, without those of zeros.
func sparseFile(file string) func(string) (*matrix.Dense, []string, error) {
	return func(folder string) (x *matrix.Dense, labels []string, err error) {
		var rows []map[int]float64
		d := 0
		err = readFile(filepath.Join(folder, file), func(r io.Reader) error {
			text, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(text)) {
				words := strings.Fields(line)
				if len(words) == 0 {
					continue
				}
				row := map[int]float64{}
				for _, word := range words[1:] {
					var k int
					var v float64
					if _, err := fmt.Sscanf(word, "%d:%g", &k, &v); err != nil {
						return fmt.Errorf("row %d, %q: %w", len(rows), word, err)
					}
					row[k] = v
					d = max(d, k)
				}
				rows, labels = append(rows, row), append(labels, words[0])
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		x = matrix.New(len(rows), d)
		for i, row := range rows {
			for k, v := range row {
				x.Set(i, k-1, v)
			}
		}
		return x, labels, nil
	}
}

// challengeRows are the rows to train on and those to validate with, after each other.
func challengeRows(name string) func(string) (*matrix.Dense, []string, error) {
	return func(folder string) (*matrix.Dense, []string, error) {
		c, err := readChallenge(filepath.Join(folder, name), name)
		if err != nil {
			return nil, nil, err
		}
		var labels []string
		for _, label := range slices.Concat(c.labels, c.validLabels) {
			labels = append(labels, strconv.Itoa(label))
		}
		return stack(c.x, c.validX), labels, nil
	}
}

// vowel are the rows of the eight speakers to train on, then those of the others.
func vowel(folder string) (*matrix.Dense, []string, error) {
	x, labels, err := tableFile{file: "vowel/vowel_train.csv", label: 1, leave: []int{0, 12}}.read(folder)
	if err != nil {
		return nil, nil, err
	}
	y, others, err := tableFile{file: "vowel/vowel_test.csv", label: 1, leave: []int{0}}.read(folder)
	if err != nil {
		return nil, nil, err
	}
	return stack(x, y), slices.Concat(labels, others), nil
}

// ktest has the group in the names of the rows.
func ktest(folder string) (*matrix.Dense, []string, error) {
	x, names, err := tableFile{file: "ktest/RTqPCR_reversion_logcentered.csv"}.read(folder)
	for i, name := range names {
		_, group, _ := strings.Cut(name, ".")
		names[i], _, _ = strings.Cut(group, ".")
	}
	return x, names, err
}

// mnist are the first 5,000 images to train on, then those to test with.
func mnist(folder string) (*matrix.Dense, []string, error) {
	x, labels, err := images(filepath.Join(folder, "mnist"), "train", 5000)
	if err != nil {
		return nil, nil, err
	}
	y, others, err := images(filepath.Join(folder, "mnist"), "t10k", 10000)
	if err != nil {
		return nil, nil, err
	}
	return stack(x, y), slices.Concat(labels, others), nil
}

// images reads the first n images of name-images-idx3-ubyte and their labels.
func images(folder, name string, n int) (x *matrix.Dense, labels []string, err error) {
	err = readFile(filepath.Join(folder, name+"-images-idx3-ubyte"), func(r io.Reader) error {
		var header [4]uint32 // magic number, images, rows, columns
		if err := binary.Read(r, binary.BigEndian, &header); err != nil {
			return err
		}
		pixels := make([]byte, n*int(header[2]*header[3]))
		if _, err := io.ReadFull(r, pixels); err != nil {
			return err
		}
		x = matrix.New(n, len(pixels)/n)
		for i, v := range pixels {
			x.Data[i] = float64(v)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	err = readFile(filepath.Join(folder, name+"-labels-idx1-ubyte"), func(r io.Reader) error {
		digits := make([]byte, 8+n)
		_, err := io.ReadFull(r, digits)
		for _, digit := range digits[8:] {
			labels = append(labels, strconv.Itoa(int(digit)))
		}
		return err
	})
	return x, labels, err
}

func stack(x, y *matrix.Dense) *matrix.Dense {
	both := matrix.New(x.Rows+y.Rows, x.Cols)
	copy(both.Data, x.Data)
	copy(both.Data[len(x.Data):], y.Data)
	return both
}
