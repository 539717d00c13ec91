package table

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// messyDir is the folder of files as users have them, which are not part of the
// repository.
func messyDir(t *testing.T) string {
	data := os.Getenv("KFDA_DATA")
	if data == "" {
		t.Skip("KFDA_DATA is not set: the data sets outside of the repository are not tested")
	}
	return filepath.Join(data, "messy")
}

func TestMessyRead(t *testing.T) {
	dir := messyDir(t)
	for _, c := range []struct {
		file       string
		opt        Options
		rows, cols int
		classes    map[string]int
		last       []float64 // end of the last row
	}{
		{"Iris.csv", Options{Ignore: []string{"Id"}}, 150, 4, map[string]int{"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}, []float64{5.1, 1.8}},
		{"FisherIris.csv", Options{Label: "Type"}, 150, 4, map[string]int{"Setosa": 50, "Versicolor": 50, "Virginica": 50}, nil},
		{"Fish.csv", Options{Label: "Species"}, 159, 6, map[string]int{"Perch": 56, "Bream": 35, "Roach": 20, "Pike": 17, "Smelt": 14, "Parkki": 11, "Whitefish": 6}, nil},
		{"penguins.csv", Options{Label: "species", Ignore: []string{"island", "sex"}, Missing: DropMissing}, 342, 4, map[string]int{"Adelie": 151, "Gentoo": 123, "Chinstrap": 68}, nil},
		{"titanic.csv", Options{Label: "2", Ignore: []string{"PassengerId,Name,Sex,Ticket", "Cabin", "Embarked"}, Missing: DropMissing}, 714, 5, map[string]int{"0": 424, "1": 290}, nil},
		{"breast-cancer-wisconsin.data", Options{Ignore: []string{"1"}, Missing: DropMissing}, 683, 9, map[string]int{"2": 444, "4": 239}, []float64{5, 10, 4, 1}},
		{"winequality-red.csv", Options{}, 1454, 11, map[string]int{"3": 7, "4": 47, "5": 622, "6": 573, "7": 188, "8": 17}, nil},
		{"quality.csv", Options{}, 131, 13, map[string]int{"0": 98, "1": 33}, nil},
		{"bone.data", Options{Label: "gender"}, 485, 3, map[string]int{"female": 259, "male": 226}, nil},
		{"seeds_dataset.txt", Options{}, 210, 7, map[string]int{"1": 70, "2": 70, "3": 70}, nil},
		{"quality.csv", Options{Ignore: []string{"MemberID", "StartedOnCombination"}}, 131, 11, map[string]int{"0": 98, "1": 33}, nil},
		{"heart_scale", Options{}, 270, 13, map[string]int{"1": 120, "-1": 150}, nil},
		{"svmguide2.txt", Options{}, 391, 20, map[string]int{"1": 221, "2": 117, "3": 53}, nil},
		{"iris.arff", Options{}, 150, 4, map[string]int{"Iris-setosa": 50, "Iris-versicolor": 50, "Iris-virginica": 50}, []float64{5.1, 1.8}},
		{"banana_train_labels_1.asc", Options{Unlabelled: true, Layout: &Layout{Features: []int{0}, Width: 1}}, 400, 1, map[string]int{}, nil},
	} {
		tab, err := Read(filepath.Join(dir, c.file), nil, c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if tab.X.Rows != c.rows || tab.X.Cols != c.cols {
			t.Errorf("%s: %d×%d, want %d×%d", c.file, tab.X.Rows, tab.X.Cols, c.rows, c.cols)
		}
		got := map[string]int{}
		for _, l := range tab.Labels {
			got[l]++
		}
		if !maps.Equal(got, c.classes) {
			t.Errorf("%s: classes %v, want %v", c.file, got, c.classes)
		}
		if row := tab.X.Row(c.rows - 1); !slices.Equal(row[len(row)-len(c.last):], c.last) {
			t.Errorf("%s: last row %v, want … %v", c.file, row, c.last)
		}
	}
}

func TestMessyRefused(t *testing.T) {
	dir := messyDir(t)
	for _, c := range []struct {
		file  string
		opt   Options
		words []string
	}{
		{"penguins.csv", Options{Label: "species"}, []string{":5: row 4", "--missing median"}},
		{"penguins.csv", Options{Label: "species", Ignore: []string{"island,sex"}}, []string{":5: row 4, column 3 (bill_length_mm)", "8 feature cells missing in 2 of 344 rows"}},
		{"titanic.csv", Options{Label: "Survived"}, []string{":2: row 1, column 4 (Name)", "--ignore PassengerId,Name,Ticket,Cabin --missing median"}},
		{"breast-cancer-wisconsin.data", Options{}, []string{":24: row 24, column 7", "16 feature cells missing in 16 of 699 rows"}},
		{"seeds_dataset.txt", Options{Separator: '\t'}, []string{":8: row 8: 8 cells expected", "9 found", "--separator blank"}},
		{"vote.arff", Options{}, []string{"row 1", "392 feature cells missing in 203 of 435 rows"}},
		{"banana_train_data_1.asc", Options{}, []string{"as many classes as rows (400)"}},
	} {
		_, err := Read(filepath.Join(dir, c.file), nil, c.opt)
		if err == nil {
			t.Errorf("%s %+v: no error", c.file, c.opt)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: error %q does not say %q", c.file, err, w)
			}
		}
	}
}

// Row numbers as a feature give away the class of a sorted file.
func TestMessyRowNumbers(t *testing.T) {
	dir := messyDir(t)
	var notices []string
	_, err := Read(filepath.Join(dir, "Iris.csv"), nil, Options{Notice: func(s string) { notices = append(notices, s) }})
	if err != nil || !strings.Contains(strings.Join(notices, "\n"), "column 1 (Id) counts the rows") {
		t.Errorf("error %v, notices %q", err, notices)
	}
}
