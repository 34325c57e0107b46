package phrases

import "github.com/soundstage-dev/soundstage/engine/transcript"

// model scores breaks between characters of one language.
type model struct {
	language transcript.Language
}

// modelOf returns the model of a language, or nil if its words have spaces between them.
func modelOf(l transcript.Language) *model {
	if l.Spaced() {
		return nil
	}
	return &model{language: l}
}

// score returns the score of a break before runes[i], or 0 for none. Japanese breaks where kana end and another script begins; Chinese
// where the script changes.
func (m *model) score(_ []rune, kinds []kind, i int) int {
	a, b := kinds[i-1], kinds[i]
	switch {
	case a == b:
		return 0
	case m.language == "ja" && b != kindHiragana && (a == kindHiragana || a == kindMark), m.language == "zh":
		return 50
	}
	return 0
}
