package conformance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/engine"
)

// The statements about events match engine.Events.
func TestStatementsOfEvents(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, e := range engine.Events() {
		var names []string
		for _, f := range e.Data {
			names = append(names, f.Name)
		}
		last := len(names) - 1
		data := strings.Join(names[:last], ", ") + " and " + names[last]
		for _, s := range conformance.Statements() {
			if rest, ok := strings.CutPrefix(s.Text, "data of "+string(e.Type)+" has "); ok {
				require.Equal(t, data+".", rest, "%s in statements.yaml differs from engine.Events", s.ID)
				compared++
			}
			if rest, ok := strings.CutPrefix(s.Text, string(e.Type)+" is emitted when "); ok {
				require.True(t, strings.HasSuffix(strings.ToLower(e.Summary), rest), "%s in statements.yaml says %q; engine.Events says %q", s.ID, rest, e.Summary)
				compared++
			}
		}
	}
	require.NotZero(t, compared)
}
