package fake

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// token is a word with its punctuation and its estimated duration at a natural pace.
type token struct {
	text   string
	spoken int // milliseconds of the word
	pause  int // milliseconds of the pause after it
}

const (
	sentencePause = 150 // milliseconds of pause at the end of a sentence
	commaPause    = 80  // after other punctuation
	wordPause     = 15  // between words that are separated by a space
)

// tokens splits text into words. Languages with spaces are split at spaces only: the no-break space before a French question mark stays in
// the word. Chinese and Japanese are split into characters, except for runs of katakana and of letters and digits of other scripts.
// Punctuation belongs to the word before it, an opening bracket to the word after it.
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
			case n > 0 && !strings.ContainsFunc(w, prose.IsSpoken):
				out[n-1] = newToken(out[n-1].text+"\u00a0"+w, language) // a dash
			default:
				out = append(out, newToken(w, language))
			}
		}
	}
	return out
}

// characters splits Chinese or Japanese text without spaces into words.
func characters(s string) (words []string) {
	begin, last, whole := 0, none, true
	for i, r := range s {
		class := classOf(r)
		if class == none {
			whole = whole && continuesRun(r)
			continue
		}
		if last != none && (class != last || class == character || !whole) {
			end := begin + len(strings.TrimRightFunc(s[begin:i], prose.IsOpening))
			words = append(words, s[begin:end])
			begin = end
		}
		last, whole = class, true
	}
	return append(words, s[begin:])
}

// class groups characters: runs of katakana or narrow are one word.
type class int

const (
	none      class = iota // part of the neighbouring word: punctuation, combining marks, the long vowel mark
	character              // always a separate word
	katakana
	narrow // a letter or a digit of a script that uses spaces
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

// continuesRun reports whether a run of letters or katakana continues after r: "3.5", "rock'n'roll", "スティーブ・ジョブズ".
func continuesRun(r rune) bool {
	return strings.ContainsRune("ーｰ・·.'’-&+/_@:%,", r) || unicode.IsMark(r)
}

// phraseBreak reports whether a phrase may end between two words without a space between them: in Japanese, after the hiragana that
// follow a word's kanji.
func phraseBreak(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return unicode.Is(unicode.Hiragana, last) && !unicode.Is(unicode.Hiragana, first)
}

// newToken estimates the duration of a word: a constant, plus an amount for each letter. English has 150 words per minute; other scripts
// follow the pace of their syllables.
func newToken(text string, language transcript.Language) token {
	t := token{text: text, pause: wordPause}
	if !language.Spaced() {
		t.pause = 0
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
	switch last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text, prose.IsClosing)); {
	case strings.ContainsRune(".?!。？！।…", last):
		t.pause = sentencePause
	case unicode.IsPunct(last):
		t.pause = commaPause
	}
	return t
}
