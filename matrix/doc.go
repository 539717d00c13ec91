// Package matrix is the dense linear-algebra layer: row-major matrices with
// views, products, symmetric rank-k updates, triangular solves and means.
//
// Every entry of a product, an update or a solve is one chain of fused
// multiply-adds in a documented order, so that a result has the same bits on
// every platform, whatever the blocking, vector width or number of workers.
//
// op(A) is A or Aᵀ, as the Trans that follows an operand says. FMA(a, b, c) is
// a·b + c rounded once, and u = 2⁻⁵³.
//
// Functions take the destination first; nil allocates it. A destination may not
// share elements with an operand, though both may be blocks of one matrix. Shapes that do not
// fit are a programmer's error and panic with both shapes in the message.
package matrix
