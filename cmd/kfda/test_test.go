package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed92411348/kfda/internal/must"
)

// groupsTable is a table of two groups of 20 rows with columns that differ a little, not at all, and one that
// names a site, of pairs of rows that names a donor.
func groupsTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("a,b,colour,site,donor,arm\n")
	for i := range 40 {
		arm := i / 20
		a, c := float64(i*37%41)/41+0.6*float64(arm), float64(i*29%43)/43
		fmt.Fprintf(&b, "%.3f,%.3f,%s,s%d,d%d,%s\n", a, c, []string{"red", "blue"}[i%2], i%4/2, i/2, []string{"new", "old"}[arm])
	}
	path := filepath.Join(t.TempDir(), "groups.csv")
	write(t, path, b.String())
	return path
}

func TestTestCommand(t *testing.T) {
	path := groupsTable(t)
	base := []string{"test", path, "--label", "arm", "--ignore", "site,donor", "--permutations", "199"}
	r := object(t, works(t, append(base, "--json")...))
	if p := r["p_permutation"].(float64); p > 0.05 || r["n"] != 40.0 || len(r["truncated"].([]any)) != 5 || len(r["p_asymptotic"].([]any)) != 5 {
		t.Errorf("%v", r)
	}
	if first := r["columns"].([]any)[0].(map[string]any); first["column"] != "a" {
		t.Errorf("the first column is %v", first)
	}
	// The column of the strata or groups is no feature.
	for _, restricted := range [][]string{
		{"test", path, "--label", "arm", "--strata", "site", "--ignore", "donor", "--permutations", "99", "--json"},
		{"test", path, "--label", "arm", "--groups", "donor", "--ignore", "site", "--permutations", "99", "--json"},
		{"test", path, "--label", "arm", "--strata", "site", "--groups", "donor", "--permutations", "99", "--json"},
	} {
		got := object(t, works(t, restricted...))
		if math.Abs(got["statistic"].(float64)/r["statistic"].(float64)-1) > 1e-12 || got["distinct"] == r["distinct"] {
			t.Errorf("%v: %v", restricted, got)
		}
	}
	several := object(t, works(t, append(base, "--gamma", "0.1,1", "--accuracy", "--json")...))
	tests := several["tests"].([]any)
	if len(tests) != 2 || several["p_corrected"].(float64) < several["p_permutation"].(float64) || several["accuracy"].(map[string]any)["p_permutation"] == nil {
		t.Errorf("%v", several)
	}
	one := object(t, works(t, append(base, "--gamma", "1", "--json")...))
	if one["statistic"] != tests[1].(map[string]any)["statistic"] {
		t.Errorf("gamma 1 alone has another statistic: %v", one)
	}
	says(t, works(t, append(base, "--gamma", "0.1,1", "--accuracy")...), "new 20, old 20", "p-value", "corrected", "T5", "MMD²", "a +", "colour = blue")
	says(t, works(t, append(base, "--permutations", "0", "--truncations", "0")...), "statistic")
	if few := object(t, works(t, append(base, "--ignore", "colour", "--kernel", "linear", "--json")...)); len(few["truncated"].([]any)) != 2 {
		t.Errorf("two columns, but truncated %v", few["truncated"])
	}
}

