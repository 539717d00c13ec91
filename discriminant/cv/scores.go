package cv

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/internal/asm/f64"
	"github.com/seed92411348/kfda/internal/misuse"
	"github.com/seed92411348/kfda/matrix"
)

// Scores say how well rows were classified that the model had not been fitted to.
// Classes are numbered in class order. Where rows have weights, Rows, Errors and Confusion still
// count rows; all shares and means are weighted.
type Scores struct {
	// Rows counts the rows that were tested, once for each fold that tested them,
	// and Errors those of them that were taken for another class.
	Rows, Errors int

	// Confusion counts, of the classes that the model knows, in row i and column j, the rows of class i that were taken
	// for class j.
	Confusion [][]int

	// FoldErrors is, for each fold, the share of its test rows that were taken for
	// another class, or NaN for one that failed.
	FoldErrors []float64

	// LogLoss is the mean of −ln p, p being the posterior of the row's own class,
	// but at least 2⁻⁵²; NaN where the classifier has no posteriors.
	LogLoss float64

	// AUC is, for each class, the area under the receiver operating characteristic
	// of that class against the rest: the share of the pairs of a row of the class
	// and another row in which the first has the larger value, ties counting half.
	// The values are the decision of two classes, else the posteriors. They are
	// compared within a fold alone, since each has its own scale. AUC is nil where
	// the classifier has no such values, and where no fold tests a pair of some class, as
	// in leave-one-out.
	AUC []float64

	weighed *weighedScores // nil where all rows weigh the same
}

// weighedScores are what the rows weigh.
type weighedScores struct {
	total, wrong, squares float64 // of all rows, those taken for another class, and Σw²
	confusion             *matrix.Dense
}

// add adds a row of class i, or −1, that was taken for class j.
func (s *weighedScores) add(w float64, i, j int) {
	if s == nil {
		return
	}
	s.total += w
	s.squares = math.FMA(w, w, s.squares)
	if i != j {
		s.wrong += w
	}
	if i >= 0 {
		s.confusion.Row(i)[j] += w
	}
}

// Weight returns what the tested rows weigh together, Rows without weights, and what those
// that were taken for another class do, Errors without.
func (s *Scores) Weight() (total, wrong float64) {
	if s.weighed == nil {
		return float64(s.Rows), float64(s.Errors)
	}
	return s.weighed.total, s.weighed.wrong
}

// Weighted reports whether rows have weights.
func (s *Scores) Weighted() bool { return s.weighed != nil }

// taken returns how many rows of class i were taken for class j, or what they weigh.
func (s *Scores) taken(i, j int) float64 {
	if s.weighed == nil {
		return float64(s.Confusion[i][j])
	}
	return s.weighed.confusion.At(i, j)
}

// size returns how many rows of class i were taken for any, or what they weigh.
func (s *Scores) size(i int) float64 {
	n := 0.0
	for j := range s.Confusion {
		n += s.taken(i, j)
	}
	return n
}

// Accuracy returns the share of the rows that were taken for their class.
func (s *Scores) Accuracy() float64 {
	total, wrong := s.Weight()
	return (total - wrong) / total
}

// BalancedAccuracy returns the mean of the classes' recalls, over those that were
// tested.
func (s *Scores) BalancedAccuracy() float64 {
	var recalls []float64
	for j := range s.Confusion {
		if n := s.size(j); n > 0 {
			recalls = append(recalls, s.taken(j, j)/n)
		}
	}
	return matrix.Sum(recalls) / float64(len(recalls))
}

func (s *Scores) check(j int) {
	if uint(j) >= uint(len(s.Confusion)) {
		panic(fmt.Sprintf("cv: class %d of %d", j, len(s.Confusion)))
	}
}

// Recall returns the share of the rows of class j that were taken for it.
func (s *Scores) Recall(j int) float64 {
	s.check(j)
	return s.taken(j, j) / s.size(j)
}

// Precision returns the share of the rows taken for class j that are of it.
func (s *Scores) Precision(j int) float64 {
	s.check(j)
	taken := 0.0
	for i := range s.Confusion {
		taken += s.taken(i, j)
	}
	return s.taken(j, j) / taken
}

// StandardError returns the standard error of the accuracy as if the rows were
// tested independently, √(p(1−p)/rows), or with weights √(p(1−p)Σw²)/Σw.
func (s *Scores) StandardError() float64 {
	p := s.Accuracy()
	rows := float64(s.Rows)
	if w := s.weighed; w != nil {
		rows = float64(w.total*w.total) / w.squares
	}
	return math.Sqrt(float64(p*(1-p)) / rows)
}

// tested is what a fold says of its test rows.
type tested struct {
	truth, predicted []int
	values           *matrix.Dense // rows × classes, larger where the class is more likely; or nil
	posteriors       *matrix.Dense // or nil
	weights          []float64     // of the rows, or nil
}

// weighed returns t, where it is not nil, with the weights of its rows.
func (t *tested) weighed(weights []float64) *tested {
	if t != nil {
		t.weights = weights
	}
	return t
}

