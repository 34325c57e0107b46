package transcript

import "unicode/utf8"

// EstimateTokens estimates the tokens of a text for a language model: one per four bytes, and one per Chinese, Japanese, or
// Korean character.
func EstimateTokens(text string) int {
	bytes, ideographs := 0, 0
	for i := 0; i < len(text); {
		if text[i] < 0xe1 { // below U+1100 there are no ideographs
			i++
			bytes++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		if IsIdeographic(r) {
			ideographs++
		} else {
			bytes += n
		}
	}
	return ideographs + (bytes+3)/4
}
