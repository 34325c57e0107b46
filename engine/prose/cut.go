package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Piece is a stretch of a text, in bytes: From up to, not including, To.
type Piece struct{ From, To int }

// longest is how many characters a sentence may have, in languages with spaces and without. What is longer, as in
// transcripts without punctuation, is cut at a comma or between words.
func longest(language transcript.Language) int {
	if language.Spaced() {
		return 320
	}
	return 130
}

// Cut cuts a text of one line, as Line makes it, into its sentences. A sentence has its marks and the quotation marks that close behind
// them; what is longer than 320 characters (130 in Chinese and Japanese) is cut at a comma or between words.
func Cut(text string, language transcript.Language) (out []Piece) {
	begin := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if m := quotation(text[i:], language); m > 0 {
			i += m
			continue
		}
		if !strings.ContainsRune(".?!…。？！｡．।॥", r) {
			i += n
			continue
		}
		end := i + n + closing(text[i+n:], language)
		if ends(text[begin:i], r, text[end:], language) {
			out = appendPieces(out, text, begin, end, longest(language))
			begin = end
		}
		i = end
	}
	return appendPieces(out, text, begin, len(text), longest(language))
}

// quotation returns the length of what s begins with, when that is in Chinese or Japanese brackets: sentences inside them
// are part of the one around them.
func quotation(s string, language transcript.Language) int {
	if language.Spaced() {
		return 0
	}
	for _, pair := range []string{"「」", "『』", "（）", "“”", "《》"} {
		opening, n := utf8.DecodeRuneInString(pair)
		if !strings.HasPrefix(s, string(opening)) {
			continue
		}
		if i := strings.Index(s, pair[n:]); i > 0 && i < 300 {
			return i + len(pair[n:])
		}
	}
	return 0
}

// closing returns how much of s belongs to the sentence whose mark is before it: more marks, and what closes.
func closing(s string, language transcript.Language) int {
	for i, r := range s {
		german := r == '“' && language.Spaced()
		if !strings.ContainsRune(".?!…。？！", r) && !Closes(r) && !german {
			return i
		}
	}
	return len(s)
}

// ends reports whether a mark ends the sentence before it.
func ends(before string, mark rune, after string, language transcript.Language) bool {
	if after == "" || strings.ContainsRune("。？！｡．।॥", mark) || !language.Spaced() && mark != '.' {
		return true
	}
	if next, _ := utf8.DecodeRuneInString(after); !unicode.IsSpace(next) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }))
	return !unicode.IsLower(next) && (mark != '.' || !abbreviated(before, language))
}

// abbreviations are what is written with a full stop in the middle of sentences and hardly ever ends one.
var abbreviations = words("mr mrs ms dr prof st vs e.g i.e bzw ca z.b d.h u.a evtl z d " +
	"sr sra dra ud mme mlle sig dott drs dhr mevr bl.a f.eks t.ex np tzn ul inż т.е напр др डॉ श्री प्रो")

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(transcript.Fold(s)) {
		m[w] = true
	}
	return m
}

// abbreviated reports whether the full stop behind a text is that of an abbreviation, an initial, a German ordinal or an
// item's number.
func abbreviated(text string, language transcript.Language) bool {
	word := text[strings.LastIndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || Opens(r) })+1:]
	word = strings.TrimLeftFunc(word, func(r rune) bool { return !Sounds(r) })
	if abbreviations[transcript.Fold(word)] {
		return true
	}
	if n := utf8.RuneCountInString(word); n > 2 || n == 0 {
		return false
	} else if r, _ := utf8.DecodeRuneInString(word); n == 1 && unicode.IsUpper(r) {
		return !strings.ContainsRune("IYЯЄ", r) // words of their own: "It was I."
	}
	number := strings.Trim(word, "0123456789") == ""
	return number && (language == "de" || strings.TrimSpace(text) == word) // "am 3. Mai"; the number of an item
}

// appendPieces appends what is written between two places of a text, in pieces of at most so many characters.
func appendPieces(out []Piece, text string, from, to, limit int) []Piece {
	for from < to {
		end := from + breaking(text[from:to], limit)
		trimmed := strings.TrimLeftFunc(text[from:end], unicode.IsSpace)
		p := Piece{From: end - len(trimmed), To: end}
		p.To = p.From + len(strings.TrimRightFunc(trimmed, unicode.IsSpace))
		if strings.ContainsFunc(text[p.From:p.To], Sounds) {
			out = append(out, p)
		}
		from = end
	}
	return out
}

// breaking returns the length of the first piece of s: all of it if it has at most so many characters, else up to the
// last comma in the second half of them, else up to the last space, else all of them.
func breaking(s string, limit int) int {
	n, comma, space := 0, 0, 0
	for i, r := range s {
		if n == limit {
			switch {
			case comma > 0:
				return comma
			case space > 0:
				return space
			}
			return i
		}
		switch n++; {
		case n <= limit/2:
		case strings.ContainsRune(",;:，、；：", r):
			comma = i + utf8.RuneLen(r)
		case unicode.IsSpace(r):
			space = i
		}
	}
	return len(s)
}
