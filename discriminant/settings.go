package discriminant

import (
	"fmt"
	"math"

	"github.com/seed92411348/kfda/gram"
)

// Settings are those that several methods have.
type Settings struct {
	Kernel      gram.Kernel // nil for a method without one
	Scaling     Scaling
	Regularizer Regularizer
	Classifier  Classifier // that of an [SVM] is the machine itself
	Priors      []float64
}

// Parameter is the setting of a method that a search varies beside scaling, kernel and
// classifier.
type Parameter struct {
	Name   string    // as in "C"; "" for the relative ridge
	Values []float64 // that are worth a try where nothing is known, of the smoother model first

	// Set returns the method with a value. One that stands for a default, or is no value, makes
	// the method invalid.
	Set func(value float64) Method
}

// ridgesOnCoefficients returns the relative ridges on the coefficients that are worth a try.
func ridgesOnCoefficients() []float64 { return []float64{1e2, 1, 1e-2, 1e-4, 1e-6, 1e-8} }

// kernelOr returns kernel, and the default for nil.
func kernelOr(kernel gram.Kernel) gram.Kernel {
	if kernel == nil {
		return gram.RBF{}
	}
	return kernel
}

func validateComponents(components int) error {
	if components < 0 {
		return &ParameterError{Field: "Components", Value: fmt.Sprint(components), Reason: "want 1 to classes − 1, or 0 for all"}
	}
	return nil
}

// checkClasses returns an error where settings don't fit the number of classes.
func checkClasses(components int, priors []float64, classes int) error {
	if components > classes-1 {
		return &ComponentsError{Asked: components, Classes: classes}
	}
	if priors != nil && len(priors) != classes {
		return &ParameterError{Field: "Priors", Value: fmt.Sprint(priors), Reason: fmt.Sprintf("want one for each of the %d classes", classes)}
	}
	return nil
}

func validatePriors(priors []float64) error {
	if priors == nil {
		return nil
	}
	sum := 0.0
	for _, p := range priors {
		if !(p > 0) || p > 1 {
			return &ParameterError{Field: "Priors", Value: fmt.Sprint(priors), Reason: "every prior must be above 0 and at most 1"}
		}
		sum += p
	}
	if math.Abs(sum-1) > 1e-6 { // the priors act through their ratios alone
		return &ParameterError{Field: "Priors", Value: fmt.Sprint(priors), Reason: fmt.Sprintf("they sum to %v, want 1", sum)}
	}
	return nil
}

// validateKernel returns an error for a kernel or a scaling that is wrong whatever
// the data.
func validateKernel(kernel gram.Kernel, scaling Scaling) error {
	if isPrecomputed(kernel) && scaling != NoScaling {
		return &ParameterError{Field: "Scaling", Value: scaling.String(), Reason: "a precomputed kernel matrix can't be scaled by columns; want NoScaling"}
	}
	if err := scaling.validate(); err != nil {
		return err
	}
	if kernel == nil {
		return nil
	}
	return kernel.Validate()
}

// validateChosen is validateKernel where the scaling may be AutoScaling.
func validateChosen(kernel gram.Kernel, scaling Scaling) error {
	if scaling == AutoScaling && !isPrecomputed(kernel) {
		scaling = Standard
	}
	return validateKernel(kernel, scaling)
}
