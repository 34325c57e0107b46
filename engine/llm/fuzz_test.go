package llm_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// FuzzAnswers checks that for any answer, suggestions are within the transcript, each text has a translation or "", and
// all texts are safe to show.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		`{"suggestions":[{"kind":"clip","first":2,"last":4,"title":"T","excerpt":"E","score":80}]}`, `[{"id":1,"text":"a"},{"id":2,"text":"\u0000b"}]`,
		`{"id":"1","text":"x"}{"id":2.0,"text":"\ud800"}`, "[", `[{"first":1e400}]`, `[{"id":-9223372036854775809,"text":"x"}]`, "```json\n[{}]\n```", "</think>[]",
	} {
		f.Add(seed)
	}
	shown := func(t *testing.T, text string) {
		require.True(t, utf8.ValidString(text))
		require.Equal(t, -1, strings.IndexFunc(text, unicode.IsControl), "%q", text)
	}
	tr := recorded(6)
	f.Fuzz(func(t *testing.T, answer string) {
		m := model(t, says(answer), 0)
		suggested, err := m.Suggest(t.Context(), tr, 4)
		if err != nil {
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
		}
		require.LessOrEqual(t, len(suggested), 4)
		for _, s := range suggested {
			shown(t, s.Title+s.Excerpt+string(s.Kind))
			require.True(t, s.Score >= 0 && s.Score <= 100)
			require.True(t, s.Window.Start >= 0 && s.Window.Start < s.Window.End && s.Window.End <= tr.Duration)
		}
		got, err := m.Translate(t.Context(), engine.TranslateRequest{From: "en", To: "de", Texts: []string{"one", "two", "three"}})
		if err != nil {
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
			return
		}
		require.Len(t, got, 3)
		for _, text := range got {
			shown(t, text)
		}
	})
}
