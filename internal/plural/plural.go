// Package plural writes numbers of things in messages.
package plural

import (
	"fmt"
	"strings"
)

// Count returns the number and the thing, in the plural unless there is one: "1 row", "2
// rows", "0 classes".
func Count[N int | uint64](n N, thing string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(thing, "s"):
		thing += "es"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
