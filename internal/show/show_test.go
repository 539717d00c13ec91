package show

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

func TestText(t *testing.T) {
	for s, want := range map[string][2]string{
		"plain":             {"plain", "plain"},
		"naïve é 漢":         {"naïve é 漢", "naïve é 漢"},
		"":                  {"", `""`},
		"two words":         {"two words", "two words"},
		" x":                {" x", `" x"`},
		"a,b":               {"a,b", `"a,b"`},
		`say "x"`:           {`say "x"`, `"say \"x\""`},
		"x\x1b[31m":         {`x\x1b[31m`, `"x\x1b[31m"`},
		"caf\xe9":           {`caf\xe9`, `"caf\xe9"`},
		`caf\xe9`:           {`caf\xe9`, `"caf\\xe9"`},
		"a\nb":              {`a\nb`, `"a\nb"`},
		"a\u202eb":          {`a\u202eb`, `"a\u202eb"`}, // text runs backwards from here
		"a\u0085b\u2028":    {`a\u0085b\u2028`, `"a\u0085b\u2028"`},
		"quoted \"\x07\"\t": {`quoted "\a"\t`, `"quoted \"\a\"\t"`},
	} {
		must.Equal(t, fmt.Sprintf("Text(%q)", s), Text(s), want[0])
		must.Equal(t, fmt.Sprintf("Name(%q)", s), Name(s), want[1])
	}
	for s, want := range map[string]string{"": "''", "a-b/c.csv": "a-b/c.csv", "a b": "'a b'", "it's": `'it'\''s'`, "é": "'é'", "$x": "'$x'"} {
		must.Equal(t, fmt.Sprintf("Word(%q)", s), Word(s), want)
	}
	must.Equal(t, "Lines", Lines("a\x1b\nb\r\n"), "a\\x1b\nb\\r\n")
}

func TestMessage(t *testing.T) {
	const short = "kfda: one\ntwo\n"
	if got := Message(short); got != short {
		t.Errorf("%q", got)
	}
	long := "kfda: " + strings.Repeat("é\x1b", 1e6) + "; say --this\n"
	if got := Message(long); len(got) > 1400 || !strings.HasPrefix(got, "kfda: é\\x1b") || !strings.HasSuffix(got, "; say --this\n") || strings.Contains(got, "\ufffd") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	many := strings.Repeat("line\n", 1000) + "last\n"
	if got, want := Message(many), strings.Repeat("line\n", 10)+"… and 990 lines more\nlast\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
