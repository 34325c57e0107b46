package transcript

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Retext returns the utterance with another text. The new words share its duration by their length; each lasts at least 1 ms.
func Retext(u Utterance, text string, language Language) Utterance {
	u.Text = text
	u.Words = spread(text, Window{u.Start, u.End}, language)
	for i := range u.Words {
		u.Words[i].Confidence, u.Words[i].Speaker = u.Confidence, u.Speaker
	}
	return u
}

// spread returns the words of a text, which share a window by their length. Each lasts at least 1 ms; the last word has all that doesn't
// fit.
func spread(text string, w Window, language Language) []Word {
	words := splitWords(text, language)
	ms := max(1, (w.End-w.Start)/time.Millisecond)
	if most := int(ms); len(words) > most {
		rest := text
		for _, word := range words[:most-1] {
			_, rest, _ = strings.Cut(rest, word)
		}
		words = append(words[:most-1:most-1], strings.Trim(rest, " "))
	}
	total := time.Duration(0)
	for _, w := range words {
		total += time.Duration(utf8.RuneCountInString(w))
	}
	spare := ms - time.Duration(len(words)) // time left after 1 ms for each word
	start, said := w.Start, time.Duration(0)
	out := make([]Word, len(words))
	for i, text := range words {
		said += time.Duration(utf8.RuneCountInString(text))
		end := w.Start + (spare*said/total+time.Duration(i+1))*time.Millisecond
		out[i] = Word{Text: text, Start: start, End: end}
		start = end
	}
	return out
}

// splitWords splits a text where its language allows breaks: at spaces, and between Chinese or Japanese characters. A character
// keeps its closing punctuation after it and its opening punctuation before it.
func splitWords(text string, language Language) []string {
	var words []string
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		if language.Spaced() {
			words = append(words, f)
			continue
		}
		last := ""
		for i, r := range f {
			s := string(r)
			opens := unicode.In(r, unicode.Ps, unicode.Pi)
			joins := i > 0 && (endsWithOpening(last) || !opens && (!IsWordRune(r) || !IsWide(s) && !IsWide(LastRune(last))))
			if joins {
				last += s
				words[len(words)-1] = last
				continue
			}
			last = s
			words = append(words, s)
		}
	}
	return words
}

// endsWithOpening reports whether a text ends with an opening bracket or quotation mark.
func endsWithOpening(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.In(r, unicode.Ps, unicode.Pi)
}
