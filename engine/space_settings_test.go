package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Settings of a space that would make its transcripts slow or broken are refused.
func TestSpaceSettings(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	long := strings.Repeat("x", engine.MaxBoostedWord+1)
	for name, change := range map[string]func(*engine.Space){
		"long to":      func(sp *engine.Space) { sp.Spellings = []transcript.Spelling{{From: []string{"a"}, To: long}} },
		"long from":    func(sp *engine.Space) { sp.Spellings = []transcript.Spelling{{From: []string{"a", long}, To: "A"}} },
		"blank from":   func(sp *engine.Space) { sp.Spellings = []transcript.Spelling{{From: []string{" "}, To: "A"}} },
		"lines":        func(sp *engine.Space) { sp.Spellings = []transcript.Spelling{{From: []string{"a"}, To: "A\nB"}} },
		"no text":      func(sp *engine.Space) { sp.BoostedWords = []string{"\xff"} },
		"long word":    func(sp *engine.Space) { sp.BoostedWords = []string{long} },
		"too many":     func(sp *engine.Space) { sp.BoostedWords = slices.Repeat([]string{"a"}, engine.MaxBoostedWords+1) },
		"control char": func(sp *engine.Space) { sp.BoostedWords = []string{"a\x00"} },
	} {
		_, err := s.UpdateSpace(t.Context(), s.caller, "space", func(sp *engine.Space) error {
			change(sp)
			return nil
		})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), name)
	}
}
