package llm

import (
	"fmt"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

const (
	cutMissing = 1000 // tokens that must be missing
	cutPower   = 2048 // the smallest context that a server cuts to
)

// cutContext returns what is wrong when the server's count of a request's tokens says that it read only a part of it: when the count is
// less than half of the least that the request can have, and more than 1,000 tokens are missing; or when it is a power of two, as the
// contexts of servers that cut are (Ollama's default is 2,048 or 4,096), and the request has a tenth more, or it is the whole context, which
// leaves no room for an answer. A server that doesn't count is believed.
// Source: https://github.com/ollama/ollama/issues/10368, whose log of a cut request reads "limit=2048 prompt=5065 keep=5 new=2048".
func cutContext(r Request, counted, context int) error {
	if counted <= 0 {
		return nil
	}
	least := leastTokens(r.System) + leastTokens(r.User)
	far := counted*2 < least && least-counted > cutMissing
	full := counted >= cutPower && bits.OnesCount(uint(counted)) == 1 && (counted+counted/10 < least || counted == context)
	if far || full {
		return fmt.Errorf("the server counts %d tokens where there must be about %d", counted, least)
	}
	return nil
}

// leastTokens is about how few tokens a text can have. engine.EstimateTokens counts bytes, so that there is room for scripts that have
// several of them a letter; models that know those scripts well need half as many. Here it is one for each four characters of whatever
// script, and one for two of Chinese, Japanese and Korean.
func leastTokens(text string) int {
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
