package engine

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Spelling says that each of From is to be written To.
type Spelling struct {
	From []string `json:"from"`
	To   string   `json:"to"`
}

// applySpellings writes words as the space wants them: words that are one of From — one word or several in a row, regardless
// of case and of the punctuation around them — become To. Words of which one is made are one word of their whole time. The
// longest that fits is taken.
func applySpellings(words []Word, spellings []Spelling, language Language) []Word {
	to := map[string]string{}
	longest := 0
	for _, s := range spellings {
		for _, from := range s.From {
			key, n := spellingKey(from)
			to[key] = s.To
			longest = max(longest, n)
		}
	}
	if !language.Spaced() { // words are stretches of characters there, cut anywhere
		longest *= 4
	}
	if longest == 0 {
		return words
	}
	out := words[:0]
	for i := 0; i < len(words); {
		w, n := respell(words[i:min(len(words), i+longest)], to, language)
		out = append(out, w)
		i += n
	}
	return out
}

// spellingKey is what a text is compared by, and how many words it has at most.
func spellingKey(s string) (string, int) {
	fields := strings.Fields(Fold(s))
	return strings.Join(fields, " "), max(len(fields), utf8.RuneCountInString(s)/4)
}

// respell returns what the first of some words is written as, and how many of them that takes: the word itself, and 1, where
// nothing fits.
func respell(words []Word, to map[string]string, language Language) (Word, int) {
	for n := len(words); n > 0; n-- {
		head, core, tail, ok := coreOf(words[:n], language)
		if !ok {
			continue
		}
		s, ok := to[Fold(core)]
		if !ok {
			continue
		}
		w := words[0]
		w.Text = head + s + tail
		for _, more := range words[1:n] {
			w.End = max(w.End, more.End)
			w.Confidence = min(w.Confidence, more.Confidence)
		}
		return w, n
	}
	return words[0], 1
}

// coreOf joins words of one speaker and returns what stands between the punctuation at their edges; ok is false when there is
// nothing, or punctuation between two of them.
func coreOf(words []Word, language Language) (head, core, tail string, ok bool) {
	parts := make([]string, len(words))
	for i, w := range words {
		start := strings.IndexFunc(w.Text, isWordRune)
		if start < 0 || w.Speaker != words[0].Speaker {
			return "", "", "", false
		}
		end := strings.LastIndexFunc(w.Text, isWordRune)
		_, size := utf8.DecodeRuneInString(w.Text[end:])
		before, after := w.Text[:start], w.Text[end+size:]
		if i == 0 {
			head = before
		} else if before != "" {
			return "", "", "", false
		}
		if i == len(words)-1 {
			tail = after
		} else if after != "" {
			return "", "", "", false
		}
		parts[i] = w.Text[start : end+size]
	}
	core = parts[0]
	for _, p := range parts[1:] {
		if language.Spaced() || !isWide(lastRune(core)) || !isWide(p) {
			core += " "
		}
		core += p
	}
	return head, core, tail, true
}

// protectedTerms returns the words that must survive a translation as they are: what custom spellings write, and boosted
// words; the longest first.
func protectedTerms(spellings []Spelling, boosted []string) []string {
	var terms []string
	for _, s := range spellings {
		terms = append(terms, strings.TrimSpace(s.To))
	}
	for _, b := range boosted {
		terms = append(terms, strings.TrimSpace(b))
	}
	slices.SortFunc(terms, func(a, b string) int {
		if d := len(b) - len(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	terms = slices.Compact(terms)
	return slices.DeleteFunc(terms, func(t string) bool { return t == "" })
}
