package fake

import (
	"cmp"
	"embed"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A file for each language: one sentence per line, the last of which are carriers, with a {} for a boosted word.
//
//go:embed sentences/*.txt
var files embed.FS

const slot = "{}"

// sentence is something that can be said.
type sentence struct {
	text   string
	tokens []token
	length int // milliseconds that it takes at an easy pace, with the rest behind it
	uses   int // how often it was said
}

func newSentence(text string, language transcript.Language) *sentence {
	s := &sentence{text: text, tokens: tokens(text, language)}
	for _, t := range s.tokens {
		s.length += t.spoken + t.rest
	}
	return s
}

// byLength orders sentences by the time they take.
func byLength(a, b *sentence) int { return cmp.Compare(a.length, b.length) }

// with returns a carrier that says word in its slot.
func (s *sentence) with(word string, language transcript.Language) *sentence {
	return newSentence(strings.Replace(s.text, slot, word, 1), language)
}

func (s *sentence) asks() bool { return strings.ContainsAny(s.text, "?？") }

// sentences returns what can be said in a language: whole sentences, and carriers.
func sentences(language transcript.Language) (whole, carriers []*sentence, err error) {
	lines, err := files.ReadFile("sentences/" + string(language) + ".txt")
	if err != nil {
		return nil, nil, engine.Errorf(engine.CodeUnavailable, "Transcribe", "There are no sentences in %q.", language).Because(err)
	}
	for line := range strings.Lines(string(lines)) {
		switch line = strings.TrimRight(line, "\r\n"); {
		case line == "":
		case strings.Contains(line, slot):
			carriers = append(carriers, newSentence(line, language))
		default:
			whole = append(whole, newSentence(line, language))
		}
	}
	return whole, carriers, nil
}