// weight returns that of row i.
func (t *tested) weight(i int) float64 {
	if t.weights == nil {
		return 1
	}
	return t.weights[i]
}

// leastPosterior is what a posterior counts as at least in the log loss.
const leastPosterior = 0x1p-52

// newScores scores the folds of c classes; a failed fold is nil.
func newScores(folds []*tested, c int) *Scores {
	s := &Scores{LogLoss: math.NaN(), Confusion: make([][]int, c)}
	for j := range s.Confusion {
		s.Confusion[j] = make([]int, c)
	}
	var losses, lossWeights []float64
	wins, pairs := make([]float64, c), make([]float64, c)
	for _, f := range folds {
		if f == nil {
			s.FoldErrors = append(s.FoldErrors, math.NaN())
			continue
		}
		wrong, own, ownWrong := 0, 0.0, 0.0
		if f.weights != nil && s.weighed == nil {
			s.weighed = &weighedScores{confusion: matrix.New(c, c)}
		}
		for i, j := range f.truth {
			w := f.weight(i)
			own += w
			if f.predicted[i] != j {
				wrong++
				ownWrong += w
			}
			s.weighed.add(w, j, f.predicted[i])
			if j < 0 {
				continue
			}
			s.Confusion[j][f.predicted[i]]++
			if f.posteriors != nil {
				losses = append(losses, float64(-w*f64.Log(math.Max(leastPosterior, f.posteriors.At(i, j)))))
				lossWeights = append(lossWeights, w)
			}
		}
		s.Rows += len(f.truth)
		s.Errors += wrong
		s.FoldErrors = append(s.FoldErrors, ownWrong/own)
		if f.values != nil {
			for j := range c {
				w, p := pairsWon(f.values, f.truth, f.weight, j)
				wins[j] += w
				pairs[j] += p
			}
		}
	}
	if len(losses) > 0 {
		s.LogLoss = matrix.Sum(losses) / matrix.Sum(lossWeights)
	}
	if !slices.Contains(pairs, 0) {
		s.AUC = make([]float64, c)
		for j := range c {
			s.AUC[j] = wins[j] / pairs[j]
		}
	}
	return s
}

// pairsWon returns how many pairs of a row of class j and another row there are, and
// in how many of them the first has the larger value in column j, half of the ties
// among them: with weights a pair counts their product.
func pairsWon(values *matrix.Dense, truth []int, weight func(i int) float64, j int) (wins, pairs float64) {
	order := make([]int, len(truth))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(values.At(a, j), values.At(b, j)), cmp.Compare(a, b))
	})
	below, members := 0.0, 0.0 // rows of other classes with a smaller value; rows of class j
	for first := 0; first < len(order); {
		last := first
		own, other := 0.0, 0.0
		for ; last < len(order) && values.At(order[last], j) == values.At(order[first], j); last++ {
			if w := weight(order[last]); truth[order[last]] == j {
				own += w
			} else {
				other += w
			}
		}
		wins += float64(own * (below + float64(0.5*other)))
		below += other
		members += own
		first = last
	}
	return wins, float64(members * below)
}

// Score says how well a model classifies rows with those labels, which it should not have been
// fitted to. A label that the model does not know counts as an error, and is in no row of the
// confusion and without a share in the log loss. The errors are those of
// [discriminant.Model.Predict], and a *[RowsError]. Rows may have weights, and one of weight 0 is
// absent.
func Score[L discriminant.Label](m *discriminant.Model[L], x *matrix.Dense, labels []L, weights ...float64) (*Scores, error) {
	misuse.NotNil("cv: Score", "m", m, "x", x)
	if x.Rows != len(labels) {
		return nil, &RowsError{Rows: x.Rows, Labels: len(labels), Folds: x.Rows}
	}
	rows, weights, err := positive(x.Rows, weights)
	if err != nil {
		return nil, err
	}
	if rows != nil {
		x, labels = part(x, rows, allColumns(x)), take(labels, rows)
	}
	classes := m.Classes()
	t, err := testModel(m, x, codesOf(labels, classes))
	if err != nil {
		return nil, err
	}
	return newScores([]*tested{t.weighed(weights)}, len(classes)), nil
}

// Compare is [Score] of predictions that were made before, for a model of those classes: there
// is no log loss, and no AUC. Another number of predictions than of labels, and a prediction that
// is none of the classes, are misuse.
func Compare[L discriminant.Label](classes, predicted, labels []L, weights ...float64) *Scores {
	t := &tested{truth: codesOf(labels, classes), predicted: codesOf(predicted, classes)}
	if len(predicted) != len(labels) || slices.Contains(t.predicted, -1) {
		panic(fmt.Sprintf("cv: Compare: %d predictions of %d classes, and no others, for %d labels", len(predicted), len(classes), len(labels)))
	}
	rows, weights, err := positive(len(labels), weights)
	if err != nil {
		panic("cv: Compare: " + err.Error())
	}
	if rows != nil {
		t.truth, t.predicted = take(t.truth, rows), take(t.predicted, rows)
	}
	return newScores([]*tested{t.weighed(weights)}, len(classes))
}
