package render

import (
	"encoding/binary"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// face is the font of a style: it chooses a font for each run of letters.
type face struct {
	style    StyleFont
	family   string
	file     *sfnt.Font // nil for an installed family
	data     []byte     // of file
	scale    float64    // like font.scale
	language transcript.Language
	lacking  map[string]bool // scripts whose letters file lacks, for a note
}

// faceOf returns the font of a checked style.
func faceOf(s StyleFont, language transcript.Language) face {
	f := face{style: s, family: s.Family, data: s.Data, scale: 1, language: language, lacking: map[string]bool{}}
	if len(f.data) == 0 {
		f.data = bundledFont(s.Family)
	}
	if len(f.data) == 0 {
		return f
	}
	file, err := sfnt.Parse(f.data)
	if err != nil {
		return f // Validate has refused it
	}
	f.file = file
	if name, err := familyOf(f.data); err == nil {
		f.family = name
	}
	if em := lineHeight(f.data, int(file.UnitsPerEm())); em > 0 {
		f.scale = em * emsPerSize
	}
	return f
}

// lineHeight returns usWinAscent + usWinDescent of a font, in ems, or 0 if the file doesn't say. libass sizes fonts by it.
func lineHeight(data []byte, unitsPerEm int) float64 {
	if len(data) < 12 || unitsPerEm <= 0 {
		return 0
	}
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		at := 12 + 16*i
		if at+16 > len(data) {
			return 0
		}
		if string(data[at:at+4]) != "OS/2" {
			continue
		}
		const ascent, descent = 74, 76 // offsets in the table
		table := int64(binary.BigEndian.Uint32(data[at+8:]))
		if table+descent+2 > int64(len(data)) {
			return 0
		}
		return float64(int(binary.BigEndian.Uint16(data[table+ascent:]))+int(binary.BigEndian.Uint16(data[table+descent:]))) / float64(unitsPerEm)
	}
	return 0
}

// covers reports whether the font has every letter of a text.
func (f face) covers(text string) bool {
	if f.file == nil {
		return false
	}
	var buffer sfnt.Buffer
	for _, r := range text {
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Zs) || unicode.IsPunct(r) {
			continue
		}
		if i, err := f.file.GlyphIndex(&buffer, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// pick returns the font of a run of letters: the style's if it has them, else a Noto font of their script. An installed family is used for
// Latin, Greek, and Cyrillic, for which every family is made.
func (f face) pick(r run) (family string, scale float64, weight int) {
	switch {
	case f.file != nil && f.covers(r.text), f.file == nil && (r.font == notoSans || r.font == cjk(f.language) && onlyLatin(r.text)) && f.family != "":
		return f.family, f.scale, f.style.Weight
	case f.file != nil && len(f.style.Data) > 0 && !plainLetters(r.text):
		f.lacking[r.font.family] = true
	}
	weight = min(f.style.Weight, 700) // libass would thicken the bold letters
	if f.file != nil {
		weight = 700 // a file of one weight, often a heavy one that calls itself regular
	}
	return r.font.family, r.font.scale, weight
}

func onlyLatin(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > 0x24f })
}

// plainLetters reports whether a text has no letters, so that a font that lacks it is no surprise.
func plainLetters(text string) bool { return !strings.ContainsFunc(text, unicode.IsLetter) }

// markup returns cleaned text for libass at a size in pixels per em, with the fonts that it needs.
func (f face) markup(text string, size float64) string {
	var b strings.Builder
	for _, r := range fontRuns(text, f.language) {
		family, scale, weight := f.pick(r)
		b.WriteString(`{\fn` + family + `\fs` + number(size*scale/emsPerSize) + `\b` + number(float64(weight)) + `}`)
		b.WriteString(escape(r.text))
	}
	return b.String()
}

// cased returns a text in a style's case.
func cased(text, how string) string {
	switch how {
	case "upper":
		return strings.ToUpper(text)
	case "lower":
		return strings.ToLower(text)
	}
	return text
}
