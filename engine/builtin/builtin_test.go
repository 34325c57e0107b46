package builtin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/builtin"
)

// Every built-in prompt is complete, and no two have the same type or name.
func TestPrompts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range builtin.Prompts() {
		require.Regexp(t, `^[a-z]+(_[a-z]+)*$`, p.Type)
		require.Regexp(t, `^[A-Z].*\.$`, p.Description)
		require.Regexp(t, `^[A-Z].*\.$`, p.Text)
		require.False(t, seen[p.Type] || seen[p.Name], p.Type)
		seen[p.Type], seen[p.Name] = true, true
	}
	require.Len(t, seen, 10)
}
