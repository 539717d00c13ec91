package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// valuesKey is the annotation of a flag with the names that it takes, each of which may be explained
// after a blank; its help lists them with commas.
const valuesKey = "values"

// namesFlag adds a flag whose help lists the names that it takes in place of %s.
func namesFlag(cmd *cobra.Command, to *string, flag, byDefault, help string, names ...string) {
	cmd.Flags().StringVar(to, flag, byDefault, strings.Replace(help, "%s", strings.Join(names, ", "), 1))
	cmd.Flags().SetAnnotation(flag, valuesKey, names)
}

// refusal is what a command does not take, though its fit would: flags, or flags with a value, and
// what to say of them.
type refusal struct {
	flags []string
	text  string // that goes after "does not apply to"
}

// refuse returns the error of what was given.
func refuse(cmd *cobra.Command, refusals []refusal) error {
	for _, r := range refusals {
		if err := refuseFlags(cmd, r.flags, r.text); err != nil {
			return err
		}
	}
	return nil
}

// hide leaves out of the help of a command what it refuses.
func hide(cmd *cobra.Command, refusals []refusal) {
	for _, r := range refusals {
		for _, flag := range r.flags {
			name, value, some := strings.Cut(flag, " ")
			f := cmd.Flags().Lookup(name)
			switch {
			case f == nil:
			case !some:
				f.Hidden = true
			default:
				all := f.Annotations[valuesKey]
				left := slices.DeleteFunc(slices.Clone(all), func(name string) bool { first, _, _ := strings.Cut(name, " "); return first == value })
				f.Usage = strings.Replace(f.Usage, strings.Join(all, ", "), strings.Join(left, ", "), 1)
				f.Annotations[valuesKey], f.Hidden = left, f.Hidden || len(left) == 1
			}
		}
	}
}
