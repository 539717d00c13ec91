package discriminant

import (
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// standardised is a scaling of projections that keeps them in a range in which
// squares neither overflow nor lose their order.
type standardised struct{ scaler *Scaler }

// farthest is the largest standardised projection that counts as such.
const farthest = 0x1p300

// standardise fits the scaling to the projections z and returns it with the
// scaled projections.
func standardiseProjections(z *matrix.Dense) (standardised, *matrix.Dense, error) {
	scaler, err := FitScaler(Standard, z)
	if err != nil {
		return standardised{}, nil, err
	}
	for k := range scaler.rounding { // a file has the shift and the scale alone
		scaler.rounding[k] = -1
	}
	s := standardised{scaler}
	t := new(matrix.Dense)
	s.apply(t, z)
	return s, t, nil
}

// apply makes t the standardised z.
func (s standardised) apply(t, z *matrix.Dense) {
	resize(t, z.Rows, z.Cols)
	s.scaler.apply(t, z)
	for i, v := range t.Data {
		t.Data[i] = math.Max(-farthest, math.Min(v, farthest))
	}
}

func (s *standardised) fields(c *codec) {
	if s.scaler == nil {
		s.scaler = &Scaler{kind: Standard}
	}
	s.scaler.shiftScale(c, c.components)
}
