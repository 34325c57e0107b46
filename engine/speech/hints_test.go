package speech_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Terms are on one line each, unique, not too long, and as many as take accepts.
func TestTerms(t *testing.T) {
	t.Parallel()
	left := 3
	got := speech.Terms([]string{" a\tb\n", "", "a b", "one two three", "c\x00\x1b", "\xff", "d", "e"}, 2, func(string) bool {
		left--
		return left >= 0
	})
	require.Equal(t, []string{"a b", "c", "d"}, got)
}

// Spellings returns a spelling only if applying it twice is harmless.
func TestSpellings(t *testing.T) {
	t.Parallel()
	one := func(to string, from ...string) transcript.Spelling { return transcript.Spelling{From: from, To: to} }
	for name, c := range map[string]struct{ all, want []transcript.Spelling }{
		"several words for one":    {[]transcript.Spelling{one("Soundstage", "Sound  Stage", "sun stage")}, []transcript.Spelling{one("Soundstage", "sound stage", "sun stage")}},
		"a chain":                  {[]transcript.Spelling{one("b", "a"), one("c", "b")}, []transcript.Spelling{one("c", "b")}},
		"a swap":                   {[]transcript.Spelling{one("b", "a"), one("a", "b")}, nil},
		"writes what others match": {[]transcript.Spelling{one("Cloud", "clowd"), one("Nimbus", "sound cloud")}, []transcript.Spelling{one("Nimbus", "sound cloud")}},
		"matched within another":   {[]transcript.Spelling{one("Tone", "sound"), one("Nimbus", "sound cloud")}, []transcript.Spelling{one("Nimbus", "sound cloud")}},
		"matched twice":            {[]transcript.Spelling{one("x1", "foo"), one("x2", "FOO")}, nil},
		"case alone":               {[]transcript.Spelling{one("SQL", "sql")}, nil},
		"punctuation":              {[]transcript.Spelling{one("C++", "see plus"), one("dotnet", ".net")}, nil},
		"several words, and none":  {[]transcript.Spelling{one("New York", "nyc"), one(" ", "um"), one("x", "")}, nil},
		"scripts without spaces":   {[]transcript.Spelling{one("東京", "京"), one("Tokyo", "とうきょう")}, nil},
		"none":                     {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, speech.Spellings(c.all))
		})
	}
	require.Empty(t, speech.Spellings([]transcript.Spelling{one("Long", strings.Fields(strings.Repeat("word ", 1001))...)}))
}
