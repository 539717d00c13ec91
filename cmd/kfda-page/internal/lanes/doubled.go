package lanes

// doubled(s, c, a, lda, b, ldb, k, groups) is f64.Doubled for groups of eight sums.
func doubled() *function {
	f := &function{name: "doubled"}
	at, low, a, lda, b, ldb, k, groups := f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter(), f.parameter()
	lda.set(times(lda.expr, number(size)))
	ldb.set(times(ldb.expr, number(size)))
	done := f.begin(integer, number(0))
	f.repeat(func() {
		var s, c four
		for i := range s {
			s[i], c[i] = f.begin(vector, load(at.expr, 2*i)), f.begin(vector, load(low.expr, 2*i))
		}
		f.refuse(done.expr, each(s, isMinusZero)...)
		bad := f.begin(vector, two(0))
		column, half := instruction(0x76, done.expr, number(1)), andInt(done.expr, 1)
		x, y := plus(b.expr, times(column, number(size))), plus(a.expr, times(half, number(columns*size)))
		f.steps(x, ldb.expr, y, lda.expr, k.expr, func(x expr, y [columns / 2]expr) {
			all := f.split(x)
			bad.set(or(bad.expr, small(x)))
			for i := range s {
				y := f.split(y[i])
				bad.set(or(bad.expr, small(y.all)))
				t := f.fma(all, y, s[i].expr)
				c[i].set(add(c[i].expr, f.fma(all, y, sub(s[i].expr, t))))
				s[i].set(t)
			}
		})
		f.refuse(done.expr, append(each(s, notFinite), bad.expr)...)
		for i := range s {
			f.store(at.expr, 2*i, s[i].expr)
			f.store(low.expr, 2*i, c[i].expr)
		}
		at.set(plus(at.expr, number(columns*size)))
		low.set(plus(low.expr, number(columns*size)))
		done.set(plus(done.expr, number(1)))
	}, lessInt(done.expr, groups.expr))
	f.giveBack(done.expr)
	return f
}
