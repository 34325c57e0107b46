package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// token is a word for the cue breaker.
type token struct {
	transcript.Word
	*wordFacts
	space bool // preceded by a space
	cost  int  // of ending a line or cue with it
}

// setTokens sets the tokens of an utterance's words. If the words don't match its text, or there are none, it splits the text and
// the pieces share its duration. In languages without spaces, words that don't fit a line are split where lines may break.
func (b *breaker) setTokens(u Utterance) {
	words := u.Words
	if len(words) == 0 || !SameLetters(u.Text, words) {
		words = splitText(u.Text, b.language)
		spread(words, u.Start, u.End)
		timeWords(words, u.Start, u.End)
	}
	b.tokens = b.tokens[:0]
	for _, w := range words {
		if w.Speaker == "" {
			w.Speaker = u.Label
		}
		t := b.token(w)
		if b.language.Spaced() || t.columns <= b.o.Columns {
			b.tokens = append(b.tokens, t)
			continue
		}
		parts := splitText(w.Text, b.language)
		spread(parts, w.Start, w.End)
		for _, p := range parts {
			p.Speaker, p.Confidence = w.Speaker, w.Confidence
			b.tokens = append(b.tokens, b.token(p))
		}
	}
	setSpaces(b.tokens, b.language)
}

func (b *breaker) token(w transcript.Word) token {
	facts := b.facts[w.Text]
	if facts == nil {
		facts = b.small.facts(w.Text)
		b.facts[w.Text] = facts
	}
	return token{Word: w, wordFacts: facts}
}

func setSpaces(tokens []token, language transcript.Language) {
	for i := 1; i < len(tokens); i++ {
		tokens[i].space = language.Spaced() || !meetWithoutSpace(tokens[i-1].Text, tokens[i].Text)
	}
}

// meetWithoutSpace is the rule of transcript.JoinWords for Chinese and Japanese.
func meetWithoutSpace(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return IsIdeographic(last) || IsIdeographic(first)
}

// splitText splits text at spaces and, in languages without spaces, wherever a line may break (UAX #14).
func splitText(text string, language transcript.Language) []transcript.Word {
	var words []transcript.Word
	for part := range strings.SplitSeq(text, " ") {
		if part == "" {
			continue
		}
		if language.Spaced() {
			words = append(words, transcript.Word{Text: part})
			continue
		}
		state := -1
		for rest := part; rest != ""; {
			var segment string
			segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
			words = append(words, transcript.Word{Text: segment})
		}
	}
	return words
}

// endsClosed removes closing quotes and brackets to find the punctuation before them.
func endsClosed(word string) string {
	return strings.TrimRightFunc(word, func(r rune) bool {
		return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf)
	})
}
