//go:build !purego

package isa

import "golang.org/x/sys/cpu"

func detect() Features { return Features{ASIMD: cpu.ARM64.HasASIMD} }
