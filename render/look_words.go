package render

import (
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// setOrder moves the words of a row of a width to where they are read, and says how each is drawn there. toLeft is whether the row is read from
// right to left.
func setOrder(row []placedWord, width float64, toLeft bool) {
	words, mixed := make([]string, len(row)), false
	for i, w := range row {
		right, _ := directions(w.shown)
		words[i], mixed = w.shown, mixed || right > 0
	}
	if mixed || toLeft {
		placeInOrder(row, visualOrder(words, toLeft), width)
	}
	if toLeft {
		for i, drawn := range alone(words) {
			row[i].drawn = drawn
		}
	}
}

// placeInOrder places words from left to right in an order, with the gaps that the row has.
func placeInOrder(row []placedWord, order []int, width float64) {
	words, gaps := 0.0, float64(max(len(row)-1, 1))
	for _, w := range row {
		words += w.at.w
	}
	gap, x := (width-words)/gaps, 0.0
	for _, i := range order {
		row[i].at.x = x + row[i].at.w/2
		x += row[i].at.w + gap
	}
}

// isKey reports whether a word is emphasized: a number, a name, or a key word of the request.
func (l look) isKey(words []transcript.Word, i int) bool {
	text := strings.TrimFunc(words[i].Text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.Sc, r) })
	if text == "" {
		return false
	}
	switch {
	case l.keys[transcript.Fold(text)]:
		return true
	case l.Emphasis.Numbers && strings.ContainsFunc(text, unicode.IsNumber):
		return true
	case l.Emphasis.Names && i > 0 && l.language != "de": // every German noun has a capital
		return isName(text) && !endsSentence(words[i-1].Text)
	}
	return false
}

// isName reports whether a word inside a sentence looks like a name: it begins with a capital, and is longer than the English "I".
func isName(text string) bool {
	first, size := utf8.DecodeRuneInString(text)
	next, _ := utf8.DecodeRuneInString(text[size:])
	return unicode.IsUpper(first) && unicode.IsLetter(next)
}

func endsSentence(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(word, `"'”’»)`))
	return strings.ContainsRune(".!?…:؟。！？।-–—", last)
}

// readable returns black or white, whichever is easier to read on a colour.
func readable(on Colour) Colour {
	if c := luminance(on.rgba()); (c+0.05)/0.05 > 1.05/(c+0.05) {
		return "#000000"
	}
	return "#ffffff"
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
