// Package table reads a table of numbers with a label column from text files.
//
// # Files
//
// CSV, tab-separated, semicolon-separated and blank-separated text, libsvm
// (svmlight) and ARFF; each may be compressed with gzip, which is recognised by
// its first bytes whatever the file is called. A gzip file may have several
// members; a truncated one, one with a wrong checksum, and one with anything
// but members in it, zero padding included, is refused. A file called *.gz that
// is not gzip is refused. The name "-" is the standard input. A UTF-8
// byte-order mark at the start is skipped; UTF-16 and files with zero bytes are
// refused.
//
// The format follows the name (.svm, .svmlight, .libsvm; .arff; a .gz at the
// end is left out of account; .csv and .tsv are separated text), else the first
// line: "@relation", or a "%" comment that "@relation" follows, is ARFF, "label
// index:value" is libsvm, all else is separated text.
//
// # Separated text
//
// The separator is looked for in the first line that is not blank, outside
// quotes: a tab where there is one, else a semicolon, else a comma, else
// blanks. With blanks as the separator, runs of blanks and tabs separate.
//
// A record ends at LF, CRLF or a lone CR, mixed as they come. A cell that
// starts with a double quote (after blanks) ends at the matching quote;
// separators and line ends inside belong to the cell as they are, and ""
// stands for ". Anywhere else a quote is an ordinary character. Lines without
// anything but blanks are skipped. All records must have as many cells as the
// first. Columns at the end that are empty in every record and have no name
// come from separators at the ends of the lines; they are dropped with a
// notice.
//
// Columns are asked for by name or by position, counted from 1; a name goes
// before a position. The label is by default the last column that is not
// ignored.
//
// # Header
//
// Unless Options.Header says it, line 1 is read as names when
//   - a column is asked for by a name (a label or ignored column), or all
//     feature names of a model are found in it; or
//   - a cell of it in a feature column (not the label, not ignored by position)
//     is neither a number nor a missing-value marker;
//
// and as data otherwise. What was decided is said in a notice. If line 1 was
// read as data and its label is that of no other row while other labels repeat,
// the table is refused and asks for the header option.
//
// # Numbers
//
// Decimal digits with at most one point, an optional sign and an optional
// exponent; blanks around. Not accepted: nan, inf, hexadecimal, underscores,
// separators of thousands, signs and digits outside ASCII, and numbers beyond
// the range of float64. A number below the range rounds to the nearest
// representable number, as all numbers do: 1e-400 is 0. An integer beyond 2^53
// that float64 cannot hold is refused, for it is probably an identifier. The
// decimal comma is an option; with it the point is refused.
//
// # Missing cells
//
// Empty, "?", "NA", "N/A", "null" and "NULL" are missing. By default a table
// with missing cells is refused with the first place and the counts; the option
// leaves out the rows and says which. Quoted labels are never missing unless
// they are empty.
//
// # Labels
//
// A label is text and is kept byte for byte: 2, 2.0 and 02 are three classes.
// Blanks (spaces and tabs) around a cell without quotes do not belong to it;
// what stands in quotes does.
//
// # libsvm and ARFF
//
// libsvm indices count from 1, or from 0 with the option; a missing index is 0;
// the number of columns is the largest index of the whole file. "#" starts a
// comment, "qid" entries are skipped with a notice. In ARFF the label is by
// default the last attribute; "?" alone is missing; entries left out of a sparse
// row are 0, or the first declared value of a nominal attribute. A nominal
// attribute can be a feature only if its values are numbers.
//
// # Limits
//
// A record has at most 2^20 cells and 64 MiB, a table at most 2^28 numbers.
// Reading needs memory for the table and one record, not for the file.
package table
