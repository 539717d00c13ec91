package solve

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed92411348/kfda/internal/block"
	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// scratch is memory that is not needed otherwise, for one of several calls at the same
// time. A nil scratch has none.
type scratch struct{ kept atomic.Pointer[[]float64] }

// take returns n numbers of undefined value, and what gives them back.
func (s *scratch) take(n int) (numbers []float64, release func()) {
	if s != nil {
		if kept := s.kept.Swap(nil); kept != nil && len(*kept) >= n {
			return (*kept)[:n], func() { s.kept.Store(kept) }
		}
	}
	memory := pages.Take(n)
	return (*memory)[:n], func() { pages.Leave(memory) }
}

// cut returns a matrix of undefined values in the front of memory, and the rest.
func cut(memory []float64, rows, cols int) (*matrix.Dense, []float64) {
	return &matrix.Dense{Rows: rows, Cols: cols, Stride: cols, Data: memory[:rows*cols]}, memory[rows*cols:]
}

// resized returns x with a length of n and undefined values.
func resized(x []float64, n int) []float64 {
	if cap(x) < n {
		return pages.Floats(n)
	}
	return x[:n]
}

// eachTask is team.Do with a buffer of the given size, of undefined values, for each call: a
// worker has one at a time, cut from the memory. As many work as there are buffers in it.
func eachTask(team *block.Team, tasks int, memory []float64, size int, f func(task int, buffer []float64)) {
	workers := min(workersOf(team), len(memory)/max(1, size))
	buffers := make(chan []float64, workers) // that no worker has
	for w := range workers {
		buffers <- memory[w*size:][:size]
	}
	team.Do(tasks, func(task int) {
		buffer := <-buffers
		defer func() { buffers <- buffer }()
		f(task, buffer)
	})
}

// workersOf returns how many workers a team has, which may be nil.
func workersOf(team *block.Team) int {
	if team == nil {
		return 1
	}
	return block.Workers()
}

// spare is memory that is not needed otherwise, of which several systems that are solved at
// the same time take parts: one scratch would serve one of them.
type spare struct {
	mu    sync.Mutex
	parts [][]float64 // those that were taken and given back
	rest  []float64
}

// take returns at least n numbers of undefined value, or nil where there are none left.
// Parts are somewhat larger than what they are cut for, so that they do for systems with
// a few right-hand sides more.
func (s *spare) take(n int) []float64 {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, part := range s.parts {
		if len(part) >= n {
			s.parts = slices.Delete(s.parts, i, i+1)
			return part
		}
	}
	if len(s.rest) < n {
		return nil
	}
	end := min(n+n/8, len(s.rest))
	part := s.rest[:end]
	s.rest = s.rest[end:]
	return part
}

// matrix returns a matrix of undefined values, of the memory that is left as long as there
// is some.
func (s *spare) matrix(rows, cols int) *matrix.Dense {
	n := rows * cols
	if s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.rest) >= n {
			m, rest := cut(s.rest, rows, cols)
			s.rest = rest
			return m
		}
	}
	return matrix.New(rows, cols)
}

func (s *spare) give(part []float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts = append(s.parts, part)
}
