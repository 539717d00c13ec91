package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The help of a command for parts lists what the command takes, and each name that a flag takes:
// nothing else, and all of it works.
func TestHelpOfParts(t *testing.T) {
	dir := t.TempDir()
	file := strings.NewReplacer("L", filepath.Join(dir, "L"), "ACC", filepath.Join(dir, "acc"), "LDA", filepath.Join(dir, "lda"), "OUT", filepath.Join(dir, "out"), "SUM", filepath.Join(dir, "sum"), "WINE", "demo/wine.csv")
	// Each flag once, or with each of its names; the flags that say how a file is read are of all commands.
	lines := []string{
		"landmarks WINE --landmarks 5 -o L", "accumulate L WINE --shard 0 -o ACC",
		"landmarks WINE --landmarks 0 -o LDA --model lda", "accumulate LDA WINE --first-row 0 -o SUM",
		"merge ACC -o OUT --model kfda --regularizer rkhs --classifier gaussian --priors 0.2,0.3,0.5 --components 1 --leave-one-out --json",
		"merge ACC -o OUT --model ridge --relative-ridge 0.1 --verbose",
		"merge ACC -o OUT --regularizer ridge --ridge 1 --classifier centroid",
		"merge SUM -o OUT --model lda --ridge 2", "merge SUM -o OUT --regularizer shrink --shrink 0.1",
		"merge ACC -o OUT --model kpca --share 0.5", "landmarks WINE --landmarks 5 -o OUT --model kpca",
		"landmarks WINE --landmarks 5 -o OUT --label label --model kfda --kernel poly --gamma 1 --degree 2 --coef0 1 --scale standard --missing error",
		"landmarks WINE --landmarks 5 -o OUT --target alcohol --model ridge --relative-ridge 1 --kernel linear --scale none --missing mean",
		"landmarks WINE --landmarks 5 -o OUT --kernel rbf --sigma 1 --scale minmax --missing median --seed 2 --max-memory 1GB",
		"landmarks WINE --landmarks 5 -o OUT --kernel laplacian --scale auto --missing most-frequent --weight ash",
		"landmarks WINE --landmarks 1 -o OUT --kernel sigmoid --missing indicator --categories ash",
		"landmarks WINE --landmarks 5 -o OUT --kernel cosine --ridge 1", "landmarks WINE --landmarks 5 -o OUT --kernel chi2",
	}
	root, _ := newRoot(streams{})
	find := func(name string) *cobra.Command { cmd, _, _ := root.Find([]string{name}); return cmd }
	var reading tableFlags
	readings := &cobra.Command{}
	reading.add(readings, "")
	for _, name := range []string{"landmarks", "accumulate", "merge"} {
		typed, base := " ", []string(nil)
		for _, line := range lines {
			if words := strings.Fields(file.Replace(line)); words[0] == name {
				works(t, words...)
				if typed += line + " "; base == nil {
					base = words
				}
			}
		}
		find(name).Flags().VisitAll(func(f *pflag.Flag) {
			switch {
			case f.Name == "help" || f.Name == "output" || !f.Hidden && f.Annotations[valuesKey] == nil && readings.Flags().Lookup(f.Name) != nil:
				return
			case !f.Hidden && !strings.Contains(typed, " --"+f.Name+" "):
				t.Errorf("%s --%s is in the help, and is not typed", name, f.Name)
			}
			taken, all := f.Annotations[valuesKey], []string(nil)
			if of := find("fit").Flags().Lookup(f.Name); of != nil {
				all = of.Annotations[valuesKey]
			}
			for _, value := range all {
				word := strings.Fields(value)[0]
				switch listed := slices.Contains(taken, value) && !f.Hidden; {
				case listed != strings.Contains(f.Usage, value) && !f.Hidden:
					t.Errorf("%s --%s: %q is listed: %t, in %q", name, f.Name, value, !listed, f.Usage)
				case listed && !strings.Contains(typed, " --"+f.Name+" "+word+" "):
					t.Errorf("%s --%s %s is in the help, and is not typed", name, f.Name, word)
				case !listed && word != "sum":
					fails(t, statusUsage, []string{"--" + f.Name, "does not apply to"}, append(base, "--"+f.Name, word)...)
				}
			}
			if f.Hidden && all == nil {
				args := append(base, "--"+f.Name+"=0.5")
				if f.Value.Type() == "bool" {
					args[len(args)-1] = "--" + f.Name
				} else if f.Value.Type() == "int" {
					args[len(args)-1] = "--" + f.Name + "=1"
				}
				fails(t, statusUsage, []string{"--" + f.Name, "does not apply to"}, args...)
			}
		})
	}
}
