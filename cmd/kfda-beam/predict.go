package main

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/table"
)

type model = discriminant.Model[string]

func init() {
	register.DoFn2x1[context.Context, shard, error](&predictFn{})
}

// predictFn writes the predictions for each shard to a file of its own, of which the first has the
// header: in order, they are what kfda predict writes.
type predictFn struct {
	Model   kept
	Reading reading
	Output  string
	model   *model
}

// predict makes the pipeline that writes the predictions for all rows of the files.
func predict(ctx context.Context, s beam.Scope, files []any, path, output string) error {
	k, m, err := load(ctx, kept{Path: path}, parseModel)
	if err != nil {
		return err
	}
	r, err := newReading(path, m, false)
	if err != nil {
		return err
	}
	beam.ParDo0(s.Scope("predict"), &predictFn{Model: k, Reading: r, Output: output}, shards(s, files, r))
	return nil
}

func parseModel(data []byte) (*model, error) { return discriminant.Load[string](bytes.NewReader(data)) }

func (f *predictFn) Setup(ctx context.Context) (err error) {
	_, f.model, err = load(ctx, f.Model, parseModel)
	return err
}

func (f *predictFn) ProcessElement(ctx context.Context, s shard) error {
	var b bytes.Buffer
	if s.Number == 0 {
		b.WriteString("row,prediction\n")
	}
	if err := s.rows(ctx, f.Reading, func(t *table.Table, before int) error {
		classes, err := f.model.Predict(nil, t.X)
		for i, class := range classes {
			b.WriteString(strconv.Itoa(before+t.Rows[i]) + "," + table.Quote(class) + "\n")
		}
		return err
	}); err != nil {
		return err
	}
	return write(ctx, s.file(f.Output), b.Bytes())
}

// file is the name of the file of a shard: that of out.csv are out-00000-of-00012.csv, ….
func (s shard) file(output string) string {
	ext := path.Ext(output)
	return fmt.Sprintf("%s-%05d-of-%05d%s", strings.TrimSuffix(output, ext), s.Number, s.Of, ext)
}
