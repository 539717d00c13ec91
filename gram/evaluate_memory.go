package gram

// Kept returns how many bytes an evaluator of a kernel keeps at most for n rows of d
// features, beside these: packed and mapped copies. The repeated of them are there for
// nothing but the number of the kernel's parts: all that is prepared for cosines and of some
// columns, and all but the first time for feature maps.
func Kept(k Kernel, n, d int) (bytes, repeated float64) {
	rows, features := float64(n), float64(d)
	if p, ok := k.(FeatureMap); ok {
		features = float64(p.Dim)
	}
	if _, ok := k.(pairwise); ok && float64(rows*features) <= maxPacked {
		bytes = float64(8 * float64(rows*features))
	}
	seen := make(map[string]bool)
	eachPart(k, func(part Kernel) {
		prepared := float64(8 * float64(rows*preparedNumbers(part, d)))
		bytes += prepared
		if m, ok := part.(FeatureMap); ok && !seen[m.Name] {
			seen[m.Name] = true
			return
		}
		repeated += prepared
	})
	return bytes, repeated
}

// preparedNumbers returns how many numbers a kernel that is part of another, or stands
// alone, prepares of a row of d features.
func preparedNumbers(k Kernel, d int) float64 {
	switch k := k.(type) {
	case Cosine:
		return float64(d + 1) // where a row must be scaled, all are
	case Columns:
		return float64(len(k.At))
	case FeatureMap:
		return float64(k.Dim)
	}
	return 0
}
