package conformance

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every statement has a check, or a test of this repository, or a reason why none can decide it; and every check decides a
// statement.
func TestEveryStatementIsDecided(t *testing.T) {
	t.Parallel()
	now, late := checks()
	decided := map[string]bool{}
	for _, c := range slices.Concat(now, late) {
		require.False(t, decided[c.id], "two checks of %s", c.id)
		decided[c.id] = true
	}
	for _, st := range Statements() {
		ways := 0
		for _, way := range []bool{decided[st.ID], st.Test != "", st.Reason != ""} {
			if way {
				ways++
			}
		}
		require.Equal(t, 1, ways, "%s is decided in %d ways", st.ID, ways)
		delete(decided, st.ID)
	}
	require.Empty(t, decided, "checks without a statement")
}
