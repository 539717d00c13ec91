// Package cv chooses and judges methods by cross-validation.
//
//	tuned, err := cv.Tune(ctx, cv.Search{}, x, labels) // search, fit the best to all rows
//	y, err := tuned.Model.Predict(nil, xNew)
//
//	folds, err := cv.Stratified(labels, 10, 0)
//	e, err := cv.Evaluate(ctx, discriminant.LDA{}, x, labels, folds) // e.Errors of e.Rows
//
// [Stratified], [Repeated], [LeaveOneOut], [Grouped], [StratifiedGroups], [Given] and [Pairs]
// divide rows into folds, the same on every machine; rows of one patient, speaker or day need
// Grouped. [Evaluate] estimates how well one method classifies rows that it has not seen.
// [Tune] makes a [Search] over the kernels, their γ, the scaling, the classifiers and the ridge,
// or what stands in its place, of a method; [Nested] estimates by outer folds what it finds.
// [Score] counts the errors of a fitted model in new rows. [ClosedForm] has the leave-one-out
// predictions of a kernel discriminant from one factorization. [Alignment] says without a fit
// how well a kernel matrix goes with the labels.
//
// All that is fitted is fitted within a fold: scalings, default parameters of
// kernels, relative ridges and classifiers see its training rows alone.
//
// The score of the best of many candidates is optimistic, because it was chosen
// for its score. For an honest estimate of what Tune finds, see Nested, or tune in some rows
// and score in others.
package cv
