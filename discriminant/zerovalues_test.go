package discriminant_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/discriminant/cv"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/internal/must"
	"github.com/seed92411348/kfda/matrix"
	"github.com/seed92411348/kfda/solve"
)

// exported is what a package exports: functions by their names, and zero values of its
// types.
type exported struct {
	functions map[string]any
	types     []any
}

var packages = map[string]exported{
	"matrix": {map[string]any{
		"AddMul": matrix.AddMul, "AddSymRankK": matrix.AddSymRankK, "CheckFinite": matrix.CheckFinite, "Column": matrix.Column,
		"Dot": matrix.Dot, "FromRows": matrix.FromRows, "InstructionSet": matrix.InstructionSet, "MaxAbs": matrix.MaxAbs,
		"Mul": matrix.Mul, "MulVec": matrix.MulVec, "New": matrix.New, "NewSizes": matrix.NewSizes, "NormFrobenius": matrix.NormFrobenius,
		"Overlap": matrix.Overlap, "RowMeans": matrix.RowMeans, "SetWorkers": matrix.SetWorkers, "SolveLower": matrix.SolveLower,
		"SolveLowerTrans": matrix.SolveLowerTrans, "SolveRightLowerTrans": matrix.SolveRightLowerTrans,
		"SubMul": matrix.SubMul, "Sum": matrix.Sum, "SumSquares": matrix.SumSquares,
		"SymRankK": matrix.SymRankK, "Transpose": matrix.Transpose,
	}, []any{matrix.Dense{}, matrix.NotFiniteError{}, matrix.RaggedError{}, matrix.Sizes{}, matrix.Trans(false)}},
	"gram": {map[string]any{
		"CentreInPlace": gram.CentreInPlace, "Cross": gram.Cross, "Diag": gram.Diag, "Format": gram.Format, "GammaFromSigma": gram.GammaFromSigma,
		"GammaMedian": gram.GammaMedian, "GammaScale": gram.GammaScale, "Kept": gram.Kept, "Matrix": gram.Matrix, "NewCentring": gram.NewCentring,
		"NewEvaluator": gram.NewEvaluator, "NewFeatures": gram.NewFeatures, "NewLines": gram.NewLines, "NewPolynomial": gram.NewPolynomial, "NewSample": gram.NewSample, "NewSigmoid": gram.NewSigmoid,
		"EachColumns": gram.EachColumns, "Parse": gram.Parse, "PrecomputedRows": gram.PrecomputedRows, "RegisterFeatureMap": gram.RegisterFeatureMap, "Resolve": gram.Resolve,
		"Symmetrize": gram.Symmetrize, "WeightedCentring": gram.WeightedCentring,
	}, []any{
		gram.Centring{}, gram.ChiSquared{}, gram.Cosine{}, gram.DomainError{}, gram.Evaluator{}, gram.FeatureMap{}, gram.Features{}, gram.Func{}, gram.IndefiniteError{}, gram.LandmarkMethod(0), gram.Landmarks{}, gram.Sample{},
		gram.Laplacian{}, gram.Linear{}, gram.Lines{}, gram.NotFiniteError{}, gram.NotSymmetricError{}, gram.ParameterError{}, gram.ParseError{},
		gram.Columns{}, gram.Polynomial{}, gram.Precomputed{}, gram.Product{}, gram.RBF{}, gram.Scaled{}, gram.ShapeError{}, gram.Sigmoid{}, gram.Sum{}, gram.UnsavableError{},
	}},
	"solve": {map[string]any{
		"Eigen": solve.Eigen, "FactorCholesky": solve.FactorCholesky, "FactorShifted": solve.FactorShifted,
		"Jacobi": solve.Jacobi, "JoinFactors": solve.JoinFactors, "JoinRidge": solve.JoinRidge, "Lanczos": solve.Lanczos, "Leading": solve.Leading, "LeadingBytes": solve.LeadingBytes,
		"NewConjugate": solve.NewConjugate, "NewRowFactor": solve.NewRowFactor, "NewUpper": solve.NewUpper, "Orthonormalize": solve.Orthonormalize, "Pencil": solve.Pencil,
		"Product": solve.Product, "Reduce": solve.Reduce, "RestoreRowFactor": solve.RestoreRowFactor, "SMO": solve.SMO, "SVD": solve.SVD,
		"ShiftedResidual": solve.ShiftedResidual, "SingularValues": solve.SingularValues, "UnpackLower": solve.UnpackLower,
	}, []any{
		solve.BlockError{}, solve.Cholesky{}, solve.Conjugate{}, solve.Known{}, solve.IterationLimitError{}, solve.LanczosLimit{}, solve.Machine{}, solve.NotConvergedError{},
		solve.NotPositiveDefiniteError{}, solve.Pairs{}, solve.RangeError{}, solve.ReducedSolution{}, solve.Reduction{}, solve.Refinement{}, solve.RowFactor{}, solve.RowNode{}, solve.RowState{},
		solve.SMOOptions{}, solve.Shift{}, solve.ShiftError{}, solve.Shifted{}, solve.Stored{}, solve.Upper{},
	}},
	"discriminant": {map[string]any{
		"Balanced": discriminant.Balanced[int], "CheckWeights": discriminant.CheckWeights, "ClassWeights": discriminant.ClassWeights[int],
		"Classes": discriminant.Classes[int], "Fit": discriminant.Fit[int], "FitKernelPCA": discriminant.FitKernelPCA, "FitPath": discriminant.FitPath[int],
		"FitRegression": discriminant.FitRegression, "FitScaler": discriminant.FitScaler, "FittedIntercept": discriminant.FittedIntercept,
		"LeaveOneOut": discriminant.LeaveOneOut[int], "LeaveOneOutRegression": discriminant.LeaveOneOutRegression, "LedoitWolf": discriminant.LedoitWolf,
		"LeaveOneOutRKHS": discriminant.LeaveOneOutRKHS, "LeaveOneOutRidge": discriminant.LeaveOneOutRidge,
		"Load": discriminant.Load[string], "LoadEither": discriminant.LoadEither[string], "LoadPCA": discriminant.LoadPCA, "LoadRegression": discriminant.LoadRegression, "NewRegressionStream": discriminant.NewRegressionStream, "NewStream": discriminant.NewStream[int], "NoIntercept": discriminant.NoIntercept,
		"Offset": discriminant.Offset, "PlanStream": discriminant.PlanStream, "RKHS": discriminant.RKHS, "RelativeRKHS": discriminant.RelativeRKHS, "RelativeRidge": discriminant.RelativeRidge, "RelativeRidges": discriminant.RelativeRidges,
		"Ridge": discriminant.Ridge, "Shrink": discriminant.Shrink, "TestClassifiers": discriminant.TestClassifiers[int], "TestPath": discriminant.TestPath[int],
	}, []any{
		discriminant.AccuracyError{}, discriminant.Certificate{}, discriminant.ClassesError{}, discriminant.CoincidentMeansError{}, discriminant.ConjugateGradients{}, discriminant.IntervalError{},
		discriminant.ColumnRangeError{}, discriminant.ComponentsError{}, discriminant.DecisionError{}, discriminant.DecisionRangeError{},
		discriminant.FeatureError{}, discriminant.FormatError{}, discriminant.Gaussian{}, discriminant.IndefiniteKernelError{}, discriminant.Intercept{}, discriminant.KFDA{},
		discriminant.KNN{}, discriminant.KernelPCA{}, discriminant.KernelRidge{}, discriminant.LDA{}, discriminant.LabelTypeError{}, discriminant.Machine{},
		discriminant.MachineError{}, discriminant.Model[int]{}, discriminant.NearestCentroid{}, discriminant.OverflowError{}, discriminant.PCA{},
		discriminant.Parameter{}, discriminant.ParameterError{}, discriminant.Path[int]{}, discriminant.PathTest[int]{}, discriminant.Plan{}, discriminant.PosteriorsError{},
		discriminant.PreImage{}, discriminant.PreImageError{}, discriminant.RankError{}, discriminant.Regression{}, discriminant.Regularizer{},
		discriminant.RidgeError{}, discriminant.RowsError{}, discriminant.SVM{}, discriminant.Scaler{}, discriminant.Scaling(0), discriminant.Scatter(0), discriminant.Settings{},
		discriminant.KFDADetails{}, discriminant.LDADetails{}, discriminant.KernelPCADetails{}, discriminant.KernelRidgeDetails{}, discriminant.SVMDetails{}, discriminant.Landmarks{}, discriminant.RegressionStream{}, discriminant.RowSpan{}, discriminant.Stream[int]{}, discriminant.UnknownClassError{},
		discriminant.Missing(0), discriminant.Preparation{}, discriminant.Prepared{}, discriminant.PreparedColumn{},
		discriminant.ScatterError{}, discriminant.TargetsError{}, discriminant.Training{}, discriminant.ValueError{}, discriminant.VotesError{}, discriminant.WeightsError{}, discriminant.Whitening(0),
	}},
	"discriminant/cv": {map[string]any{
		"Alignment": cv.Alignment[int], "Alignments": cv.Alignments[int], "ClosedForm": cv.ClosedForm[int], "Compare": cv.Compare[int], "CompareNumbers": cv.CompareNumbers,
		"DefaultFolds": cv.DefaultFolds[int], "DefaultGammas": cv.DefaultGammas, "Evaluate": cv.Evaluate[int], "EvaluateProgress": cv.EvaluateProgress[int], "EvaluateRegression": cv.EvaluateRegression,
		"Given": cv.Given, "Grouped": cv.Grouped[int], "Holdout": cv.Holdout[int], "LeaveOneOut": cv.LeaveOneOut, "Nested": cv.Nested[int], "NestedRegression": cv.NestedRegression, "Pairs": cv.Pairs, "Repeated": cv.Repeated[int], "Score": cv.Score[int], "Stratified": cv.Stratified[int], "StratifiedGroups": cv.StratifiedGroups[int, int], "Tune": cv.Tune[int], "TuneRegression": cv.TuneRegression,
	}, []any{
		cv.BestFitError{}, cv.Candidate{}, cv.Criterion(0), cv.Evaluation[int]{}, cv.Failure{}, cv.Folds{}, cv.FoldsError{}, cv.HeldOut[int]{},
		cv.MissingClassError{}, cv.NestedEvaluation[int]{}, cv.NestedRegressionEvaluation{}, cv.NoCandidateError{}, cv.Number(0), cv.ParameterError{}, cv.RareClassError{}, cv.Record{}, cv.RegressionEvaluation{}, cv.RegressionScores{}, cv.RowsError{}, cv.WeighedKernel{}, cv.WeighedKernels{},
		cv.ScalingError{}, cv.Scores{}, cv.Search{}, cv.Tuned[int]{}, cv.TunedRegression{},
	}},
}

