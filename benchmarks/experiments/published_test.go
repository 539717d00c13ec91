package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// shifted makes rows of 100 whole numbers, of which the first ten tell the classes
// apart.
func shifted(n int, random *rand.Rand) (*matrix.Dense, []int) {
	x, labels := matrix.New(n, 100), make([]int, n)
	for i := range labels {
		labels[i] = 2*(i%2) - 1
		for k := range x.Row(i) {
			v := random.IntN(100)
			if k < 10 {
				v += 20 * (labels[i] + 1)
			}
			x.Set(i, k, float64(v))
		}
	}
	return x, labels
}

func smallChallenge() challenge {
	random := rand.New(rand.NewPCG(3, 4))
	var c challenge
	c.x, c.labels = shifted(130, random)
	c.validX, c.validLabels = shifted(40, random)
	return c
}

func writeChallenge(t *testing.T, folder, name string, c challenge) {
	t.Helper()
	must.Do(t, os.MkdirAll(folder, 0o755))
	part := func(name string, x *matrix.Dense, labels []int) {
		var rows, column strings.Builder
		for i, label := range labels {
			rows.WriteString(strings.Trim(fmt.Sprint(x.Row(i)), "[]") + " \n")
			fmt.Fprintln(&column, label)
		}
		writeFile(t, filepath.Join(folder, name+".data"), rows.String()+"\n")
		writeFile(t, filepath.Join(folder, name+".labels"), column.String())
	}
	part(name+"_train", c.x, c.labels)
	part(name+"_valid", c.validX, c.validLabels)
}

func TestReadChallenge(t *testing.T) {
	folder := t.TempDir()
	want := smallChallenge()
	writeChallenge(t, folder, "small", want)
	got, err := readChallenge(folder, "small")
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read another table than was written, error %v", err)
	}
	for _, c := range []struct{ file, text string }{
		{"small_train.data", "1 2\n3\n"},
		{"small_train.data", "1 a\n"},
		{"small_train.data", ""},
		{"small_train.labels", "1\n-1\n"},
		{"small_train.labels", strings.Repeat("2\n", 130)},
		{"small_valid.data", strings.Repeat("1 2\n", 40)},
	} {
		writeChallenge(t, folder, "small", want)
		writeFile(t, filepath.Join(folder, c.file), c.text)
		if _, err := readChallenge(folder, "small"); err == nil {
			t.Errorf("%s with %.10q: no error", c.file, c.text)
		}
	}
	if _, err := readChallenge(folder, "none"); err == nil {
		t.Error("no error for files that do not exist")
	}
}

// The whole experiment on small tables, the same for any number of workers. The sound
// protocol learns the classes; the published one, whose rbf kernels see hardly any
// difference, need not.
func TestPublishedExperiment(t *testing.T) {
	if testing.Short() {
		t.Skip("whole experiments are left to the long tests")
	}
	folder := t.TempDir()
	writeChallenge(t, filepath.Join(folder, "small"), "small", smallChallenge())
	sets := []publication{{"small", make([]float64, len(variants))}}
	var tables []string
	for _, workers := range []int{1, 3} {
		var out bytes.Buffer
		must.Do(t, published(context.Background(), folder, sets, 130, workers, &out, io.Discard))
		tables = append(tables, out.String())
	}
	if tables[0] != tables[1] {
		t.Errorf("tables differ between 1 and 3 workers:\n%s\n%s", tables[0], tables[1])
	}
	if strings.Count(tables[0], "**") != 2 || !strings.Contains(tables[0], "130 rows to train on, 40 to validate with, 100 columns") {
		t.Errorf("want one validated candidate:\n%s", tables[0])
	}
}

// What is chosen does not depend on the validation rows.
func TestSoundChoiceSeesTrainingRowsOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("whole experiments are left to the long tests")
	}
	set := smallChallenge()
	want := must.Get(chooseSound(context.Background(), set, 130, 2))(t)
	if want.right < 36 {
		t.Errorf("%d of 40 validation rows right", want.right)
	}
	for i := range set.validLabels {
		set.validLabels[i] = -set.validLabels[i]
	}
	got := must.Get(chooseSound(context.Background(), set, 130, 2))(t)
	if got.right != 40-want.right {
		t.Errorf("%d right with the labels flipped, %d without", got.right, want.right)
	}
	got.right = want.right
	if !reflect.DeepEqual(got, want) {
		t.Errorf("chose %v, with other validation labels %v", want.chosen, got.chosen)
	}
}

func TestChoosePublications(t *testing.T) {
	if all, err := choose(publications, nil); err != nil || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	if one, err := choose(publications, []string{"madelon"}); err != nil || len(one) != 1 || one[0].name != "madelon" {
		t.Errorf("%v, %v", one, err)
	}
	if _, err := choose(publications, []string{"iris"}); err == nil {
		t.Error("no error for a data set that there is not")
	}
}
