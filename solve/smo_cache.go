package solve

import (
	"math"
	"sync"

	"github.com/seed92411348/kfda/internal/pages"
	"github.com/seed92411348/kfda/matrix"
)

// kernelRow is a row of the matrix, in one piece or two. All rows of a matrix come
// in the same pieces.
type kernelRow struct{ head, tail []float64 }

func (r kernelRow) at(j int) float64 {
	if j < len(r.head) {
		return r.head[j]
	}
	return r.tail[j-len(r.head)]
}

// rowCache keeps rows of the matrix, restricted to the active columns, in a
// bounded memory, unless they lie in memory already. A row that does not fit takes
// the place of the one that was not used for the longest time.
//
// A row and its place go by position among the active rows. The places follow one
// another in chunks of memory, as many to a chunk as fit, so that there are more
// of them once the rows have become shorter.
type rowCache struct {
	columns  Columns
	inMemory InMemory // columns, where it is that
	active   []int    // the row of each position
	width    int      // numbers in a row
	chunk    int      // numbers in a chunk
	limit    int      // chunks
	chunks   [][]float64

	place []int    // by position; −1 where the row is not here
	owner []int    // by place: the position
	used  []uint64 // by place: time of the last use
	clock uint64

	request []int // scratch
	spare   []float64
}

// chunkNumbers is the size of a chunk where neither a row nor the bound asks for
// another: 1 MiB.
const chunkNumbers = 1 << 17

func newRowCache(n int, bytes int64) *rowCache {
	numbers := max(int(min(bytes/8, math.MaxInt32)), 2*n) // a step needs two rows at a time
	c := &rowCache{chunk: max(n, min(chunkNumbers, numbers))}
	c.limit = max(numbers/c.chunk, 1)
	return c
}

// reset forgets all rows.
func (c *rowCache) reset(columns Columns, active []int) {
	c.columns, c.active, c.width = columns, active, len(active)
	c.inMemory, _ = columns.(InMemory)
	c.place = make([]int, c.width)
	for p := range c.place {
		c.place[p] = -1
	}
	c.owner, c.used = c.owner[:0], c.used[:0]
}

// capacity returns the number of places.
func (c *rowCache) capacity() int { return c.limit * (c.chunk / c.width) }

// at returns the row at a place.
func (c *rowCache) at(place int) []float64 {
	per := c.chunk / c.width
	lo := place % per * c.width
	return c.chunks[place/per][lo : lo+c.width : lo+c.width]
}

// row returns the row at position p; it is valid until the next but one call.
func (c *rowCache) row(p int) (kernelRow, error) {
	if c.inMemory != nil {
		head, tail := c.inMemory.Row(c.active[p])
		return kernelRow{head, tail}, nil
	}
	if at := c.place[p]; at >= 0 {
		c.clock++
		c.used[at] = c.clock
		return kernelRow{head: c.at(at)}, nil
	}
	at := c.vacate()
	c.request = append(c.request[:0], c.active[p])
	row := c.at(at)
	if err := c.columns.Rows(&matrix.Dense{Rows: 1, Cols: c.width, Stride: c.width, Data: row}, c.request); err != nil {
		return kernelRow{}, err
	}
	c.clock++
	c.place[p], c.owner[at], c.used[at] = at, p, c.clock
	return kernelRow{head: row}, nil
}

// vacate returns a place that is free now, or has become so.
func (c *rowCache) vacate() int {
	if at := len(c.owner); at < c.capacity() {
		c.grow(at)
		c.owner, c.used = append(c.owner, -1), append(c.used, 0)
		return at
	}
	oldest := 0
	for at, t := range c.used {
		if t < c.used[oldest] {
			oldest = at
		}
	}
	c.place[c.owner[oldest]] = -1
	return oldest
}

// grow makes sure that there is memory for a place.
func (c *rowCache) grow(at int) {
	for at/(c.chunk/c.width) >= len(c.chunks) {
		if c.chunk != chunkNumbers {
			c.chunks = append(c.chunks, make([]float64, c.chunk))
			continue
		}
		chunk, _ := chunkPool.Get().(*[chunkNumbers]float64)
		if chunk == nil {
			chunk = new([chunkNumbers]float64)
		}
		c.chunks = append(c.chunks, chunk[:])
	}
}

// chunkPool keeps chunks for the solvers of the next problems.
var chunkPool sync.Pool

// release gives the memory back; the cache must not be used any more.
func (c *rowCache) release() {
	for _, chunk := range c.chunks {
		if len(chunk) == chunkNumbers {
			chunkPool.Put((*[chunkNumbers]float64)(chunk))
		}
	}
	c.chunks = nil
}

// rows returns the rows at the given positions, in memory of its own as far as
// they are not in the cache, which does not change. They are valid until the next
// call.
func (c *rowCache) rows(positions []int) ([]kernelRow, error) {
	rows := make([]kernelRow, len(positions))
	if c.inMemory != nil {
		for k, p := range positions {
			rows[k], _ = c.row(p)
		}
		return rows, nil
	}
	c.request = c.request[:0]
	for _, p := range positions {
		if c.place[p] < 0 {
			c.request = append(c.request, c.active[p])
		}
	}
	if need := len(c.request) * c.width; cap(c.spare) < need {
		c.spare = pages.Floats(need)
	}
	block := matrix.Dense{Rows: len(c.request), Cols: c.width, Stride: c.width, Data: c.spare[:len(c.request)*c.width]}
	if block.Rows > 0 {
		if err := c.columns.Rows(&block, c.request); err != nil {
			return nil, err
		}
	}
	made := 0
	for k, p := range positions {
		if at := c.place[p]; at >= 0 {
			rows[k].head = c.at(at)
		} else {
			rows[k].head = block.Row(made)
			made++
		}
	}
	return rows, nil
}

// keep leaves only the rows and columns at the given positions, which ascend.
func (c *rowCache) keep(positions []int, columns Columns, active []int) {
	next := make([]int, c.width) // the new position of an old one
	for p := range next {
		next[p] = -1
	}
	for q, p := range positions {
		next[p] = q
	}
	old := *c
	c.columns, c.active, c.width = columns, active, len(active)
	c.inMemory, _ = columns.(InMemory)
	c.place = old.place[:c.width]
	for q := range c.place {
		c.place[q] = -1
	}
	// A row moves towards the beginning of the memory, as does each of its
	// numbers: nothing is overwritten before it was read.
	to := 0
	for at, p := range old.owner {
		q := next[p]
		if q < 0 || to == c.capacity() {
			continue
		}
		from, row := old.at(at), c.at(to)
		for k, j := range positions {
			row[k] = from[j]
		}
		c.place[q], c.owner[to], c.used[to] = to, q, old.used[at]
		to++
	}
	c.owner, c.used = c.owner[:to], c.used[:to]
}
