package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed92411348/kfda/discriminant"
	"github.com/seed92411348/kfda/gram"
	"github.com/seed92411348/kfda/matrix"
)

// kernelFlags are the parameters of kernels on the command line.
type kernelFlags struct {
	name                string
	gamma, sigma, coef0 float64
	degree              int
	symmetrize          bool
}

// kernelKind is a kernel of the command line.
type kernelKind struct {
	name  string
	help  string
	takes []string // its flags
	scale string   // default of --scale
	// make returns the kernel; given tells which flags were given.
	make func(f kernelFlags, given func(flag string) bool) (gram.Kernel, error)
}

// kernelKinds is the one place that knows them all, besides parametersOf.
var kernelKinds = []kernelKind{
	{"linear", "x·y", nil, "standard",
		func(kernelFlags, func(string) bool) (gram.Kernel, error) { return gram.Linear{}, nil }},
	{"poly", "(gamma x·y + coef0)^degree; gamma 1/columns, coef0 1, degree 3", []string{"gamma", "coef0", "degree"}, "standard",
		func(f kernelFlags, given func(string) bool) (gram.Kernel, error) {
			k := gram.NewPolynomial(f.degree)
			k.Gamma = f.gamma
			if given("coef0") {
				k.Coef0 = f.coef0
			}
			return k, nil
		}},
	{"rbf", "exp(-gamma |x-y|²); gamma 1/(columns · variance), or 1/(2 sigma²)", []string{"gamma", "sigma"}, "standard",
		func(f kernelFlags, given func(string) bool) (gram.Kernel, error) {
			if given("sigma") {
				gamma, err := gram.GammaFromSigma(f.sigma)
				return gram.RBF{Gamma: gamma}, err
			}
			return gram.RBF{Gamma: f.gamma}, nil
		}},
	{"laplacian", "exp(-gamma Σ|x-y|); gamma 1/columns, or 1/sigma", []string{"gamma", "sigma"}, "standard",
		func(f kernelFlags, given func(string) bool) (gram.Kernel, error) {
			if given("sigma") {
				if !(f.sigma > 0) {
					return nil, fmt.Errorf("--sigma %v: sigma must be above 0", f.sigma)
				}
				return gram.Laplacian{Gamma: 1 / f.sigma}, nil
			}
			return gram.Laplacian{Gamma: f.gamma}, nil
		}},
	{"sigmoid", "tanh(gamma x·y + coef0); gamma 1/columns, coef0 1", []string{"gamma", "coef0"}, "standard",
		func(f kernelFlags, given func(string) bool) (gram.Kernel, error) {
			k := gram.NewSigmoid()
			k.Gamma = f.gamma
			if given("coef0") {
				k.Coef0 = f.coef0
			}
			return k, nil
		}},
	{"cosine", "x·y / (|x| |y|)", nil, "standard",
		func(kernelFlags, func(string) bool) (gram.Kernel, error) { return gram.Cosine{}, nil }},
	{"chi2", "exp(-gamma Σ(x-y)²/(x+y)) of values that are not negative; gamma 1", []string{"gamma"}, "none",
		func(f kernelFlags, _ func(string) bool) (gram.Kernel, error) {
			return gram.ChiSquared{Gamma: f.gamma}, nil
		}},
	{"precomputed", "the table holds the kernel values themselves: of each row with each training row", []string{"symmetrize"}, "none",
		func(kernelFlags, func(string) bool) (gram.Kernel, error) { return gram.Precomputed{}, nil }},
}

func (f *kernelFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	var names, help []string
	for _, k := range kernelKinds {
		names = append(names, k.name)
		help = append(help, "  "+k.name+"  \t"+k.help)
	}
	cmd.Long += "\n\nKernels, with the defaults of their parameters:\n" + aligned(0, help...)
	namesFlag(cmd, &f.name, "kernel", "rbf", "`name` of the kernel: %s; or a text such as 'sum(linear(), columns(0, 2, rbf(gamma=0.5)))', with all parameters, as models have it ('kfda inspect --json'); columns(…) counts the features from 0, without label, ids, weights and ignored columns", names...)
	flags.Float64Var(&f.gamma, "gamma", 0, "gamma of the kernel, above 0")
	flags.Float64Var(&f.sigma, "sigma", 0, "width of rbf and laplacian in place of gamma")
	flags.IntVar(&f.degree, "degree", 0, "degree of poly")
	flags.Float64Var(&f.coef0, "coef0", 0, "coef0 of poly and sigmoid")
	flags.BoolVar(&f.symmetrize, "symmetrize", false, "take the mean of each two entries of a precomputed kernel matrix that should be equal")
	cmd.MarkFlagsMutuallyExclusive("gamma", "sigma")
}

// kind returns the entry of the selected kernel, which may be a text of its own.
func (f *kernelFlags) kind() (kernelKind, error) {
	if strings.Contains(f.name, "(") {
		return kernelKind{f.name, "", nil, "standard", func(f kernelFlags, _ func(string) bool) (gram.Kernel, error) {
			k, err := gram.Parse(f.name)
			if _, ok := k.(gram.Precomputed); ok {
				err = fmt.Errorf("--kernel %s: say --kernel precomputed", f.name)
			}
			if at := columnsOfNone.FindStringIndex(f.name); err == nil && at != nil {
				err = &gram.ParseError{Offset: at[1] - 1, Reason: "expected a column"}
			}
			return k, explainText(f.name, err)
		}}, nil
	}
	var names []string
	for _, k := range kernelKinds {
		if k.name == f.name {
			return k, nil
		}
		names = append(names, k.name)
	}
	return kernelKind{}, usage("no kernel %q: want %s", f.name, strings.Join(names, ", "))
}

