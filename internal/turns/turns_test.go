package turns_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/turns"
)

// listed returns a way that notes its runs and costs what a list says.
func listed(name string, runs *string, costs ...float64) turns.Way {
	return turns.Way{Name: name, Cost: func() float64 {
		*runs += name
		cost := costs[0]
		costs = costs[1:]
		return cost
	}}
}

// Every round runs each way once and begins with the next one. Ratios are those of one round, so a round in which everything takes ten times
// as long changes none.
func TestComparison(t *testing.T) {
	t.Parallel()
	runs := ""
	c := turns.Compare(listed("a", &runs, 2, 20, 3), listed("b", &runs, 1, 10, 1)).Rounds(3)
	require.Equal(t, "abbaab", runs)
	require.Equal(t, []float64{2, 20, 3}, c.Costs("a"))
	require.Equal(t, turns.Spread{Low: 2, Median: 2, High: 3}, c.Ratio("a", "b"))
	require.Equal(t, turns.Spread{Low: 1, Median: 1, High: 10}, c.Cost("b"))
	r := reported{}
	c.Report(r, "a", "b")
	require.Equal(t, reported{"a/b": 2, "a/b-low": 2, "a/b-high": 3}, r)
}

type reported map[string]float64

func (r reported) ReportMetric(n float64, unit string) { r[unit] = n }

// The median of an even number of values is between the two in the middle. Of many values, the quartiles leave outliers out.
func TestOf(t *testing.T) {
	t.Parallel()
	require.Zero(t, turns.Of(nil))
	require.Equal(t, turns.Spread{Low: 1, Median: 2, High: 3}, turns.Of([]float64{3, 1}))
	values := []float64{9, 1, 4, 100, 5, 6, 3, 2, 7}
	require.Equal(t, turns.Spread{Low: 3, Median: 5, High: 7}, turns.Of(values))
	require.Equal(t, 9.0, values[0], "not sorted in place")
	require.Equal(t, "1.23 (1.2–1.31)", fmt.Sprint(turns.Spread{Low: 1.2, Median: 1.234, High: 1.31}))
}

// A name that no way or two ways have is a mistake of the benchmark.
func TestNames(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, `turns: two ways have the name "a"`, func() { turns.Compare(turns.Way{Name: "a"}, turns.Way{Name: "a"}) })
	require.PanicsWithValue(t, `turns: no way has the name "b"`, func() { turns.Compare(turns.Way{Name: "a"}).Ratio("a", "b") })
}

// Wall counts time in which nothing runs. CPU counts what child processes compute.
func TestCosts(t *testing.T) {
	if os.Getenv("TURNS_TEST_CHILD") != "" {
		for i := range uint64(50_000_000) {
			work = work*6_364_136_223_846_793_005 + i
		}
		return
	}
	t.Parallel()
	require.GreaterOrEqual(t, turns.Wall(func() { time.Sleep(20 * time.Millisecond) })(), 0.02)
	require.Greater(t, turns.CPU(func() {
		child := exec.Command(os.Args[0], "-test.run", "^TestCosts$")
		child.Env = append(os.Environ(), "TURNS_TEST_CHILD=1")
		out, err := child.CombinedOutput()
		require.NoError(t, err, "%s", out)
	})(), 0.01)
}

var work uint64
