package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/internal/plural"
	"github.com/seed92411348/kfda/matrix"
)

// statusLine is the line of a terminal on which long work says how far it is and how long it
// will take. It is drawn anew while the work goes on, and wiped before anything else is
// written. A nil one, where nobody looks, shows nothing.
type statusLine struct {
	w      io.Writer
	width  int           // of the terminal, in characters
	every  time.Duration // how often it is drawn
	after  time.Duration // how long work takes before
	mu     sync.Mutex
	text   string
	since  time.Time // when the work began
	end    time.Time // when it is thought to end, zero where that is not known
	shown  string    // what is on the line
	closed bool

	stage string    // of step, which one goroutine calls
	began time.Time // when it did
}

// statusLineOf returns the status line of a terminal, nil for another file.
func statusLineOf(w io.Writer) *statusLine {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	return &statusLine{w: f, width: width, every: 250 * time.Millisecond, after: time.Second}
}

// set says what is done of work that is thought to end then.
func (l *statusLine) set(text string, end time.Time) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text == "" && !l.closed {
		l.since = time.Now()
		go l.redraw()
	}
	l.text, l.end = text, end
}

// redraw draws the line until there is nothing to say.
func (l *statusLine) redraw() {
	for {
		time.Sleep(l.every)
		l.mu.Lock()
		if l.closed || l.text == "" {
			l.mu.Unlock()
			return
		}
		if time.Since(l.since) >= l.after {
			l.draw(l.text + leftText(time.Until(l.end), l.end))
		}
		l.mu.Unlock()
	}
}

// leftText says how much time is left, as far as that is known.
func leftText(left time.Duration, end time.Time) string {
	switch {
	case end.IsZero():
		return ""
	case left < -time.Second:
		return ", longer than thought"
	case left < time.Second:
		return ", nearly done"
	case left < time.Minute:
		return fmt.Sprintf(", %.0f s left", left.Seconds())
	case left < time.Hour:
		return fmt.Sprintf(", %d min %02d s left", int(left.Minutes()), int(left.Seconds())%60)
	}
	return fmt.Sprintf(", %d h %02d min left", int(left.Hours()), int(left.Minutes())%60)
}

func (l *statusLine) draw(text string) {
	if r := []rune(text); len(r) >= l.width {
		text = string(r[:l.width-1])
	}
	if text == l.shown {
		return
	}
	blank := utf8.RuneCountInString(l.shown) - utf8.RuneCountInString(text)
	fmt.Fprintf(l.w, "\r%s%s", text, strings.Repeat(" ", max(0, blank)))
	l.shown = text
}

// wipe frees the line for what f writes, or changes of it.
func (l *statusLine) wipe(f func()) {
	if l == nil {
		f()
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown != "" {
		l.draw("")
		io.WriteString(l.w, "\r")
	}
	f()
}

// done ends what the line says.
func (l *statusLine) done() {
	if l != nil {
		l.wipe(func() { l.text = "" })
	}
}

// close ends the line for good: work that was given up may still go on.
func (l *statusLine) close() {
	if l != nil {
		l.wipe(func() { l.closed = true })
	}
}

// results writes the results of a command, after which the line has nothing to say.
type results struct {
	io.Writer
	line *statusLine
}

func (r results) Write(p []byte) (int, error) {
	r.line.done()
	return r.Writer.Write(p)
}

// step says how far a stage of work is. What is left takes as long for each unit as what is done.
func (l *statusLine) step(stage, unit string, done, total int) {
	if l == nil {
		return
	}
	now := time.Now()
	if stage != l.stage || done == 0 {
		l.stage, l.began = stage, now
	}
	var end time.Time
	if done > 0 {
		end = l.began.Add(time.Duration(float64(now.Sub(l.began)) * float64(total) / float64(done)))
	}
	l.set(fmt.Sprintf("%s: %d of %d %s", stage, done, total, unit), end)
}

// inParts is f for all rows of x, where somebody looks part by part.
func inParts[T any](s streams, x *matrix.Dense, f func(dst []T, x *matrix.Dense) ([]T, error)) ([]T, error) {
	const rows = 1 << 13
	if s.line == nil || x.Rows <= rows {
		return f(nil, x)
	}
	dst := make([]T, x.Rows)
	for first := 0; first < x.Rows; first += rows {
		last := min(x.Rows, first+rows)
		s.line.step("prediction", "rows", first, x.Rows)
		if _, err := f(dst[first:last], x.View(first, 0, last-first, x.Cols)); err != nil {
			return f(nil, x) // the error counts rows of x
		}
	}
	s.line.done()
	return dst, nil
}

// estimate says how long one long step of so many floating-point operations will take, at the
// speed at which this machine multiplies matrices.
func (l *statusLine) estimate(what string, flops float64) {
	if l == nil || flops < longFit {
		return
	}
	all := time.Duration(flops / flopsPerSecond() * float64(time.Second))
	l.set(fmt.Sprintf("%s: about %v in all", what, all.Round(time.Second)), time.Now().Add(all))
}

// progressOfSearch returns a callback that announces each stage of a long search, and shows how
// far it is. The plan is that of a fit; where the search is one of many, the time that is left is
// that of all.
func progressOfSearch(s streams, name string, plan discriminant.Plan, folds *cv.Folds, all *searchTime) func(stage string, done, total int) {
	return func(stage string, done, total int) {
		if done == 0 {
			if plan.Bytes >= muchMemory {
				debug.FreeOSMemory() // the matrices of a stage have other sizes than those before
			}
			if folds != nil && total > 1 && float64(total)*plan.Flops >= 20*longFit {
				of := " of " + plural.Count(folds.Rows(), "row")
				if strings.Contains(stage, " in ") { // so many rows
					of = ""
				}
				notice(s.err, "%s%s: %s in %s%s are %d fits, with about %s of memory; Ctrl-C stops them", name, stage,
					plural.Count(total/folds.Len(), "candidate"), plural.Count(folds.Len(), "fold"), of, total, bytesText(plan.Bytes))
			}
		}
		if all == nil || s.line == nil {
			s.line.step(name+stage, "fits", done, total)
			return
		}
		s.line.set(fmt.Sprintf("%s%s: %d of %d fits", name, stage, done, total), all.end(stage, done, total))
	}
}

// searchTime estimates when several searches will have ended, of which some are under way after
// others.
type searchTime struct {
	start           time.Time
	share           float64 // that is done
	after, some, of int     // searches
}

func (t *searchTime) end(stage string, done, total int) time.Time {
	if t.start.IsZero() {
		t.start = time.Now()
	}
	k, n := 1, 1
	fmt.Sscanf(stage, "fold %d of %d: ", &k, &n) // as cv.Nested has it
	// Stages after the first in all rows take little.
	within := 0.95 * float64(done) / float64(max(1, total))
	if strings.HasSuffix(strings.Split(stage, ", shift")[0], " rows") || strings.HasSuffix(stage, "weights") { // in a part of them
		within = 0
	}
	part := (float64(k-1) + within) / float64(n)
	t.share = max(t.share, (float64(t.after)+part*float64(t.some))/float64(t.of))
	if t.share == 0 {
		return time.Time{}
	}
	return t.start.Add(time.Duration(float64(time.Since(t.start)) / t.share))
}
