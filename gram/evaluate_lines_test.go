package gram

import (
	"errors"
	"testing"

	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
)

func TestLinesHaveTheBitsOfCross(t *testing.T) {
	forKinds(t, func(t *testing.T, kind int, e *Evaluator, x *matrix.Dense) {
		l := NewLines(e)
		want := must.Get(e.Cross(nil, x))(t)
		whole := matrixtest.NaNs(x.Rows+1, x.Rows+2)
		got := whole.View(0, 1, x.Rows, x.Rows)
		must.Do(t, l.Cross(got, x))
		matrixtest.SameBits(t, "Cross", got, want)
		for i := 0; i < x.Rows; i += 1 + x.Rows/16 {
			got := matrixtest.NaNs(1, x.Rows)
			must.Do(t, l.Cross(got, x.View(i, 0, 1, x.Cols)))
			matrixtest.SameBits(t, "Cross of one row", got, want.View(i, 0, 1, x.Rows))
		}
	})
}

func TestLinesErrors(t *testing.T) {
	x := matrix.New(100, 1)
	for i := range x.Data {
		x.Data[i] = float64(i)
	}
	l := NewLines(must.Get(NewEvaluator(Linear{}, x))(t))
	dst := matrix.New(2, 100)
	must.Fail[*ShapeError](t, "three columns for one", l.Cross(dst, matrix.New(2, 3)))
	y := matrix.New(2, 1)
	y.Data[1] = 1e308
	var overflow *NotFiniteError
	if err := l.Cross(dst, y); !errors.As(err, &overflow) || overflow.Row != 1 || overflow.Col != 2 {
		t.Errorf("1e308 times 2: %v", err)
	}
	y.Data[0] /= y.Data[0]
	var input *matrix.NotFiniteError
	if err := l.Cross(dst, y); !errors.As(err, &input) || input.Row != 0 {
		t.Errorf("NaN: %v", err)
	}
}
