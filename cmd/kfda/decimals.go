package main

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// decimals are numbers with so many digits after the point, whose sums are exact.
type decimals int

// decimalsFor returns how many make the largest of some numbers have that many digits.
func decimalsFor(digits int, values ...float64) decimals {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	if most == 0 {
		return decimals(digits - 1)
	}
	return decimals(max(0, digits-1-int(math.Floor(math.Log10(most)))))
}

// units returns v in units of the last digit.
func (d decimals) units(v float64) *big.Int {
	n, _ := new(big.Int).SetString(strings.Replace(strconv.FormatFloat(v, 'f', int(d), 64), ".", "", 1), 10)
	return n
}

// number writes so many units.
func (d decimals) number(units *big.Int) json.Number {
	sign, text := "", new(big.Int).Abs(units).String()
	if units.Sign() < 0 {
		sign = "-"
	}
	if d == 0 {
		return json.Number(sign + text)
	}
	text = strings.Repeat("0", max(0, int(d)+1-len(text))) + text
	return json.Number(sign + text[:len(text)-int(d)] + "." + text[len(text)-int(d):])
}
