package openai

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// piece is a word with times: one item of the server, or several tokens.
type piece struct {
	text       string
	key        string // its letters
	start, end speech.Time
	sure       float64 // sum of the tokens' probabilities
	tokens     int     // number of tokens with a probability
}

// maxJoined limits the bytes of joined tokens.
const maxJoined = 100

// joined joins tokens to words: a token without a leading space continues the previous word. If no token has a space,
// because the server removes them, each is a word. In a language without spaces, the rules for splitting text decide. A
// word's time ends with its last letter; later tokens are punctuation.
func joined(words []word, language transcript.Language) []piece {
	tokens := false
	for _, w := range words {
		tokens = tokens || strings.HasPrefix(w.Word, " ")
	}
	var out []piece
	fresh := true
	for _, w := range words {
		bare := strings.TrimSpace(w.Word)
		if bare == "" || special.FindString(bare) == bare {
			fresh = fresh || bare == "" && w.Word != ""
			continue
		}
		p := piece{text: bare, key: letters(bare), start: w.Start.Time, end: w.End.Time}
		if w.Probability.Known {
			p.sure, p.tokens = w.Probability.Value, 1
		}
		if n := len(out); n > 0 && !fresh && !strings.HasPrefix(w.Word, " ") && continuesWord(out[n-1].text, p, tokens, language) {
			out[n-1] = out[n-1].with(p)
		} else {
			out = append(out, p)
		}
		fresh = strings.HasSuffix(w.Word, " ")
	}
	kept := out[:0]
	for _, p := range out {
		if special.FindString(p.text) != p.text {
			kept = append(kept, p)
		}
	}
	return kept
}

// continuesWord reports whether a token without a leading space continues the previous word.
func continuesWord(before string, p piece, tokens bool, language transcript.Language) bool {
	switch {
	case len(before) > maxJoined:
		return false
	case p.key == "" && !strings.ContainsFunc(p.text, unicode.IsSymbol):
		return true
	case !language.Spaced():
		return len(speech.Split(before+p.text, language)) == 1
	}
	return tokens
}

// with returns the word extended by the token.
func (p piece) with(next piece) piece {
	p.text += next.text
	if !p.start.Known {
		p.start = next.start
	}
	if (next.key != "" || broken(next.text)) && next.end.Known || !p.end.Known {
		p.end = next.end
	}
	p.key += next.key
	p.sure += next.sure
	p.tokens += next.tokens
	return p
}

// letters returns a text in lower case, without punctuation and spaces.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