// candidates are the arguments of a type that are tried: its zero value, and what may be
// there while another argument is missing.
func candidates(t reflect.Type) []reflect.Value {
	all := []reflect.Value{reflect.Zero(t)}
	switch {
	case t == reflect.TypeFor[context.Context]():
		all = append(all, reflect.ValueOf(context.Background()))
	case t == reflect.TypeFor[*matrix.Dense]():
		x := &matrix.Dense{Rows: 3, Cols: 3, Stride: 3, Data: []float64{4, 1, 0, 1, 5, 2, 0, 2, 6}}
		all = append(all, reflect.ValueOf(&matrix.Dense{}), reflect.ValueOf(x))
	case t == reflect.TypeFor[gram.Kernel]():
		all = append(all, reflect.ValueOf(gram.Linear{}))
	case t == reflect.TypeFor[discriminant.Method]():
		all = append(all, reflect.ValueOf(discriminant.LDA{}))
	case t == reflect.TypeFor[solve.Source]():
		all = append(all, reflect.ValueOf(solve.Stored{}))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Int:
		all = append(all, reflect.ValueOf([]int{0, 1, 1}).Convert(t))
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Float64:
		all = append(all, reflect.ValueOf([]float64{1, 2, 3}))
	case t.Kind() == reflect.Pointer:
		all = append(all, reflect.New(t.Elem()))
	case t.Kind() == reflect.Int:
		all = append(all, reflect.ValueOf(2))
	}
	return all
}