func TestTestCommandRefuses(t *testing.T) {
	path := groupsTable(t)
	for words, args := range map[string][]string{
		"--permutations -1":      {"--permutations", "-1"},
		"--truncations -1":       {"--truncations", "-1"},
		"--ridge 0":              {"--ridge", "0"},
		"--relative-ridge NaN":   {"--relative-ridge", "NaN"},
		"looks at the labels":    {"--scale", "auto"},
		"name one column":        {"--strata", "site", "--groups", "site"},
		"numbers above 0":        {"--gamma", "1,-2"},
		"--gamma does not apply": {"--gamma", "1", "--kernel", "linear"},
		"are one column each":    {"--strata", "a,b"},
		"--target":               {"--target", "a"},
	} {
		fails(t, statusUsage, []string{words}, append([]string{"test", path}, args...)...)
	}
	for words, args := range map[string][]string{
		"--truncations 39: at most 38":                  {"--truncations", "39"},
		"--truncations 9: at most 2":                    {"--truncations", "9", "--kernel", "linear", "--ignore", "colour,site,donor"},
		"groups.csv:3: row 2: --groups: it has another": {"--groups", "site", "--label", "colour", "--ignore", "donor,arm"},
		"only 1 row of the group":                       {"--rows", "19:25"},
		"nothing to permute":                            {"--strata", "arm", "--label", "arm"},
		"--groups: permuted labels make the same":       {"--groups", "arm", "--label", "arm"},
	} {
		fails(t, statusData, []string{words}, append([]string{"test", path}, args...)...)
	}
	few := []string{"test", path, "--label", "arm", "--ignore", "site,donor,colour", "--permutations"}
	says(t, kfda(t, "", append(few, "99", "--rows", "18:22")...).err, "only 3 divisions", "at least 0.33")
	says(t, kfda(t, "", append(few, "9")...).err, "with 9 permutations no p-value can be below 0.1")
	fails(t, statusUsage, []string{"--seed -1: want a whole number from 0"}, append(few, "9", "--seed", "-1")...)
	fails(t, statusUsage, []string{"--gamma 1e-320: it is so small"}, append(few, "9", "--gamma", "1e-320")...)
	fails(t, statusUsage, []string{"--gamma 1e-320: it is so small"}, append(few, "9", "--gamma", "1,1e-320")...)
	fails(t, statusData, []string{"--relative-ridge 1e+13: it is 1e+13 times", "is kept"}, append(few, "9", "--relative-ridge", "1e13")...)
	fails(t, statusData, []string{"--truncations 9: at most", "(rbf(gamma=1e-05))"}, append(few, "9", "--truncations", "9", "--gamma", "5,1e-5")...)
}

// Equal means are no difference, with any kernel of a list; nor are equal rows.
func TestTestOfEqualMeans(t *testing.T) {
	path := filepath.Join(t.TempDir(), "equal.csv")
	write(t, path, "a,b,arm\n1,0,x\n-1,0,x\n0,1,x\n0,-1,x\n1,0,y\n-1,0,y\n0,1,y\n0,-1,y\n")
	for _, args := range [][]string{
		{"--gamma", "0.5,1"}, {"--kernel", "linear"}, {"--kernel", "linear", "--rows", "0:8:4"}, {"--kernel", "linear", "--rows", "0:8:4", "--relative-ridge", "1"}, {"--gamma", "1", "--rows", "0:8:4"},
	} {
		if slices.Contains(args, "0:8:4") { // two equal rows for each group
			write(t, path, "a,b,arm\n1,0,x\n1,0,x\n1,0,y\n1,0,y\n")
			args = slices.Delete(slices.Clone(args), slices.Index(args, "--rows"), slices.Index(args, "--rows")+2)
		}
		if slices.Contains(args, "--relative-ridge") {
			fails(t, statusData, []string{"--relative-ridge 1: the kernel matrix has no positive trace"}, append([]string{"test", path}, args...)...)
			continue
		}
		r := object(t, works(t, append([]string{"test", path, "--permutations", "99", "--accuracy", "--json"}, args...)...))
		if r["statistic"] != 0.0 || r["p_permutation"] != 1.0 || r["columns"] != nil {
			t.Errorf("%v: %v", args, r)
		}
	}
}

// Accuracies are corrected together, and with groups are those of whole groups that are left out: of
// pairs of equal rows with labels at random, each row alone would be told by its twin.
func TestTestAccuracy(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y,pair,arm\n")
	for i := range 60 {
		fmt.Fprintf(&b, "%d,%d,p%d,%s\n", i/2*37%61, i/2*29%53, i/2, []string{"old", "new"}[(i/2)*(i/2)%7%2])
	}
	path := filepath.Join(t.TempDir(), "pairs.csv")
	write(t, path, b.String())
	args := []string{"test", path, "--gamma", "1,10", "--accuracy", "--permutations", "99", "--json"}
	accuracy := func(args ...string) map[string]any {
		return object(t, works(t, args...))["accuracy"].(map[string]any)
	}
	alone, groups := accuracy(append(args, "--ignore", "pair")...), accuracy(append(args, "--groups", "pair")...)
	if alone["accuracy"].(float64) < 0.95 || groups["accuracy"].(float64) > 0.8 {
		t.Errorf("accuracy of rows left out %v, of pairs %v", alone["accuracy"], groups["accuracy"])
	}
	must.Equal(t, "left out", groups["left_out"].(string), "rows of groups left out")
	if p := groups["p_corrected"].(float64); p < groups["p_permutation"].(float64) {
		t.Errorf("p %v corrected is %v", groups["p_permutation"], p)
	}

}
