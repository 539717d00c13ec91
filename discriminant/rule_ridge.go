package discriminant

// ridgeRule reads classes off the values of [KernelRidge]: for two classes the
// second where the value is positive, else the first with the largest of its
// values.
type ridgeRule struct{}

const ridgeRuleKind = "ridge"

func (ridgeRule) kind() string { return ridgeRuleKind }

func (ridgeRule) classify(codes []int, w *workspace) error {
	for i := range codes {
		if z := w.z.Row(i); len(z) > 1 {
			codes[i] = argMax(z)
		} else if z[0] > 0 {
			codes[i] = 1
		} else {
			codes[i] = 0
		}
	}
	return nil
}

func (ridgeRule) decide(values []float64, w *workspace) {
	for i := range values {
		values[i] = w.z.Row(i)[0]
	}
}

func (ridgeRule) fields(*codec) {}
