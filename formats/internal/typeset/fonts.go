// Package typeset turns text of any script into positioned glyphs and lines: it picks fonts, shapes with HarfBuzz's
// rules, and breaks lines by UAX #14.
package typeset

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
)

// Weight is a style of text.
type Weight int

// The weights that there are.
const (
	Regular Weight = iota
	Bold
	weights
)

// Fonts are what text can be drawn with: fonts that were given, then the Go fonts, which have Latin, Greek and Cyrillic,
// then the system's. They are opened when first needed and then kept. Safe for concurrent use.
type Fonts struct {
	given  [][weights]*font.Font
	system *system // nil when turned off

	mu    sync.Mutex
	found map[question]answer
}

type question struct {
	r      rune
	weight Weight
	lang   string
}

// answer is the font for a character.
type answer struct {
	font     *font.Font // nil when no font has it
	fakeBold bool       // the font is not bold, though that was asked for
	covered  bool       // some font has the character's script, if not the character
}

// Family is a font in its weights, as the bytes of TrueType or OpenType files. Bold may be nil.
type Family struct {
	Regular, Bold []byte
}

// NewFonts opens fonts. useSystem lets it look for the system's when neither the given ones nor the Go fonts have a
// character.
func NewFonts(given []Family, useSystem bool) (*Fonts, error) {
	f := &Fonts{found: map[question]answer{}}
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

// resolve finds the font for a character in a language.
func (f *Fonts) resolve(q question) answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	a, ok := f.found[q]
	if !ok {
		a = f.search(q)
		f.found[q] = a
	}
	return a
}

func (f *Fonts) search(q question) answer {
	given := func() (answer, bool) {
		for _, family := range f.given {
			bold := family[q.weight]
			if bold != nil && has(bold, q.r) {
				return answer{font: bold, covered: true}, true
			}
			if has(family[Regular], q.r) {
				return answer{font: family[Regular], fakeBold: q.weight == Bold, covered: true}, true
			}
		}
		return answer{}, false
	}
	// Quotes and dashes are wide in Chinese and Japanese, and narrow elsewhere: there the language's font decides.
	if a, ok := given(); ok && !(isEastAsianPunctuation(q.r) && (q.lang == "zh" || q.lang == "ja")) {
		return a
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
