package memory_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// A deleted recording leaves nothing in a dump.
func TestDeletion(t *testing.T) {
	t.Parallel()
	enginetest.TestDeletion(t, func(t *testing.T) enginetest.Erasable {
		s := memory.NewStore()
		return enginetest.Erasable{Store: s, Blobs: memory.NewBlobs(), Contents: func() string {
			var w bytes.Buffer
			require.NoError(t, s.Dump(&w))
			return withoutEvents(w.String())
		}}
	})
}

// withoutEvents removes the rows of the log of events from a dump: it keeps the ids of what happened.
func withoutEvents(dump string) string {
	var kept strings.Builder
	for line := range strings.Lines(dump) {
		if !strings.HasPrefix(line, `{"table":"events",`) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
