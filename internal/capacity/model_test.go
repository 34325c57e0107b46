package capacity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/capacity"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

//go:generate env UPDATE_GOLDEN=1 go test -vet=off -count=1 -run TestTables .

// The tables are those of the inputs.
func TestTables(t *testing.T) {
	t.Parallel()
	got := capacity.Tables(capacity.Inputs())
	require.Equal(t, golden.Read(t, "testdata/tables.golden", []byte(got)), got)
}

// Every input has a name of its own, a value, and a source.
func TestInputs(t *testing.T) {
	t.Parallel()
	seen := map[capacity.Name]bool{}
	for _, i := range capacity.Inputs() {
		require.False(t, seen[i.Name], i.Name)
		require.Positive(t, i.Value, i.Name)
		if i.Source != capacity.Assumed {
			require.NotEmpty(t, i.Command, i.Name)
		}
		seen[i.Name] = true
	}
	require.Len(t, seen, 32)
}

// Twice the load needs twice the rows, and more than one server above the lowest ceiling. Two nodes are the least.
func TestNeed(t *testing.T) {
	t.Parallel()
	m := capacity.New(capacity.Inputs())
	lowest := m.Ceilings()[0].PerDay
	below, above := m.Need(0.9*lowest), m.Need(1.8*lowest)
	require.Equal(t, 1., below.Databases)
	require.Equal(t, 2., above.Databases)
	require.InEpsilon(t, 2*below.Rows, above.Rows, 1e-9)
	require.Equal(t, 2., m.Need(1).APINodes)
	for i, c := range m.Ceilings() {
		require.GreaterOrEqual(t, c.PerDay, lowest, i)
	}
}

// One write of events at a time, for 1 ms each, limits the peak to 1,000 per second.
func TestEventCeiling(t *testing.T) {
	t.Parallel()
	inputs := capacity.Inputs()
	for i := range inputs {
		if inputs[i].Name == capacity.EventHold {
			inputs[i].Value = 1e-3
		}
	}
	m := capacity.New(inputs)
	for _, c := range m.Ceilings() {
		if c.Then[:5] == "a log" {
			require.InDelta(t, 600, m.Need(c.PerDay).EventWrites, 1e-6) // 60 % of 1,000
			return
		}
	}
	require.Fail(t, "no ceiling of events")
}
