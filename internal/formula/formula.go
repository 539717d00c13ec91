// Package formula holds the numbers with which a model computes, for programs that write it
// down in another language.
package formula

import (
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// Model is what a model does with a row x of Dim features:
//
//   - with a Scaling, x ← (x − Shift)/Scale, where a distance from Shift of at most Rounding
//     counts as 0;
//   - z: of Machines their values, with Kernel the expansion Σᵢ Alphaᵢ k(Rowsᵢ, x), of
//     centred kernel values where there is a Centring, plus Offset, else Weightsᵀ(x − Origin);
//   - the class, by Rule; of a regression z is the prediction.
//
// Each sum is a chain of fused multiply-adds, in the order of its terms, from 0. What a model
// does not have is nil.
type Model struct {
	Dim, Components, Classes int

	Scaling  *Scaling
	Kernel   gram.Kernel
	Rows     *matrix.Dense
	Alpha    *matrix.Dense
	Centring *gram.Centring
	Offset   []float64
	Origin   []float64
	Weights  *matrix.Dense
	Machines *Machines

	Rule Rule
}

// Scaling is that of columns; the Rounding of one that is not constant is −1.
type Scaling struct{ Shift, Scale, Rounding []float64 }

// Machines are those of a support vector machine for each pair of classes a < b, in order.
// A value is the chain of Coefficients over the supporting rows of a, plus that over those of
// b, plus the bias. The coefficients of a row of class j are in the column of the other class,
// those above j moved one to the left.
type Machines struct {
	Kernel       gram.Kernel
	Rows         *matrix.Dense // that support, by class
	Counts       []int         // of them, by class
	Coefficients *matrix.Dense
	Biases       []float64
}

// Rule says how z becomes a class. Which of the fields count says Kind.
type Rule struct {
	// Kind is "ridge" (the largest of several values, else the second class where the value is
	// positive), "threshold" (FMA(Scale, z, −Threshold) > 0), "centroid" (the nearest), "gaussian"
	// or "gaussian per class" (the softmax of scores of the standardised z), "knn" (votes of the K
	// nearest Rows), "vote" (of the machines that z are the values of) or "svm" (of Machines of z).
	Kind string

	Scale, Threshold float64
	Centroids        *matrix.Dense
	Standard         *Scaling // clamped to ±2³⁰⁰
	Coefficients     *matrix.Dense
	Offsets          []float64 // or constants
	Means, Whitening *matrix.Dense
	K                int
	Rows             *matrix.Dense
	Codes            []int
	Weights          []float64
	Machines         *Machines
	Sigmoids         [][2]float64 // slope and offset by pair, or nil
}
