package gram

import (
	"context"
	"fmt"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// LandmarkMethod says how landmarks are drawn.
type LandmarkMethod uint8

const (
	// RPCholesky is randomly pivoted Cholesky (Chen, Epperly, Tropp & Webber 2022): a row is
	// drawn with a probability in proportion to what the landmarks before it leave of its
	// k(x, x). In expectation the trace that is left is within 1 + ε of that of the best
	// approximation of rank r for r/ε + r·log(1/(εη)) landmarks, η the share of the trace
	// which the best one leaves.
	RPCholesky LandmarkMethod = iota
	// KMeansPlusPlus draws a row in proportion to its squared distance, in the space of the
	// kernel, from the nearest landmark (Arthur & Vassilvitskii 2007), the first one uniformly.
	KMeansPlusPlus
	// UniformRows draws all rows with equal probability.
	UniformRows
)

func (m LandmarkMethod) String() string {
	names := [...]string{"rpcholesky", "kmeans++", "uniform"}
	if int(m) >= len(names) {
		return fmt.Sprintf("LandmarkMethod(%d)", m)
	}
	return names[m]
}

// Landmarks are some of the rows x₀, …, xₙ₋₁, by which a kernel matrix K is approximated: by
// K̂ = K_nL K_LL⁻¹ K_Ln, the Nyström approximation, which agrees with K in the landmarks' rows.
type Landmarks struct {
	Rows  []int   // the landmarks, in the order in which they were drawn
	Trace float64 // of K
	Left  float64 // trace of K − K̂, which is positive semidefinite
}

// LeftShare returns the share of the trace of K that the landmarks leave out, from 0 to 1.
func (l *Landmarks) LeftShare() float64 {
	if l.Left == 0 {
		return 0
	}
	return l.Left / l.Trace
}

// Landmarks draws m landmarks from the training rows without replacement; equal seeds give
// equal ones everywhere. A row whose k(x, x) the landmarks leave less than 2⁻⁴⁰ of, which may be
// rounding, is none, such as the repetition of another: it would add next to nothing to K̂. So
// there are fewer than m landmarks only where nothing but that is left of any row.
//
// Rows are drawn 128 at a time with the probabilities of the moment, and each is kept with
// the probability by which its own has shrunk when its turn comes, which gives the same
// distribution as one at a time (Epperly, Tropp & Webber 2024). Time grows with n·m², memory
// is n·m numbers.
//
// The kernel must be positive semidefinite, or the error is an *IndefiniteError; further
// errors are a *ParameterError for m < 1, a *NotFiniteError for a kernel value, and that of
// a context that is done.
func (e *Evaluator) Landmarks(ctx context.Context, m int, method LandmarkMethod, seed uint64) (*Landmarks, error) {
	misuse.NotNil("gram: Evaluator.Landmarks", "ctx", ctx, "the kernel of a zero Evaluator", e.kernel)
	if method > UniformRows {
		panic(fmt.Sprintf("gram: Landmarks: there is no %v", method))
	}
	if m < 1 {
		return nil, outOfRange("landmarks", "m", float64(m), "at least 1")
	}
	p, err := e.draw(ctx, m, method, seed)
	if err != nil {
		return nil, err
	}
	return p.landmarks(), nil
}

// PartialFactor returns the n×m factor F of the approximation K̂ = FFᵀ by m landmarks that
// are drawn as [Evaluator.Landmarks] does by RPCholesky, with the same errors. It has fewer
// columns where there are fewer landmarks.
func (e *Evaluator) PartialFactor(ctx context.Context, m int, seed uint64) (*matrix.Dense, *Landmarks, error) {
	misuse.NotNil("gram: Evaluator.PartialFactor", "ctx", ctx, "the kernel of a zero Evaluator", e.kernel)
	if m < 1 {
		return nil, nil, outOfRange("landmarks", "m", float64(m), "at least 1")
	}
	p, err := e.draw(ctx, m, RPCholesky, seed)
	if err != nil {
		return nil, nil, err
	}
	return p.f.View(0, 0, p.f.Rows, len(p.pivots)), p.landmarks(), nil
}

// landmarks returns the pivots and what they leave.
func (p *partial) landmarks() *Landmarks {
	for i, v := range p.left {
		p.left[i] = max(v, 0)
	}
	return &Landmarks{Rows: p.pivots, Trace: matrix.Sum(p.diagonal), Left: matrix.Sum(p.left)}
}

// draw returns the factorization whose pivots are m landmarks.
func (e *Evaluator) draw(ctx context.Context, m int, method LandmarkMethod, seed uint64) (*partial, error) {
	n := e.Order()
	m = min(n, m)
	team := block.TeamUntil(ctx, n, m, e.Dim()+m/2)
	defer team.Close()
	p, err := newPartial(e, team, m)
	if err != nil {
		return nil, err
	}
	d := newDraw(p, method, seed)
	for len(p.pivots) < m {
		rows, err := d.propose()
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			break
		}
		if err := d.accept(rows, m-len(p.pivots)); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return p, nil
}
