package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the command",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, version())
			return err
		},
	}
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
