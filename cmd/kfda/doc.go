// Command kfda fits kernel Fisher discriminants to tables in text files, and
// classifies the rows of other tables with them.
//
//	kfda demo                                      fit and score a small data set, with explanations
//	kfda fit TRAIN [--label COLUMN] -o MODEL       fit a model
//	kfda tune TRAIN [--label COLUMN] [-o MODEL]    search the settings of a model, fit the best
//	kfda cv TRAIN [--label COLUMN]                 estimate how well a fit classifies new rows
//	kfda predict MODEL FILE                        write the class of each row as CSV
//	kfda score MODEL FILE                          compare with the labels of the file
//	kfda project MODEL FILE                        write the projections of each row as CSV
//	kfda inspect MODEL                             show what a model holds
//	kfda help tables                               how files are read, and what is refused
//	kfda version [-v]
//
// Results go to the standard output, notices and errors to the standard error.
// The exit status is 0, or 1 if something is wrong with a file or its contents,
// or 2 if the command line is, or 130 after an interrupt.
package main
