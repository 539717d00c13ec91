package main

import "github.com/spf13/cobra"

func (f *tuneFlags) compare(cmd *cobra.Command, s streams, train string) error { return nil }
