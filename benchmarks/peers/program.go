package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed92411348/kfda/internal/asm/isa"
)

// program says how to start one of the programs.
type program struct {
	name    string
	command []string
}

// known returns the programs, given the folders of the compiled ones and of scripts.
func known(compiled, scripts string) []program {
	var all []program
	for _, name := range []string{"kfda", "gonum", "openblas", "blis", "eigen", "sleef-avx512", "sleef-avx2"} {
		all = append(all, program{name, []string{filepath.Join(compiled, name)}})
	}
	return append(all,
		program{"python", []string{"/usr/bin/python3", filepath.Join(scripts, "scikit.py")}},
		program{"r", []string{"Rscript", "--vanilla", filepath.Join(scripts, "kernlab.R")}})
}

// process is a running program.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan []byte
	errors *bytes.Buffer
	about  string
}

// reply is what a program answers.
type reply struct {
	Error     string    `json:"error"`
	About     string    `json:"about"`
	Seconds   []float64 `json:"seconds"`
	Processor []float64 `json:"processor"`
	Check     []float64 `json:"check"`
	Value     float64   `json:"value"`
	Name      string    `json:"name"`
}

// start starts a program with a number of threads and further variables of its
// environment, and asks what it is.
func start(ctx context.Context, p program, threads int, env ...string) (*process, error) {
	cmd := exec.Command(p.command[0], p.command[1:]...)
	cmd.Env = append(environment(os.Environ(), threads), env...)
	stderr := new(bytes.Buffer)
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
			err = errors.New("not on this machine")
		}
		return nil, err
	}
	proc := &process{cmd: cmd, in: in, lines: make(chan []byte), errors: stderr}
	go func() {
		defer close(proc.lines)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20) // a set of thousands of rows
		for lines.Scan() {
			proc.lines <- bytes.Clone(lines.Bytes())
		}
	}()
	r, err := proc.ask(ctx, "about")
	if err != nil {
		proc.close()
		return nil, err
	}
	proc.about = r.About
	return proc, nil
}

// environment returns the variables for a program: without those that choose kernels,
// threads or limits, and with the number of threads.
func environment(variables []string, threads int) []string {
	var kept []string
	for _, v := range variables {
		name, _, _ := strings.Cut(v, "=")
		prefix, _, _ := strings.Cut(name, "_")
		switch {
		case prefix == "OPENBLAS", prefix == "GOTO", prefix == "OMP", prefix == "GOMP", prefix == "MKL", prefix == "BLIS":
		case name == "GODEBUG", name == "GOGC", name == "GOMEMLIMIT", name == "GOMAXPROCS":
		default:
			kept = append(kept, v)
		}
	}
	for _, name := range []string{"GOMAXPROCS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS"} {
		kept = append(kept, fmt.Sprintf("%s=%d", name, threads))
	}
	if isa.Current() == isa.AVX512 {
		// Otherwise they have kernels for AVX2, or for nothing, where they do not know the processor.
		kept = append(kept, "OPENBLAS_CORETYPE=SkylakeX", "BLIS_ARCH_TYPE=0")
	}
	return kept
}

// ask sends a command and waits for the answer. Where ctx ends before it comes, the
// process is of no more use.
func (p *process) ask(ctx context.Context, command string) (reply, error) {
	var r reply
	if err := ctx.Err(); err != nil {
		return r, err
	}
	if _, err := fmt.Fprintln(p.in, command); err != nil {
		return r, p.failed()
	}
	select {
	case <-ctx.Done():
		p.cmd.Process.Kill()
		return r, ctx.Err()
	case line, ok := <-p.lines:
		if !ok {
			return r, p.failed()
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return r, fmt.Errorf("answered %q", line)
		}
	}
	if r.Error != "" {
		return r, errors.New(r.Error)
	}
	return r, nil
}

// failed says why a process has ended.
func (p *process) failed() error {
	err := p.cmd.Wait()
	lines := strings.Split(strings.TrimSpace(p.errors.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return errors.New(last)
	}
	return fmt.Errorf("ended: %w", err)
}

// close ends the process.
func (p *process) close() {
	p.in.Close()
	kill := time.AfterFunc(2*time.Second, func() { p.cmd.Process.Kill() })
	defer kill.Stop()
	for range p.lines {
	}
	p.cmd.Wait()
}
