package writer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTitle is the longest title in columns. Chinese, Japanese, and Korean characters take two columns.
const maxTitle = 64

// title returns a title for the utterances from from up to, but not including, to: the most important sentence that is short enough and
// whose title isn't in used.
func (a *author) title(worth []int, from, to int, used []string) string {
	best, score := "", -1
	for i, r := range a.corpus.sentences {
		if r.utterance < from || r.utterance >= to {
			continue
		}
		title := headline(r.text)
		s := worth[i]
		if r.question && !r.dependent {
			s *= 2 // importance halves questions, but they are good titles
		}
		if columns(r.text) > maxTitle {
			s /= 4
		}
		if slices.Contains(used, title) {
			s = -1
		}
		if s > score {
			best, score = title, s
		}
	}
	if best == "" {
		return headline(a.corpus.utterances[from].Text)
	}
	return best
}

// headline converts a sentence to a title: it removes the full stop, and truncates a long sentence at a comma or a space.
func headline(s string) string {
	s = strings.TrimRight(s, " .。।…")
	if columns(s) <= maxTitle {
		return s
	}
	width, comma, space := 0, 0, 0
	end := len(s)
	for i, r := range s {
		if width += columns(string(r)); width > maxTitle-1 {
			end = i
			break
		}
		switch {
		case strings.ContainsRune(",;:，、；：–—", r) && width > maxTitle/3:
			comma = i
		case unicode.IsSpace(r):
			space = i
		}
	}
	switch {
	case comma > 0:
		return strings.TrimSpace(s[:comma])
	case space > 0:
		return s[:space] + "…"
	}
	return s[:end] + "…"
}

func columns(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if w := scriptOf(r); w == han || w == kana || w == hiragana || w == hangul {
			n++
		}
	}
	return n
}
