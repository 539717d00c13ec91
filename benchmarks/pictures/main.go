// Command pictures draws pictures of the documents that kfda plot does not, as SVG into docs/:
//
//	go run ./benchmarks/pictures
//
// They show the demonstration's wines and the tables of docs/benchmarks.md, so that it
// needs nothing outside of the repository. It runs in the root of that, or takes it as
// its argument.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// pictures has a function for each file in docs/.
var pictures = map[string]func(ctx context.Context, root string) (*picture, error){
	"accuracy.svg":   accuracy,
	"densities.svg":  densities,
	"benchmarks.svg": bars,
	"null.svg":       nulls,
}

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	for name, draw := range pictures {
		p, err := draw(context.Background(), root)
		if err == nil {
			err = os.WriteFile(filepath.Join(root, "docs", name), p.svg(), 0o666)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "pictures: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}
