package fake_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// writing describes how a language is written.
type writing struct {
	scripts []*unicode.RangeTable // scripts of its letters; Latin is always allowed
	ends    string                // punctuation that ends sentences
	foreign string                // letters of its script that it doesn't use
}

func writingOf(language transcript.Language) writing {
	w := writing{scripts: []*unicode.RangeTable{unicode.Latin}, ends: ".?!"}
	switch language {
	case "hi":
		w = writing{scripts: []*unicode.RangeTable{unicode.Devanagari}, ends: "।?!"}
	case "ja":
		w = writing{scripts: []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}, ends: "。？！"}
	case "zh":
		w = writing{scripts: []*unicode.RangeTable{unicode.Han}, ends: "。？！"}
	case "ko":
		w.scripts = []*unicode.RangeTable{unicode.Hangul}
	case "ru":
		w.scripts, w.foreign = []*unicode.RangeTable{unicode.Cyrillic}, "іїєґІЇЄҐ"
	case "uk":
		w.scripts, w.foreign = []*unicode.RangeTable{unicode.Cyrillic}, "ыэёъЫЭЁЪ"
	}
	return w
}

// Every supported language has a file of sentences, and there are no other files.
func TestSentenceFiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("sentences/*")
	require.NoError(t, err)
	var want []string
	for _, l := range transcript.Languages() {
		want = append(want, filepath.Join("sentences", string(l)+".txt"))
	}
	require.ElementsMatch(t, want, files)
}

// Each language has at least 150 sentences and exactly 12 carriers, without duplicates.
func TestSentenceCounts(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		whole, carriers := lines(t, language)
		require.GreaterOrEqual(t, len(whole), 150, language)
		require.Len(t, carriers, 12, language)
		seen := map[string]bool{}
		for _, s := range append(whole, carriers...) {
			key := strings.ToLower(plain(s))
			require.False(t, seen[key], "%s: duplicate: %s", language, s)
			seen[key] = true
		}
		for _, c := range carriers {
			require.Equal(t, 1, strings.Count(c, "{}"), "%s: %s", language, c)
		}
	}
}

// Each sentence uses the script and the punctuation of its language.
func TestSentenceWriting(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		w := writingOf(language)
		whole, carriers := lines(t, language)
		for _, s := range append(whole, carriers...) {
			require.True(t, utf8.ValidString(s), "%s: %q", language, s)
			require.Equal(t, strings.TrimSpace(s), s, "%s: surrounding space: %q", language, s)
			require.NotContains(t, plain(s), "  ", "%s: two spaces: %q", language, s)
			end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "»”’\"」』"))
			require.Contains(t, w.ends, string(end), "%s: %q", language, s)
			require.False(t, strings.ContainsAny(s, w.foreign), "%s: foreign letters: %q", language, s)

			own := 0
			for _, r := range s {
				require.False(t, unicode.IsControl(r) || r == utf8.RuneError || r == '\ufeff', "%s: %q", language, s)
				if unicode.In(r, w.scripts...) {
					own++
				} else if unicode.IsLetter(r) && r != 'ー' {
					require.True(t, unicode.Is(unicode.Latin, r), "%s: foreign script %q: %q", language, r, s)
				}
			}
			require.Positive(t, own, "%s: %q", language, s)
		}
	}
}

// Punctuation has no space before it, and Chinese and Japanese use full-width punctuation. In French, a no-break space comes before ?
// and !.
func TestSentencePunctuation(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		whole, carriers := lines(t, language)
		for _, s := range append(whole, carriers...) {
			for _, mark := range []string{".", ",", "?", "!", ":", ";", "।"} {
				require.NotContains(t, s, " "+mark, "%s: %q", language, s)
			}
			if !language.Spaced() {
				require.NotContains(t, s, " ", "%s: %q", language, s)
				require.False(t, strings.ContainsAny(s, ",?!"), "%s: half-width punctuation: %q", language, s)
			}
			if i := strings.IndexAny(s, "?!"); language == "fr" && i >= 0 {
				require.True(t, strings.HasSuffix(s[:i], "\u00a0") || strings.HasSuffix(s[:i], "\u202f"), "%q", s)
			}
		}
	}
}
