package table

import (
	"io"
	"strconv"
	"strings"
)

// attribute is a declared column of an ARFF file.
type attribute struct {
	name    string
	nominal []string // declared values; nil for other types
	allowed map[string]bool
	text    bool // string or date: no default in sparse rows
}

// arff reads the records of an ARFF file.
type arff struct {
	lines
	attributes []attribute
	names      int // of attributes and values declared
	head       int // bytes of the declarations
	rec        []cell
}

// newARFF reads the head of the file, up to and with @data. Like a record it has at
// most maxCells names and maxRecord bytes.
func newARFF(r *reader) (*arff, error) {
	a := &arff{lines: lines{reader: r}}
	for {
		raw, err := a.lines.next()
		if err == io.EOF {
			return nil, a.position().syntax("the file ends before @data")
		}
		if err != nil {
			return nil, err
		}
		line := strings.Trim(string(raw), " \t")
		if line == "" || line[0] == '%' {
			continue
		}
		keyword, rest := line, ""
		if i := strings.IndexAny(line, " \t"); i >= 0 {
			keyword, rest = line[:i], strings.Trim(line[i:], " \t")
		}
		switch strings.ToLower(keyword) {
		case "@relation":
		case "@attribute":
			if a.head += len(rest); a.head > maxRecord {
				return nil, a.position().tooLarge(maxRecord, "bytes of attributes")
			}
			att, err := a.attribute(rest)
			if err != nil {
				return nil, err
			}
			a.attributes = append(a.attributes, att)
		case "@data":
			return a, nil
		default:
			return nil, a.position().syntax("%s where @relation, @attribute or @data was expected", quoteCell(keyword))
		}
	}
}

// attribute reads what follows @attribute: a name and a type.
func (a *arff) attribute(s string) (attribute, error) {
	name, rest, err := a.declared(s, " \t")
	if err != nil {
		return attribute{}, err
	}
	att := attribute{name: name.text}
	kind := strings.Trim(rest, " \t")
	if values, ok := strings.CutPrefix(kind, "{"); ok {
		att.nominal, att.allowed = []string{}, map[string]bool{}
		for {
			v, rest, err := a.declared(values, ",}")
			if err != nil {
				return attribute{}, err
			}
			if rest == "" {
				return attribute{}, a.position().syntax("the list of values has no closing brace")
			}
			if v.text != "" || v.quoted {
				att.nominal = append(att.nominal, v.text)
				att.allowed[v.text] = true
			}
			if rest[0] == '}' {
				return att, nil
			}
			values = rest[1:]
		}
	}
	word := kind
	if i := strings.IndexAny(kind, " \t'\""); i >= 0 {
		word = kind[:i] // without the format of a date
	}
	switch strings.ToLower(word) {
	case "numeric", "real", "integer":
	case "string", "date":
		att.text = true
	default:
		return attribute{}, a.position().syntax("attribute %s has type %s, not numeric, real, integer, string, date or {values}", quoteCell(att.name), quoteCell(kind))
	}
	return att, nil
}

// declared reads one name of the head.
func (a *arff) declared(s, ends string) (v cell, rest string, err error) {
	if a.names++; a.names > maxCells {
		return cell{}, "", a.position().tooLarge(maxCells, "names of attributes and values")
	}
	return a.value(s, ends)
}

// value reads one value of s, in quotes or not, up to one of the bytes of ends,
// and returns what follows it, that byte included.
func (a *arff) value(s, ends string) (v cell, rest string, err error) {
	s = strings.TrimLeft(s, " \t")
	if s == "" || s[0] != '\'' && s[0] != '"' {
		i := strings.IndexAny(s, ends)
		if i < 0 {
			i = len(s)
		}
		return cell{text: strings.TrimRight(s[:i], " \t")}, s[i:], nil
	}
	var text strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n':
				text.WriteByte('\n')
			case 'r':
				text.WriteByte('\r')
			case 't':
				text.WriteByte('\t')
			default:
				text.WriteByte(s[i])
			}
		case c == s[0]:
			tail := s[i+1:]
			rest = strings.TrimLeft(tail, " \t")
			if rest != "" && !strings.Contains(ends, tail[:1]) && !strings.Contains(ends, rest[:1]) {
				return cell{}, "", a.position().syntax("%s stands right after a quoted value", quoteCell(rest))
			}
			return cell{text: text.String(), quoted: true}, rest, nil
		default:
			text.WriteByte(c)
		}
	}
	return cell{}, "", a.position().syntax("a quoted value is not closed")
}

