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

// setTokens sets the tokens of an utterance's words, with the spaces of its text. If the words don't match the text, or there are none,
// it splits the text and the pieces share the utterance's duration. Words that don't fit a line are split.
func (b *breaker) setTokens(u Utterance) {
	words := u.Words
	gaps, ok := gapsOf(b.gaps[:0], u.Text, words)
	if !ok {
		words, gaps = splitText(u.Text, b.language)
		spread(words, u.Start, u.End)
		timeWords(words, u.Start, u.End)
	}
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
		t.glued = t.gap != "" || runOn(last, first, b.language)
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

// gapsOf appends the spaces before each word in a text. ok is false if the text isn't those words.
func gapsOf(gaps []string, text string, words []transcript.Word) (all []string, ok bool) {
	rest := text
	for i, w := range words {
		gap, after, found := cutWord(rest, w.Text)
		if !found {
			return nil, false
		}
		if i == 0 {
			gap = ""
		}
		gaps = append(gaps, gap)
		rest = after
	}
	return gaps, len(words) > 0 && strings.TrimLeft(rest, " ") == ""
}

// cutWord removes the spaces and the word at the start of a text. It returns the space between them, which is a no-break space if there
// is one, and the rest of the text. Spaces inside the word don't matter.
func cutWord(text, word string) (gap, rest string, ok bool) {
	rest = strings.TrimLeft(text, " ")
	if len(rest) < len(text) {
		gap = " "
	}
	if after, found := strings.CutPrefix(rest, word); found {
		return gap, after, true
	}
	first, _, _ := strings.Cut(word, " ")
	if !strings.HasPrefix(rest, first) {
		inner := strings.TrimLeft(rest, " "+noBreakSpaces)
		if len(inner) == len(rest) {
			return "", "", false
		}
		_, n := utf8.DecodeRuneInString(rest)
		gap, rest = rest[:n], inner
	}
	for part := range strings.SplitSeq(word, " ") {
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), part); !ok {
			return "", "", false
		}
	}
	return gap, rest, true
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
