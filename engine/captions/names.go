package captions

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Names finds names that a line break splits, by the rules of the breaker of one language. It isn't safe for concurrent use.
type Names struct {
	small *vocabulary
	facts map[string]*wordFacts
}

// NewNames returns the Names of a language. Unknown languages follow the rules of English.
func NewNames(l transcript.Language) *Names {
	if !l.Supported() {
		l = "en"
	}
	return &Names{small: vocabularyOf(l), facts: map[string]*wordFacts{}}
}

// Split reports whether a break between two texts splits a name: a title or an initial from the name, or a given name from the family name.
// A first word has a capital anyway, so it counts only as a title.
func (n *Names) Split(before, after string) bool {
	words, next := strings.Fields(before), strings.Fields(after)
	if len(words) == 0 || len(next) == 0 {
		return false
	}
	word, follows := n.of(words, len(words)-1), n.of(next, 0)
	previous := n.of(words, len(words)-2)
	if !word.open || !follows.capital || loud(next[0]) {
		return false
	}
	if word.title {
		return true
	}
	first := previous == nil || previous.sentence
	if word.initial {
		return !first
	}
	return !first && !loud(words[len(words)-1]) && n.small.nameCost(previous, word, follows, n.of(next, 1)) == costName
}

// of returns the facts of the i-th word, or nil if there is none.
func (n *Names) of(words []string, i int) *wordFacts {
	if i < 0 || i >= len(words) {
		return nil
	}
	f := n.facts[words[i]]
	if f == nil {
		f = n.small.facts(words[i])
		n.facts[words[i]] = f
	}
	return f
}

// loud reports whether a word has no small letters, as abbreviations and captions in capitals do: NASA, I.
func loud(word string) bool { return strings.ToUpper(word) == word }
