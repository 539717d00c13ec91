package table

import (
	"strings"
	"time"
)

// dateLayouts are those that can be read in one way only.
var dateLayouts = []string{
	"2006-01-02", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00",
	"2006-01-02T15:04", "2006-01-02 15:04", "2006-01", "2006/01/02", "2006/01/02 15:04:05", "20060102T150405", "20060102T150405Z07:00",
	"2 Jan 2006", "2-Jan-2006", "Jan 2, 2006", "2 January 2006", "January 2, 2006",
}

// twoWays are those in which day and month may stand in either order.
var twoWays = []string{"1/2/2006", "2/1/2006", "1-2-2006", "2-1-2006", "1.2.2006", "2.1.2006", "1/2/06", "2/1/06", "2.1.06", "1.2.06"}

// dateOrder says whether a text is a date.
type dateOrder int

const (
	noDate dateOrder = iota
	ambiguousDate
	clearDate
)

// parseDate returns the days from 1970-01-01 to a date; one without an offset is one of UTC.
func parseDate(s string) (days float64, order dateOrder) {
	s = strings.Trim(s, " \t")
	if s == "" || len(s) > 40 || !strings.ContainsAny(s[:1], "0123456789JFMASOND") {
		return 0, noDate
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			const day = 24 * 60 * 60
			seconds := t.Unix()
			whole := seconds / day
			return float64(whole) + (float64(seconds-whole*day)+float64(t.Nanosecond())/1e9)/day, clearDate
		}
	}
	date, _, _ := strings.Cut(s, " ")
	for _, layout := range twoWays {
		if _, err := time.Parse(layout, date); err == nil {
			return 0, ambiguousDate
		}
	}
	return 0, noDate
}

// dates says whether all texts are dates, and whether they can be read in one way.
func (t *texts) dates() dateOrder {
	least := clearDate
	for _, text := range t.text {
		_, order := parseDate(text)
		if least = min(least, order); least == noDate {
			break
		}
	}
	return least
}

const (
	notDate       = "is not a date such as 2020-01-31"
	dateOfTwoWays = "is a date that may be read in two ways; write 2020-01-31"
)

// dateReason says why a text is no date, "" for one.
func dateReason(s string) string {
	_, order := parseDate(s)
	return [...]string{noDate: notDate, ambiguousDate: dateOfTwoWays, clearDate: ""}[order]
}
