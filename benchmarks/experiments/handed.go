package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
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
	{name: "FisherIris", read: tableFile{file: "messy/FisherIris.csv", label: "1"}.read},
	{name: "wine", read: plain("classic/wine.csv")},
	{name: "Fish", read: tableFile{file: "messy/Fish.csv", label: "1"}.read},
	{name: "quality", read: tableFile{file: "messy/quality.csv", label: "14", ignore: "1", edit: strings.NewReplacer("FALSE", "0", "TRUE", "1").Replace}.read},
	{name: "seeds", read: tableFile{file: "messy/seeds_dataset.txt", blanks: true, noHeader: true, label: "8"}.read},
	{name: "thyroid", read: plain("raetsch/thyroid/data.csv")},
	{name: "sonar", read: plain("classic/sonar.csv")},
	{name: "heart", read: plain("raetsch/heart/data.csv")},
	{name: "heart_scale", read: sparseFile("messy/heart_scale")},
	{name: "penguins", read: tableFile{file: "messy/penguins.csv", label: "1", ignore: "2,7"}.read},
	{name: "ionosphere", read: plain("classic/ionosphere.csv")},
	{name: "svmguide2", read: sparseFile("messy/svmguide2.txt")},
	{name: "vote", read: tableFile{file: "messy/vote.arff", after: "@data", noHeader: true, label: "17", edit: strings.NewReplacer("'n'", "-1", "'y'", "1", "?", "0", "%", "").Replace}.read},
	{name: "bone", read: tableFile{file: "messy/bone.data", label: "3", ignore: "1"}.read},
	{name: "breast-cancer", read: tableFile{file: "messy/breast-cancer-wisconsin.data", noHeader: true, label: "11", ignore: "1"}.read},
	{name: "titanic-passengers", read: tableFile{file: "messy/titanic.csv", label: "2", ignore: "1,4,9,11,12", edit: strings.NewReplacer("male", "0", "female", "1").Replace}.read},
	{name: "ktest", read: tableFile{file: "ktest/RTqPCR_reversion_logcentered.csv", label: "1", edit: groups}.read},
	{name: "arcene", read: challengeRows("arcene")},
	{name: "vowel", train: 528, read: vowel},
	{name: "winequality-red", read: tableFile{file: "messy/winequality-red.csv", label: "12"}.read},
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
	return tableFile{file: file}.read
}

// tableFile says how a table is written. Rows with missing cells in a column of features
// are left out.
type tableFile struct {
	file     string
	after    string // what stands before the table
	noHeader bool
	label    string                   // position of the column, from 1; "" is the last
	ignore   string                   // positions of other columns that are not features
	blanks   bool                     // between cells
	edit     func(text string) string // makes it a table of numbers
}

func (t tableFile) read(folder string) (x *matrix.Dense, labels []string, err error) {
	err = readFile(filepath.Join(folder, t.file), func(r io.Reader) (err error) {
		x, labels, err = t.parse(r)
		return err
	})
	return x, labels, err
}

func (t tableFile) parse(r io.Reader) (*matrix.Dense, []string, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	text := string(data)
	if t.after != "" {
		_, text, _ = strings.Cut(text, "\n"+t.after)
	}
	if t.edit != nil {
		text = t.edit(text)
	}
	opt := table.Options{Format: table.Separated, Header: table.WithHeader, Label: t.label, Missing: table.DropMissing}
	if t.noHeader {
		opt.Header = table.NoHeader
	}
	if t.blanks {
		opt.Separator = ' '
	}
	if t.ignore != "" {
		opt.Ignore = []string{t.ignore}
	}
	read, err := table.ReadFrom(t.file, strings.NewReader(text), opt)
	if err != nil {
		return nil, nil, err
	}
	return read.X, read.Labels, nil
}

// sparseFile reads a libsvm file.
func sparseFile(file string) func(string) (*matrix.Dense, []string, error) {
	return func(folder string) (*matrix.Dense, []string, error) {
		t, err := table.Read(filepath.Join(folder, file), nil, table.Options{Format: table.Libsvm})
		if err != nil {
			return nil, nil, err
		}
		return t.X, t.Labels, nil
	}
}

// groups leaves of the rows' names, cell.group.number, the groups.
func groups(text string) string {
	return regexp.MustCompile(`(?m)^("?)[^.,]*\.(\w+)[^",]*`).ReplaceAllString(text, "$1$2")
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
	x, labels, err := tableFile{file: "vowel/vowel_train.csv", label: "2", ignore: "1,13"}.read(folder)
	if err != nil {
		return nil, nil, err
	}
	y, others, err := tableFile{file: "vowel/vowel_test.csv", label: "2", ignore: "1"}.read(folder)
	if err != nil {
		return nil, nil, err
	}
	return stack(x, y), slices.Concat(labels, others), nil
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
