package discriminant

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"github.com/seed92411348/kfda/matrix"
)

// unlabelled is what models without classes have in common.
type unlabelled struct {
	f *fitted // no counts and no rule
}

// Dim returns the number of columns that a row must have: the features of the
// training rows or, for a precomputed kernel, their number.
func (m unlabelled) Dim() int { return m.f.Dim() }

// Scaler returns the scaling of the features, or nil where there is none.
func (m unlabelled) Scaler() *Scaler { return m.f.Scaler() }

// Training returns the shape and a hash of the table of the fit: of its rows, as
// float64 little-endian, each followed by its targets, where there are such.
func (m unlabelled) Training() Training { return m.f.Training() }

// Note returns the text under a key, and whether there is one.
func (m unlabelled) Note(key string) (text string, ok bool) { return m.f.Note(key) }

// trainingOf identifies a table without classes; targets may be nil.
func trainingOf(x, targets *matrix.Dense) Training {
	h := sha256.New()
	var buffer []byte
	for i := range x.Rows {
		buffer = buffer[:0]
		for _, v := range x.Row(i) {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v))
		}
		if targets != nil {
			for _, v := range targets.Row(i) {
				buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v))
			}
		}
		h.Write(buffer)
	}
	t := Training{Rows: x.Rows, Cols: x.Cols}
	h.Sum(t.SHA256[:0])
	return t
}
