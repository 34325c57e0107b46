package typeset

import (
	"os"
	"path/filepath"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
)

// system is the fonts that are installed, scanned when first needed. Its caller locks it.
type system struct {
	fonts   *fontscan.FontMap
	scanned bool
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// open scans the system's folders. The index is kept in the user's cache folder, since a scan takes a third of a second.
func (s *system) open() bool {
	if s.scanned {
		return s.fonts != nil
	}
	s.scanned = true
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "soundstage", "fonts")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		cache = os.TempDir()
	}
	fonts := fontscan.NewFontMap(silent{})
	if err := fonts.UseSystemFonts(cache); err != nil {
		return false // no fonts, no folders: as if there were none
	}
	s.fonts = fonts
	return true
}

// search finds a font for a character: one of its script's families, then any with symbols, then any at all.
func (s *system) search(q question) answer {
	if !s.open() {
		return answer{}
	}
	script := scriptOf(q.r, q.lang)
	aspect := font.Aspect{Style: font.StyleNormal, Weight: font.WeightNormal, Stretch: font.StretchNormal}
	if q.weight == Bold {
		aspect.Weight = font.WeightBold
	}
	covered := false
	for _, family := range append(script.families[:len(script.families):len(script.families)], symbols.families...) {
		if _, ok := s.fonts.FindSystemFont(family); !ok {
			continue
		}
		s.fonts.SetQuery(fontscan.Query{Families: []string{family}, Aspect: aspect})
		if a := s.answer(q, family); a.font != nil {
			return a
		}
		for _, sample := range samples(script) {
			covered = covered || s.answer(question{sample, q.weight, q.lang}, family).font != nil
		}
	}
	s.fonts.SetQuery(fontscan.Query{Families: script.families, Aspect: aspect})
	a := s.answer(q, "")
	a.covered = a.covered || covered
	return a
}

// answer asks for the font of the current query, and refuses what was not asked for and what has no outlines.
func (s *system) answer(q question, family string) answer {
	face := s.fonts.ResolveFace(q.r)
	if face == nil {
		return answer{}
	}
	got, aspect := s.fonts.FontMetadata(face.Font)
	if family != "" && font.NormalizeFamily(got) != font.NormalizeFamily(family) {
		return answer{}
	}
	glyph, ok := face.NominalGlyph(q.r)
	if !ok {
		return answer{}
	}
	if _, outline := face.GlyphData(glyph).(font.GlyphOutline); !outline {
		return answer{}
	}
	return answer{font: face.Font, fakeBold: q.weight == Bold && aspect.Weight < font.WeightSemibold, covered: true}
}
