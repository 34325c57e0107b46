package captions

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// timeWords sets missing and impossible times and makes the starts of all words increase. Words without times share the interval
// between their neighbours by their width on screen.
func timeWords(words []transcript.Word, start, end time.Duration) {
	for i := 0; i < len(words); {
		if hasTime(words[i], start) {
			i++
			continue
		}
		j := i
		for j < len(words) && !hasTime(words[j], start) {
			j++
		}
		from, to := start, end
		if i > 0 {
			from = words[i-1].End
		}
		if j < len(words) {
			to = words[j].Start
		}
		spread(words[i:j], from, max(to, from))
		i = j
	}
	for i := range words {
		if i > 0 {
			words[i].Start = max(words[i].Start, words[i-1].Start)
		}
		words[i].End = max(words[i].End, words[i].Start+time.Millisecond)
	}
}

// hasTime reports whether the word was timed. A word at 0 in an utterance that begins later was not.
func hasTime(w transcript.Word, start time.Duration) bool {
	return w.End > w.Start && (w.Start > 0 || start == 0 || w.End > start)
}

// spread divides an interval among words by their width.
func spread(words []transcript.Word, from, to time.Duration) {
	total := 0
	for _, w := range words {
		total += displayWidth(w.Text) + 1
	}
	done := 0
	at := func() time.Duration {
		return (from + time.Duration(float64(to-from)*float64(done)/float64(total))).Round(time.Millisecond)
	}
	for i := range words {
		words[i].Start = at()
		done += displayWidth(words[i].Text) + 1
		words[i].End = at()
	}
}
