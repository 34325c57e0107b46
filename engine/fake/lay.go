package fake

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// lay gives the words of sentences their times in spans of speech: in each span the first word begins with it and the
// last one ends with it. The pauses between the spans fall behind punctuation where they can.
func lay(said []*sentence, spans []span, d dice) (words []transcript.Word) {
	var left []token
	for _, s := range said {
		left = append(left, s.tokens...)
	}
	spans = fullest(spans, len(left))
	for i, s := range spans {
		n := len(left)
		if behind := len(spans) - i - 1; behind > 0 {
			n = breakAfter(left, s.length(), spoken(spans[i:]), behind)
		}
		words = append(words, place(left[:n], s, d)...)
		left = left[n:]
	}
	return words
}

// fullest returns the n spans in a row that are longest together.
func fullest(spans []span, n int) []span {
	best := 0
	for i := 0; i+n <= len(spans); i++ {
		if spoken(spans[i:i+n]) > spoken(spans[best:best+n]) {
			best = i
		}
	}
	return spans[best:min(best+n, len(spans))]
}

// breakAfter returns how many of the tokens belong into the first span, of a length, when they share a room with spans
// behind it, each of which needs a token too. A break may be off its right place for the sake of a comma, the end of a
// sentence, or a seam.
func breakAfter(tokens []token, length, room, behind int) (n int) {
	total := 0
	for _, t := range tokens {
		total += t.spoken + t.rest
	}
	target := int(int64(total) * int64(length) / int64(room))
	best, sum := 0, 0
	for i, t := range tokens[:len(tokens)-behind] {
		sum += t.spoken + t.rest
		cost := max(sum-target, target-sum)
		switch {
		case t.rest > wordRest:
			cost -= min(3*t.rest, target/4)
		case seam(t.text, tokens[i+1].text):
			cost -= min(100, target/4)
		}
		if n == 0 || cost < best {
			n, best = i+1, cost
		}
		if sum > 2*target {
			break
		}
	}
	return n
}

// place spreads tokens over one span, in proportion to the time they take, give or take a tenth.
func place(tokens []token, s span, d dice) []transcript.Word {
	parts := make([]token, len(tokens))
	total := 0
	for i, t := range tokens {
		parts[i] = token{text: t.text, spoken: t.spoken * (90 + d.below(21)), rest: t.rest * 100}
		if i == len(tokens)-1 {
			parts[i].rest = 0
		}
		total += parts[i].spoken + parts[i].rest
	}
	at := func(sum int) time.Duration { return millis(s.start + int(int64(sum)*int64(s.length())/int64(total))) }
	words := make([]transcript.Word, len(parts))
	sum := 0
	for i, p := range parts {
		words[i] = transcript.Word{Text: p.text, Start: at(sum), End: at(sum + p.spoken), Confidence: confidence(d)}
		sum += p.spoken + p.rest
	}
	return words
}

// confidence returns 0.80 to 0.99, more often high than low.
func confidence(d dice) float64 {
	return float64(80+max(d.below(20), d.below(20))) / 100
}
