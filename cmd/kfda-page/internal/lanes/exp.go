package lanes

// The places of what f64.ExpData has, each constant four times.
const (
	least, most, log2e, shift, ln2Hi, ln2Lo = 0, 4, 8, 12, 16, 20
	c7, c6, c5, c4, c3, c2                  = 24, 28, 32, 36, 40, 44
	pow, rest                               = 100, 108 // of 2^(j/8), j = 0…7, once
)

// exp(x, n, data)
func exp() *function {
	f := &function{name: "exp"}
	x, n, data := f.parameter(), f.parameter(), f.parameter()
	done := f.begin(integer, number(0))
	e := f.exponential(data.expr)
	f.repeat(func() {
		v := f.let(load(x.expr, 0))
		f.when(anyBit(small(v)), func() { f.giveBack(done.expr) })
		f.store(x.expr, 0, e(v))
		x.set(plus(x.expr, number(2*size)))
		done.set(plus(done.expr, number(2)))
	}, lessInt(done.expr, n.expr))
	f.giveBack(done.expr)
	return f
}

// exponential returns how e^x is computed, by the operations of f64.Exp, of x that is not small.
func (f *function) exponential(data expr) func(x expr) expr {
	constant := make(map[int]factor)
	for place := least; place <= c2; place += 4 {
		constant[place] = f.split(load(data, place))
	}
	return func(x expr) expr {
		x = f.let(atMost(atLeast(x, constant[least].all), constant[most].all))
		z := f.fma(f.split(x), constant[log2e], constant[shift].all)
		k := f.split(sub(constant[shift].all, z)) // −k of the text there
		r := f.split(f.fma(k, constant[ln2Lo], f.fma(k, constant[ln2Hi], x)))
		r2 := f.split(mul(r.all, r.all))
		pair := func(c, d int) expr { return f.fma(constant[c], r, constant[d].all) }
		q := f.fma(f.split(pair(c7, c6)), r2, pair(c5, c4))
		q = f.fma(f.split(q), r2, pair(c3, c2))

		var at [2]expr
		for i := range at {
			at[i] = f.begin(integer, plus(data, times(andInt(word(z, byte(i)), 7), number(size)))).expr
		}
		both := func(table int) expr { return of(0, loadTwice(at[0], table), loadTwice(at[1], table)) }
		p := f.split(add(r.all, f.fma(f.split(q), r2, both(rest))))
		a := f.let(left(right(z, 4), 52))
		y := f.split(mul(both(pow), a))
		return mul(f.fma(y, p, y.all), subBits(left(right(z, 3), 52), a))
	}
}
