package discriminant

// Scatter says how the classes enter the scatter matrices.
type Scatter uint8

const (
	// SummedScatter weighs every row alike:
	//
	//	N = Σⱼ Kⱼ(I − 1/lⱼ)Kⱼᵀ,  M = Σⱼ lⱼ(Mⱼ − M*)(Mⱼ − M*)ᵀ
	SummedScatter Scatter = iota
	// AveragedScatter weighs every class alike, whatever its size:
	//
	//	N = Σⱼ (1/lⱼ) Kⱼ(I − 1/lⱼ)Kⱼᵀ,  M = Σ_{i<j} (Mᵢ − Mⱼ)(Mᵢ − Mⱼ)ᵀ
	//
	// N is then formed and factored, at the price of a squared condition number
	// and of twice the memory.
	AveragedScatter
)

// String returns "sum" or "averaged".
func (s Scatter) String() string {
	switch s {
	case SummedScatter:
		return "sum"
	case AveragedScatter:
		return "averaged"
	}
	return "invalid"
}
