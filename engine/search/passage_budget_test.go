package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/search"
)

// Passages get 60 % of the context, less where other texts are long, and never less than 100 tokens.
func TestPassageBudget(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 4000)
	for name, c := range map[string]struct {
		context int
		others  []string
		want    int
	}{
		"60 % of the context":  {10_000, []string{"short"}, 6000},
		"an unknown context":   {0, nil, 81 * 60},
		"a negative context":   {-1, nil, 81 * 60},
		"a context too small":  {500, nil, 100},
		"long texts beside it": {3000, []string{long, long}, 100},
	} {
		require.Equal(t, c.want, search.PassageBudget(c.context, c.others...), name)
	}
	require.Less(t, search.PassageBudget(8192, long), search.PassageBudget(8192))
}
