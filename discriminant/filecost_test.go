package discriminant

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/section"
	"github.com/seed92411348/kfda/matrix"
)

// edited returns the file of a model with the data of one section made anew, under right
// checksums; edit gets a decoder of the old ones.
func edited(t *testing.T, data []byte, name string, edit func(d *section.Decoder, e *section.Encoder)) []byte {
	t.Helper()
	sections := must.Get(section.Read(bytes.NewReader(data)))(t)
	at := slices.IndexFunc(sections, func(s section.Section) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("no section %s", name)
	}
	e := section.NewEncoder(name)
	edit(section.NewDecoder(sections[at]), e)
	sections[at] = must.Get(e.Section(sections[at].Critical))(t)
	var b bytes.Buffer
	must.Get(section.Write(&b, sections))(t)
	return b.Bytes()
}

// withKernel returns the file of a model with the text of another kernel.
func fileWithKernel(t *testing.T, data []byte, text string) []byte {
	return edited(t, data, "kernel", func(d *section.Decoder, e *section.Encoder) {
		d.String("kernel")
		e.String("kernel", text)
		e.Bool("centred", d.Bool("centred"))
	})
}

// loadCost is what Load allocates at most for files of so many bytes: see there.
func loadCost(size int) uint64 { return 16*uint64(size) + 1<<16 }

// costOf loads a file and returns the model, what that allocated and the error: the
// least of three times, for a collection may have emptied the pools of work memory,
// whose size does not depend on the file.
func costOf[L Label](data []byte) (m *Model[L], allocated uint64, err error) {
	allocated = math.MaxUint64
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err = Load[L](bytes.NewReader(data))
		runtime.ReadMemStats(&after)
		allocated = min(allocated, after.TotalAlloc-before.TotalAlloc)
	}
	return m, allocated, err
}

