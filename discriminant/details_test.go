package discriminant

// everyDetails has what several methods have, for tests of several.
type everyDetails struct {
	expansion
	spectrum
	regularised
	trusted
	classified
}

// DetailsOf returns them.
func DetailsOf(m interface{ self() *fitted }) everyDetails {
	f := m.self()
	return everyDetails{expansionOf(f), spectrum{f}, regularised{f}, trusted{f}, classified{f}}
}

func (f *fitted) self() *fitted { return f }
