package table

import "strings"

// Quote returns a cell of a CSV file that Read takes for text: in quotes if it
// holds a separator, a quote or a line end, has blanks around, or would read as
// missing.
func Quote(text string) string {
	if !strings.ContainsAny(text, ",;\"\t\r\n") && strings.Trim(text, " ") == text && !isMissing(text) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
