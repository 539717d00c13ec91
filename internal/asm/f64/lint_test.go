package f64

import (
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
)

func TestLint(t *testing.T) { asmtest.Lint(t) }
