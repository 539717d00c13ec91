package gram

import (
	"container/heap"
	"fmt"
	"slices"

	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/internal/splitmix"
	"github.com/seed92411348/kfda/matrix"
)

// Sample is a uniform sample without replacement of numbered rows, of which it sees each once:
// those with the smallest hashes of seed and number. So it depends on the rows and the seed
// alone, whatever the order of rows and of the parts that are merged. A row that is added
// again counts once. It is not safe for concurrent use: take one each and merge them.
type Sample struct {
	seed uint64
	size int
	cols int             // of the rows, −1 before the first
	heap sampleHeap      // the rows; all hashes of a seed are different
	held map[uint64]bool // their numbers
}

// sampled is a row with the random number that decides whether it stays.
type sampled struct {
	hash, number uint64
	row          []float64
}

// NewSample returns a sample of size rows at most, of none as yet.
func NewSample(size int, seed uint64) *Sample {
	if size < 1 {
		panic(fmt.Sprintf("gram: NewSample: a sample of %d rows", size))
	}
	return &Sample{seed: seed, size: size, cols: -1, held: make(map[uint64]bool)}
}

// Add adds a copy of the row of that number, from 0, if it belongs to the sample as yet. A row
// of another length than those before is a *matrix.RaggedError.
func (s *Sample) Add(number uint64, row []float64) error {
	if s.size == 0 {
		panic("gram: Sample.Add: a zero Sample; NewSample makes one")
	}
	if s.cols >= 0 && len(row) != s.cols {
		return &matrix.RaggedError{Row: int(number), Got: len(row), Want: s.cols}
	}
	s.cols = len(row)
	key := splitmix.At(s.seed, 0)
	s.add(sampled{hash: splitmix.At(key, number), number: number, row: row})
	return nil
}

func (s *Sample) add(r sampled) {
	full := len(s.heap) == s.size
	if s.held[r.number] || full && r.hash > s.heap[0].hash {
		return
	}
	if full {
		last := heap.Pop(&s.heap).(sampled)
		delete(s.held, last.number)
		r.row = append(last.row[:0], r.row...)
	} else {
		r.row = slices.Clone(r.row)
	}
	heap.Push(&s.heap, r)
	s.held[r.number] = true
}

// Merge adds the rows of another sample of the same size and seed, which stays as it is: the
// result is the sample of the rows of both. Rows of another length are a *matrix.RaggedError.
func (s *Sample) Merge(other *Sample) error {
	misuse.NotNil("gram: Sample.Merge", "other", other)
	if s.size != other.size || s.seed != other.seed {
		panic(fmt.Sprintf("gram: Sample.Merge: of %d rows with seed %d and of %d rows with seed %d", s.size, s.seed, other.size, other.seed))
	}
	for _, r := range other.heap {
		if err := s.Add(r.number, r.row); err != nil {
			return err
		}
	}
	return nil
}

// Rows returns the rows of the sample by their numbers, ascending, and these.
func (s *Sample) Rows() (*matrix.Dense, []uint64) {
	sorted := slices.Clone(s.heap)
	slices.SortFunc(sorted, func(a, b sampled) int {
		if a.number < b.number {
			return -1
		}
		return 1
	})
	x := matrix.New(len(sorted), max(s.cols, 0))
	numbers := make([]uint64, len(sorted))
	for i, r := range sorted {
		copy(x.Row(i), r.row)
		numbers[i] = r.number
	}
	return x, numbers
}

// sampleHeap has the largest hash on top.
type sampleHeap []sampled

func (h sampleHeap) Len() int           { return len(h) }
func (h sampleHeap) Less(i, j int) bool { return h[i].hash > h[j].hash }
func (h sampleHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *sampleHeap) Push(r any)        { *h = append(*h, r.(sampled)) }
func (h *sampleHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
