//go:build unix

package benchmarks

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used outside the kernel.
func cpuTime() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano())
}
