package typeset

import (
	"github.com/go-text/typesetting/language"
	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// run is text of one font and script.
type run struct {
	start, end int
	font       fontMatch
	script     language.Script
}

// itemize splits text where its font or script changes. A grapheme cluster has one font.
func (s *Setter) itemize(text []rune, w Weight) []run {
	var runs []run
	add := func(start, end int, a fontMatch) {
		script := language.Common
		for _, r := range text[start:end] {
			if sc := language.LookupScript(r); sc.Strong() {
				script = sc
				break
			}
		}
		if n := len(runs); n > 0 && runs[n-1].font == a && (script == runs[n-1].script || script == language.Common || runs[n-1].script == language.Common) {
			runs[n-1].end = end
			if runs[n-1].script == language.Common {
				runs[n-1].script = script
			}
			return
		}
		runs = append(runs, run{start, end, a, script})
	}
	if isSimple(text) {
		for i, r := range text {
			add(i, i+1, s.fontOf(r, w))
		}
		return runs
	}
	at := 0
	for graphemes := uniseg.NewGraphemes(string(text)); graphemes.Next(); {
		cluster := graphemes.Runes()
		add(at, at+len(cluster), s.clusterFont(cluster, w))
		at += len(cluster)
	}
	return runs
}

// isSimple reports whether no characters combine.
func isSimple(text []rune) bool {
	for _, r := range text {
		if r >= 0x300 && !(r >= 0x400 && r < 0x482 || r >= 0x2010 && r <= 0x2027) {
			return false
		}
	}
	return true
}

// clusterFont returns a font that has a whole cluster, or its composed form, or else its base.
func (s *Setter) clusterFont(cluster []rune, w Weight) fontMatch {
	base := s.fontOf(cluster[0], w)
	if len(cluster) == 1 || base.font == nil || hasAll(base, cluster) || hasAll(base, []rune(norm.NFC.String(string(cluster)))) {
		return base
	}
	for _, r := range cluster[1:] {
		if isIgnorable(r) {
			continue
		}
		if a := s.fontOf(r, w); a.font != nil && hasAll(a, cluster) {
			return a
		}
	}
	return base
}

func hasAll(a fontMatch, cluster []rune) bool {
	for _, r := range cluster {
		if !isIgnorable(r) && !has(a.font, r) {
			return false
		}
	}
	return true
}

// fontOf returns the font of a character. The first character whose script has no font sets the document's error.
func (s *Setter) fontOf(r rune, w Weight) fontMatch {
	st := &s.styles[w]
	a, ok := st.fonts[r]
	if ok {
		return a
	}
	if isIgnorable(r) {
		a = s.fonts.resolve(fontQuery{' ', w, s.lang}) // every font draws it as nothing
	} else {
		a = s.fonts.resolve(fontQuery{r, w, s.lang})
	}
	if a.font == nil && !a.covered && !isSymbol(r) && s.err == nil {
		script := scriptOf(r, s.lang)
		s.err = &MissingError{Script: script.name, Sample: r, Debian: script.debian}
	}
	st.fonts[r] = a
	return a
}
