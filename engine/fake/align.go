package fake

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// align aligns the words of sentences with spans of speech. In each span, the first word begins at its start and the last word ends at its
// end. Pauses between spans follow punctuation where possible.
func align(sentences []*sentence, spans []span, d dice) (words []transcript.Word) {
	var left []token
	for _, s := range sentences {
		left = append(left, s.tokens...)
	}
	spans = longestRun(spans, len(left))
	for i, s := range spans {
		n := len(left)
		if following := len(spans) - i - 1; following > 0 {
			n = breakAfter(left, s.length(), spoken(spans[i:]), following)
		}
		words = append(words, placeTokens(left[:n], s, d)...)
		left = left[n:]
	}
	return words
}

// longestRun returns the n consecutive spans with the most speech.
func longestRun(spans []span, n int) []span {
	best := 0
	for i := 0; i+n <= len(spans); i++ {
		if spoken(spans[i:i+n]) > spoken(spans[best:best+n]) {
			best = i
		}
	}
	return spans[best:min(best+n, len(spans))]
}

// breakAfter returns how many tokens go into the first span, which has length of the available milliseconds for all tokens. Each of the
// following spans needs a token, too. The break moves from its ideal position to a nearby comma, end of a sentence, or phrase break.
func breakAfter(tokens []token, length, available, following int) (n int) {
	total := 0
	for _, t := range tokens {
		total += t.spoken + t.pause
	}
	target := int(int64(total) * int64(length) / int64(available))
	best, sum := 0, 0
	for i, t := range tokens[:len(tokens)-following] {
		sum += t.spoken + t.pause
		cost := max(sum-target, target-sum)
		switch {
		case t.pause > wordPause:
			cost -= min(3*t.pause, target/4)
		case phraseBreak(t.text, tokens[i+1].text):
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

// placeTokens distributes tokens over one span in proportion to their estimated time, varied by up to 10 %.
func placeTokens(tokens []token, s span, d dice) []transcript.Word {
	parts := make([]token, len(tokens))
	total := 0
	for i, t := range tokens {
		parts[i] = token{text: t.text, spoken: t.spoken * (90 + d.below(21)), pause: t.pause * 100}
		if i == len(tokens)-1 {
			parts[i].pause = 0
		}
		total += parts[i].spoken + parts[i].pause
	}
	at := func(sum int) time.Duration { return millis(s.start + int(int64(sum)*int64(s.length())/int64(total))) }
	words := make([]transcript.Word, len(parts))
	sum := 0
	for i, p := range parts {
		words[i] = transcript.Word{Text: p.text, Start: at(sum), End: at(sum + p.spoken), Confidence: confidence(d)}
		sum += p.spoken + p.pause
	}
	return words
}

// confidence returns a random value from 0.80 to 0.99. High values are more likely.
func confidence(d dice) float64 {
	return float64(80+max(d.below(20), d.below(20))) / 100
}
