package fake

import (
	"cmp"
	"embed"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// files contains a file for each language, with one sentence per line. The last lines are carriers, with {} for a boosted word.
//
//go:embed sentences/*.txt
var files embed.FS

const placeholder = "{}"

// sentence is a sentence with its estimated duration.
type sentence struct {
	text       string
	isQuestion bool
	tokens     []token
	length     int // milliseconds at a natural pace, including the pause after it
	uses       int // how often it was spoken
}

func newSentence(text string, language transcript.Language) *sentence {
	s := &sentence{text: text, isQuestion: strings.ContainsAny(text, "?？"), tokens: tokens(text, language)}
	for _, t := range s.tokens {
		s.length += t.spoken + t.pause
	}
	return s
}

// byLength compares sentences by their length.
func byLength(a, b *sentence) int { return cmp.Compare(a.length, b.length) }

// withWord returns a carrier sentence with word in its slot.
func (s *sentence) withWord(word string, language transcript.Language) *sentence {
	return newSentence(strings.Replace(s.text, placeholder, word, 1), language)
}

// sentences returns the whole sentences and the carriers of a language.
func sentences(language transcript.Language) (whole, carriers []*sentence, err error) {
	lines, err := files.ReadFile("sentences/" + string(language) + ".txt")
	if err != nil {
		return nil, nil, engine.Errorf(engine.CodeUnavailable, "Transcribe", "The fake transcriber doesn't support the language %q.", language).Because(err)
	}
	for line := range strings.Lines(string(lines)) {
		switch line = strings.TrimRight(line, "\r\n"); {
		case line == "":
		case strings.Contains(line, placeholder):
			carriers = append(carriers, newSentence(line, language))
		default:
			whole = append(whole, newSentence(line, language))
		}
	}
	return whole, carriers, nil
}
