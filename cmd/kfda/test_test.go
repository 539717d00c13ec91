package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
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
	} {
		fails(t, statusData, []string{words}, append([]string{"test", path}, args...)...)
	}
	says(t, kfda(t, "", "test", path, "--label", "arm", "--rows", "18:22", "--ignore", "site,donor,colour", "--permutations", "9").err, "only 6 ways")
}
