package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/seed92411348/kfda/internal/must"
)

const (
	// A test binary with this variable is the command.
	asCommand = "KFDA_TEST_AS_COMMAND"
	// It writes checkpoints as often as it can.
	checkpointOften = "KFDA_TEST_CHECKPOINT_OFTEN"
	// It writes to this file the most memory that it had.
	peakFile = "KFDA_TEST_PEAK_FILE"
)

func TestMain(m *testing.M) {
	machinePatience = time.Hour // what is printed does not depend on the machine
	if os.Getenv(asCommand) != "" {
		if os.Getenv(checkpointOften) != "" {
			checkpointEvery, checkpointShare = 0, 0
		}
		status := command()
		if file := os.Getenv(peakFile); file != "" {
			os.WriteFile(file, []byte(strconv.FormatFloat(peakMemory(), 'f', 0, 64)), 0o600)
		}
		os.Exit(status)
	}
	os.Exit(m.Run())
}

// process is a run of the command in a process of its own. It is killed when it
// hangs.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self := must.Get(os.Executable())(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// runProcess runs the command in a process of its own to its end.
func runProcess(t *testing.T, args ...string) (result, *os.ProcessState) {
	t.Helper()
	cmd := process(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, cmd.ProcessState
}
