package main

import "github.com/spf13/cobra"

func newInspect(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect MODEL [flags]",
		Short: "Show what a model holds",
		Long: `inspect prints the settings of the fit that MODEL is of, with all defaults
resolved, its eigenvalues, how far it can be trusted, the columns that it needs
and how it scales them: a value x becomes (x - shift) / scale. The SHA-256 is that of the training rows, as float64
little-endian, each followed by its class number as uint64.`,
		Example: `  kfda inspect iris.kfda
  kfda inspect iris.kfda --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := loadModel(args[0], s.in)
			if err != nil {
				return err
			}
			return writeReport(s.out, asJSON, newInspectReport(m))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print all of it as one JSON object")
	return cmd
}
