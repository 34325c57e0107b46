package writer_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// fixed returns the fixed phrases and the lists of a language, by key.
func fixed(t *testing.T, language transcript.Language) (words, lists map[string]string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("phrases", string(language)+".txt"))
	require.NoError(t, err)
	words, lists = map[string]string{}, map[string]string{}
	for row := range strings.Lines(string(b)) {
		row = strings.TrimSuffix(row, "\n")
		if key, value, ok := strings.Cut(row, " = "); ok {
			require.NotContains(t, words, key, "%s: duplicate: %s", language, key)
			words[key] = strings.ReplaceAll(value, "~", "\u00a0")
			continue
		}
		key, value, ok := strings.Cut(row, ": ")
		require.True(t, ok, "%s: %q", language, row)
		require.NotContains(t, lists, key, "%s: duplicate: %s", language, key)
		lists[key] = value
	}
	return words, lists
}

// Every language has all fixed phrases, with the same placeholders, and all required lists.
func TestPhrasesAreComplete(t *testing.T) {
	t.Parallel()
	place := regexp.MustCompile(`\{[a-z]*\}`)
	places := func(s string) []string {
		found := place.FindAllString(s, -1)
		slices.Sort(found)
		return found
	}
	english, lists := fixed(t, "en")
	for _, language := range transcript.Languages() {
		words, own := fixed(t, language)
		require.Len(t, words, len(english), language)
		for key, value := range english {
			require.NotEmpty(t, words[key], "%s: %s", language, key)
			require.Equal(t, places(value), places(words[key]), "%s: %s", language, key)
		}
		for key := range lists {
			if strings.HasPrefix(key, "want.") || slices.Contains([]string{"stop", "filler", "weak", "actions", "numbers"}, key) {
				require.NotEmpty(t, own[key], "%s: %s", language, key)
			}
		}
		require.Len(t, strings.Split(own["numbers"], "|"), 9, language)
	}
}

// Fixed phrases use the script, the letters, and the punctuation of their language.
func TestPhrasesWriting(t *testing.T) {
	t.Parallel()
	for _, language := range transcript.Languages() {
		w := writingOf(language)
		words, _ := fixed(t, language)
		for key, value := range words {
			text := regexp.MustCompile(`\{[a-z]*\}`).ReplaceAllString(value, "")
			require.False(t, strings.ContainsAny(text, w.foreign), "%s: %s: foreign letters: %q", language, key, value)
			for _, r := range text {
				require.True(t, !unicode.IsLetter(r) || unicode.In(r, w.scripts...) || r == 'ー', "%s: %s: %q in %q", language, key, r, value)
			}
			switch language {
			case "zh", "ja":
				require.False(t, strings.ContainsAny(value, " ,:?!()"), "%s: %s: half-width punctuation: %q", language, key, value)
			case "fr":
				require.NotRegexp(t, `[^\x{a0}][:;?!»]|«[^\x{a0}]`, value, "%s: %s", language, key)
			}
			for _, r := range text {
				require.NotContains(t, "<>*_[]`#", string(r), "%s: %s would be markup: %q", language, key, value)
			}
		}
		for _, key := range []string{"silence", "unsupported", "no.questions", "no.actions", "no.topics"} {
			require.Regexp(t, `[.。।]$`, words[key], "%s: %s", language, key)
		}
	}
}

// writing describes how a language is written.
type writing struct {
	scripts []*unicode.RangeTable // scripts of its letters
	foreign string                // letters of its script that it doesn't use
}

func writingOf(language transcript.Language) writing {
	w := writing{scripts: []*unicode.RangeTable{unicode.Latin}}
	switch language {
	case "hi":
		w = writing{scripts: []*unicode.RangeTable{unicode.Devanagari}}
	case "ja":
		w = writing{scripts: []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}}
	case "zh":
		w = writing{scripts: []*unicode.RangeTable{unicode.Han}}
	case "ko":
		w.scripts = []*unicode.RangeTable{unicode.Hangul}
	case "ru":
		w.scripts, w.foreign = []*unicode.RangeTable{unicode.Cyrillic}, "іїєґІЇЄҐ"
	case "uk":
		w.scripts, w.foreign = []*unicode.RangeTable{unicode.Cyrillic}, "ыэёъЫЭЁЪ"
	}
	return w
}
