// Package cv chooses and judges methods by cross-validation.
//
//	tuned, err := cv.Tune(ctx, cv.Search{}, x, labels) // search, fit the best to all rows
//	y, err := tuned.Model.Predict(nil, xNew)
//
//	folds, err := cv.Stratified(labels, 10, 0)
//	e, err := cv.Evaluate(ctx, discriminant.LDA{}, x, labels, folds) // e.Errors of e.Rows
//
// [Stratified], [Repeated], [LeaveOneOut], [Grouped] and [Given] divide rows into folds,
// the same on every machine; rows of one patient, speaker or day need [Grouped].
// [Evaluate] estimates how well one method classifies rows that it has not seen. [Tune]
// searches the scaling, γ of an rbf kernel, the ridge and the classifier of a kernel
// discriminant. [Choose] takes the best of a list of methods of any kind. [ClosedForm] has
// the leave-one-out predictions of a kernel discriminant from one factorization.
// [Alignment] says without a fit how well a kernel matrix goes with the labels.
//
// All that is fitted is fitted within a fold: scalings, default parameters of
// kernels, relative ridges and classifiers see its training rows alone.
//
// The score of the best of many candidates is optimistic, because it was chosen
// for its score. For an honest estimate of what Tune finds, tune in the training
// rows of an outer fold and score on its test rows.
package cv
