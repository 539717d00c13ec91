package main

import (
	"bytes"
	"context"
	_ "embed"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/table"
	"github.com/seed92411348/kfda/matrix"
)

// The wine recognition data of the UCI repository: 178 wines of three cultivars.
//
//go:embed demo/wine.csv
var wine []byte

func newDemo(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Fit and score a small data set, with explanations",
		Long: `demo fits a model to one half of a small data set that is part of the command,
classifies the other half, and explains what it does.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), s) },
	}
}

// demo does what the two commands that it prints at its end do.
func demo(ctx context.Context, s streams) error {
	train, err := table.ReadFrom("wine.csv", bytes.NewReader(wine), table.Options{Rows: table.Range{Step: 2}})
	if err != nil {
		return err
	}
	test, err := table.ReadFrom("wine.csv", bytes.NewReader(wine), table.Options{Rows: table.Range{Start: 1, Step: 2}, Layout: &train.Layout})
	if err != nil {
		return err
	}
	m, err := discriminant.Fit(ctx, discriminant.KFDA{Scaling: discriminant.Standard}, train.X, train.Labels)
	if err != nil {
		return err
	}
	predicted, err := m.Predict(nil, test.X)
	if err != nil {
		return err
	}
	result := newScore(m.Classes(), predicted, test)
	z, err := m.Project(nil, test.X)
	if err != nil {
		return err
	}

	classes, found := m.Classes(), m.Details().(discriminant.KFDADetails)
	p := newPrinter(s.out)
	p.printf("Kernel Fisher discriminant analysis of %d wines\n\n", train.Seen)
	p.printf("The data: of each wine %d measurements (%s, …) and the cultivar that\nit was made from (%s).\n\n",
		train.X.Cols, strings.Join(train.Layout.Names[:3], ", "), strings.Join(classes, ", "))
	p.printf("Fit. Rows 0, 2, 4, … are for training: %d wines. The columns have different units,\n", train.X.Rows)
	p.printf("so each is scaled to mean 0 and standard deviation 1. Two wines x and y are then\n")
	p.printf("compared by a kernel, here exp(-gamma |x-y|²) with gamma = %.4f: 1 for equal\n", found.Kernel().(gram.RBF).Gamma)
	p.printf("wines, near 0 for very different ones. The fit looks for directions in the space\n")
	p.printf("of the kernel in which the classes lie far apart and each class close together.\n")
	p.printf("For %d classes there are %d. The variance between the classes is that within them\n", len(classes), m.Components())
	p.printf("times the eigenvalue of the direction: %.0f and %.0f.\n\n", found.Eigenvalues()[0], found.Eigenvalues()[1])
	p.printf("Project. Rows 1, 3, 5, … were not seen by the fit. This is where these %d wines lie\n", test.X.Rows)
	p.printf("in the plane of the two directions; a digit is the class of the wine:\n\n")
	plot(p, z, test.Labels)
	p.printf("\nClassify. Each wine is given the most probable class for its place.\n")
	p.printf("For %d of the %d wines that is wrong (accuracy %.3f):\n\n", result.Errors, result.N, result.Accuracy)
	writeConfusion(p, result.Classes, result.Confusion)
	p.printf("\nThe same by hand, with the file cmd/kfda/demo/wine.csv of the source:\n\n")
	p.printf("  kfda fit wine.csv --label label --rows 0::2 -o wine.kfda\n")
	p.printf("  kfda score wine.kfda wine.csv --rows 1::2\n")
	return p.end()
}

// plot draws the first two components of z, each point as the last letter of
// its label.
func plot(p *printer, z *matrix.Dense, labels []string) {
	const width, height = 72, 18
	var canvas [height][width]byte
	for i := range canvas {
		for j := range canvas[i] {
			canvas[i][j] = ' '
		}
	}
	lo, hi := [2]float64{}, [2]float64{}
	for c := range 2 {
		lo[c], hi[c] = z.At(0, c), z.At(0, c)
		for i := range z.Rows {
			lo[c], hi[c] = min(lo[c], z.At(i, c)), max(hi[c], z.At(i, c))
		}
	}
	place := func(i, c, cells int) int {
		return min(int((z.At(i, c)-lo[c])/(hi[c]-lo[c])*float64(cells)), cells-1)
	}
	for i, label := range labels {
		canvas[height-1-place(i, 1, height)][place(i, 0, width)] = label[len(label)-1]
	}
	for _, line := range canvas {
		p.printf("  |%s\n", strings.TrimRight(string(line[:]), " "))
	}
	p.printf("  +%s\n", strings.Repeat("-", width))
}
