// Package cv chooses and judges discriminants by cross-validation.
//
// [Stratified], [Repeated], [LeaveOneOut], [Grouped] and [Given] divide rows into
// folds, the same on every machine. [Evaluate] estimates how well one method
// classifies rows that it has not seen. [Tune] searches the scaling, γ of an rbf
// kernel, the ridge and the classifier of a kernel discriminant, and fits the best to all rows.
// [Choose] takes the best of a list of methods of any kind.
// [ClosedForm] has the leave-one-out predictions of a kernel discriminant from one
// factorization. [Alignment] says without a fit how well a kernel matrix goes with the
// labels.
//
// All that is fitted is fitted within a fold: scalings, default parameters of
// kernels, relative ridges and classifiers see its training rows alone.
//
// The score of the best of many candidates is optimistic, because it was chosen
// for its score. For an honest estimate of what Tune finds, tune in the training
// rows of an outer fold and score on its test rows.
package cv
