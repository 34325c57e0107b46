package transcript_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Folded texts are equal if they differ only in case, in every script.
func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"Interview", "INTERVIEW"}, {"Straße", "STRASSE"}, {"STRAẞE", "strasse"}, {"Σίσυφος", "ΣΊΣΥΦΟΣ"}, {"Привет", "ПРИВЕТ"},
		{"ﬀ", "ﬀ"}, {"K", "k"}, {"Å", "å"}, {"Ǆ", "ǅ"}, {"日本", "日本"}, {"100%_\\", "100%_\\"},
	} {
		require.Equal(t, transcript.Fold(c[0]), transcript.Fold(c[1]), c)
	}
	require.NotEqual(t, transcript.Fold("a"), transcript.Fold("ä"))
	require.Equal(t, transcript.Fold("x"), transcript.Fold(transcript.Fold("X")))
}

// Every character folds to the smallest one that differs only in case, independent of its neighbours.
func TestFoldOfEveryCharacter(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		least := string(r)
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, string(next))
		}
		if r == 'ß' || r == 'ẞ' {
			least = "SS"
		}
		for _, beside := range []string{"", "é"} {
			if got := transcript.Fold(beside + string(r)); got != strings.ToUpper(beside)+least {
				t.Fatalf("%q folds to %q", beside+string(r), got)
			}
		}
	}
	require.Equal(t, transcript.Fold("STRASSE ΣΊΣΥΦΟΣ K"), transcript.Fold("Straße σίσυφος \u212A"))
	require.Equal(t, "A\uFFFDB", transcript.Fold("a\xffb"))
}

func BenchmarkFold(b *testing.B) {
	for name, text := range map[string]string{"en": "A lighthouse keeper at work", "de": "Die Straße zum Leuchtturm", "zh": "灯塔的看守人在工作"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				transcript.Fold(text)
			}
		})
	}
}