// next reads the next row.
func (a *arff) next() (record, error) {
	for {
		raw, err := a.lines.next()
		if err != nil {
			return record{}, err
		}
		line := strings.Trim(string(raw), " \t")
		if line == "" || line[0] == '%' {
			continue
		}
		a.rec = a.rec[:0]
		if line[0] == '{' {
			err = a.sparse(line)
		} else {
			err = a.dense(line)
		}
		if err != nil {
			return record{}, err
		}
		return record{a.at, a.rec}, nil
	}
}

func (a *arff) dense(s string) error {
	for {
		v, rest, err := a.value(s, ",")
		if err != nil {
			return err
		}
		j := len(a.rec)
		if j == len(a.attributes) {
			if strings.HasPrefix(v.text, "{") && rest == "" {
				return a.position().syntax("there is an instance weight; weights are not supported")
			}
			return a.position().ragged(j+1+strings.Count(rest, ","), len(a.attributes), "")
		}
		if err := a.check(j, v); err != nil {
			return err
		}
		a.rec = append(a.rec, v)
		if rest == "" {
			break
		}
		s = rest[1:]
	}
	if len(a.rec) != len(a.attributes) {
		return a.position().ragged(len(a.rec), len(a.attributes), "")
	}
	return nil
}

// sparse reads "{index value, …}".
func (a *arff) sparse(s string) error {
	for _, att := range a.attributes {
		v := cell{text: "0"}
		if len(att.nominal) > 0 {
			v = cell{text: att.nominal[0], quoted: true}
		}
		if att.text {
			v = cell{text: "?"}
		}
		a.rec = append(a.rec, v)
	}
	s = strings.TrimLeft(s[1:], " \t")
	if s == "}" {
		return nil
	}
	for last := -1; ; {
		i := strings.IndexAny(s, " \t")
		if i < 0 {
			return a.position().syntax("a sparse row is {index value, index value, …}")
		}
		j, err := strconv.Atoi(s[:i])
		if err != nil || j < 0 || j >= len(a.attributes) {
			return a.position().syntax("%s is no attribute number; there are 0 to %d", quoteCell(s[:i]), len(a.attributes)-1)
		}
		if j <= last {
			return a.position().syntax("attribute %d stands after %d; numbers must ascend", j, last)
		}
		last = j
		v, rest, err := a.value(s[i:], ",}")
		if err != nil {
			return err
		}
		if err := a.check(j, v); err != nil {
			return err
		}
		a.rec[j] = v
		if rest == "" {
			return a.position().syntax("the row has no closing brace")
		}
		if rest[0] == '}' {
			if after := strings.Trim(rest[1:], " \t"); after != "" {
				return a.position().syntax("%s stands after the row (instance weights are not supported)", quoteCell(after))
			}
			return nil
		}
		s = strings.TrimLeft(rest[1:], " \t")
	}
}

// check refuses a value that its attribute does not declare.
func (a *arff) check(j int, v cell) error {
	att := &a.attributes[j]
	if att.nominal == nil || arffMissing(v) || att.allowed[v.text] {
		return nil
	}
	p := a.position()
	p.Column, p.Name = j+1, att.name
	return p.syntax("value %s is not in {%s}", quoteCell(v.text), quoteList(att.nominal))
}

func arffMissing(v cell) bool { return v.text == "?" && !v.quoted }
