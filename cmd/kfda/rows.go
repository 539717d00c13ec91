package main

import (
	"bytes"
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/internal/table"
)

// rowFlags are those of the commands that write a line for each row of a table.
type rowFlags struct {
	ids    string
	output string
}

func (f *rowFlags) add(cmd *cobra.Command, what string) {
	cmd.Flags().StringVarP(&f.output, "output", "o", "-", "`file` to write to; \"-\" is the standard output")
	cmd.Flags().StringVar(&f.ids, "ids", "", "`column` to write beside the "+what+", digit by digit: a name, or a position from 1")
}

// field is a column that is written.
type field struct {
	name string
	cell func(i int) string
}

func textField(name string, text []string) field {
	return field{name, func(i int) string { return table.Quote(text[i]) }}
}

// numberField writes the shortest decimals that read as the same number.
func numberField(name string, value func(i int) float64) field {
	return field{name, func(i int) string { return strconv.FormatFloat(value(i), 'g', -1, 64) }}
}

// write writes the fields as CSV with a header, the row's number or id first.
func (f *rowFlags) write(s streams, t *table.Table, fields ...field) error {
	first := field{"row", func(i int) string { return strconv.Itoa(t.Rows[i]) }}
	if f.ids != "" {
		first = textField(t.IDName, t.IDs)
		if first.name == "" {
			first.name = "id"
		}
	}
	fields = append([]field{first}, fields...)
	var b bytes.Buffer
	for j, c := range fields {
		if j > 0 {
			b.WriteByte(',')
		}
		b.WriteString(table.Quote(c.name))
	}
	b.WriteByte('\n')
	for i := range t.Rows {
		for j, c := range fields {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(c.cell(i))
		}
		b.WriteByte('\n')
	}
	if f.output != "-" {
		return save(context.Background(), f.output, b.Bytes(), s.out.Flush)
	}
	_, err := s.out.Write(b.Bytes())
	return err
}
