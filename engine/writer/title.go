package writer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// short is how many columns a title may have; characters without spaces take two.
const short = 64

// title names a part of the talk, from an utterance up to another one: its best sentence that is short enough, but none
// of those that are used.
func (a *author) title(worth []int, from, to int, used []string) string {
	best, score := "", -1
	for i, r := range a.talk.remarks {
		if r.said < from || r.said >= to {
			continue
		}
		title := headline(r.text)
		s := worth[i]
		if r.asks && !r.weak {
			s *= 2 // a question is a good title: worth counts it half
		}
		if columns(r.text) > short {
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
		return headline(a.talk.said[from].Text)
	}
	return best
}

// headline makes a title of a sentence: without its full stop, and cut behind a comma or a word where it is too long.
func headline(s string) string {
	s = strings.TrimRight(s, " .。।…")
	if columns(s) <= short {
		return s
	}
	width, comma, space := 0, 0, 0
	end := len(s)
	for i, r := range s {
		if width += columns(string(r)); width > short-1 {
			end = i
			break
		}
		switch {
		case strings.ContainsRune(",;:，、；：–—", r) && width > short/3:
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
		if w := writtenIn(r); w == han || w == kana || w == hiragana || w == hangul {
			n++
		}
	}
	return n
}
