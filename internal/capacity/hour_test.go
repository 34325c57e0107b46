package capacity_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/capacity"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

//go:generate env UPDATE_GOLDEN=1 go test -vet=off -count=1 -run TestHourTable .

// The table and the example are those of the inputs.
func TestHourTable(t *testing.T) {
	t.Parallel()
	got := capacity.HourTable(capacity.Inputs(), capacity.Steps())
	require.Equal(t, golden.Read(t, "testdata/hour.golden", []byte(got)), got)
}

// Steps add up. What replaces another step doesn't count.
func TestHours(t *testing.T) {
	t.Parallel()
	m := capacity.New([]capacity.Input{{Name: capacity.Peak, Value: 2}, {Name: capacity.Headroom, Value: 0.5}, {Name: capacity.Retention, Value: 10}})
	steps := []capacity.Step{{Name: "a", CPU: 10, Stored: 5, Network: 1e6}, {Name: "b", CPU: 30, Network: 1e6}, {Name: "or c", CPU: 100, Stored: 100}}
	h := m.Hours(864, steps)
	require.Equal(t, 40.0, h.CPU)
	require.InDelta(t, 1.6, h.Cores, 1e-9) // 864 × 40 s a day are 0.4 cores, 0.8 at the peak, half busy
	require.Equal(t, 4320.0, h.Stored)
	require.Equal(t, 43_200.0, h.Kept)
	require.InDelta(t, 0.32, h.Mbit, 1e-9) // 1,728 MB a day are 0.16 Mbit/s
}
