package typeset

import (
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"
	ubidi "golang.org/x/text/unicode/bidi"
)

// longestBidi limits the characters whose levels are resolved together, because the time grows with the square of their number.
const longestBidi = 2000

// isRightToLeft reports whether the first letter outside of isolates is a right-to-left one (UAX #9, P2 and P3).
func isRightToLeft(text []rune) bool {
	isolates := 0
	for _, r := range text {
		switch c := classOf(r); {
		case c == ubidi.LRI || c == ubidi.RLI || c == ubidi.FSI:
			isolates++
		case c == ubidi.PDI:
			isolates = max(isolates-1, 0)
		case isolates > 0:
		case c == ubidi.L:
			return false
		case c == ubidi.R || c == ubidi.AL:
			return true
		}
	}
	return false
}

// hasRightToLeft reports whether anything in a text may run from right to left.
func hasRightToLeft(text []rune) bool {
	return slices.ContainsFunc(text, func(r rune) bool {
		if r < 0x590 {
			return false
		}
		switch classOf(r) {
		case ubidi.R, ubidi.AL, ubidi.AN, ubidi.RLE, ubidi.RLO, ubidi.RLI:
			return true
		}
		return false
	})
}

func classOf(r rune) ubidi.Class {
	p, _ := ubidi.LookupRune(r)
	return p.Class()
}

// levelsOf returns the embedding level of each character of a paragraph (UAX #9), or nil if all of it runs from left to right.
func (s *Setter) levelsOf(text []rune, rtl bool) []bidi.Level {
	if !hasRightToLeft(text) {
		return nil
	}
	direction := bidi.LeftToRight
	if rtl {
		direction = bidi.RightToLeft
	}
	levels := make([]bidi.Level, 0, len(text))
	for len(levels) < len(text) {
		part := slices.Clone(text[len(levels):])
		if len(part) > longestBidi {
			part = part[:longestBidi]
			for end := len(part); end > longestBidi/2; end-- {
				if part[end-1] == ' ' {
					part = part[:end]
					break
				}
			}
		}
		for i, r := range part {
			if classOf(r) == ubidi.B {
				part[i] = ' ' // the library stops at the end of a paragraph
			}
		}
		levels = appendLevels(levels, s.bidi.Segment(part, direction))
	}
	return levels
}

// appendLevels appends the level of each character. They are in a private field: the methods of Runs join neighbours of levels 0
// and 2, such as a number after Hebrew and the English after it, and only have the first level of both
// (https://github.com/go-text/typesetting/issues/249).
func appendLevels(levels []bidi.Level, runs bidi.Runs) []bidi.Level {
	all := reflect.ValueOf(runs).FieldByName("levels")
	for i := range all.Len() {
		levels = append(levels, bidi.Level(all.Index(i).Int()))
	}
	return levels
}

// reorder puts the glyphs of a line, which are in the order of their text, in visual order (UAX #9, L1 and L2).
func (s *Setter) reorder(glyphs []Placed, w Weight, rtl bool) {
	base := bidi.Level(0)
	if rtl {
		base = 1
	}
	for i := len(glyphs) - 1; i >= 0 && s.isTrailing(glyphs[i], w); i-- {
		glyphs[i].level = base
	}
	highest := base
	for _, g := range glyphs {
		highest = max(highest, g.level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(glyphs); i++ {
			start := i
			for i < len(glyphs) && glyphs[i].level >= level {
				i++
			}
			slices.Reverse(glyphs[start:i])
		}
	}
}

// isTrailing reports whether a glyph at the end of a line has the direction of the paragraph: spaces and marks of isolates.
func (s *Setter) isTrailing(g Placed, w Weight) bool {
	r, _ := utf8.DecodeRuneInString(s.styles[w].glyphs[g.Code].Text)
	switch classOf(r) {
	case ubidi.WS, ubidi.S, ubidi.B, ubidi.LRI, ubidi.RLI, ubidi.FSI, ubidi.PDI:
		return true
	}
	return false
}
