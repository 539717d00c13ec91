package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/matrix"
)

//go:embed scikit.py
var scikitScript string

// scikit runs a script with that input.
func scikit(ctx context.Context, script string, input []byte) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "/usr/bin/python3", "-c", script)
	cmd.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && ctx.Err() == nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		err = fmt.Errorf("scikit-learn: %w: %s", err, lines[len(lines)-1])
	}
	return out, err
}

// scikitMarks has scikit-learn's classifiers judged in the splits, searches in the first few.
func scikitMarks(ctx context.Context, x *matrix.Dense, labels []int, splits []*cv.Folds, few int) ([]marks, error) {
	task := struct {
		Labels []int   `json:"labels"`
		Splits [][]int `json:"splits"`
		Few    int     `json:"few"`
	}{Labels: labels, Few: few}
	for _, s := range splits {
		task.Splits = append(task.Splits, s.Train(0))
	}
	line, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	input := append(line, '\n')
	if input, err = binary.Append(input, binary.LittleEndian, x.Data); err != nil {
		return nil, err
	}
	out, err := scikit(ctx, scikitScript, input)
	if err != nil {
		return nil, err
	}
	var all []marks
	return all, json.Unmarshal(out, &all)
}
