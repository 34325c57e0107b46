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
	words := splitWords(text, language)
	ms := max(1, (u.End-u.Start)/time.Millisecond)
	if most := int(ms); len(words) > most { // each word lasts a millisecond at least
		words = append(words[:most-1:most-1], JoinWords(asWords(words[most-1:]), language))
	}
	total := time.Duration(0)
	for _, w := range words {
		total += time.Duration(len([]rune(w)))
	}
	spare := ms - time.Duration(len(words)) // time left after 1 ms for each word
	start, said := u.Start, time.Duration(0)
	u.Words = make([]Word, len(words))
	for i, w := range words {
		said += time.Duration(len([]rune(w)))
		end := u.Start + (spare*said/total+time.Duration(i+1))*time.Millisecond
		u.Words[i] = Word{Text: w, Start: start, End: end, Confidence: u.Confidence, Speaker: u.Speaker}
		start = end
	}
	return u
}

func asWords(texts []string) []Word {
	words := make([]Word, len(texts))
	for i, t := range texts {
		words[i].Text = t
	}
	return words
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
