package export

import "strings"

// functions are those of kernels and of probabilities that are used, as the library computes
// them: exp and tanh of package f64.
func functions(body string) string {
	uses := func(name string) bool { return strings.Contains(body, name+"(") }
	exp, tanh := uses("exp"), uses("tanh")
	text := ""
	if uses("power") {
		text += powerText
	}
	if uses("cosine") {
		text += cosineText
	}
	if exp || tanh {
		text += tablesText
	}
	if exp {
		text += expText
	}
	if tanh {
		text += tanhText
	}
	return text
}

const powerText = `func power(t float64, n int) float64 {
	p := t
	for i := 1; i < n; i++ {
		p = float64(p * t)
	}
	return p
}
`

const cosineText = `func cosine(dot float64, xx float64, yy float64) float64 {
	q := float64(xx * yy)
	if q == 0 {
		return 0
	}
	return math.Max(-1, math.Min(dot/math.Sqrt(q), 1))
}
`

const tablesText = `var powers = [8]float64{0x1p+0, 0x1.172b83c7d517bp+0, 0x1.306fe0a31b715p+0, 0x1.4bfdad5362a27p+0, 0x1.6a09e667f3bcdp+0, 0x1.8ace5422aa0dbp+0, 0x1.ae89f995ad3adp+0, 0x1.d5818dcfba487p+0}
var rests = [8]float64{0, -0x1.01b15bc801b15p-55, 0x1.34d753c834d75p-55, 0x1.690ce3c7690cep-56, -0x1.3b3efbc93b3efp-54, 0x1.db7303c8db730p-55, 0x1.c1a773c8c1a77p-55, 0x1.4a3853c74a385p-56}
`

const expText = `func exp(v float64) float64 {
	x := math.Min(math.Max(v, -746), 710)
	z := math.FMA(x, 0x1.71547652b82fep+0, 844424930134014.0)
	k := z - 844424930134014.0
	r := math.FMA(-k, 0x1.62e42fefa39efp-1, x)
	r = math.FMA(-k, 0x1.abc9e3b39803fp-56, r)
	r2 := float64(r * r)
	q := math.FMA(math.FMA(0x1.a01f570abd61cp-13, r, 0x1.6c1cc1860e77bp-10), r2, math.FMA(0x1.1111110b1ff36p-7, r, 0x1.55555547f6cccp-5))
	q = math.FMA(q, r2, math.FMA(0x1.55555555555cep-3, r, 0x1.000000000010fp-1))
	var u uint64 = bits(z)
	p := r + math.FMA(q, r2, rests[u&7])
	var a uint64 = (u >> 4) << 52
	var b uint64 = ((u >> 3) << 52) - a
	y := float64(powers[u&7] * fromBits(a))
	y = math.FMA(y, p, y)
	return float64(y * fromBits(b))
}
`

const tanhText = `func tanh(x float64) float64 {
	v := math.Min(math.Abs(x), 22)
	v = v + v
	z := math.FMA(v, 0x1.71547652b82fep+0, 844424930134014.0)
	k := z - 844424930134014.0
	rh := math.FMA(-k, 0x1.62e42fefa39efp-1, v)
	r := math.FMA(-k, 0x1.abc9e3b39803fp-56, rh)
	r2 := float64(r * r)
	q := math.FMA(0x1.a01de4c96acd4p-16, r2, math.FMA(0x1.a01edd94e0c6ep-13, r, 0x1.6c16c1685a7e7p-10))
	q = math.FMA(q, r2, math.FMA(0x1.1111110c65bbfp-7, r, 0x1.5555555555572p-5))
	q = math.FMA(q, r2, math.FMA(0x1.555555555559dp-3, r, 0.5))
	var u uint64 = bits(z)
	t := rests[u&7]
	s := math.FMA(q, r2, math.FMA(-k, 0x1.abc9e3b39803fp-56, math.FMA(t, rh, t)))
	ph := rh + s
	pl := s - (ph - rh)
	var a uint64 = (u >> 4) << 52
	var b uint64 = ((u >> 3) << 52) - a
	c := float64(float64(powers[u&7]*fromBits(a)) * fromBits(b))
	c1 := c - 1
	eh := math.FMA(c, ph, c1)
	el := math.FMA(c, pl, math.FMA(c, ph, c1-eh))
	large := math.Max(eh, 2)
	small := math.Min(eh, 2)
	dh := large + small
	dl := (small - (dh - large)) + el
	inv := 1 / dh
	y := float64(eh * inv)
	rem := math.FMA(-y, dh, eh) + el
	rem = math.FMA(-y, dl, rem)
	return math.Copysign(math.FMA(rem, inv, y), x)
}
`
