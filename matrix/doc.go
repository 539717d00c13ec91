// Package matrix has dense row-major matrices of float64, with views, products, symmetric
// rank-k updates, triangular solves, sums and means.
//
//	a, err := matrix.FromRows(rows)                            // copies; or matrix.New(m, n)
//	c := matrix.Mul(nil, a, matrix.Transposed, b, matrix.NoTrans) // AᵀB
//	v := c.At(0, 1)                                            // c.Row(0) is a view
//
// A slice becomes a matrix without a copy as a [Dense] with that Data. Functions take the
// destination first; nil allocates it. A destination may not share elements with an
// operand, though both may be blocks of one matrix. Shapes that do not fit are a
// programmer's error and panic with both shapes in the message.
//
// Every entry of a product, an update or a solve is one chain of fused multiply-adds in a
// documented order, so that a result has the same bits on every platform, whatever the
// blocking, vector width or number of workers. In the comments, op(A) is A or Aᵀ, as the
// [Trans] that follows an operand says, FMA(a, b, c) is a·b + c rounded once, and u = 2⁻⁵³.
package matrix
