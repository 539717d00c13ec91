//go:build js

// Command wasm answers the requests of the page in a worker of the browser.
package main

import (
	"context"
	"errors"
	"syscall/js"
	"unsafe"

	"github.com/seed92411348/kfda/cmd/kfda-page/internal/look"
	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/show"
	"github.com/seed92411348/kfda/matrix"
)

var (
	fitted *look.Fitted // by the last request
	ctx    = context.Background()
)

func main() {
	useLanes()
	for name, answer := range map[string]func(js.Value) (object, error){"fit": fit, "field": field, "validate": validate, "predict": predict, "model": model} {
		js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			var o object
			err := errors.New("there is no model yet")
			if fitted != nil || name == "fit" {
				o, err = answer(args[0])
			}
			if err != nil {
				o = object{"error": show.Message(err.Error())}
			}
			return map[string]any(o)
		}))
	}
	js.Global().Call("postMessage", map[string]any{"kind": "ready"})
	select {}
}

type object map[string]any

// fit fits a model to the text of a table.
func fit(q js.Value) (object, error) {
	s := look.Settings{
		Label: q.Get("label").String(), Missing: q.Get("missing").String(), Model: q.Get("model").String(),
		Kernel: q.Get("kernel").String(), Gamma: q.Get("gamma").Float(), Ridge: q.Get("ridge").Float(),
	}
	text := make([]byte, q.Get("text").Length())
	js.CopyBytesToGo(text, q.Get("text"))
	fitted = nil // whatever comes, the last model is none of this table
	flops := 0.0
	f, err := look.Fit(ctx, q.Get("name").String(), text, s, func(p discriminant.Plan) {
		flops = p.Flops
		js.Global().Call("postMessage", map[string]any{"kind": "plan", "flops": flops})
	})
	if err != nil {
		return nil, err
	}
	z, err := f.Projections()
	if err != nil {
		return nil, err
	}
	box, err := f.Span()
	if err != nil {
		return nil, err
	}
	said, warnings := f.Words()
	class := make(map[string]int)
	for j, c := range f.Model.Classes() {
		class[c] = j
	}
	of := make([]any, len(f.Table.Labels))
	for i, c := range f.Table.Labels {
		of[i] = class[c]
	}
	o := object{
		"classes": texts(f.Model.Classes()), "class": of, "names": texts(f.Table.Layout.Names), "plane": f.Plane(),
		"z": floats(z), "directions": f.Model.Components(), "shown": z.Cols, "box": []any{box.Left, box.Right, box.Bottom, box.Top},
		"gamma": f.Gamma, "ridge": f.Ridge, "said": texts(said), "warnings": texts(warnings), "notices": texts(f.Notices), "hash": f.Hash(),
		"size": len(f.Bytes), "command": f.Command(), "flops": flops,
	}
	if f.Plane() {
		o["x"] = floats(f.Table.X)
	} else if f.Model.Components() > 2 {
		wrong, err := f.Wrong()
		if err != nil {
			return nil, err
		}
		marks := make([]any, len(wrong))
		for i, w := range wrong {
			marks[i] = w
		}
		o["wrong"] = marks // where the picture can't show it by regions
	}
	fitted = f
	return o, nil
}

// field says what the model makes of the places of a box.
func field(q js.Value) (object, error) {
	b, rows := q.Get("box"), q.Get("rows").Int()
	columns := q.Get("columns").Int()
	values, probable, err := fitted.Field(look.Box{
		Left: b.Index(0).Float(), Right: b.Index(1).Float(), Bottom: b.Index(2).Float(), Top: b.Index(3).Float(), Columns: columns, Rows: rows,
	})
	if err != nil {
		return nil, err
	}
	return object{"values": floats(values), "probable": probable, "columns": columns, "rows": rows}, nil
}

// validate cross-validates the model.
func validate(js.Value) (object, error) {
	e, line, err := fitted.Validate(ctx, func(k, of int) {
		js.Global().Call("postMessage", map[string]any{"kind": "progress", "done": k, "of": of})
	})
	if err != nil {
		return nil, err
	}
	var confusion []any
	for _, row := range e.Confusion {
		for _, n := range row {
			confusion = append(confusion, n)
		}
	}
	return object{"classes": texts(e.Classes), "confusion": confusion, "errors": e.Errors, "rows": e.Rows, "folds": len(e.FoldErrors), "command": line}, nil
}

func predict(js.Value) (object, error) {
	b, err := fitted.Predictions()
	return object{"bytes": bytesOf(b)}, err
}

func model(js.Value) (object, error) { return object{"bytes": bytesOf(fitted.Bytes)}, nil }

func texts(list []string) []any {
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = show.Text(s)
	}
	return all
}

func bytesOf(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

// floats copies a matrix row by row; the memory of a browser is little-endian, as that of WebAssembly.
func floats(m *matrix.Dense) js.Value {
	all := make([]float64, 0, m.Rows*m.Cols)
	for i := range m.Rows {
		all = append(all, m.Row(i)...)
	}
	b := bytesOf(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(all))), 8*len(all)))
	return js.Global().Get("Float64Array").New(b.Get("buffer"))
}
