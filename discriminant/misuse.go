package discriminant

// What only a mistake in the program can do, the zero value of a model or a matrix
// that is nil, panics with a message that says what is wrong.

// needs panics where f is missing: in the zero value of a [Model], [PCA] or
// [Regression].
func (f *fitted) needs(method string) {
	if f == nil {
		panic("discriminant: " + method + " of a model that was neither fitted nor loaded")
	}
}

// needs panics where p is missing: in the zero value of a [Path].
func (p *path) needs(method string) {
	if p == nil {
		panic("discriminant: " + method + " of a Path that is not from FitPath")
	}
}

// needs panics where s is nil, as for a model without scaling.
func (s *Scaler) needs(method string) {
	if s == nil {
		panic("discriminant: " + method + " of a nil Scaler: Scaler returns nil for a model that does not scale its features")
	}
}
