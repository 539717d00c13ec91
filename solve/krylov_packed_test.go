package solve

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/asm/asmtest"
	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

// Products with a packed matrix have the bits of matrix.Mul, and unpacking restores
// the matrix.
func TestPackedEqualsProduct(t *testing.T) { asmtest.EachTier(t, packedEqualsProduct) }

func packedEqualsProduct(t *testing.T) {
	team := block.NewTeam()
	defer team.Close()
	defer func(former int) { stepsInTile = former }(stepsInTile)
	stepsInTile = 50
	for _, n := range []int{1, 3, 8, 12, 65, 130, 300} {
		rng := newRand(uint64(n))
		k := randomSymmetric(rng, n)
		kept := k.Clone()
		p := newPacked(team, k, nil)
		for _, b := range []int{1, 4, 10, 24, 26, 50} {
			x := randomMatrix(rng, b, n)
			y := matrix.New(b, n)
			must.Do(t, p.multiply(context.Background(), team, y, x))
			want := matrix.Mul(nil, kept, matrix.NoTrans, x, matrix.Transposed)
			matrixtest.SameBits(t, fmt.Sprintf("n = %d, b = %d", n, b), y, matrix.Transpose(nil, want))
		}
		p.unpack(team)
		matrixtest.SameBits(t, fmt.Sprintf("n = %d: unpacked", n), k, kept)
	}
}
