package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// Records are where reading from there gives the rows that follow, on the same lines.
func TestRecords(t *testing.T) {
	defer func(size int) { blockSize = size }(blockSize)
	random := rand.New(rand.NewPCG(5, 7))
	pieces := []string{"1", "-2.5", "a", `"b"`, `"c,""d"`, "\"e\nf\"", "\"g\r\nh\"", " ", "x\"y"}
	ends := [][]string{{"\n"}, {"\r\n"}, {"\n", "\r", "\r\n", "\n\n", "\n \n"}}
	for trial := range 150 {
		blockSize = 1 + random.IntN(40)
		var text strings.Builder
		if trial%3 == 0 {
			text.WriteString("\xef\xbb\xbf")
		}
		some := pieces[:3+random.IntN(len(pieces)-2)]
		for range 1 + random.IntN(30) {
			fmt.Fprint(&text, some[random.IntN(len(some))], ",", some[random.IntN(len(some))], ",7")
			lines := ends[trial%len(ends)]
			text.WriteString(lines[random.IntN(len(lines))])
		}
		whole := strings.TrimRight(text.String(), "\n")
		opt := Options{Header: NoHeader, Separator: ',', Layout: &Layout{Width: 3, Features: []int{2}, Label: -1}, IDs: "1-2", Unlabelled: true}
		want := must.Get(ReadFrom("x.csv", strings.NewReader(whole), opt))(t)
		k := 0
		comma, size, err := Records("x.csv", strings.NewReader(whole), 0, func(at int64, line int) {
			must.Equal(t, "line", line, want.Lines[k])
			rest := must.Get(ReadFrom("x.csv", strings.NewReader(whole[at:]), opt))(t)
			must.Equal(t, fmt.Sprintf("rows of %q from %d", whole, at), rest.Seen, want.Seen-k)
			must.Equal(t, "cell", rest.IDs[0][0]+rest.IDs[1][0], want.IDs[0][k]+want.IDs[1][k])
			k++
		})
		must.Do(t, err)
		must.Equal(t, "records", k, want.Seen)
		must.Equal(t, "separator", comma, ',')
		must.Equal(t, "size", size, int64(len(whole)))
	}
	for _, text := range []string{"\x1f\x8b", "@relation x", "1 2:3\n", "a,b\n\x00", "a,b\n\"c\n"} {
		_, _, err := Records("x", strings.NewReader(text), 0, func(int64, int) {})
		must.Fail[*Error](t, text, err)
	}
}
