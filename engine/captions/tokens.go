package captions

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// token is a word for the cue breaker.
type token struct {
	*transcript.Word // of breaker.words
	*wordFacts
	gap    string // space before it
	glued  bool   // belongs to the token before it: they are one word, or a no-break space is between them
	amount bool   // counts something together with the token before it
	inside bool   // inside a phrase of Chinese or Japanese
	torn   bool   // inside a word of Chinese or Japanese, or probably so
	part   bool   // continues a word that is wider than a line
	late   bool   // begins after a silence that ends a cue
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
	return withSpeaker(words, u.Label), gaps
}

// withSpeaker returns words that have a speaker, by default the given one.
func withSpeaker(words []transcript.Word, label string) []transcript.Word {
	if label == "" || !slices.ContainsFunc(words, func(w transcript.Word) bool { return w.Speaker == "" }) {
		return words
	}
	words = slices.Clone(words)
	for i := range words {
		words[i].Speaker = cmp.Or(words[i].Speaker, label)
	}
	return words
}

// setTokens sets the tokens of an utterance's words. Words that don't fit a line are split.
func (b *breaker) setTokens(u Utterance) {
	words, gaps := u.timed(b.gaps[:0], b.language)
	words = withSpeaker(words, u.Label)
	b.tokens, b.words, b.gaps = b.tokens[:0], words, gaps
	q := quotes{language: b.language}
	split := false
	for i := range words {
		w := &words[i]
		facts := q.facts(w.Text)
		if facts == nil {
			facts = b.factsOf(w.Text)
		}
		wide := facts.columns > b.o.Columns
		if wide && !split {
			split, b.words = true, slices.Clone(words[:i])
		}
		switch {
		case wide:
			b.addWide(w, gaps[i])
			continue
		case split:
			b.words = append(b.words, *w)
		}
		b.add(w, facts, gaps[i])
	}
	if !b.language.Spaced() {
		counted(b.tokens)
		titled(b.tokens)
		b.inside()
	}
}

// add appends a token, and sets whether it is glued to the one before it.
func (b *breaker) add(word *transcript.Word, facts *wordFacts, gap string) *token {
	n := len(b.tokens)
	b.tokens = append(b.tokens, token{Word: word, wordFacts: facts, gap: gap})
	t := &b.tokens[n]
	if n > 0 && gap != " " {
		t.glued = gap != "" || transcript.RunOn(b.tokens[n-1].last, t.first, b.language)
	}
	return t
}

// factsOf returns the facts of a word from the cache.
func (b *breaker) factsOf(word string) *wordFacts {
	facts := b.facts[word]
	if facts == nil {
		facts = b.small.facts(word)
		b.facts[word] = facts
	}
	return facts
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
