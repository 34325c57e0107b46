package llm

import (
	"fmt"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

const (
	cutMissing = 1000 // minimum of missing tokens
	cutPower   = 2048 // smallest context size that a server truncates to
)

// cutContext returns an error if the server's token count shows that it read only part of a request. This is so in three
// cases: the count is less than half of minTokens and more than 1,000 tokens are missing; it is a power of two, like
// the default contexts of Ollama (2,048 or 4,096), and the request has a tenth more; or it is the whole context, which
// leaves no room for an answer. A count of 0 means unknown. Source: https://github.com/ollama/ollama/issues/10368. Its
// log of a truncated request has "limit=2048 prompt=5065 keep=5 new=2048".
func cutContext(r Request, counted, context int) error {
	if counted <= 0 {
		return nil
	}
	least := minTokens(r.System) + minTokens(r.User)
	far := counted*2 < least && least-counted > cutMissing
	full := counted >= cutPower && bits.OnesCount(uint(counted)) == 1 && (counted+counted/10 < least || counted == context)
	if far || full {
		return fmt.Errorf("the server counted %d tokens, expected at least about %d", counted, least)
	}
	return nil
}

// minTokens estimates the minimum number of tokens of a text: one for four letters of any script, or for two of
// Chinese, Japanese, and Korean. transcript.EstimateTokens counts bytes and so overestimates: models trained on a script
// need half as many.
func minTokens(text string) int {
	letters, wide := 0, 0
	for _, r := range text {
		if r >= utf8.RuneSelf && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			wide++
		} else {
			letters++
		}
	}
	return letters/4 + wide/2
}
