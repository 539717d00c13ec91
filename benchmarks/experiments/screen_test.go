package main

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// The γ that are kept are those of the largest alignment.
func TestMostAligned(t *testing.T) {
	x := matrix.New(30, 2)
	labels := make([]string, x.Rows)
	for i := range labels {
		labels[i] = []string{"a", "b", "c"}[i%3]
		x.Set(i, 0, float64(i%3)*10+float64(i%4))
		x.Set(i, 1, float64(i%5))
	}
	gammas := []float64{100, 1e-5, 0.02, 1e-3, 0.1}
	kept, err := mostAligned(context.Background(), discriminant.NoScaling, x, labels, gammas)
	if err != nil || len(kept) != screened {
		t.Fatalf("kept %v, %v", kept, err)
	}
	all := must.Get(cv.Alignments(context.Background(), x, labels, gammas))(t)
	for i, gamma := range gammas {
		larger := 0
		for _, a := range all {
			if a > all[i] {
				larger++
			}
		}
		if slices.Contains(kept, gamma) != (larger < screened) {
			t.Errorf("γ = %v of the alignment %v among %v: kept are %v", gamma, all[i], all, kept)
		}
	}
}

// On classes that are easy to tell apart both searches are right.
func TestScreenCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("whole experiments are left to the long tests")
	}
	folder := easyIris(t)
	var out bytes.Buffer
	must.Do(t, run(context.Background(), []string{"screen", "iris"}, folder, &out, io.Discard))
	if !strings.Contains(out.String(), "| iris | 10 | 30 | 30 | 30 |") {
		t.Errorf("the table is\n%s", &out)
	}
	if err := run(context.Background(), []string{"screen", "roses"}, folder, &out, io.Discard); err == nil || !strings.Contains(err.Error(), `no data set "roses"`) {
		t.Errorf("another data set: %v", err)
	}
}

// Of equal alignments the smaller γ are kept, and of scalings with as many errors the first.
func TestScreenTies(t *testing.T) {
	x := matrix.New(30, 1)
	labels := make([]string, x.Rows)
	for i := range labels {
		labels[i] = []string{"a", "b"}[i%2]
		x.Set(i, 0, float64(i%2)*1000+float64(i))
	}
	kept, err := mostAligned(context.Background(), discriminant.NoScaling, x, labels, []float64{1e8, 1e6, 1e9, 1e7}) // all make the identity
	if slices.Sort(kept); err != nil || !slices.Equal(kept, []float64{1e6, 1e7, 1e8}) {
		t.Errorf("kept %v, %v", kept, err)
	}
	tuned := must.Get(searchScalings(context.Background(), x, labels, false))(t)
	if best := tuned.Record.Candidates[tuned.Record.Best]; best.Errors != 0 || best.Scaling != discriminant.NoScaling {
		t.Errorf("the best is %v with %d errors, want no scaling and none", best, best.Errors)
	}
}
