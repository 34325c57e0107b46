package formats

import (
	"bytes"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// decodeLegacy converts text in a legacy encoding to UTF-8 and returns the encoding's name. It reports false for UTF-8 with
// some invalid bytes, and for text that looks like none of the languages of legacyLanguages.
//
// For each language it decodes the text and asks how likely its characters are in that language (naive Bayes over the characters
// beyond ASCII). The module github.com/wlynxg/chardet, the kept port of Python's chardet, was tried first: it takes Polish for
// Western European, German for Turkish, and long Russian texts for MacCyrillic.
func decodeLegacy(b []byte) (text []byte, name string, ok bool) {
	if characters, invalid, _ := countUTF8(b); characters > invalid {
		return nil, "", false
	}
	sample := legacySample(b)
	best, most := legacyLanguage{}, math.Inf(-1)
	decoded := map[encoding.Encoding]string{}
	for _, l := range legacyLanguages {
		if _, done := decoded[l.encoding]; !done {
			// A decoder never fails: what it can't decode becomes U+FFFD.
			out, _ := l.encoding.NewDecoder().Bytes(sample)
			decoded[l.encoding] = string(out)
		}
		if score := l.score(decoded[l.encoding]); score > most {
			best, most = l, score
		}
	}
	if characters := beyondASCII(decoded[best.encoding]); characters == 0 || most/float64(characters) < logLeast {
		return nil, "", false
	}
	text, err := best.encoding.NewDecoder().Bytes(b)
	return text, best.name, err == nil && !bytes.ContainsRune(text, utf8.RuneError)
}

const maxSample = 64 << 10 // in bytes; more text doesn't improve the guess

// legacySample returns the lines that are not ASCII, up to maxSample bytes.
func legacySample(b []byte) []byte {
	var sample []byte
	for line := range bytes.Lines(b) {
		if bytes.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			sample = append(sample, line[:min(len(line), maxSample)]...)
		}
		if len(sample) >= maxSample {
			break
		}
	}
	return sample
}

func beyondASCII(s string) int {
	n := 0
	for _, r := range s {
		if r >= utf8.RuneSelf {
			n++
		}
	}
	return n
}

// Logarithms of probabilities of a character that isn't one of the language's frequent ones.
const (
	logPunctuation = -4.0
	logIdeograph   = -8.5 // any other of the script's thousands of characters
	logUnlikely    = -9.0 // a letter of another language
	logLeast       = -8.2 // of a text, on average: it needs some frequent characters
	logImpossible  = -14.0
	logCapital     = -2.0 // added for a capital letter
	logMisplaced   = -6.0 // added for punctuation inside a word and a capital behind a small letter
)

// legacyPunctuation is punctuation beyond ASCII that subtitles often have.
const legacyPunctuation = "\u00A0‘’‚“”„«»‹›–—…¿¡€£°№、。，！？：；（）「」『』《》・·ー～♪"

// score returns the logarithm of the probability of the characters beyond ASCII in a text.
func (l legacyLanguage) score(text string) float64 {
	sum, before := 0.0, ' '
	for i, r := range text {
		if r < utf8.RuneSelf {
			before = r
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case r == utf8.RuneError || unicode.IsControl(r):
			sum += logImpossible
		case strings.ContainsRune(legacyPunctuation, r):
			sum += logPunctuation
			if r < 0x3000 && r != '’' && unicode.IsLetter(before) && unicode.IsLetter(next) && l.script == nil {
				sum += logMisplaced
			}
		default:
			sum += l.letter(r)
			if unicode.IsUpper(r) {
				sum += logCapital
				if unicode.IsLower(before) {
					sum += logMisplaced
				}
			}
		}
		before = r
	}
	return sum
}

// letter returns the logarithm of a letter's probability: by Zipf's law if it is frequent.
func (l legacyLanguage) letter(r rune) float64 {
	if rank := strings.IndexRune(l.frequent, unicode.ToLower(r)); rank >= 0 {
		rank = utf8.RuneCountInString(l.frequent[:rank])
		return -math.Log(float64(rank+1)) - math.Log(1+math.Log(float64(utf8.RuneCountInString(l.frequent)))) - 0.2
	}
	switch {
	case l.script != nil && unicode.In(r, l.script...):
		return logIdeograph
	case unicode.IsLetter(r) && l.script == nil && unicode.Is(unicode.Latin, r):
		return logUnlikely
	}
	return 1.2 * logUnlikely
}
