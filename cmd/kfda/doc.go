// Command kfda fits kernel Fisher discriminants to tables in text files, and
// classifies the rows of other tables with them.
//
//	kfda demo                                    fit and score a small data set, with explanations
//	kfda fit TRAIN --label COLUMN -o MODEL       fit a model
//	kfda predict MODEL FILE                      write the class of each row as CSV
//	kfda score MODEL FILE                        compare with the labels of the file
//	kfda version
//
// Results go to the standard output, notices and errors to the standard error.
// The exit status is 0, or 1 if something is wrong with a file or its contents,
// or 2 if the command line is.
//
// # Tables
//
// TRAIN and FILE are CSV, tab-, semicolon- or blank-separated text, libsvm or
// ARFF, each also compressed with gzip; "-" is the standard input. How they are
// read, and what is refused, is told in the documentation of package
// cmd/kfda/internal/table.
//
// A model remembers the names and positions of the columns that it was fitted
// to. If both files have a header, the features of other files are found by
// their names, in any order among any other columns; a lacking one is an error.
// If not, by position: a file as wide as the training file is taken to be laid
// out in the same way; of another, the columns that are neither label, id nor
// ignored must be exactly the features. Score takes the label column that had
// the same name, or the same position, in training, or the one of --label.
//
// --rows start:stop:step selects data rows, counted from 0 without the header,
// in fit, predict and score alike: --rows 0::2 are the even rows, --rows 1::2
// the odd ones. Error messages count rows and lines from 1.
package main
