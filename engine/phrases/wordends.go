package phrases

import "github.com/soundstage-dev/soundstage/engine/transcript"

// ScoreWord is the score of the places where a word ends, but no phrase.
const ScoreWord = 10

// hesitation is the margin of the places inside Japanese phrases where most often a word ends.
const hesitation = -250

// Breaks returns the boundaries of phrases and, with the score ScoreWord, the places in Chinese or Japanese text where a word ends or probably
// does. A line that has no boundary should break there. In other languages, Breaks returns what Boundaries does.
func Breaks(text string, l transcript.Language) []Boundary {
	t := NewText(l)
	t.Append(text)
	var out []Boundary
	i := 0
	for offset := range text {
		if score := t.Score(i); score > 0 {
			out = append(out, Boundary{Offset: offset, Score: score})
		}
		i++
	}
	return out
}
