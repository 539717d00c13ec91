// Package cv chooses and judges discriminants by cross-validation.
//
// [Stratified], [Repeated], [LeaveOneOut], [Grouped], [StratifiedGroups],
// [Given] and [Pairs] divide rows into
// folds, the same on every machine. [Evaluate] estimates how well one method
// classifies rows that it has not seen. [Tune] makes a [Search] over the
// kernels, their γ, the scaling, the classifiers and the ridge, or what stands in its place, of a
// method, and fits the best to all rows; [Nested] estimates what it finds by folds around it.
// [ClosedForm] has the leave-one-out predictions of a kernel discriminant from one
// factorization. [Alignment] says without a fit how well a kernel matrix goes with the
// labels.
//
// All that is fitted is fitted within a fold: scalings, default parameters of
// kernels, relative ridges and classifiers see its training rows alone.
//
// The score of the best of many candidates is optimistic, because it was chosen
// for its score. For an honest estimate of what Tune finds, see Nested, or tune in some rows and
// [Score] in others.
package cv
