package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const page = "Before.\n\n" + begin + "Old.\n\n" + tableHead + "| a | old limit | ≤ 1 | old | no |\n| by hand | | ≤ 4 min | 9 min | no |\n" + end + "\n\nAfter.\n"

// Figures are read from each line of a benchmark, whatever else go test prints.
func TestParse(t *testing.T) {
	t.Parallel()
	got := parse("goos: linux\nBenchmarkLimitCrop-2   \t       1\t 14.9 bare-cpu-s\t 1.003e+03 x\nPASS\nok  \tpkg\t3 s\nBenchmarkOther/sub-2 1 0 ns/op 2 ratio\n")
	require.Equal(t, metrics{"bare-cpu-s": 14.9, "x": 1003, "ns/op": 0, "ratio": 2}, got)
}

// A measured row has new figures, and says whether it is met. Others keep their line.
func TestLine(t *testing.T) {
	t.Parallel()
	lines, err := linesOf(page)
	require.NoError(t, err)
	r := row{key: "a", road: "a", required: "≤ 1", show: func(m metrics) (string, string, bool) { return "limit", m.spread("r"), m["r"] <= 1 }}
	require.Equal(t, "| a | limit | ≤ 1 | 0.9 (0.85–0.95) | yes |", r.line(metrics{"r": 0.9, "r-low": 0.85, "r-high": 0.95}, lines["a"]))
	require.Equal(t, "| a | limit | ≤ 1 | 1.1 (1–1.2) | no |", r.line(metrics{"r": 1.1, "r-low": 1, "r-high": 1.2}, lines["a"]))
	require.Equal(t, "| a | old limit | ≤ 1 | old | no |", r.line(nil, lines["a"]))
	require.Equal(t, "| a | | ≤ 1 | not measured | |", r.line(nil, ""))
	require.Equal(t, "| by hand | | ≤ 4 min | 9 min | no |", lines["by hand"])
}

// Only what is between the marks changes. A page without them is an error.
func TestWithTable(t *testing.T) {
	t.Parallel()
	got, err := withTable(page, "new\n")
	require.NoError(t, err)
	require.Equal(t, "Before.\n\n"+begin+"new\n"+end+"\n\nAfter.\n", got)
	_, err = withTable(strings.Replace(page, end, "", 1), "new\n")
	require.EqualError(t, err, `the page lacks "<!-- limits:begin -->" or "<!-- limits:end -->"`)
}

// A run of some rows says which they were, and keeps what was said about the others.
func TestTable(t *testing.T) {
	t.Parallel()
	some := map[string]metrics{"get": {}, "durable": {}}
	text := table("Measured today.", "Measured yesterday.", some, nil)
	const both = "Measured yesterday.\nOnly durable, get: measured today."
	require.Contains(t, text, "\n"+both+"\n\n"+tableHead)
	require.Equal(t, both, aboutOf(begin+text+end))
	for _, key := range keys() {
		some[key] = metrics{}
	}
	require.Contains(t, table("Measured today.", "Measured yesterday.", some, nil), "\nMeasured today.\n\n"+tableHead)
}

// An unknown row is an error that lists all.
func TestChoose(t *testing.T) {
	t.Parallel()
	all, err := choose("")
	require.NoError(t, err)
	require.NotContains(t, all, "tests", "it is written by hand")
	got, err := choose("hour,get")
	require.NoError(t, err)
	require.Equal(t, []string{"hour", "get"}, got)
	_, err = choose("get,nothing")
	require.ErrorContains(t, err, `there is no row "nothing"; choose from get, start, hour, `)
}

// The page has a line for each row, and no other.
func TestPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/benchmarks.md")
	require.NoError(t, err)
	lines, err := linesOf(string(text))
	require.NoError(t, err)
	want := []string{"road"}
	for _, r := range rows() {
		want = append(want, r.road)
	}
	require.ElementsMatch(t, want, slices.Collect(maps.Keys(lines)))
}
