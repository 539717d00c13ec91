package pages

import (
	"math"
	"sync"
	"weak"
)

// leftovers keep working memory for the fits, factorizations, solves and residuals that
// follow: new memory costs a small factorization more time than its arithmetic, and two
// kernel matrices more than there may be. It is held weakly, so that a collection takes it.
var leftovers struct {
	mu   sync.Mutex
	kept [6]weak.Pointer[[]float64]
}

// wasteful is how many times larger than needed memory is left for others.
const wasteful = 8

// Leave gives up memory, which nothing may use any more.
func Leave(memory *[]float64) {
	leftovers.mu.Lock()
	defer leftovers.mu.Unlock()
	to, least := 0, math.MaxInt
	for i, kept := range leftovers.kept {
		size := 0
		if old := kept.Value(); old != nil {
			size = len(*old)
		}
		if size < least {
			to, least = i, size
		}
	}
	leftovers.kept[to] = weak.Make(memory)
}

// Take returns at least n numbers of undefined value, for Leave to give up: the smallest
// that was left and is neither too small nor far too large, or new memory.
func Take(n int) *[]float64 {
	leftovers.mu.Lock()
	defer leftovers.mu.Unlock()
	var taken *[]float64
	from := 0
	for i, kept := range leftovers.kept {
		memory := kept.Value()
		if memory == nil || len(*memory) < n || len(*memory)/wasteful > n {
			continue
		}
		if taken == nil || len(*memory) < len(*taken) {
			taken, from = memory, i
		}
	}
	if taken != nil {
		leftovers.kept[from] = weak.Pointer[[]float64]{}
		return taken
	}
	memory := Floats(n)
	return &memory
}
