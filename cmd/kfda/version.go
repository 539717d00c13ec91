package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/matrix"
)

func newVersion(s streams) *cobra.Command {
	var verbose bool
	cmd := &cobra.Command{
		Use:   "version [-v]",
		Short: "Print the version of the command",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p := newPrinter(s.out)
			p.printf("%s\n", version())
			if verbose {
				p.printf("instructions %s\nprocessors %d\n", matrix.InstructionSet(), runtime.GOMAXPROCS(0))
			}
			return p.end()
		},
	}
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the instruction set and the number of processors that are used too")
	return cmd
}

// version names the release or the commit that the command was built from, and
// the toolchain and platform it was built for.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v = info.Main.Version
		}
		for _, set := range info.Settings {
			if set.Key == "vcs.revision" && v == "(devel)" {
				v += " " + set.Value
			}
		}
	}
	return fmt.Sprintf("kfda %s %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
