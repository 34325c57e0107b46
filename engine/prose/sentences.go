package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Piece is a part of a text: the bytes from From up to, but not including, To.
type Piece struct{ From, To int }

// maxLength returns how many characters a sentence may have. Longer ones, as in transcripts without punctuation, are cut at a comma or
// between words.
func maxLength(language transcript.Language) int {
	if language.Spaced() {
		return 320
	}
	return 130
}

// Sentences splits a text of one line, as returned by Line, into sentences. A sentence includes its final punctuation and closing
// quotation marks. Sentences of more than 320 characters (130 in Chinese and Japanese) are cut at a comma or between words.
func Sentences(text string, language transcript.Language) (out []Piece) {
	begin := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if m := quotationLength(text[i:], language); m > 0 {
			i += m
			continue
		}
		if !strings.ContainsRune(".?!…。？！｡．।॥", r) {
			i += n
			continue
		}
		end := i + n + closingLength(text[i+n:], language)
		if endsSentence(text[begin:i], r, text[end:], language) {
			out = appendPieces(out, text, begin, end, maxLength(language))
			begin = end
		}
		i = end
	}
	return appendPieces(out, text, begin, len(text), maxLength(language))
}

// quotationLength returns the length of the quotation in Chinese or Japanese brackets that s begins with, or 0. Sentences inside a
// quotation are part of the sentence around it.
func quotationLength(s string, language transcript.Language) int {
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

// closingLength returns the length of the punctuation and closing marks at the start of s, which belong to the sentence before it.
func closingLength(s string, language transcript.Language) int {
	for i, r := range s {
		german := r == '“' && language.Spaced()
		if !strings.ContainsRune(".?!…。？！", r) && !IsClosing(r) && !german {
			return i
		}
	}
	return len(s)
}

// endsSentence reports whether a punctuation mark ends the sentence before it.
func endsSentence(before string, mark rune, after string, language transcript.Language) bool {
	if after == "" || strings.ContainsRune("。？！｡．।॥", mark) || !language.Spaced() && mark != '.' {
		return true
	}
	if next, _ := utf8.DecodeRuneInString(after); !unicode.IsSpace(next) {
		return false
	}
	next, _, _ := strings.Cut(strings.TrimLeftFunc(after, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }), " ")
	if first, _ := utf8.DecodeRuneInString(next); unicode.IsLower(first) || mark == '.' && isListNumber(before) {
		return false
	}
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	return mark != '.' || transcript.EndsSentence(word+".", next, language)
}

// isListNumber reports whether a text, up to a full stop, is only a number: that of a list item.
func isListNumber(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) > 0 && len(text) < 3 && strings.Trim(text, "0123456789") == ""
}

// appendPieces appends text[from:to] in pieces of at most limit characters, without surrounding spaces.
func appendPieces(out []Piece, text string, from, to, limit int) []Piece {
	for from < to {
		end := from + pieceLength(text[from:to], limit)
		trimmed := strings.TrimLeftFunc(text[from:end], unicode.IsSpace)
		p := Piece{From: end - len(trimmed), To: end}
		p.To = p.From + len(strings.TrimRightFunc(trimmed, unicode.IsSpace))
		if strings.ContainsFunc(text[p.From:p.To], IsSpoken) {
			out = append(out, p)
		}
		from = end
	}
	return out
}

// pieceLength returns the length of the first piece of s, at most limit characters. A longer s is cut at the last comma in the second half
// of the limit, or else at the last space, or else at the limit.
func pieceLength(s string, limit int) int {
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
