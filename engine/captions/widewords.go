package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// splitWord splits a word that is wider than a line into tokens that fit, which share its duration. It breaks where lines may break in
// languages without spaces, else after a mark such as a slash, else at any character. Alphabetic scripts then get a hyphen.
func (b *breaker) splitWord(t token) []token {
	var parts []transcript.Word
	if b.language.Spaced() {
		parts = pieces(nil, t.Text, b.o.Columns)
	} else {
		segments, _ := splitText(t.Text, b.language)
		for _, s := range segments {
			parts = pieces(parts, s.Text, b.o.Columns)
		}
	}
	spread(parts, t.Start, t.End)
	tokens := make([]token, len(parts))
	rest, gap := t.Text, ""
	for i, p := range parts {
		gap, rest, _ = transcript.CutWord(rest, strings.TrimSuffix(p.Text, "-"))
		rest = strings.TrimPrefix(rest, "-")
		p.Speaker, p.Confidence, p.Estimated = t.Speaker, t.Confidence, t.Estimated
		p.End = max(p.End, p.Start+1)
		tokens[i] = b.token(p, gap)
		tokens[i].part = i > 0 && b.language.Spaced()
	}
	tokens[0].gap = t.gap
	return tokens
}

// pieces appends the pieces of a word, each at most columns wide. A piece with a hyphen and the next one never fit the same line.
func pieces(parts []transcript.Word, word string, columns int) []transcript.Word {
	limit := max(columns-1, 1) // leaves room for a hyphen
	for displayWidth(word) > columns {
		head := limit
		if w := displayWidth(word); w < 2*limit {
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
	return append(parts, transcript.Word{Text: word})
}

// cutAt returns the byte offset of the last mark that a word can break after within most columns, if it is not before half of head;
// else that of the last character within head columns. It is at least one character.
func cutAt(word string, head, most int) int {
	at, marked, width, done := 0, 0, 0, 0
	state := -1
	for rest := word; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		width += displayWidth(cluster)
		if done += len(cluster); at == 0 || width <= head {
			at = done
		}
		if width > most {
			break
		}
		if strings.ContainsAny(cluster, "-–/\\_.&=?@: ") && width >= head/2 && rest != "" {
			marked = done
		}
	}
	if marked > 0 {
		return marked
	}
	return at
}

// hyphenated reports whether r is a letter of a script that hyphenates words.
func hyphenated(r rune) bool {
	return unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek)
}
