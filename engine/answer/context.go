package answer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// contextShown limits how much of each description a request has, in characters.
const contextShown = 500

// CommonLanguage returns the language of most recordings; if tied, the first one's.
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

// Context joins the users' descriptions of recordings, each once and shortened.
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
