//go:build purego || !(amd64 || arm64)

package asmtest

import "github.com/seed92411348/kfda/internal/asm/isa"

func peakRun(isa.Tier) (run func(turns int), flops int) { return nil, 0 }