var ownPanic = regexp.MustCompile(`^(matrix|gram|solve|discriminant|cv): .`)

// callAll calls f with all combinations of candidates, and reports panics that are not the
// project's own.
func callAll(t *testing.T, what string, f reflect.Value) {
	t.Helper()
	var sets [][]reflect.Value
	for i := range f.Type().NumIn() {
		sets = append(sets, candidates(f.Type().In(i)))
	}
	args := make([]reflect.Value, len(sets))
	failed := false
	var walk func(i int)
	walk = func(i int) {
		if failed {
			return
		}
		if i < len(sets) {
			for _, args[i] = range sets[i] {
				walk(i + 1)
			}
			return
		}
		defer func() {
			p := recover()
			if p == nil || ownPanic.MatchString(fmt.Sprint(p)) {
				return
			}
			failed = true
			var text []string
			for _, a := range args {
				text = append(text, fmt.Sprintf("%v", a))
			}
			t.Errorf("%s(%s): panics with %v", what, strings.Join(text, ", "), p)
		}()
		if f.Type().IsVariadic() {
			f.CallSlice(args)
		} else {
			f.Call(args)
		}
	}
	walk(0)
}

// Every exported function with nil and zero arguments, and every method of the zero value
// of every exported type, works, returns an error or panics with a message of the project.
// What is exported is read from the source: nothing that is added gets by.
func TestZeroValuesAndNilArguments(t *testing.T) {
	workers := matrix.SetWorkers(1)
	defer matrix.SetWorkers(workers)
	for name, p := range packages {
		missing := exportedNames(t, name)
		for f, value := range p.functions {
			delete(missing, f)
			callAll(t, name+"."+f, reflect.ValueOf(value))
		}
		for _, zero := range p.types {
			typ := reflect.TypeOf(zero)
			short, _, _ := strings.Cut(typ.Name(), "[")
			delete(missing, short)
			for i := range reflect.PointerTo(typ).NumMethod() {
				method := reflect.PointerTo(typ).Method(i).Name
				callAll(t, name+"."+short+"."+method, reflect.New(typ).MethodByName(method))
			}
		}
		if scaler := reflect.ValueOf((*discriminant.Scaler)(nil)); name == "discriminant" { // what a model without scaling has
			for i := range scaler.NumMethod() {
				callAll(t, "a nil Scaler's "+scaler.Type().Method(i).Name, scaler.Method(i))
			}
		}
		for f := range missing {
			t.Errorf("%s.%s is not tested here", name, f)
		}
	}
}

// exportedNames returns the exported functions and types, but for interfaces, of a package.
func exportedNames(t *testing.T, name string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(name), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(name, err)
	}
	names := make(map[string]bool)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source := must.Get(os.ReadFile(file))(t)
		parsed := must.Get(parser.ParseFile(token.NewFileSet(), file, source, 0))(t)
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok && s.Name.IsExported() {
						if _, isInterface := s.Type.(*ast.InterfaceType); !isInterface {
							names[s.Name.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}
