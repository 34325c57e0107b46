package conformance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/engine"
)

// What the statements say of an event is what engine.Events says of it.
func TestStatementsOfEvents(t *testing.T) {
	t.Parallel()
	told := 0
	for _, e := range engine.Events() {
		var names []string
		for _, f := range e.Data {
			names = append(names, f.Name)
		}
		last := len(names) - 1
		data := strings.Join(names[:last], ", ") + " and " + names[last]
		for _, s := range conformance.Statements() {
			if rest, ok := strings.CutPrefix(s.Text, "data of "+string(e.Type)+" has "); ok {
				require.Equal(t, data+".", rest, "write in statements.yaml, at %s", s.ID)
				told++
			}
			if rest, ok := strings.CutPrefix(s.Text, string(e.Type)+" is emitted when "); ok {
				require.True(t, strings.HasSuffix(strings.ToLower(e.Summary), rest), "%s: %s, and not: %s", s.ID, e.Summary, rest)
				told++
			}
		}
	}
	require.NotZero(t, told)
}
