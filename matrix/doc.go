// Package matrix is the dense linear-algebra layer: row-major matrices with
// views, products, symmetric rank-k updates, triangular solves and means.
//
// Every entry of a product, an update or a solve is one chain of fused
// multiply-adds in a documented order, so that a result has the same bits on
// every platform, whatever the blocking, vector width or number of workers.
//
// Functions take the destination first; nil allocates it. Shapes that do not
// fit are a programmer's error and panic with both shapes in the message.
package matrix