// What a file costs is bounded by its size, whatever it claims and however it is made.
func TestLoadCost(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops pooled memory at random")
	}
	small := smallModels(t)["kfda"]
	x, codes := blobs(100, 1, 2)
	tall := marshalled(t, KFDA{Kernel: gram.Linear{}, Classifier: NearestCentroid{}}, x, codes)
	tiny := x.Clone()
	for i := range tiny.Data {
		tiny.Data[i] = float64(tiny.Data[i]*0x1p-300) + 0x1p-301 // which cosines scale
	}
	scaled := edited(t, tall, "rows", func(_ *section.Decoder, e *section.Encoder) { e.Matrix("rows", tiny) })
	many := func(kernel string, n int) string {
		return "sum(" + strings.TrimSuffix(strings.Repeat(kernel+",", n), ",") + ")"
	}
	files := map[string][]byte{
		"10⁵ parts":               fileWithKernel(t, small, many("linear()", 1e5)),
		"10⁵ sums of one":         fileWithKernel(t, small, many("sum(linear())", 1e5)),
		"10⁵ parts in three":      fileWithKernel(t, small, many(many("linear()", 33000), 3)),
		"1000 parts":              fileWithKernel(t, small, many("linear()", 999)),
		"1000 cosines":            fileWithKernel(t, scaled, many("cosine()", 999)),
		"five cosines":            fileWithKernel(t, scaled, many("cosine()", 5)),
		"many sections":           manySections(t, small),
		"a section that is all":   fileWithKernel(t, small, strings.Repeat(" ", 1e6)+"linear()"),
		"notes":                   manyNotes(t, small),
		"svm of 2⁴⁰ values a row": precomputedSVM(t, 1<<40),
		"svm of 2²⁰ values a row": precomputedSVM(t, 1<<20),
	}
	for name, method := range savedModels {
		files["a model "+name] = marshalled(t, method, x, codes)
	}
	for _, c := range []int{2, 60} {
		x, codes := blobs(3*c, 1, c)
		for name, method := range map[string]Method{
			"kfda": KFDA{Regularizer: RKHS(1), Components: 1, Classifier: NearestCentroid{}}, "knn": LDA{Components: 1, Classifier: KNN{}}, "per class": LDA{Components: 1, Classifier: Gaussian{PerClass: true}},
		} {
			files[fmt.Sprintf("%d classes %s", c, name)] = marshalled(t, method, x, codes)
		}
	}
	for name, data := range files {
		m, got, err := costOf[int](data)
		if most := loadCost(len(data)); got > most {
			t.Errorf("%s: %d bytes allocated for a file of %d, want at most %d; error %v", name, got, len(data), most, err)
		}
		var format *FormatError
		if err != nil && !errors.As(err, &format) {
			t.Errorf("%s: %v", name, err)
		}
		if refused := strings.HasPrefix(name, "10⁵") || name == "1000 cosines" || name == "many sections"; refused != (err != nil) {
			t.Errorf("%s: error %v", name, err)
		}
		if err == nil && m.Dim() == 1 { // and what it is used for costs no more than the rows are worth
			if _, err := m.Project(nil, matrix.New(1, 1)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func marshalled[L Label](t *testing.T, method Method, x *matrix.Dense, labels []L) []byte {
	t.Helper()
	return must.Get(mustFit(t, method, x, labels).MarshalBinary())(t)
}

// A file of many classes with short names: little of it for each.
func TestLoadCostOfClasses(t *testing.T) {
	const classes = 20000
	x, _ := blobs(4, 1, 2)
	data := marshalled(t, LDA{Classifier: NearestCentroid{}}, x, []string{"a", "b", "a", "b"})
	data = edited(t, data, "model", func(d *section.Decoder, e *section.Encoder) {
		for _, field := range []string{"method", "embedding", "rule"} {
			e.String(field, d.String(field))
		}
		e.Uint64("label kind", d.Uint64("label kind"))
		e.Uint64("classes", classes)
		e.Uint64("components", 1)
		e.Uint64("rows", classes)
		e.Uint64("columns", 1)
		e.String("sha256", string(make([]byte, 32)))
		e.Uint64("scaling", 0)
	})
	data = edited(t, data, "classes", func(_ *section.Decoder, e *section.Encoder) {
		for i := range classes {
			e.String("label", string([]byte{byte(i >> 8), byte(i)}))
			e.Count("count", 1)
		}
	})
	data = edited(t, data, "centroids", func(_ *section.Decoder, e *section.Encoder) { e.Matrix("centroids", matrix.New(classes, 1)) })
	data = edited(t, data, "threshold", func(_ *section.Decoder, e *section.Encoder) { e.Bool("present", false) })
	_, got, err := costOf[string](data)
	if err != nil || got > loadCost(len(data)) {
		t.Errorf("%d bytes allocated for a file of %d, error %v", got, len(data), err)
	}
}

func manySections(t *testing.T, data []byte) []byte {
	t.Helper()
	sections := must.Get(section.Read(bytes.NewReader(data)))(t)
	for i := range 20000 {
		sections = append(sections, section.Section{Name: fmt.Sprint(i)})
	}
	var b bytes.Buffer
	must.Get(section.Write(&b, sections))(t)
	return b.Bytes()
}

func manyNotes(t *testing.T, data []byte) []byte {
	return edited(t, data, "notes", func(_ *section.Decoder, e *section.Encoder) {
		const notes = 50000
		e.Count("notes", notes)
		for i := range notes {
			e.String("key", string(binary.BigEndian.AppendUint32(nil, uint32(i))))
			e.String("text", "")
		}
	})
}

// precomputedSVM returns a file of a few hundred bytes that claims rows of so many kernel
// values.
func precomputedSVM(t *testing.T, order uint64) []byte {
	t.Helper()
	k, _ := matrix.FromRows([][]float64{{2, 1}, {1, 2}})
	data := marshalled(t, SVM{Kernel: gram.Precomputed{}}, k, []int{1, 2})
	data = edited(t, data, "model", func(d *section.Decoder, e *section.Encoder) {
		for _, field := range []string{"method", "embedding", "rule"} {
			e.String(field, d.String(field))
		}
		for _, field := range []string{"label kind", "classes", "components"} {
			e.Uint64(field, d.Uint64(field))
		}
		e.Uint64("rows", order)
		e.Uint64("columns", order)
		e.String("sha256", string(make([]byte, 32)))
		e.Uint64("scaling", 0)
	})
	return edited(t, data, "classes", func(d *section.Decoder, e *section.Encoder) {
		for _, count := range []uint64{1, order - 1} {
			e.Int64("label", d.Int64("label"))
			e.Uint64("count", count)
			d.Uint64("count")
		}
	})
}

// Faults of a file that its checksums are right for, each with what Load says.
func TestLoadRefusesFaults(t *testing.T) {
	models := smallModels(t)
	swapped := func(d *section.Decoder, e *section.Encoder) {
		a, b := [2]int64{d.Int64("label"), d.Int64("count")}, [2]int64{d.Int64("label"), d.Int64("count")}
		for _, c := range [][2]int64{b, a} {
			e.Int64("label", c[0])
			e.Int64("count", c[1])
		}
	}
	scale := func(v float64) func(d *section.Decoder, e *section.Encoder) {
		return func(d *section.Decoder, e *section.Encoder) {
			e.Floats("shift", d.Floats("shift"))
			e.Floats("scale", []float64{v})
		}
	}
	note := func(second string) func(d *section.Decoder, e *section.Encoder) {
		return func(_ *section.Decoder, e *section.Encoder) {
			e.Count("notes", 2)
			for _, key := range []string{"k", second} {
				e.String("key", key)
				e.String("text", "v"+key)
			}
		}
	}
	threshold := func(v float64) func(d *section.Decoder, e *section.Encoder) {
		return func(d *section.Decoder, e *section.Encoder) {
			e.Bool("present", true)
			e.Float64("scale", v)
			e.Float64("threshold", 0)
		}
	}
	for _, c := range []struct {
		model, section string
		edit           func(d *section.Decoder, e *section.Encoder)
		reason         string // "" where nothing is wrong
	}{
		{"lda", "classes", swapped, "not in order"},
		{"kfda", "scaler", scale(0), "not positive"},
		{"kfda", "scaler", scale(math.Copysign(0, -1)), "not positive"},
		{"kfda", "scaler", scale(-1), "not positive"},
		{"kfda", "scaler", scale(5e-324), ""},
		{"kfda", "notes", note("k"), "must ascend"},
		{"kfda", "notes", note("a"), "must ascend"},
		{"kfda", "notes", note("l"), ""},
		{"kfda", "threshold", threshold(0), "threshold between two classes"},
		{"kfda", "threshold", threshold(1), ""},
	} {
		_, err := Load[int](bytes.NewReader(edited(t, models[c.model], c.section, c.edit)))
		var format *FormatError
		switch {
		case c.reason == "" && err != nil:
			t.Errorf("%s of %s: %v", c.section, c.model, err)
		case c.reason != "" && (!errors.As(err, &format) || format.Section != c.section || !strings.Contains(format.Reason, c.reason)):
			t.Errorf("%s of %s: error %v, want one of that section that says %q", c.section, c.model, err, c.reason)
		}
	}
}
