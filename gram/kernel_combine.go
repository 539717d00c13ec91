package gram

import (
	"fmt"
	"slices"
	"sync"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/matrix"
)

// Sum is k(x, y) = Σ kᵢ(x, y), added from the left. It is positive
// semidefinite if its terms are.
type Sum struct {
	Terms []Kernel // at least one
}

// Product is k(x, y) = Π kᵢ(x, y), multiplied from the left. It is positive
// semidefinite if its factors are (Schur).
type Product struct {
	Factors []Kernel // at least one
}

// Scaled is Factor times a kernel. Factors weigh the terms of a Sum.
type Scaled struct {
	Factor float64 // positive
	Kernel Kernel
}

func (k Sum) Validate() error     { return validateParts("sum", k) }
func (k Product) Validate() error { return validateParts("product", k) }
func (k Scaled) Validate() error  { return validateParts("scaled", k) }

func validateParts(kernel string, k Kernel) error {
	if err := k.validate(0); err != nil {
		return err
	}
	if n := countParts(k); n > maxParts {
		return &ParameterError{Kernel: kernel, Parameter: "Kernel", Value: float64(n),
			Reason: fmt.Sprintf("consists of %d kernels; there may be at most %d", n, maxParts)}
	}
	return nil
}

// countParts returns the number of kernels that k consists of, itself included.
func countParts(k Kernel) int {
	n := 0
	eachPart(k, func(Kernel) { n++ })
	return n
}

// eachPart calls visit with k and all that it consists of.
func eachPart(k Kernel, visit func(Kernel)) {
	visit(k)
	var parts []Kernel
	switch k := k.(type) {
	case Sum:
		parts = k.Terms
	case Product:
		parts = k.Factors
	case Scaled:
		parts = []Kernel{k.Kernel}
	case Columns:
		parts = []Kernel{k.Of}
	}
	for _, part := range parts {
		eachPart(part, visit)
	}
}

func (k Sum) validate(depth int) error { return validateAll("sum", "Terms", k.Terms, depth) }
func (k Product) validate(depth int) error {
	return validateAll("product", "Factors", k.Factors, depth)
}

func (k Scaled) validate(depth int) error {
	if !positiveFinite(k.Factor) {
		return outOfRange("scaled", "Factor", k.Factor, "positive and finite")
	}
	return validateAll("scaled", "Kernel", []Kernel{k.Kernel}, depth)
}

func validateAll(kernel, field string, parts []Kernel, depth int) error {
	if depth >= maxDepth {
		return &ParameterError{Kernel: kernel, Parameter: field, Value: float64(depth),
			Reason: fmt.Sprintf("is nested deeper than %d", maxDepth)}
	}
	if len(parts) == 0 {
		return &ParameterError{Kernel: kernel, Parameter: field, Reason: "is empty; there must be at least one"}
	}
	for i, part := range parts {
		if part == nil {
			return &ParameterError{Kernel: kernel, Parameter: field, Value: float64(i),
				Reason: fmt.Sprintf("holds nil, at index %d", i)}
		}
		if err := part.validate(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

func (k Sum) resolve(x *matrix.Dense, weights []float64) (Kernel, error) {
	terms, err := resolveAll(k.Terms, x, weights)
	return Sum{terms}, err
}

func (k Product) resolve(x *matrix.Dense, weights []float64) (Kernel, error) {
	factors, err := resolveAll(k.Factors, x, weights)
	return Product{factors}, err
}

func (k Scaled) resolve(x *matrix.Dense, weights []float64) (Kernel, error) {
	inner, err := k.Kernel.resolve(x, weights)
	return Scaled{k.Factor, inner}, err
}

// clone returns k with lists of its own.
func clone(k Kernel) Kernel {
	switch k := k.(type) {
	case Sum:
		return Sum{cloneAll(k.Terms)}
	case Product:
		return Product{cloneAll(k.Factors)}
	case Scaled:
		return Scaled{k.Factor, clone(k.Kernel)}
	case Columns:
		return Columns{slices.Clone(k.At), clone(k.Of)}
	}
	return k
}

func cloneAll(parts []Kernel) []Kernel {
	own := make([]Kernel, len(parts))
	for i, part := range parts {
		own[i] = clone(part)
	}
	return own
}

func resolveAll(parts []Kernel, x *matrix.Dense, weights []float64) ([]Kernel, error) {
	out := make([]Kernel, len(parts))
	for i, part := range parts {
		var err error
		if out[i], err = part.resolve(x, weights); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (k Sum) rows(x *matrix.Dense) (rows, error)     { return rowsOfAll(k.Terms, x) }
func (k Product) rows(x *matrix.Dense) (rows, error) { return rowsOfAll(k.Factors, x) }
func (k Scaled) rows(x *matrix.Dense) (rows, error)  { return k.Kernel.rows(x) }

func rowsOfAll(parts []Kernel, x *matrix.Dense) (rows, error) {
	r := rows{x: x, parts: make([]rows, len(parts))}
	for i, part := range parts {
		var err error
		if r.parts[i], err = part.rows(x); err != nil {
			return rows{}, err
		}
	}
	return r, nil
}

func (k Sum) tile(dst tile, a rows, i0 int, b rows, j0 int) {
	combine(dst, k.Terms, a, i0, b, j0, func(s, v float64) float64 { return s + v })
}

func (k Product) tile(dst tile, a rows, i0 int, b rows, j0 int) {
	combine(dst, k.Factors, a, i0, b, j0, func(p, v float64) float64 { return float64(p * v) })
}

func (k Scaled) tile(dst tile, a rows, i0 int, b rows, j0 int) {
	fill(nil, k.Kernel, block.Whole, dst, a, i0, b, j0)
	dst.each(func(v float64) float64 { return float64(k.Factor * v) })
}

// combine folds the tiles of the parts from the left.
func combine(dst tile, parts []Kernel, a rows, i0 int, b rows, j0 int, f func(s, v float64) float64) {
	fill(nil, parts[0], block.Whole, dst, a.parts[0], i0, b.parts[0], j0)
	if len(parts) == 1 {
		return
	}
	buffer := scratch.Get().(*[side * side]float64)
	t := tile{buffer[:], dst.cols, dst.rows, dst.cols}
	for p := 1; p < len(parts); p++ {
		fill(nil, parts[p], block.Whole, t, a.parts[p], i0, b.parts[p], j0)
		for i := range dst.rows {
			row := dst.row(i)
			for j, v := range t.row(i) {
				row[j] = f(row[j], v)
			}
		}
	}
	scratch.Put(buffer)
}

// scratch holds tiles for the parts of combined kernels.
var scratch = sync.Pool{New: func() any { return new([side * side]float64) }}

func (k Sum) String() string     { return toString(k) }
func (k Product) String() string { return toString(k) }
func (k Scaled) String() string  { return toString(k) }

func (k Sum) write(w *writer)     { w.kernels("sum", k.Terms) }
func (k Product) write(w *writer) { w.kernels("product", k.Factors) }

func (k Scaled) write(w *writer) {
	w.open("scaled")
	w.number("factor", k.Factor)
	w.kernel(k.Kernel)
	w.close()
}
