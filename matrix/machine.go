package matrix

import (
	"github.com/seed92411348/kfda/internal/asm/isa"
	"github.com/seed92411348/kfda/internal/block"
)

// InstructionSet names the instructions that the kernels of this process use:
// "avx512", "avx2", "neon" or "portable". It follows the processor and GODEBUG
// masks such as cpu.avx512f=off. Every choice gives the same bits.
func InstructionSet() string { return isa.Current().String() }

// SetWorkers bounds the goroutines that all later calls of this module together
// compute with, and returns the former bound. 0, as in the beginning, stands for
// GOMAXPROCS. The number of workers never changes a result.
func SetWorkers(n int) (former int) { return block.SetWorkers(n) }
