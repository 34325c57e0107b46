package transcript

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Spelling replaces each of From by To.
type Spelling struct {
	From []string `json:"from"`
	To   string   `json:"to"`
}

// ApplySpellings applies custom spellings to words. One or several consecutive words that match From become To. Case and
// surrounding punctuation don't matter, but punctuation that is part of From must match and is replaced: "C++" doesn't match "C".
// Joined words become one word with their whole duration. The longest match is used.
func ApplySpellings(words []Word, spellings []Spelling, language Language) []Word {
	rules := map[string][]spellingRule{}
	longest := 0
	for _, s := range spellings {
		for _, from := range s.From {
			key, rule := newSpellingRule(from, s.To)
			rules[key] = append(rules[key], rule)
			longest = max(longest, len(strings.Fields(key)), utf8.RuneCountInString(key)/4)
		}
	}
	if !language.Spaced() { // transcribers cut their words anywhere
		longest *= 4
	}
	if longest == 0 {
		return words
	}
	out := words[:0]
	for i := 0; i < len(words); {
		w, n := respell(words[i:min(len(words), i+longest)], rules, language)
		out = append(out, w)
		i += n
	}
	return out
}

// spellingRule is the replacement for a text, and the punctuation required at its edges.
type spellingRule struct{ head, tail, to string }

// newSpellingRule returns the rule for a text and its key: the folded text without the punctuation at its edges.
func newSpellingRule(from, to string) (key string, rule spellingRule) {
	from = strings.Join(strings.Fields(from), " ")
	core := strings.TrimFunc(from, func(r rune) bool { return !IsWordRune(r) })
	head, tail, _ := strings.Cut(from, core)
	if core == "" {
		return "", spellingRule{}
	}
	return Fold(core), spellingRule{head, tail, to}
}

// fits reports whether the words have the rule's punctuation at their edges.
func (r spellingRule) fits(head, tail string) bool {
	return strings.HasSuffix(head, r.head) && strings.HasPrefix(tail, r.tail)
}

// respell returns the replacement for the first n words, and n. Without a match it returns the first word and 1. Among rules for
// the same words, the one with most punctuation is used, then the last.
func respell(words []Word, rules map[string][]spellingRule, language Language) (Word, int) {
	for n := len(words); n > 0; n-- {
		head, core, tail, ok := coreOf(words[:n], language)
		if !ok {
			continue
		}
		var best *spellingRule
		for _, r := range rules[Fold(core)] {
			if r.fits(head, tail) && (best == nil || len(r.head)+len(r.tail) >= len(best.head)+len(best.tail)) {
				best = &r
			}
		}
		if best == nil {
			continue
		}
		w := words[0]
		w.Text = strings.TrimSuffix(head, best.head) + best.to + strings.TrimPrefix(tail, best.tail)
		for _, more := range words[1:n] {
			w.End = max(w.End, more.End)
			w.Confidence = min(w.Confidence, more.Confidence)
			w.Estimated = w.Estimated || more.Estimated
		}
		return w, n
	}
	return words[0], 1
}

// coreOf joins words of one speaker without the punctuation at their edges, which it returns separately. ok is false when nothing
// remains or when there is punctuation between two words.
func coreOf(words []Word, language Language) (head, core, tail string, ok bool) {
	parts := make([]string, len(words))
	for i, w := range words {
		start := strings.IndexFunc(w.Text, IsWordRune)
		if start < 0 || w.Speaker != words[0].Speaker {
			return "", "", "", false
		}
		end := strings.LastIndexFunc(w.Text, IsWordRune)
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
		if language.Spaced() || !IsWide(LastRune(core)) || !IsWide(p) {
			core += " "
		}
		core += p
	}
	return head, core, tail, true
}

// ProtectedTerms returns the terms that translations must keep: the results of custom spellings and boosted words, longest first.
func ProtectedTerms(spellings []Spelling, boosted []string) []string {
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
