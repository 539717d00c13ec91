package asmtest

import (
	"strings"
	"testing"
)

func TestLint(t *testing.T) { Lint(t) }

// TestTiersRefuse shows that the lists tell tiers apart.
func TestTiersRefuse(t *testing.T) {
	for _, c := range []struct {
		file, name, operands string
		want                 string
	}{
		{"x_avx2_amd64.s", "VADDPD", "Y0, Y1, Y2", ""},
		{"x_avx2_amd64.s", "VADDPD", "Z0, Z1, Z2", "register"},
		{"x_avx2_amd64.s", "VADDPD", "Y0, Y16, Y2", "register"},
		{"x_avx2_amd64.s", "VADDPD", "Y0, Y1, K1, Y2", "register"},
		{"x_avx2_amd64.s", "VPMAXUQ", "Y0, Y1, Y2", "instruction"},
		{"x_avx2_amd64.s", "VSUBPD.BCST", "(SI), Y1, Y2", "suffix"},
		{"x_avx2_amd64.s", "MOVQ", "R14, AX", "reserved"},
		{"x_avx512_amd64.s", "VSUBPD.BCST", "(SI), Z1, Z2", ""},
		{"x_avx512_amd64.s", "VPMADD52LUQ", "Z0, Z1, Z2", "instruction"},
		{"x_avx512_amd64.s", "MOVQ", "(BP), AX", "reserved"},
		{"x_neon_arm64.s", "VLD1.P", "64(R2), [V0.D2, V1.D2]", ""},
		{"x_neon_arm64.s", "MOVD", "R18, R0", "reserved"},
		{"x_neon_arm64.s", "MOVD", "R27, R0", "reserved"},
		{"x_neon_arm64.s", "ZADD", "Z0.D, Z1.D", "instruction"},
	} {
		got := tierOf(c.file).refuses(instruction{1, c.name, c.operands})
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s %s: %q, want %q", c.file, c.name, c.operands, got, c.want)
		}
	}
}
