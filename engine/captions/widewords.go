package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// addWide adds a word that is wider than a line as words and tokens that fit, which share its duration. It breaks where lines may break in
// languages without spaces, else after a mark such as a slash, else before a syllable of Thai and its like, else at any character.
// Alphabetic scripts then get a hyphen.
func (b *breaker) addWide(w *transcript.Word, gap string) {
	var parts []transcript.Word
	if b.language.Spaced() {
		parts = pieces(nil, w.Text, b.o.Columns)
	} else {
		segments, _ := splitText(w.Text, b.language)
		for _, s := range segments {
			parts = pieces(parts, s.Text, b.o.Columns)
		}
	}
	spread(parts, w.Start, w.End)
	rest := w.Text
	for i := range parts {
		p := &parts[i]
		p.Speaker, p.Confidence, p.Estimated = w.Speaker, w.Confidence, w.Estimated
		p.End = max(p.End, p.Start+1)
		before, after, _ := transcript.CutWord(rest, strings.TrimSuffix(p.Text, "-"))
		rest = strings.TrimPrefix(after, "-")
		if i > 0 {
			gap = before
		}
		t := b.add(p, b.factsOf(p.Text), gap)
		if i > 0 && b.language.Spaced() {
			t.part, t.glued = true, false
		}
	}
	b.words = append(b.words, parts...)
}

// pieces appends the pieces of a word, each at most columns wide. A piece with a hyphen and the next one never fit the same line.
func pieces(parts []transcript.Word, word string, columns int) []transcript.Word {
	limit := max(columns-1, 1) // leaves room for a hyphen
	for {
		w := widthUpTo(word, 2*columns)
		if w <= columns {
			return append(parts, transcript.Word{Text: word})
		}
		head := limit
		if w < 2*limit {
			head = (w + 1) / 2
		}
		cut := cutAt(word, head, limit)
		text := strings.TrimRight(word[:cut], " ")
		last, _ := utf8.DecodeLastRuneInString(word[:cut])
		next, _ := utf8.DecodeRuneInString(word[cut:])
		if hyphenated(last) && hyphenated(next) {
			text += "-"
		}
		parts = append(parts, transcript.Word{Text: text})
		word = strings.TrimLeft(word[cut:], " ")
	}
}

// widthUpTo returns the width of a text, or of a part of it that is at least as wide as most.
func widthUpTo(text string, most int) int {
	w := 0
	for _, r := range text {
		if w >= most {
			break
		}
		w += runeWidth(r)
	}
	return w
}

// cutAt returns the byte offset of the last mark that a word can break after within most columns, if it is not before half of head;
// else that of the syllable of a language without spaces that begins nearest to head, within the same columns; else that of the last
// character within head columns, if possible one that doesn't tear a syllable. It is at least one character.
func cutAt(word string, head, most int) int {
	at, marked, syllable, syllableWidth, width, done := 0, 0, 0, 0, 0, 0
	state := -1
	for rest := word; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		width += displayWidth(cluster)
		begins, tears := syllableAt(cluster, rest)
		if done += len(cluster); at == 0 || width <= head && !tears {
			at = done
		}
		if width > most {
			break
		}
		if strings.ContainsAny(cluster, "-–/\\_.&=?@: ") && width >= head/2 && rest != "" {
			marked = done
		}
		if begins && width >= head/2 && (syllable == 0 || width <= head || width-head < head-syllableWidth) {
			syllable, syllableWidth = done, width
		}
	}
	if marked > 0 {
		return marked
	}
	if syllable > 0 {
		return syllable
	}
	return at
}

// syllableAt reports whether a syllable begins for certain after a cluster, and whether a break there tears one.
func syllableAt(cluster, rest string) (begins, tears bool) {
	next, _ := utf8.DecodeRuneInString(rest)
	if rest == "" || next < 0xe00 {
		return false, false
	}
	last, _ := utf8.DecodeLastRuneInString(cluster)
	runes := []rune{last}
	for _, r := range rest {
		if runes = append(runes, r); len(runes) > 8 {
			break
		}
	}
	return transcript.BeginsSyllable(runes, 1), transcript.TearsSyllable(runes, 1)
}

// hyphenated reports whether r is a letter of a script that hyphenates words.
func hyphenated(r rune) bool {
	return unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek)
}
