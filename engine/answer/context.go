package answer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// contextShown is how much an answer's request shows of what each recording is about, in characters.
const contextShown = 500

// CommonLanguage is the language of most recordings, of the first one among equals.
func CommonLanguage(recordings []search.Grounding) transcript.Language {
	count := map[transcript.Language]int{}
	for _, g := range recordings {
		count[g.Transcript.Language]++
	}
	best := recordings[0].Transcript.Language
	for _, g := range recordings {
		if count[g.Transcript.Language] > count[best] {
			best = g.Transcript.Language
		}
	}
	return best
}

// Context joins what users said that recordings are about, each of it once and cut short.
func Context(about []string) string {
	var all []string
	for _, text := range about {
		text = strings.TrimSpace(text)
		if utf8.RuneCountInString(text) > contextShown {
			text = string([]rune(text)[:contextShown]) + "…"
		}
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n")
}
