package main

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// screen is a terminal: what a line that is drawn over shows.
type screen struct {
	mu    sync.Mutex
	lines []string // the last is the one that is written
	at    int      // the place in it
	seen  map[string]bool
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := []rune(s.lines[len(s.lines)-1])
	for _, r := range string(p) {
		switch {
		case r == '\r':
			s.at = 0
		case r == '\n':
			line := strings.TrimRight(string(text), " ")
			s.seen[line] = true
			s.lines, text, s.at = append(s.lines[:len(s.lines)-1], line, ""), nil, 0
		case s.at < len(text):
			text[s.at] = r
			s.at++
		default:
			text = append(text, r)
			s.at++
		}
	}
	s.lines[len(s.lines)-1] = string(text)
	s.seen[strings.TrimRight(string(text), " ")] = true
	return len(p), nil
}

// A line of a terminal says what is done and what is left, gives way to messages and results,
// and is gone at the end.
func TestStatusLine(t *testing.T) {
	s := &screen{lines: []string{""}, seen: map[string]bool{}}
	l := &statusLine{w: s, width: 40, every: time.Millisecond}
	drawn := func(words string) {
		t.Helper()
		for range 2000 {
			time.Sleep(time.Millisecond)
			s.mu.Lock()
			for text := range s.seen {
				if strings.Contains(text, words) {
					s.mu.Unlock()
					return
				}
			}
			s.mu.Unlock()
		}
		t.Errorf("%q was not drawn, but %v", words, s.seen)
	}
	l.step("folds", "fits", 0, 4)
	drawn("folds: 0 of 4 fits")
	l.began = time.Now().Add(-time.Minute)
	l.step("folds", "fits", 1, 4)
	drawn("folds: 1 of 4 fits, 2 min 59 s left")
	notice(messages{s, nil, l}, "a message")
	drawn("kfda: a message")
	l.step("folds", "fits", 4, 4)
	drawn("folds: 4 of 4 fits, nearly done")
	l.set(strings.Repeat("long", 20), time.Time{})
	drawn(strings.Repeat("long", 9) + "lon") // one less than the width
	if _, err := (results{s, l}).Write([]byte("results\n")); err != nil {
		t.Error(err)
	}
	l.estimate("fit", 2*longFit)
	drawn("fit: about ")
	l.close()
	time.Sleep(20 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	if got := strings.Join(s.lines, "\n"); strings.TrimRight(got, " ") != "kfda: a message\nresults\n" {
		t.Errorf("the terminal shows %q", got)
	}
}

func TestLeftText(t *testing.T) {
	for want, left := range map[string]time.Duration{
		", longer than thought": -2 * time.Second, ", nearly done": 0, ", 7 s left": 7 * time.Second, ", 2 min 05 s left": 125 * time.Second, ", 3 h 07 min left": 187*time.Minute + 8*time.Second,
	} {
		if got := leftText(left, time.Now()); got != want {
			t.Errorf("%v: %q, want %q", left, got, want)
		}
	}
	if got := leftText(time.Hour, time.Time{}); got != "" {
		t.Errorf("of an end that is not known: %q", got)
	}
}

// The end of nested searches is that of all of them, as the library names their stages.
func TestSearchTime(t *testing.T) {
	x, y := matrix.New(30, 1), make([]int, 30)
	for i := range y {
		x.Set(i, 0, math.Sin(float64(i)))
		y[i] = i % 2
	}
	folds := must.Get(cv.Stratified(y, 3, 0))(t)
	all, share := searchTime{some: 1, of: 1}, []float64{}
	q := cv.Search{Refinements: -1, Progress: func(stage string, done, total int) {
		all.end(stage, done, total)
		share = append(share, all.share)
	}}
	must.Get(cv.Nested(t.Context(), q, x, y, folds))(t)
	last := 0.0
	for _, v := range share {
		if v < last {
			t.Fatalf("the share that is done falls from %v to %v", last, v)
		}
		last = v
	}
	if last < 0.95 || last > 1 || len(share) < 10 {
		t.Errorf("at the end %v is done, after %d steps", last, len(share))
	}
	all = searchTime{start: time.Now().Add(-time.Minute), some: 1, of: 1}
	if left := time.Until(all.end("fold 2 of 4: search", 0, 7)); math.Abs(left.Minutes()-3) > 0.05 {
		t.Errorf("%v left after one of four searches in a minute", left)
	}
	// Of three models, each searched four times, five searches are done.
	all = searchTime{start: time.Now().Add(-5 * time.Minute), after: 4, some: 3, of: 12}
	if left := time.Until(all.end("fold 2 of 3: search", 0, 7)); math.Abs(left.Minutes()-7) > 0.05 {
		t.Errorf("%v left after five of twelve searches in five minutes", left)
	}
}

// What is predicted part by part is what is predicted at once.
func TestInParts(t *testing.T) {
	x := matrix.New(20000, 2)
	for i := range x.Data {
		x.Data[i] = float64(i * 7919 % 1013)
	}
	rows := 0
	sum := func(dst []float64, x *matrix.Dense) ([]float64, error) {
		rows = max(rows, x.Rows)
		for i := range dst {
			dst[i] = x.At(i, 0) - x.At(i, 1)
		}
		return dst, nil
	}
	got := must.Get(inParts(streams{line: &statusLine{w: &strings.Builder{}, closed: true}}, x, sum))(t)
	for i, v := range got {
		if v != x.At(i, 0)-x.At(i, 1) {
			t.Fatalf("row %d: %v", i, v)
		}
	}
	if rows > 1<<13 {
		t.Errorf("a part has %d rows", rows)
	}
}
