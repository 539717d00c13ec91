package gram

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseError says where and why a text is not a kernel.
type ParseError struct {
	Offset int    // byte of the text
	Reason string // what is wrong
	Err    error  // the *ParameterError if a parameter is out of range, or nil
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("gram: kernel text, byte %d: %s", e.Offset, e.Reason)
}

func (e *ParseError) Unwrap() error { return e.Err }

// Parse reads the text that Format writes. All parameters must be there, in
// that order; numbers may also be decimal, and spaces may stand between the
// parts. A feature map must be registered under its name, with the same Dim.
// Every error is a *ParseError.
func Parse(text string) (k Kernel, err error) {
	p := parser{text: text}
	// The methods of parser leave it by panic with a *ParseError.
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(*ParseError)
			if !ok {
				panic(r)
			}
			k, err = nil, bad
		}
	}()
	k = p.kernel(0)
	p.space()
	if p.at < len(text) {
		p.fail("there is more after the kernel")
	}
	if err := k.Validate(); err != nil {
		return nil, &ParseError{Offset: 0, Reason: err.Error(), Err: err}
	}
	return k, nil
}

// parser is a recursive-descent parser of
//
//	kernel = name "(" [ argument { "," argument } ] ")"
//	argument = kernel | integer | key "=" value
type parser struct {
	text  string
	at    int
	parts int // kernels so far
}

func (p *parser) fail(format string, args ...any) {
	panic(&ParseError{Offset: p.at, Reason: fmt.Sprintf(format, args...)})
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take skips spaces and returns the longest run of bytes that belong to the set.
func (p *parser) take(set string) string {
	p.space()
	start := p.at
	for p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
	}
	return p.text[start:p.at]
}

// accept skips spaces and the byte c if it comes next.
func (p *parser) accept(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(c byte) {
	if !p.accept(c) {
		p.fail("expected %q", c)
	}
}

// readable are the names of the kernels that have a text.
const readable = "chi2, columns, cosine, featuremap, laplacian, linear, polynomial, precomputed, product, rbf, scaled, sigmoid, sum"

// Bytes of names and of numbers.
const (
	nameBytes   = "abcdefghijklmnopqrstuvwxyz0123456789"
	numberBytes = "0123456789abcdefABCDEFxXpP+-."
)

func (p *parser) kernel(depth int) Kernel {
	p.space()
	start := p.at
	if depth > maxDepth {
		p.fail("kernels may not be nested deeper than %d", maxDepth)
	}
	if p.parts++; p.parts > maxParts {
		p.fail("a kernel may not have more than %d parts", maxParts)
	}
	name := p.take(nameBytes)
	p.expect('(')
	var k Kernel
	switch name {
	case "linear":
		k = Linear{}
	case "cosine":
		k = Cosine{}
	case "precomputed":
		k = Precomputed{}
	case "rbf":
		k = RBF{Gamma: p.number("gamma")}
	case "laplacian":
		k = Laplacian{Gamma: p.number("gamma")}
	case "chi2":
		k = ChiSquared{Gamma: p.number("gamma")}
	case "sigmoid":
		gamma := p.number("gamma")
		p.expect(',')
		k = Sigmoid{Gamma: gamma, Coef0: p.number("coef0")}
	case "polynomial":
		gamma := p.number("gamma")
		p.expect(',')
		coef0 := p.number("coef0")
		p.expect(',')
		k = Polynomial{Gamma: gamma, Coef0: coef0, Degree: p.integer("degree")}
	case "featuremap":
		k = p.featureMap()
	case "columns":
		at := p.indices()
		k = Columns{At: at, Of: p.kernel(depth + 1)}
	case "scaled":
		factor := p.number("factor")
		p.expect(',')
		k = Scaled{Factor: factor, Kernel: p.kernel(depth + 1)}
	case "sum":
		k = Sum{Terms: p.kernels(depth + 1)}
	case "product":
		k = Product{Factors: p.kernels(depth + 1)}
	default:
		p.at = start
		p.fail("%q is not a kernel that can be read: %s", name, readable)
	}
	p.expect(')')
	return k
}

// kernels reads one or more kernels.
func (p *parser) kernels(depth int) []Kernel {
	all := []Kernel{p.kernel(depth)}
	for p.accept(',') {
		all = append(all, p.kernel(depth))
	}
	return all
}

// indices reads integers, each with a comma.
func (p *parser) indices() (all []int) {
	for {
		p.space()
		start := p.at
		text := p.take("0123456789")
		if text == "" {
			return all
		}
		v, err := strconv.Atoi(text)
		if err != nil {
			p.at = start
			p.fail("%q is not an integer of this machine", text)
		}
		p.expect(',')
		all = append(all, v)
	}
}

// key reads `name=`.
func (p *parser) key(name string) {
	p.space()
	start := p.at
	if got := p.take(nameBytes); got != name {
		p.at = start
		p.fail("expected %s=", name)
	}
	p.expect('=')
	p.space()
}

func (p *parser) number(name string) float64 {
	p.key(name)
	start := p.at
	text := p.take(numberBytes)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.at = start
		p.fail("%s is %q: not a finite number", name, text)
	}
	return v
}

func (p *parser) integer(name string) int {
	p.key(name)
	start := p.at
	text := p.take("+-0123456789")
	v, err := strconv.Atoi(text)
	if err != nil {
		p.at = start
		p.fail("%s is %q: not an integer of this machine", name, text)
	}
	return v
}

// featureMap reads name="…", dim=… and looks the map up.
func (p *parser) featureMap() FeatureMap {
	p.key("name")
	start := p.at
	quoted, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil || quoted[0] != '"' {
		p.fail("expected a name in double quotes")
	}
	name, err := strconv.Unquote(quoted)
	if err != nil {
		p.fail("the name is not a quoted string")
	}
	p.at += len(quoted)
	p.expect(',')
	dim := p.integer("dim")
	m, ok := registeredFeatureMap(name)
	if !ok {
		p.at = start
		p.fail("there is no feature map %q; register it before loading", name)
	}
	if m.Dim != dim {
		p.at = start
		p.fail("the registered feature map %q has dim %d, the text says %d", name, m.Dim, dim)
	}
	return m
}
