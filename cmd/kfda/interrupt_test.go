package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed92411348/kfda/internal/must"
)

// A fit or a search that was interrupted has written nothing.
func TestCanceled(t *testing.T) {
	model := filepath.Join(t.TempDir(), "m")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range []string{"fit -o", "tune -o", "tune --model lda -o", "cv"} {
		unchanged(t, model, func() {
			var out, errs bytes.Buffer
			words := strings.Fields(args)
			command, flags := words[0], words[1:]
			if command != "cv" {
				flags = append(flags, model)
			}
			status := run(ctx, append([]string{command, "demo/wine.csv"}, flags...), nil, &out, &errs)
			if status != statusInterrupted || out.Len() > 0 || !strings.Contains(errs.String(), "kfda "+command+": interrupted") {
				t.Errorf("%s: status %d, output %q, error %q", args, status, out.String(), errs.String())
			}
		})
	}
}

// Every long step answers an interrupt, whatever it is at; between them a signal ends the process.
func TestInterruptIsAnswered(t *testing.T) {
	defer func(old float64) { longFit = old }(longFit)
	longFit = 1 // all is announced
	rows := 1500
	if testing.Short() {
		rows = 500
	}
	table := writeTable(t, rows, 20, func(i, j int) float64 { return math.Sin(float64(i*(j+1))) + float64(i%3*j)/30 })
	model := fitted(t, table, "--rows", "0:300")
	for args, words := range map[string]string{
		"fit TABLE -o OUT":                                "Ctrl-C stops it",
		"fit TABLE --target 1 -o OUT":                     "Ctrl-C stops it",
		"fit TABLE --landmarks 50 -o OUT":                 "Ctrl-C stops it",
		"cv TABLE":                                        "Ctrl-C stops them",
		"cv TABLE --target 1":                             "Ctrl-C stops them",
		"tune TABLE -o OUT":                               "Ctrl-C stops them",
		"tune TABLE --target 1":                           "Ctrl-C stops them",
		"tune TABLE --model all":                          "Ctrl-C stops them",
		"tune TABLE --model lda --rows 0:300 --nested":    "searches more",
		"tune TABLE --target 1 --kernels linear --nested": "searches more",
		"plot learning MODEL TABLE -o OUT.svg":            "Ctrl-C stops them",
		"plot importance MODEL TABLE -o OUT.svg":          "",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		told := &toldWriter{words: words, tell: cancel}
		if words == "" {
			told.words = "no such words"
			time.AfterFunc(time.Millisecond, cancel)
		}
		out := filepath.Join(t.TempDir(), "out")
		status := run(ctx, strings.Fields(strings.NewReplacer("TABLE", table, "MODEL", model, "OUT", out).Replace(args)), nil, io.Discard, told)
		if status != statusInterrupted {
			t.Errorf("%s: status %d, told %q", args, status, told.text.String())
		}
		cancel()
	}
}

// Case 99: an interrupt stops a long fit.
func TestCase99Interrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent an interrupt on windows")
	}
	if testing.Short() {
		t.Skip("a fit that needs 300 MB is left to the long tests")
	}
	train := writeTable(t, 6000, 10, func(i, j int) float64 {
		return math.Sin(float64(i*(j+1))) * math.Pow(10, float64(j-5))
	})
	model := filepath.Join(t.TempDir(), "m")
	unchanged(t, model, func() {
		cmd := process(t, "fit", train, "-o", model)
		stderr := must.Get(cmd.StderrPipe())(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var text string
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			text += lines.Text() + "\n"
			if strings.Contains(lines.Text(), "Ctrl-C stops it") {
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Error(err)
				}
			}
		}
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); status != statusInterrupted || !strings.HasSuffix(text, "kfda fit: interrupted\n") {
			t.Errorf("status %d, %s", status, text)
		}
	})
}
