//go:build !purego

package isa

import "golang.org/x/sys/cpu"

func detect() features {
	x := &cpu.X86
	return features{
		OSXSAVE: x.HasOSXSAVE, AVX: x.HasAVX, AVX2: x.HasAVX2, FMA: x.HasFMA,
		AVX512F: x.HasAVX512F, AVX512DQ: x.HasAVX512DQ, AVX512VL: x.HasAVX512VL, AVX512BW: x.HasAVX512BW,
	}
}
