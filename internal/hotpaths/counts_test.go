package hotpaths

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func counts(value, tolerance float64) []Count {
	return []Count{{"simple GET", "allocations", value, tolerance}, {"durable job", "bytes written", 8192, 0}}
}

// A count may differ by its tolerance, and one without tolerance not at all. What differs is named with both numbers.
func TestCompare(t *testing.T) {
	t.Parallel()
	golden := format(counts(100, 0.02))
	for value, want := range map[float64][]string{
		100: nil, 98: nil, 102: nil,
		103: {"simple GET: allocations: 103, but it was 100 (+3.0 %; tolerance 2 %)."},
		90:  {"simple GET: allocations: 90, but it was 100 (-10.0 %; tolerance 2 %)."},
	} {
		require.Equal(t, want, compare(golden, counts(value, 0.02)), value)
	}
	require.Equal(t, []string{"simple GET: allocations: 101, but it was 100 (+1.0 %; tolerance 0 %)."}, compare(golden, counts(101, 0)))
	require.Equal(t, []string{"durable job: bytes written: was 8192, but nothing counts it now."}, compare(golden, counts(100, 0)[:1]))
	require.Equal(t, []string{"simple GET: allocations: 100, but the golden file has no such count."}, compare(format(counts(0, 0)[1:]), counts(100, 0)))
}

// Of small numbers, one half is no change, for counts that may vary; small shares are kept to two decimals.
func TestSmallCounts(t *testing.T) {
	t.Parallel()
	require.Nil(t, compare(format(counts(3.5, 0.02)), counts(3.9, 0.02)))
	require.Len(t, compare(format(counts(3, 0.02)), counts(4, 0.02)), 1)
	require.Nil(t, compare(format(counts(1.0/3, 0)), counts(1.0/3, 0)))
}

// UPDATE_GOLDEN=1 writes a file that fits.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "counts.golden")
	t.Setenv("UPDATE_GOLDEN", "1")
	Check(t, file, counts(1, 0.02))
	t.Setenv("UPDATE_GOLDEN", "")
	Check(t, file, counts(1, 0.02))
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, head+`simple GET                                allocations                                    1  ±2 %
durable job                               bytes written                               8192  exact
`, string(raw))
}

// A failure says from which folder the test runs.
func TestFolder(t *testing.T) {
	t.Parallel()
	require.Equal(t, "./internal/hotpaths", folder())
}