// columnsOfNone is in the text of a kernel of no columns, which models may have: of a category without
// levels.
var columnsOfNone = regexp.MustCompile(`columns\s*\(\s*[a-z]`)

// explainText says what is wrong with the text of a kernel.
func explainText(text string, err error) error {
	var (
		parse *gram.ParseError
		wrong *gram.ParameterError
	)
	const example = "a text has all parameters, such as columns(0, 2, rbf(gamma=0.5)) or polynomial(gamma=0.1, coef0=1, degree=3)"
	switch {
	case errors.As(err, &wrong):
		return usage("--kernel: the %s of %s %s; %s", strings.ToLower(wrong.Parameter), wrong.Kernel, wrong.Reason, example)
	case errors.As(err, &parse) && parse.Offset > 0:
		const most = 40
		from := max(0, parse.Offset-most)
		return usage("--kernel: after %q: %s; %s", text[from:parse.Offset], parse.Reason, example)
	case errors.As(err, &parse):
		return usage("--kernel: %s; %s", parse.Reason, example)
	}
	return err
}

// kernel returns the kernel that the flags describe.
func (f *kernelFlags) kernel(cmd *cobra.Command) (gram.Kernel, error) {
	kind, err := f.kind()
	if err != nil {
		return nil, err
	}
	given := cmd.Flags().Changed
	for _, flag := range []string{"gamma", "sigma", "degree", "coef0", "symmetrize"} {
		if given(flag) && !slices.Contains(kind.takes, flag) {
			return nil, usage("--%s does not apply to the kernel %s", flag, kind.name)
		}
	}
	// In the library 0 stands for the default; on the command line the default
	// is to leave the flag out.
	if given("gamma") && !(f.gamma > 0) {
		return nil, usage("--gamma %v: gamma must be above 0", f.gamma)
	}
	if given("degree") && f.degree < 1 {
		return nil, usage("--degree %d: the degree must be 1 or more", f.degree)
	}
	k, err := kind.make(*f, given)
	if err == nil {
		err = k.Validate()
	}
	if wrong := (*gram.ParameterError)(nil); errors.As(err, &wrong) {
		parameter := strings.ToLower(wrong.Parameter)
		if parameter == "gamma" && given("sigma") {
			return nil, usage("--sigma %v: gamma = 1/(2σ²) %s", f.sigma, wrong.Reason)
		}
		return nil, usage("--%s %v: it %s", parameter, wrong.Value, wrong.Reason)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return k, nil
}

// ofTable returns a kernel with columns of the table in place of prepared ones.
func ofTable(k gram.Kernel, p *discriminant.Preparation) gram.Kernel {
	if k == nil || p == nil {
		return k
	}
	seen := p.Columns()
	return gram.EachColumns(k, func(at int) []int { return []int{seen[at].From} })
}

// prepare makes a kernel of columns of the table one of prepared columns.
func prepare(p *discriminant.Preparation, k *gram.Kernel) (err error) {
	if p != nil {
		*k, err = p.Kernel(*k)
	}
	return err
}

// briefKernel is the text of a kernel where there is room for a line.
func briefKernel(k gram.Kernel) string {
	if sum, ok := k.(gram.Sum); ok && len(sum.Terms) > 3 {
		return fmt.Sprintf("sum of %d kernels", len(sum.Terms))
	}
	return k.String()
}

// symmetrizes makes the kernel matrix of a fit symmetric where that is requested. One that is
// not square is left to the fit to refuse.
func (f *kernelFlags) symmetrizes(x *matrix.Dense) {
	if f.symmetrize && x.Rows == x.Cols {
		gram.Symmetrize(x, x)
	}
}

// kernelParameters are the resolved parameters of a kernel, as they stand in
// --json.
type kernelParameters struct {
	Kernel string   `json:"kernel"`
	Gamma  *float64 `json:"gamma,omitempty"`
	Coef0  *float64 `json:"coef0,omitempty"`
	Degree *int     `json:"degree,omitempty"`
}

func parametersOf(k gram.Kernel) kernelParameters {
	switch k := k.(type) {
	case gram.Linear:
		return kernelParameters{Kernel: "linear"}
	case gram.Polynomial:
		return kernelParameters{"poly", &k.Gamma, &k.Coef0, &k.Degree}
	case gram.RBF:
		return kernelParameters{Kernel: "rbf", Gamma: &k.Gamma}
	case gram.Laplacian:
		return kernelParameters{Kernel: "laplacian", Gamma: &k.Gamma}
	case gram.Sigmoid:
		return kernelParameters{Kernel: "sigmoid", Gamma: &k.Gamma, Coef0: &k.Coef0}
	case gram.Cosine:
		return kernelParameters{Kernel: "cosine"}
	case gram.ChiSquared:
		return kernelParameters{Kernel: "chi2", Gamma: &k.Gamma}
	case gram.Precomputed:
		return kernelParameters{Kernel: "precomputed"}
	}
	return kernelParameters{Kernel: k.String()}
}

// name writes them as a kernel does.
func (k kernelParameters) name() string {
	if kernel, err := gram.Parse(k.Kernel); err == nil {
		return briefKernel(kernel)
	}
	var all []string
	if k.Gamma != nil {
		all = append(all, fmt.Sprintf("gamma=%v", *k.Gamma))
	}
	if k.Coef0 != nil {
		all = append(all, fmt.Sprintf("coef0=%v", *k.Coef0))
	}
	if k.Degree != nil {
		all = append(all, fmt.Sprintf("degree=%d", *k.Degree))
	}
	return k.Kernel + "(" + strings.Join(all, ", ") + ")"
}
