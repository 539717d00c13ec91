//go:build !purego

package isa

import "golang.org/x/sys/cpu"

func detect() features { return features{ASIMD: cpu.ARM64.HasASIMD} }
