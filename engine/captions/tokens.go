package captions

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// token is a word for the cue breaker.
type token struct {
	transcript.Word
	*wordFacts
	gap    string // space before it
	glued  bool   // belongs to the token before it: they are one word, or a no-break space is between them
	amount bool   // counts something together with the token before it
	inside bool   // inside a phrase of Chinese or Japanese
	part   bool   // continues a word that is wider than a line
	cost   int    // of ending a line or cue with it
}

// closes reports whether the token is only closing punctuation.
func (t *token) closes() bool { return t.mark && t.neverFirst }

// timed returns the words of an utterance, and appends the spaces before them in its text to gaps. If the words don't match the text, or
// there are none, it splits the text, and the pieces share the utterance's duration.
func (u Utterance) timed(gaps []string, language transcript.Language) ([]transcript.Word, []string) {
	if gaps, ok := transcript.AppendGaps(gaps, u.Text, u.Words); ok {
		return u.Words, gaps
	}
	words, gaps := splitText(u.Text, language)
	spread(words, u.Start, u.End)
	timeWords(words, u.Start, u.End)
	return words, gaps
}

// setTokens sets the tokens of an utterance's words. Words that don't fit a line are split.
func (b *breaker) setTokens(u Utterance) {
	words, gaps := u.timed(b.gaps[:0], b.language)
	b.gaps = gaps
	if b.tokens = b.tokens[:0]; b.keep {
		b.tokens = make([]token, 0, len(words))
	}
	q := quotes{language: b.language}
	for i, w := range words {
		if w.Speaker == "" {
			w.Speaker = u.Label
		}
		t := b.token(w, gaps[i])
		if mark := q.facts(w.Text); mark != nil {
			t.wordFacts = mark
		}
		if t.columns <= b.o.Columns {
			b.add(&t)
			continue
		}
		parts := b.splitWord(t)
		for i := range parts {
			b.add(&parts[i])
		}
	}
	if !b.language.Spaced() {
		counted(b.tokens)
		b.inside()
	}
}

// add appends a token, and sets whether it is glued to the one before it.
func (b *breaker) add(t *token) {
	if n := len(b.tokens); n > 0 && !t.part && t.gap != " " {
		last, _ := utf8.DecodeLastRuneInString(b.tokens[n-1].Text)
		first, _ := utf8.DecodeRuneInString(t.Text)
		t.glued = t.gap != "" || transcript.RunOn(last, first, b.language)
	}
	b.tokens = append(b.tokens, *t)
}

func (b *breaker) token(w transcript.Word, gap string) token {
	facts := b.facts[w.Text]
	if facts == nil {
		facts = b.small.facts(w.Text)
		b.facts[w.Text] = facts
	}
	return token{Word: w, wordFacts: facts, gap: gap}
}

// splitText splits text at spaces and, in languages without spaces, wherever a line may break (UAX #14). It also returns the space before
// each word.
func splitText(text string, language transcript.Language) (words []transcript.Word, gaps []string) {
	for part := range strings.SplitSeq(text, " ") {
		if part == "" {
			continue
		}
		gap := " "
		if len(words) == 0 {
			gap = ""
		}
		if language.Spaced() {
			words, gaps = append(words, transcript.Word{Text: part}), append(gaps, gap)
			continue
		}
		state := -1
		for rest := part; rest != ""; gap = "" {
			var segment string
			segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
			words, gaps = append(words, transcript.Word{Text: segment}), append(gaps, gap)
		}
	}
	return words, gaps
}

// endsClosed removes closing quotes and brackets to find the punctuation before them.
func endsClosed(word string) string { return strings.TrimRightFunc(word, isQuoteOrBracket) }
