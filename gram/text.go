package gram

func (k Linear) String() string      { return toString(k) }
func (k Polynomial) String() string  { return toString(k) }
func (k RBF) String() string         { return toString(k) }
func (k Precomputed) String() string { return toString(k) }

func (Linear) write(w *writer)      { w.raw("linear()") }
func (Precomputed) write(w *writer) { w.raw("precomputed()") }

func (k RBF) write(w *writer) {
	w.raw("rbf(")
	w.optional("gamma", k.Gamma)
	w.raw(")")
}

func (k Polynomial) write(w *writer) {
	w.raw("polynomial(")
	w.optional("gamma", k.Gamma)
	w.raw(", ")
	w.number("coef0", k.Coef0)
	w.raw(", ")
	w.integer("degree", k.Degree)
	w.raw(")")
}
