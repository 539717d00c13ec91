package cv

import "slices"

// Edges says where the best of the record is at an edge of what was tried with its kernel and scaling,
// as in "smallest gamma" and "largest ridge", so that a better one may lie beyond. Where
// another value was as good there is no edge; nor is one component, nor a shrinkage.
func (r Record) Edges() []string {
	return edges(r.Candidates, r.Best, r.by())
}

func edges(candidates []Candidate, at int, by Criterion) []string {
	if len(candidates) == 0 {
		return nil
	}
	best := candidates[at]
	// A classifier was tried at the best of the grid alone.
	at = slices.IndexFunc(candidates, func(c Candidate) bool { return c.Sample == best.Sample && c.sameSettings(best) })
	best = candidates[at]
	var gammas, values, goodGammas, goodValues []float64
	name := ""
	for _, c := range candidates {
		if c.point().line != best.point().line {
			continue
		}
		gamma := float64(c.Gamma)
		var value float64
		value, name = c.value()
		gammas, values = append(gammas, gamma), append(values, value)
		if c.Sample == best.Sample && c.Failed == 0 && by.of(c) == by.of(best) {
			goodGammas, goodValues = append(goodGammas, gamma), append(goodValues, value)
		}
	}
	found := edgesOf("gamma", gammas, goodGammas)
	if name == "shrink" {
		return found
	}
	return append(found, slices.DeleteFunc(edgesOf(name, values, goodValues), func(edge string) bool { return edge == "smallest components" })...)
}

// edgesOf says whether all good values are the smallest or the largest of several.
func edgesOf(name string, all, good []float64) []string {
	if len(good) == 0 { // of a record that no search made
		return nil
	}
	least, most := slices.Min(all), slices.Max(all)
	switch {
	case least < most && slices.Max(good) == least:
		return []string{"smallest " + name}
	case least < most && slices.Min(good) == most:
		return []string{"largest " + name}
	}
	return nil
}

// value returns what was searched beside γ, and its name.
func (c Candidate) value() (float64, string) {
	if c.Parameter != "" {
		return float64(c.Value), c.Parameter
	}
	return float64(c.Ridge), "ridge"
}

func (c Candidate) sameSettings(d Candidate) bool {
	return c.point().compare(d.point()) == 0
}
