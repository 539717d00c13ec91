package gram

// Kept returns how many bytes an evaluator of a kernel keeps at most for n rows of d
// features, beside these: packed and mapped copies.
func Kept(k Kernel, n, d int) float64 {
	rows, features := float64(n), float64(d)
	bytes := 0.0
	if p, ok := k.(FeatureMap); ok {
		features = float64(p.Dim)
	}
	if _, ok := k.(pairwise); ok && float64(rows*features) <= maxPacked {
		bytes = float64(8 * float64(rows*features))
	}
	eachPart(k, func(part Kernel) { bytes += float64(8 * float64(rows*preparedNumbers(part, d))) })
	return bytes
}

// preparedNumbers returns how many numbers a kernel that is part of another, or stands
// alone, prepares of a row of d features.
func preparedNumbers(k Kernel, d int) float64 {
	switch k := k.(type) {
	case Cosine:
		return float64(d + 1) // where a row must be scaled, all are
	case FeatureMap:
		return float64(k.Dim)
	}
	return 0
}

// Repeated returns how many bytes of [Kept] are there for nothing but the number of the
// kernel's parts: all that is prepared for cosines, and all but the first time for feature
// maps.
func Repeated(k Kernel, n, d int) float64 {
	numbers := 0.0
	seen := make(map[string]bool)
	eachPart(k, func(part Kernel) {
		if m, ok := part.(FeatureMap); ok && !seen[m.Name] {
			seen[m.Name] = true
			return
		}
		numbers += preparedNumbers(part, d)
	})
	return float64(8 * float64(float64(n)*numbers))
}
