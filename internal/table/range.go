package table

import (
	"fmt"
	"strconv"
	"strings"
)

// Range selects rows start, start+step, … below stop, counted from 0. The zero
// value selects all.
type Range struct {
	Start int
	Stop  int  // counts only if Ended
	Step  int  // 0 stands for 1
	Ended bool // whether there is an upper end
}

// ParseRange reads start:stop:step, each part optional: "0::2" are the even
// rows, "1::2" the odd ones, ":100" the first hundred.
func ParseRange(s string) (Range, error) {
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return Range{}, fmt.Errorf("rows %q: want start:stop:step, such as 0::2 or :100", s)
	}
	var r Range
	for i, part := range parts {
		if part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || i == 2 && n == 0 {
			return Range{}, fmt.Errorf("rows %q: %q is no row number or step; rows count from 0", s, part)
		}
		switch i {
		case 0:
			r.Start = n
		case 1:
			r.Stop, r.Ended = n, true
		case 2:
			r.Step = n
		}
	}
	return r, nil
}

// Has reports whether row i is selected.
func (r Range) Has(i int) bool {
	return i >= r.Start && (!r.Ended || i < r.Stop) && (i-r.Start)%max(r.Step, 1) == 0
}

func (r Range) String() string {
	stop := ""
	if r.Ended {
		stop = strconv.Itoa(r.Stop)
	}
	return fmt.Sprintf("%d:%s:%d", r.Start, stop, max(r.Step, 1))
}
