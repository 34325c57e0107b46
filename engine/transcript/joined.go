package transcript

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// JoinedWords returns the words of a transcript as its texts write them. Transcribers return some words in parts: "GPT", "-", "4" in
// Chinese, or punctuation apart from its word. The parts of a word become one, from the start of the first to the end of the last. Chinese
// and Japanese characters stay apart. An utterance whose text doesn't match its words keeps them.
func (t Transcript) JoinedWords() []Word {
	words := 0
	for i := range t.Utterances {
		words += len(t.Utterances[i].Words)
	}
	all := slices.Grow([]Word(nil), words)
	var gaps []string
	for _, u := range t.Utterances {
		var ok bool
		gaps, ok = AppendGaps(gaps[:0], u.Text, u.Words)
		for i, w := range u.Words {
			if i > 0 && ok && partOf(all[len(all)-1], w, gaps[i], t.Language) {
				last := &all[len(all)-1]
				last.Text += gaps[i] + w.Text
				last.End, last.Confidence = max(last.End, w.End), min(last.Confidence, w.Confidence)
				last.Estimated = last.Estimated || w.Estimated
				continue
			}
			all = append(all, w)
		}
	}
	return all
}

// partOf reports whether word continues the one before it, which is gap away.
func partOf(before, word Word, gap string, language Language) bool {
	if gap == " " || before.Speaker != word.Speaker {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(before.Text)
	first, _ := utf8.DecodeRuneInString(word.Text)
	return RunOn(last, first, language)
}

// AppendGaps appends the space before each word in a text: "", " ", or a no-break space. ok is false if the text isn't those words.
func AppendGaps(gaps []string, text string, words []Word) (all []string, ok bool) {
	rest := text
	gaps = slices.Grow(gaps, len(words))
	for i, w := range words {
		gap, after, found := CutWord(rest, w.Text)
		if !found {
			return nil, false
		}
		if i == 0 {
			gap = ""
		}
		gaps = append(gaps, gap)
		rest = after
	}
	return gaps, len(words) > 0 && strings.TrimLeft(rest, " ") == ""
}

// CutWord removes the spaces and the word at the start of a text. It returns the space between them, which is a no-break space if there
// is one, and the rest of the text. Spaces inside the word don't matter.
func CutWord(text, word string) (gap, rest string, ok bool) {
	rest = strings.TrimLeft(text, " ")
	if len(rest) < len(text) {
		gap = " "
	}
	if after, found := strings.CutPrefix(rest, word); found {
		return gap, after, true
	}
	first, _, _ := strings.Cut(word, " ")
	if !strings.HasPrefix(rest, first) {
		inner := strings.TrimLeft(rest, " "+noBreakSpaces)
		if len(inner) == len(rest) {
			return "", "", false
		}
		_, n := utf8.DecodeRuneInString(rest)
		gap, rest = rest[:n], inner
	}
	for part := range strings.SplitSeq(word, " ") {
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), part); !ok {
			return "", "", false
		}
	}
	return gap, rest, true
}

// RunOn reports whether two characters without a space between them are inside one word. Where words have spaces, they are, unless the
// first is a hyphen or slash. Chinese and Japanese have runs of Latin letters and digits (GPT-4o) and of katakana.
func RunOn(last, first rune, language Language) bool {
	if language.Spaced() {
		return !strings.ContainsRune("-–—/…", last)
	}
	return latin(last) && latin(first) || last == ',' && unicode.IsDigit(first) || unicode.IsDigit(last) && first == ',' || katakana(last) && katakana(first)
}

func latin(r rune) bool {
	return r > ' ' && r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-./'’&+@_:#%$€£", r))
}

func katakana(r rune) bool {
	switch {
	case r < 0x30a0, 0x3400 <= r && r <= 0xfeff: // most characters, so this saves time
		return false
	}
	return unicode.Is(unicode.Katakana, r) || r == 'ー' || r == '・'
}

// noBreakSpaces are the characters that keep the words at both sides on one line.
const noBreakSpaces = "\u00a0\u202f\u2060"
