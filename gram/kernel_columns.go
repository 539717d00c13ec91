package gram

import (
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Columns is a kernel of some of the features: k(x, y) = Of(x′, y′), with x′ the features At
// of x. A Sum of such kernels is additive in groups of features.
type Columns struct {
	At []int  // 0-based, ascending; a kernel of none is constant where Of is
	Of Kernel // no Columns, and of none
}

func (k Columns) Validate() error { return validateParts("columns", k) }

func (k Columns) validate(depth int) error {
	for i, at := range k.At {
		if at < 0 || i > 0 && at <= k.At[i-1] {
			return outOfRange("columns", "At", float64(at), "0 or more, and more than the one before")
		}
	}
	if err := validateAll("columns", "Of", []Kernel{k.Of}, depth); err != nil {
		return err
	}
	nested := false
	eachPart(k.Of, func(part Kernel) {
		if _, ok := part.(Columns); ok {
			nested = true
		}
	})
	if nested {
		return &ParameterError{Kernel: "columns", Parameter: "Of", Reason: "holds columns of columns"}
	}
	return nil
}

// of returns the rows with the features of the kernel, or a *ParameterError where x has no
// such features.
func (k Columns) of(x *matrix.Dense) (*matrix.Dense, error) {
	if n := len(k.At); n > 0 && k.At[n-1] >= x.Cols {
		return nil, outOfRange("columns", "At", float64(k.At[n-1]), fmt.Sprintf("below %d, the number of columns", x.Cols))
	}
	some := matrix.New(x.Rows, len(k.At))
	for i := range x.Rows {
		row := x.Row(i)
		for j, at := range k.At {
			some.Set(i, j, row[at])
		}
	}
	return some, nil
}

func (k Columns) resolve(x *matrix.Dense, weights []float64) (Kernel, error) {
	some, err := k.of(x)
	if err != nil {
		return nil, err
	}
	inner, err := k.Of.resolve(some, weights)
	return Columns{k.At, inner}, err
}

func (k Columns) rows(x *matrix.Dense) (rows, error) {
	some, err := k.of(x)
	if err != nil {
		return rows{}, err
	}
	r, err := k.Of.rows(some)
	if domain, ok := err.(*DomainError); ok {
		domain.Col = k.At[domain.Col]
	}
	return r, err
}

func (k Columns) tile(dst tile, a rows, i0 int, b rows, j0 int) {
	fill(nil, k.Of, block.Whole, dst, a, i0, b, j0)
}

func (k Columns) String() string { return toString(k) }

func (k Columns) write(w *writer) {
	w.open("columns")
	for _, at := range k.At {
		w.index(at)
	}
	w.kernel(k.Of)
	w.close()
}

// EachColumns returns k with those that its [Columns] are of replaced by what to returns for each:
// together they ascend, and equal ones count once.
func EachColumns(k Kernel, to func(at int) []int) Kernel {
	misuse.NotNil("gram: EachColumns", "to", to)
	all := func(parts []Kernel) []Kernel {
		own := make([]Kernel, len(parts))
		for i, part := range parts {
			own[i] = EachColumns(part, to)
		}
		return own
	}
	switch k := k.(type) {
	case Sum:
		return Sum{all(k.Terms)}
	case Product:
		return Product{all(k.Factors)}
	case Scaled:
		return Scaled{k.Factor, EachColumns(k.Kernel, to)}
	case Columns:
		var at []int
		for _, j := range k.At {
			at = append(at, to(j)...)
		}
		return Columns{slices.Compact(at), k.Of}
	}
	return k
}
