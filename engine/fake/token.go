package fake

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// token is a word with the punctuation around it, and how long it takes at an easy pace.
type token struct {
	text   string
	spoken int // milliseconds in which the word sounds
	rest   int // milliseconds of breath behind it
}

const (
	sentenceRest = 150 // milliseconds behind the end of a sentence
	commaRest    = 80  // behind another mark
	wordRest     = 15  // between words that are written apart
)

// tokens cuts text into words. Languages with spaces are cut at spaces alone: the no-break space in front of a French
// question mark stays inside the word. Chinese and Japanese are cut into characters, but runs of katakana, and of letters
// and digits of other scripts, stay whole. Punctuation stays with the word before it, an opening bracket with the one
// behind it.
func tokens(text string, language transcript.Language) []token {
	var out []token
	for _, chunk := range strings.Split(text, " ") {
		words := []string{chunk}
		if !language.Spaced() {
			words = characters(chunk)
		}
		for _, w := range words {
			switch n := len(out); {
			case w == "":
			case n > 0 && !strings.ContainsFunc(w, prose.Sounds):
				out[n-1] = newToken(out[n-1].text+"\u00a0"+w, language) // a dash
			default:
				out = append(out, newToken(w, language))
			}
		}
	}
	return out
}

// characters cuts a stretch of Chinese or Japanese without spaces.
func characters(s string) (words []string) {
	begin, last, whole := 0, none, true
	for i, r := range s {
		class := classOf(r)
		if class == none {
			whole = whole && runsOn(r)
			continue
		}
		if last != none && (class != last || class == character || !whole) {
			end := begin + len(strings.TrimRightFunc(s[begin:i], prose.Opens))
			words = append(words, s[begin:end])
			begin = end
		}
		last, whole = class, true
	}
	return append(words, s[begin:])
}

// class says which characters are one word.
type class int

const (
	none      class = iota // part of the word that it stands beside: punctuation, marks, the long vowel
	character              // a word of its own
	katakana
	narrow // a letter or a digit of a script that is written with spaces
)

func classOf(r rune) class {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana):
		return character
	case unicode.Is(unicode.Katakana, r):
		return katakana
	case (unicode.IsLetter(r) || unicode.IsDigit(r)) && r != 'ー' && r != 'ｰ':
		return narrow
	}
	return none
}

// runsOn reports whether a run of letters or katakana goes on behind r: "3.5", "rock'n'roll", "スティーブ・ジョブズ".
func runsOn(r rune) bool {
	return strings.ContainsRune("ーｰ・·.'’-&+/_@:%,", r) || unicode.IsMark(r)
}

// seam reports whether a phrase may end between two words that are written together: in Japanese, behind the kana that
// follow a word's kanji.
func seam(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return unicode.Is(unicode.Hiragana, last) && !unicode.Is(unicode.Hiragana, first)
}

// newToken estimates how long a word takes: a constant and so much for each letter, which gives English 150 words a
// minute, and other scripts the pace of their syllables.
func newToken(text string, language transcript.Language) token {
	t := token{text: text, rest: wordRest}
	if !language.Spaced() {
		t.rest = 0
	}
	letters := false
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r) && language == "ja":
			t.spoken += 190
		case unicode.Is(unicode.Han, r):
			t.spoken += 215
		case unicode.In(r, unicode.Hiragana, unicode.Katakana) || r == 'ー':
			t.spoken += 123
		case unicode.Is(unicode.Hangul, r):
			t.spoken, letters = t.spoken+130, true
		case unicode.Is(unicode.Devanagari, r) && unicode.IsLetter(r):
			t.spoken, letters = t.spoken+95, true
		case unicode.IsMark(r):
			t.spoken += 25
		case unicode.IsDigit(r):
			t.spoken += 220
		case unicode.IsLetter(r):
			t.spoken, letters = t.spoken+54, true
		}
	}
	if letters {
		t.spoken += 135
	}
	t.spoken = max(t.spoken, 60)
	switch last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text, prose.Closes)); {
	case strings.ContainsRune(".?!。？！।…", last):
		t.rest = sentenceRest
	case unicode.IsPunct(last):
		t.rest = commaRest
	}
	return t
}
