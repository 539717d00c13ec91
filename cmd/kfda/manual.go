package main

import (
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManual() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write manual pages, one for each command, into a folder",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Title: "KFDA", Section: "1", Source: "kfda", Date: committed()}, args[0])
		},
	}
}

// committed is when the source of the command was committed, so that its pages are the same
// bytes whenever they are made; the start of 1970 where that is not known.
func committed() *time.Time {
	when := time.Unix(0, 0).UTC()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, set := range info.Settings {
			if t, err := time.Parse(time.RFC3339, set.Value); set.Key == "vcs.time" && err == nil {
				when = t
			}
		}
	}
	return &when
}
