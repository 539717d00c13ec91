package discriminant

import (
	"fmt"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

func TestEncodeOrdersClasses(t *testing.T) {
	texts := []struct{ labels, want []string }{
		{[]string{"b", "a", "b"}, []string{"a", "b"}},
		{[]string{"10", "9", "-1"}, []string{"-1", "9", "10"}},
		{[]string{"+1", "-1"}, []string{"-1", "+1"}},
		{[]string{"2", "02", "+2", "1"}, []string{"1", "+2", "02", "2"}}, // equal numbers by text, kept apart
		{[]string{"-0", "0", "+0", "-1"}, []string{"-1", "+0", "-0", "0"}},
		{[]string{"-10", "-9"}, []string{"-10", "-9"}},
		{[]string{"7310582946137205761", "7310582946137205760", "73105829461372057600"}, []string{"7310582946137205760", "7310582946137205761", "73105829461372057600"}},
		{[]string{"2", "2.0", "2.10", "02", "true", "TRUE"}, []string{"02", "2", "2.0", "2.10", "TRUE", "true"}}, // not all integers: bytewise
		{[]string{"10", "9", "b", "B", "ä"}, []string{"10", "9", "B", "b", "ä"}},
		{[]string{"", "1", "+"}, []string{"", "+", "1"}},
	}
	for _, c := range texts {
		got, codes := encode(c.labels)
		must.EqualSlices(t, fmt.Sprintf("classes of %q", c.labels), got, c.want)
		for i, l := range c.labels {
			if got[codes[i]] != l {
				t.Errorf("row %d of %q has class %q", i, c.labels, got[codes[i]])
			}
		}
	}
	type small int8
	got, _ := encode([]small{3, -128, 127, 3})
	must.EqualSlices(t, "classes", got, []small{-128, 3, 127})
	unsigned, _ := encode([]uint64{1 << 63, 1, 1<<64 - 1})
	must.EqualSlices(t, "classes", unsigned, []uint64{1, 1 << 63, 1<<64 - 1})
}
