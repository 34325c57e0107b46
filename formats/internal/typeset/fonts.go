// Package typeset turns text of any script into positioned glyphs and lines. It chooses fonts, shapes text like HarfBuzz,
// and breaks lines by UAX #14.
//
//	fonts, err := typeset.NewFonts(nil, true)
//	setter := typeset.New(fonts, "en")
//	lines, err := setter.Lines("Hello there.", typeset.Regular, 20_000)
package typeset

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/soundstage-dev/soundstage/formats/internal/notoemoji"
)

// Weight is the weight of a text.
type Weight int

// The supported weights.
const (
	Regular Weight = iota
	Bold
	weights
)

// Fonts are the fonts to draw text with: the given fonts, then the Go fonts (Latin, Greek and Cyrillic), then Noto Emoji, then the
// system's.
// They are opened when first needed and stay open. Safe for concurrent use.
type Fonts struct {
	given  [][weights]*font.Font
	system *system // nil if disabled

	mu    sync.Mutex
	found map[fontQuery]fontMatch
}

type fontQuery struct {
	r      rune
	weight Weight
	lang   string
}

// fontMatch is the font for a character.
type fontMatch struct {
	font     *font.Font // nil if no font has it
	fakeBold bool       // bold was requested, but the font isn't bold
	covered  bool       // some font has the character's script, if not the character
}

// Family is a font family as the bytes of TrueType or OpenType files. Bold may be nil.
type Family struct {
	Regular, Bold []byte
}

// NewFonts opens fonts. With useSystem, characters missing in the given fonts and the Go fonts use the system's.
func NewFonts(given []Family, useSystem bool) (*Fonts, error) {
	f := &Fonts{found: map[fontQuery]fontMatch{}}
	for i, family := range append(given[:len(given):len(given)], Family{goregular.TTF, gobold.TTF}) {
		var opened [weights]*font.Font
		for w, b := range [weights][]byte{family.Regular, family.Bold} {
			if b == nil {
				continue
			}
			loader, err := ot.NewLoader(bytes.NewReader(b))
			if err != nil {
				return nil, fmt.Errorf("font %d: %w", i+1, err)
			}
			if opened[w], err = font.NewFont(loader); err != nil {
				return nil, fmt.Errorf("font %d: %w", i+1, err)
			}
		}
		if opened[Regular] == nil {
			return nil, fmt.Errorf("font %d has no regular weight", i+1)
		}
		f.given = append(f.given, opened)
	}
	if useSystem {
		f.system = &system{}
	}
	return f, nil
}

// resolve returns the font for a character in a language.
func (f *Fonts) resolve(q fontQuery) fontMatch {
	f.mu.Lock()
	defer f.mu.Unlock()
	a, ok := f.found[q]
	if !ok {
		a = f.search(q)
		f.found[q] = a
	}
	return a
}

func (f *Fonts) search(q fontQuery) fontMatch {
	given := func() (fontMatch, bool) {
		for _, family := range f.given {
			bold := family[q.weight]
			if bold != nil && has(bold, q.r) {
				return fontMatch{font: bold, covered: true}, true
			}
			if has(family[Regular], q.r) {
				return fontMatch{font: family[Regular], fakeBold: q.weight == Bold, covered: true}, true
			}
		}
		return fontMatch{}, false
	}
	// Some quotes and dashes are wide in Chinese and Japanese and narrow elsewhere, so the font of the language decides.
	if a, ok := given(); ok && !(isEastAsianPunctuation(q.r) && (q.lang == "zh" || q.lang == "ja")) {
		return a
	}
	if isSymbol(q.r) && !isEastAsianPunctuation(q.r) {
		if emoji := emojiFont(); has(emoji, q.r) {
			return fontMatch{font: emoji, covered: true} // never emboldened: lines would run together
		}
	}
	if f.system != nil {
		if a := f.system.search(q); a.font != nil {
			return a
		} else if g, ok := given(); ok {
			return g
		} else if a.covered {
			return a
		}
	}
	a, _ := given()
	if !a.covered {
		for _, sample := range samples(scriptOf(q.r, q.lang)) {
			for _, family := range f.given {
				a.covered = a.covered || has(family[Regular], sample)
			}
		}
	}
	return a
}

// emojiFont returns Noto Emoji. It is opened when first needed, which takes 10 ms.
var emojiFont = sync.OnceValue(func() *font.Font {
	loader, err := ot.NewLoader(bytes.NewReader(notoemoji.WOFF))
	if err != nil {
		panic(err) // a test opens it
	}
	f, err := font.NewFont(loader)
	if err != nil {
		panic(err)
	}
	return f
})

func has(f *font.Font, r rune) bool {
	_, ok := f.NominalGlyph(r)
	return ok
}

func isEastAsianPunctuation(r rune) bool {
	switch r {
	case '“', '”', '‘', '’', '…', '—', '·':
		return true
	}
	return false
}
