package main

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// What a fit is planned to take is what its process takes, within a quarter. The classes
// overlap, so that the machines keep the kernel values of most rows.
func TestPlannedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("fits of 1500 rows are left to the long tests")
	}
	if raceEnabled {
		t.Skip("the race detector multiplies the memory of a process")
	}
	if peakMemory() == 0 {
		t.Skip("the memory of a process is not known here")
	}
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(i, j int) float64 { return random.NormFloat64() + 0.2*float64(i%3) }
	for name, table := range map[string]string{"tall": writeTable(t, 1500, 8, noise), "wide": writeTable(t, 700, 300, noise)} {
		for _, flags := range []string{
			"", "--regularizer ridge", "--ridge 1 --scale none", "--relative-ridge 0.1 --scale none --leave-one-out=false", "--regularizer ridge --ridge 1 --scale none", "--shrink 0.5 --scale standard", "--scatter averaged",
			"--classifier knn", "--classifier svm", "--model lda", "--model lda --classifier svm",
			"--model kpca", "--model kpca --components 5 --classifier gaussian", "--model ridge", "--model svm", "--model svm --probability",
		} {
			t.Run(name+" "+flags, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "peak")
				cmd := process(t, append([]string{"fit", table, "--json", "-o", filepath.Join(t.TempDir(), "m")}, strings.Fields(flags)...)...)
				cmd.Env = append(cmd.Env, peakFile+"="+file)
				var out, errs bytes.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errs
				if err := cmd.Run(); err != nil {
					t.Fatal(err, errs.String())
				}
				text := read(t, file)
				peak := must.Get(strconv.ParseFloat(text, 64))(t)
				planned := object(t, out.String())["plan"].(map[string]any)["bytes"].(float64)
				t.Logf("planned %s, peak %s, %.2f", bytesText(planned), bytesText(peak), peak/planned)
				if ratio := peak / planned; ratio > 1.25 || ratio < 0.8 {
					t.Errorf("planned %s, peak %s", bytesText(planned), bytesText(peak))
				}
			})
		}
	}
}
