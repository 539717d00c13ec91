package discriminant

import (
	"maps"
	"slices"
)

// notes are texts under keys, which the library does not read.
type notes map[string]string

// with returns the notes with one more.
func (n notes) with(key, text string) notes {
	m := make(notes, len(n)+1)
	maps.Copy(m, n)
	m[key] = text
	return m
}

// fields names those of the notes.
func (n *notes) fields(c *codec) {
	if !c.ok() || !c.optional("notes", true, false) {
		return
	}
	keys := slices.Sorted(maps.Keys(*n))
	count := c.count("notes", len(keys), 16)
	if c.reading() {
		keys, *n = make([]string, count), make(notes, count)
	}
	for i := range keys {
		text := (*n)[keys[i]]
		c.string("key", &keys[i])
		if i > 0 && keys[i] <= keys[i-1] {
			c.fail("key", "%q after %q: keys must ascend", keys[i], keys[i-1])
		}
		if c.string("text", &text); c.reading() {
			(*n)[keys[i]] = text
		}
	}
}
