package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// advised is what flags of the command would say about a table.
type advised struct {
	label   int      // position from 1; 0: not said
	ignore  []int    // positions from 0, ascending
	missing string   // what to do about missing cells
	markers []string // of missing cells
	comma   bool     // for the decimal mark
}

// advisedFill is what fills missing cells in where a user is told one way.
const advisedFill = "median"

// advice is the lead and the flags that say a, or "" if there are none, or too many to
// be read, or if the format does not know columns.
func (b *builder) advice(lead string, a advised) string {
	if flags := b.flagsFor(a); flags != "" {
		return lead + flags
	}
	return ""
}

// flagsFor are the flags of advice.
func (b *builder) flagsFor(a advised) string {
	const most = 400
	if b.layout.Sparse {
		return ""
	}
	flags := b.flags(a, b.arguments)
	if len(flags) > most {
		flags = b.flags(a, ranges)
	}
	if len(flags) > most {
		return ""
	}
	return flags
}

func (b *builder) flags(a advised, arguments func(columns []int) string) string {
	var flags []string
	position := false
	use := func(columns []int) string {
		text := arguments(columns)
		for _, arg := range strings.Split(text, ",") {
			position = position || strings.Trim(arg, "0123456789-") == ""
		}
		return text
	}
	if a.label > 0 {
		flags = append(flags, "--label", use([]int{a.label - 1}))
	}
	if len(a.ignore) > 0 {
		flags = append(flags, cmp.Or(b.opt.Leave, "--ignore"), use(a.ignore))
	}
	if a.missing != "" {
		flags = append(flags, "--missing", a.missing)
	}
	if a.markers != nil {
		flags = append(flags, "--missing-values", "'"+strings.ReplaceAll(strings.Join(a.markers, ","), "'", `'\''`)+"'")
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

// arguments is how a shell command may refer to columns.
func (b *builder) arguments(columns []int) string {
	var list []string
	for _, j := range columns {
		list = append(list, b.argument(j))
	}
	return strings.Join(list, ",")
}

// ranges refers to columns by position.
func ranges(columns []int) string {
	var list []string
	for first := 0; first < len(columns); {
		last := first
		for last+1 < len(columns) && columns[last+1] == columns[last]+1 {
			last++
		}
		text := strconv.Itoa(columns[first] + 1)
		if last > first {
			text += "-" + strconv.Itoa(columns[last]+1)
		}
		list = append(list, text)
		first = last + 1
	}
	return strings.Join(list, ",")
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
