package discriminant

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// Label is the type of a class label: any integer or string type.
type Label interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~string
}

// Classes returns the distinct labels in class order: that of the classes of a
// model that is fitted to them, and so of [KFDA].Priors.
func Classes[L Label](labels []L) []L {
	var classes []L
	seen := make(map[L]bool)
	for _, l := range labels {
		if !seen[l] {
			seen[l] = true
			classes = append(classes, l)
		}
	}
	sortClasses(classes)
	return classes
}

// encode returns the classes of labels and, for each row, the index of its label
// among them.
func encode[L Label](labels []L) (classes []L, codes []int) {
	classes = Classes(labels)
	index := make(map[L]int, len(classes))
	for j, l := range classes {
		index[l] = j
	}
	codes = make([]int, len(labels))
	for i, l := range labels {
		codes[i] = index[l]
	}
	return classes, codes
}

// sortClasses sorts distinct labels ascending. Texts are compared as numbers
// where all of them are integers of any length (equal numbers by their text),
// and bytewise otherwise.
func sortClasses[L Label](classes []L) {
	if reflect.TypeFor[L]().Kind() != reflect.String {
		slices.Sort(classes)
		return
	}
	integers := true
	for _, l := range classes {
		if _, _, ok := parseInteger(text(l)); !ok {
			integers = false
			break
		}
	}
	slices.SortFunc(classes, func(a, b L) int {
		if integers {
			if c := compareIntegers(text(a), text(b)); c != 0 {
				return c
			}
		}
		return strings.Compare(text(a), text(b))
	})
}

// text returns a label of a string type as a string.
func text[L Label](l L) string { return reflect.ValueOf(l).String() }

// parseInteger splits an optionally signed decimal integer of any length into
// its sign and its digits without leading zeros; zero is (false, "").
func parseInteger(s string) (negative bool, digits string, ok bool) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		negative = s[0] == '-'
		s = s[1:]
	}
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return false, "", false
	}
	digits = strings.TrimLeft(s, "0")
	return negative && digits != "", digits, true
}

// compareIntegers compares the numbers that two integer texts stand for.
func compareIntegers(a, b string) int {
	na, da, _ := parseInteger(a)
	nb, db, _ := parseInteger(b)
	if na != nb {
		if na {
			return -1
		}
		return 1
	}
	c := cmp.Compare(len(da), len(db))
	if c == 0 {
		c = strings.Compare(da, db)
	}
	if na {
		return -c
	}
	return c
}
