package table

import (
	"slices"
	"strconv"
	"strings"
)

// advised is what flags of the command would say about a table.
type advised struct {
	label  int   // position from 1; 0: not said
	ignore []int // positions from 0
	drop   bool  // rows with missing cells
	comma  bool  // for the decimal mark
}

// advice is the lead and the flags that say a, or "" if there are none, or too many to
// be read, or if the format does not know columns.
func (b *builder) advice(lead string, a advised) string {
	const most = 400
	if b.layout.Sparse {
		return ""
	}
	flags := b.flags(a, b.argument)
	if len(flags) > most {
		flags = b.flags(a, func(j int) string { return strconv.Itoa(j + 1) })
	}
	if flags == "" || len(flags) > most {
		return ""
	}
	return lead + flags
}

func (b *builder) flags(a advised, argument func(j int) string) string {
	var flags []string
	position := false
	use := func(j int) string {
		arg := argument(j)
		position = position || arg == strconv.Itoa(j+1)
		return arg
	}
	if a.label > 0 {
		flags = append(flags, "--label", use(a.label-1))
	}
	if len(a.ignore) > 0 {
		var list []string
		for _, j := range a.ignore {
			list = append(list, use(j))
		}
		flags = append(flags, "--ignore", strings.Join(list, ","))
	}
	if a.drop {
		flags = append(flags, "--missing drop")
	}
	if a.comma {
		flags = append(flags, b.numbers.commaFlags())
	}
	if position {
		// What is guessed of line 1 may depend on the columns that are named.
		switch b.guess {
		case WithHeader:
			flags = append(flags, "--header")
		case NoHeader:
			flags = append(flags, "--no-header")
		}
	}
	return strings.Join(flags, " ")
}

// argument is how a shell command may refer to column j: by its name if it is the only
// one of it.
func (b *builder) argument(j int) string {
	name := b.columnName(j)
	if len(b.named[name]) > 1 {
		name = ""
	}
	text := ColumnArgument(j+1, name)
	if found := b.named[text]; found != nil && !slices.Contains(found, j) {
		return "'#" + text + "'" // a number that is the name of another column
	}
	return text
}
