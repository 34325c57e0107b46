package transcript

import "unicode/utf8"

// EstimateTokens says about how many tokens of a language model a text is: one for each four bytes, and one for each
// character of Chinese, Japanese and Korean.
func EstimateTokens(text string) int {
	bytes, ideographs := 0, 0
	for i := 0; i < len(text); {
		if text[i] < 0xe1 { // no script of ideographs begins before U+1100
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
