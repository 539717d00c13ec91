package gram

import "strconv"

// writer builds a kernel's text: exact numbers for files, decimal for people.
type writer struct {
	exact bool
	text  []byte
	err   error
}

func (w *writer) raw(s string) { w.text = append(w.text, s...) }

// number writes "name=value".
func (w *writer) number(name string, v float64) {
	w.raw(name)
	w.raw("=")
	if w.exact {
		w.text = strconv.AppendFloat(w.text, v, 'x', -1, 64)
	} else {
		w.text = strconv.AppendFloat(w.text, v, 'g', -1, 64)
	}
}

// optional writes a number for which 0 means the default.
func (w *writer) optional(name string, v float64) {
	if v == 0 && !w.exact {
		w.raw(name + "=default")
		return
	}
	w.number(name, v)
}

func (w *writer) integer(name string, v int) {
	w.raw(name + "=")
	w.text = strconv.AppendInt(w.text, int64(v), 10)
}

func toString(k Kernel) string {
	w := writer{}
	k.write(&w)
	return string(w.text)
}
