package openai

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// piece is what a server gave one time to: a word, or several tokens that are one.
type piece struct {
	text       string
	key        string // its letters
	start, end speech.Time
	sure       float64 // sum of the tokens' probabilities …
	tokens     int     // … of those that have one
}

// maxJoined bounds how many bytes of tokens are made one word.
const maxJoined = 100

// joined makes words of tokens: a token without a space in front goes on with the word before it. Where no token has a space, because the
// server takes them off, each is a word; where a language has none, the rules by which its text is split decide. The time of a word ends
// with its last letter: what comes after is given to its punctuation.
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
		if n := len(out); n > 0 && !fresh && !strings.HasPrefix(w.Word, " ") && goesOn(out[n-1].text, p, tokens, language) {
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

// goesOn reports whether a token without a space in front belongs to the word before it.
func goesOn(before string, p piece, tokens bool, language transcript.Language) bool {
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

// with is a word and the token that it goes on with.
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

// letters is a text without its case, its punctuation and its spaces.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
