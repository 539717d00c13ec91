package discriminant

import (
	"context"

	"github.com/seed92411348/kfda/discriminant/internal/fisher"
	"github.com/seed92411348/kfda/matrix"
)

// Method is a way to fit a model: [KFDA], [LDA], [KernelPCA], [KernelRidge] or
// [SVM], or [Prepared] for one of these.
type Method interface {
	// Validate returns an error for a setting that is wrong whatever the data.
	Validate() error
	// Plan returns what a fit of n rows, d features and that many classes will need.
	Plan(n, d, classes int) Plan
	// Settings returns the settings that it shares with other methods; those that it does
	// not have are zero.
	Settings() Settings
	// With returns the method with these settings, but for those that it does not have.
	With(Settings) Method
	// Parameter returns what a search varies beside these settings.
	Parameter() Parameter
	fit(ctx context.Context, x *matrix.Dense, of *fisher.Classes) (*fitted, error)
}

// methodFacts is what the rest of the package knows of a method.
type methodFacts struct {
	name      string // in a model file, and of Model.Method
	embedding func() embedding
	streamed  func() embedding // of a model of a stream, nil where it is as others
	rule      func() rule      // that of the method itself; nil where classifiers make them, or nobody
	// plausible reports whether the numbers that a model file gives go together.
	plausible func(fileShape) bool
	// fields names those of the sections of a model file between embedding and rule; nil for
	// none.
	fields  func(*fitted, *codec)
	details func(*fitted) Details // of a model with classes
}

// newEmbedding returns an empty embedding of the kind, or nil where the method does not have it.
func (m *methodFacts) newEmbedding(kind string) embedding {
	for _, make := range []func() embedding{m.embedding, m.streamed} {
		if make != nil && make().kind() == kind {
			return make()
		}
	}
	return nil
}

// newRule returns an empty rule of the kind, or nil where the method does not have it.
func (m *methodFacts) newRule(kind string) rule {
	if m.rule == nil {
		if make := classifierRules[kind]; make != nil {
			return make()
		}
	} else if r := m.rule(); r.kind() == kind {
		return r
	}
	return nil
}

var methods = make(map[string]*methodFacts)

// newMethod makes a method known to the readers of model files.
func newMethod(m methodFacts) *methodFacts {
	methods[m.name] = &m
	return &m
}
