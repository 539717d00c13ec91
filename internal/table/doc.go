// Package table reads a table of numbers with a label column from text files.
//
// [Read] takes CSV, tab-, semicolon- and blank-separated text, libsvm and ARFF,
// by the rules of rules.txt, which the command prints for "kfda help tables". A
// rule that guesses says what it took; what no rule covers is refused with file,
// line, row and column, in a typed error that holds them as data. No row, digit
// or cell is lost in silence.
package table

import _ "embed"

// Rules is the text of the rules.
//
//go:embed rules.txt
var Rules string
