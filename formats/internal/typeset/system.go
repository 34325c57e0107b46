package typeset

import (
	"os"
	"path/filepath"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
)

// system finds installed fonts. It scans them when first needed. The caller must hold a lock.
type system struct {
	fonts   *fontscan.FontMap
	scanned bool
}

type silentLogger struct{}

func (silentLogger) Printf(string, ...any) {}

// open scans the system's font folders. It keeps the index in the user's cache folder, because a scan takes 0.3 s.
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
	fonts := fontscan.NewFontMap(silentLogger{})
	if err := fonts.UseSystemFonts(cache); err != nil {
		return false // no fonts or no folders: continue without
	}
	s.fonts = fonts
	return true
}

// search returns a font for a character: of one of its script's families, else of any family with symbols, else any font.
func (s *system) search(q fontQuery) fontMatch {
	if !s.open() {
		return fontMatch{}
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
		if a := s.match(q, family); a.font != nil {
			return a
		}
		for _, sample := range samples(script) {
			covered = covered || s.match(fontQuery{sample, q.weight, q.lang}, family).font != nil
		}
	}
	s.fonts.SetQuery(fontscan.Query{Families: script.families, Aspect: aspect})
	if sc := language.LookupScript(q.r); sc.Strong() && sc != language.Unknown {
		s.fonts.SetScript(sc) // any font with the script
		defer s.fonts.SetScript(0)
	}
	a := s.match(q, "")
	if a.font != nil { // of any weight
		family, _ := s.fonts.FontMetadata(a.font)
		s.fonts.SetQuery(fontscan.Query{Families: []string{family}, Aspect: aspect})
		if better := s.match(q, family); better.font != nil {
			a = better
		}
	}
	a.covered = a.covered || covered
	return a
}

// match returns the font of the current query. It rejects fonts of other families and fonts without outlines.
func (s *system) match(q fontQuery, family string) fontMatch {
	face := s.fonts.ResolveFace(q.r)
	if face == nil {
		return fontMatch{}
	}
	got, aspect := s.fonts.FontMetadata(face.Font)
	if family != "" && font.NormalizeFamily(got) != font.NormalizeFamily(family) {
		return fontMatch{}
	}
	glyph, ok := face.NominalGlyph(q.r)
	if !ok {
		return fontMatch{}
	}
	if _, outline := face.GlyphData(glyph).(font.GlyphOutline); !outline {
		return fontMatch{}
	}
	return fontMatch{font: face.Font, fakeBold: q.weight == Bold && aspect.Weight < font.WeightSemibold, covered: true}
}
