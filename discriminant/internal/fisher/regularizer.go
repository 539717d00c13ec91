package fisher

// Regularizer is what is added to the within-class scatter or, for kernel ridge
// regression, to the kernel matrix.
type Regularizer struct {
	Kind  Kind
	Value float64
}

// Kind is a kind of regulariser. Files hold its number.
type Kind uint8

const (
	RelativeRidge Kind = iota + 1 // 0: the default of a method
	Ridge
	RKHS
	RelativeRKHS
	Shrink
	LedoitWolf
	LeaveOneOutRidge // in no model: the fit makes it a relative ridge
	LeaveOneOutRKHS
)

// InRKHS reports whether the penalty is εK rather than εI.
func (k Kind) InRKHS() bool { return k == RKHS || k == RelativeRKHS || k == LeaveOneOutRKHS }

// ByLeaveOneOut reports whether the value is to be found from the data, by leaving out rows.
func (k Kind) ByLeaveOneOut() bool { return k == LeaveOneOutRidge || k == LeaveOneOutRKHS }

// Intensity returns the s of a Shrink, and 0 for another regulariser.
func (r Regularizer) Intensity() float64 {
	if r.Kind == Shrink {
		return r.Value
	}
	return 0
}
