package gram

import "strconv"

// writer builds the text of a kernel: name(argument, argument, …).
type writer struct {
	exact bool // hexadecimal numbers, as in files
	text  []byte
	first bool // no argument yet since the last open
	depth int
	err   error
}

func toString(k Kernel) string {
	w := writer{}
	k.write(&w)
	return string(w.text)
}

func (w *writer) open(name string) {
	w.text = append(append(w.text, name...), '(')
	w.first = true
}

func (w *writer) close() {
	w.text = append(w.text, ')')
	w.first = false
}

// argument starts the next argument.
func (w *writer) argument() {
	if !w.first {
		w.text = append(w.text, ", "...)
	}
	w.first = false
}

func (w *writer) key(name string) {
	w.argument()
	w.text = append(append(w.text, name...), '=')
}

func (w *writer) number(name string, v float64) {
	w.key(name)
	format := byte('g')
	if w.exact {
		format = 'x'
	}
	w.text = strconv.AppendFloat(w.text, v, format, -1, 64)
}

// optional writes a number for which 0 means the default.
func (w *writer) optional(name string, v float64) {
	if v == 0 && !w.exact {
		w.key(name)
		w.text = append(w.text, "default"...)
		return
	}
	w.number(name, v)
}

func (w *writer) index(v int) {
	w.argument()
	w.text = strconv.AppendInt(w.text, int64(v), 10)
}

func (w *writer) integer(name string, v int) {
	w.key(name)
	w.text = strconv.AppendInt(w.text, int64(v), 10)
}

func (w *writer) quoted(name, v string) {
	w.key(name)
	w.text = strconv.AppendQuote(w.text, v)
}

// kernel writes a kernel as an argument. Kernels that are not valid, nil or
// nested too deep, get a mark.
func (w *writer) kernel(k Kernel) {
	w.argument()
	if k == nil || w.depth == maxDepth {
		w.text = append(w.text, '?')
		return
	}
	w.depth++
	k.write(w)
	w.depth--
}

func (w *writer) kernels(name string, parts []Kernel) {
	w.open(name)
	for _, k := range parts {
		w.kernel(k)
	}
	w.close()
}

// unsavable notes that k has no exact text.
func (w *writer) unsavable(k Kernel, reason string) {
	if w.exact && w.err == nil {
		w.err = &UnsavableError{Kernel: k.String(), Reason: reason}
	}
}
