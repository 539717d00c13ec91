package discriminant

import (
	"bytes"
	"errors"
	"testing"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/internal/matrixtest"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/internal/section"
)

func marshalAccumulator(a *fisher.Accumulator) ([]byte, error) {
	c, s := new(codec), a.State()
	c.accumulatorFields(&s)
	sections, err := c.finish()
	if err != nil {
		return nil, err
	}
	return section.Marshal(sections)
}

func unmarshalAccumulator(data []byte) (*fisher.Accumulator, error) {
	var s fisher.State
	c, err := readLarge(bytes.NewReader(data), factorsSection, func(c *codec) { c.accumulatorFields(&s) })
	if err == nil {
		_, err = c.finish()
	}
	if err != nil {
		return nil, err
	}
	a, err := fisher.RestoreAccumulator(s)
	if err != nil {
		return nil, &section.FormatError{Section: factorsSection, Reason: err.Error()}
	}
	return a, nil
}

// An accumulator that was kept in the middle of a block goes on as if it had not been; a file that
// is cut or changed anywhere is an error.
func TestAccumulatorFile(t *testing.T) {
	const n, m, c = fisher.BlockRows + 2000, 4, 3
	x, codes := matrixtest.Blobs(n, m, c)
	append := func(a *fisher.Accumulator, lo, hi int) *fisher.Accumulator {
		must.Do(t, a.Append(fisher.Rows{Features: x.View(lo, 0, hi-lo, m), Codes: codes[lo:hi]}))
		return a
	}
	shape := fisher.Shape{Classes: c, Features: m, Folds: 2}
	whole := append(fisher.NewAccumulator(shape, 0), 0, n)
	for _, at := range []int{0, 100, fisher.BlockRows, fisher.BlockRows + 1200} {
		data := must.Get(marshalAccumulator(append(fisher.NewAccumulator(shape, 0), 0, at)))(t)
		a := must.Get(unmarshalAccumulator(data))(t)
		must.Equal(t, "next row", a.Next(), at)
		got, want := must.Get(marshalAccumulator(append(a, at, n)))(t), must.Get(marshalAccumulator(whole))(t)
		if !bytes.Equal(got, want) {
			t.Errorf("kept at row %d: another file of %d bytes, want %d", at, len(got), len(want))
		}
	}
	data := must.Get(marshalAccumulator(append(fisher.NewAccumulator(shape, 0), 0, 600)))(t)
	for i := 0; i < len(data); i += 5 {
		spoiled := bytes.Clone(data)
		spoiled[i] ^= 1
		for _, bad := range [][]byte{data[:i], spoiled} {
			if _, err := unmarshalAccumulator(bad); !errors.As(err, new(*section.FormatError)) {
				t.Fatalf("byte %d: %v", i, err)
			}
		}
	}
	state := whole.State()
	state.Factors[1].Nodes[0].Level = 5
	codec := new(codec)
	codec.accumulatorFields(&state)
	if _, err := unmarshalAccumulator(must.Get(section.Marshal(must.Get(codec.finish())(t)))(t)); !errors.As(err, new(*section.FormatError)) {
		t.Errorf("a node of another level: %v", err)
	}
}
