package formats_test

import (
	"strings"

	"github.com/go-text/typesetting/font/cff"
)

// fonts calls visit for each font, with the codes that pages draw in it.
func (f *pdfFile) fonts(visit func(name string, font, descendant dict, codes []int)) {
	used := map[string][]int{}
	for _, p := range f.painted() {
		used[p.font] = append(used[p.font], p.codes...)
	}
	for name, ref := range f.dict(f.pages()[0], "/Resources", "/Font") {
		font := f.dict(ref)
		visit(name, font, f.dict(f.list(font, "/DescendantFonts")[0]), used[name])
	}
}

// firstFont returns a font with its descendant.
func (f *pdfFile) firstFont() (font, descendant dict) {
	f.fonts(func(name string, is, its dict, _ []int) {
		if name == "/R" {
			font, descendant = is, its
		}
	})
	return font, descendant
}

// fontCheck makes a check of all fonts from one of a font.
func fontCheck(check func(f *pdfFile, font, descendant dict, codes []int) (problem string)) func(*pdfFile) []string {
	return func(f *pdfFile) (all []string) {
		f.fonts(func(name string, font, descendant dict, codes []int) {
			if p := check(f, font, descendant, codes); p != "" {
				all = append(all, name+": "+p)
			}
		})
		return all
	}
}

// program returns the font program, or nil if there is none that can be read.
func (f *pdfFile) program(descendant dict) *cff.CFF {
	program, err := cff.Parse(f.data(f.dict(descendant, "/FontDescriptor")["/FontFile3"]))
	if err != nil {
		return nil
	}
	return program
}

// charstringWidth reads the number that a charstring begins with: its width, because our nominal width is 0.
func charstringWidth(b []byte) int {
	switch {
	case b[0] == 28:
		return int(int16(uint16(b[1])<<8 | uint16(b[2])))
	case b[0] < 247:
		return int(b[0]) - 139
	case b[0] < 251:
		return (int(b[0])-247)*256 + int(b[1]) + 108
	}
	return -(int(b[0])-251)*256 - int(b[1]) - 108
}

var uaFontChecks = []uaCheck{
	{"31-001 to 31-008 codes are CIDs, by a predefined map", fontCheck(func(f *pdfFile, font, descendant dict, _ []int) string {
		if font["/Subtype"] != "/Type0" || font["/Encoding"] != "/Identity-H" || descendant["/Subtype"] != "/CIDFontType0" || font["/BaseFont"] != descendant["/BaseFont"] {
			return "not by Identity-H"
		}
		return ""
	}), func(f *pdfFile) { font, _ := f.firstFont(); font["/Encoding"] = "/WinAnsiEncoding" }},
	{"31-009 fonts are embedded", fontCheck(func(f *pdfFile, _, descendant dict, _ []int) string {
		if f.program(descendant) == nil {
			return "no program"
		}
		return ""
	}), func(f *pdfFile) { _, d := f.firstFont(); delete(f.dict(d, "/FontDescriptor"), "/FontFile3") }},
	{"31-011, 31-030 the programs have all glyphs, and .notdef isn't drawn", fontCheck(func(f *pdfFile, _, descendant dict, codes []int) string {
		program := f.program(descendant)
		for _, code := range codes {
			if code <= 0 || program == nil || code >= len(program.Charstrings) {
				return "no such glyph"
			}
		}
		return ""
	}), func(f *pdfFile) { replaceContent(f, "[<0001", "[<0000", -1) }},
	{"31-012, 31-014 no incomplete list of glyphs", fontCheck(func(f *pdfFile, _, descendant dict, _ []int) string {
		if d := f.dict(descendant, "/FontDescriptor"); d["/CIDSet"] != nil || d["/CharSet"] != nil {
			return "has a list" // without one, readers take the glyphs of the program
		}
		return ""
	}), func(f *pdfFile) { _, d := f.firstFont(); f.dict(d, "/FontDescriptor")["/CIDSet"] = "1 0 R" }},
	{"31-016 widths are those of the programs", fontCheck(func(f *pdfFile, _, descendant dict, _ []int) string {
		widths := f.list(f.list(descendant, "/W")[1])
		program := f.program(descendant)
		if program == nil || len(widths) != len(program.Charstrings) {
			return "wrong number of widths"
		}
		for i, w := range widths {
			if charstringWidth(program.Charstrings[i]) != int(w.(float64)) {
				return "a width differs"
			}
		}
		return ""
	}), func(f *pdfFile) { _, d := f.firstFont(); f.list(f.list(d, "/W")[1])[1] = 1.0 }},
	{"10-001, 31-027 every code has Unicode", fontCheck(func(f *pdfFile, font, _ dict, codes []int) string {
		unicode := f.unicode(font)
		for _, code := range codes {
			if unicode[code] == "" {
				return "a code without Unicode"
			}
		}
		return ""
	}), func(f *pdfFile) { font, _ := f.firstFont(); delete(font, "/ToUnicode") }},
	{"31-028, 31-029 Unicode is no null and no byte order mark", fontCheck(func(f *pdfFile, font, _ dict, _ []int) string {
		for _, text := range f.unicode(font) {
			if strings.HasPrefix(text, "0000") || strings.HasPrefix(text, "FEFF") || strings.HasPrefix(text, "FFFE") {
				return text
			}
		}
		return ""
	}), func(f *pdfFile) {
		font, _ := f.firstFont()
		f.setData(font["/ToUnicode"], strings.Replace(string(f.data(font["/ToUnicode"])), "<0001> <", "<0001> <FEFF", 1))
	}},
}
