package gram

import (
	"fmt"
	"sync"

	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/matrix"
)

// FeatureMap is k(x, y) = φ(x)·φ(y) for an explicit map φ of the caller's. The
// map is applied once to each row.
//
// A model with a feature map can be saved if the map has a name, and loaded
// where RegisterFeatureMap has made the name known.
type FeatureMap struct {
	Name string // for String and for files; "" is a map without a name
	Dim  int    // length of φ(x), at least 1
	// Map writes φ(x) to dst, of length Dim and zero before. It must depend on x
	// alone, must not change or keep x, and must be safe for concurrent use. A
	// panic reaches the caller of the method that evaluates the kernel.
	Map func(dst, x []float64)
}

func (k FeatureMap) Validate() error {
	if k.Dim < 1 {
		return outOfRange("featuremap", "Dim", float64(k.Dim), "at least 1")
	}
	if k.Map == nil {
		return &ParameterError{Kernel: "featuremap", Parameter: "Map", Reason: "is nil"}
	}
	return nil
}

func (k FeatureMap) validate(int) error                               { return k.Validate() }
func (k FeatureMap) resolve(*matrix.Dense, []float64) (Kernel, error) { return k, nil }

func (k FeatureMap) rows(x *matrix.Dense) (rows, error) {
	z := matrix.New(x.Rows, k.Dim)
	for i := range x.Rows {
		k.Map(z.Row(i), x.Row(i))
	}
	for i := range z.Rows {
		for j, v := range z.Row(i) {
			if v-v != 0 {
				return rows{}, &NotFiniteError{What: "mapped feature", Row: i, Col: j, Value: v}
			}
		}
	}
	return rows{x: z}, nil
}

func (FeatureMap) op() f64.Op { return f64.Product }

func (FeatureMap) apply([]float64, rows, int, rows, int) {}

func (k FeatureMap) String() string { return toString(k) }

func (k FeatureMap) write(w *writer) {
	if k.Name == "" {
		w.unsavable(k, "a feature map without a name cannot be saved; name and register it")
	}
	w.open("featuremap")
	if k.Name != "" {
		w.quoted("name", k.Name)
	}
	w.integer("dim", k.Dim)
	w.close()
}

// registered holds the feature maps by name.
var registered struct {
	sync.RWMutex
	maps map[string]FeatureMap
}

// RegisterFeatureMap makes Parse, and so the loading of models, know a feature
// map by its name. It is meant for init functions and panics if the map is not
// valid, has no name, or the name is taken.
func RegisterFeatureMap(m FeatureMap) {
	if err := m.Validate(); err != nil {
		panic(fmt.Sprintf("gram: RegisterFeatureMap: %v", err))
	}
	if m.Name == "" {
		panic("gram: RegisterFeatureMap: the map has no name")
	}
	registered.Lock()
	defer registered.Unlock()
	if _, taken := registered.maps[m.Name]; taken {
		panic(fmt.Sprintf("gram: RegisterFeatureMap: there is a map %q already", m.Name))
	}
	if registered.maps == nil {
		registered.maps = make(map[string]FeatureMap)
	}
	registered.maps[m.Name] = m
}

func registeredFeatureMap(name string) (FeatureMap, bool) {
	registered.RLock()
	defer registered.RUnlock()
	m, ok := registered.maps[name]
	return m, ok
}
