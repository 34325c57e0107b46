package speech

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// common lists words of the languages in Latin script. Each is said every few seconds, and is rare in the other languages.
var commonWords = map[transcript.Language]string{
	"en": "the and of is that was you with this have for are not",
	"de": "der und ist nicht ich das ein eine auch mit sich auf wir",
	"es": "el los las que y es por una con pero como está del muy",
	"fr": "le les des est et une que pas dans pour c'est qui nous avec du",
	"id": "yang dan di itu ini dengan untuk tidak dari ada kita saya",
	"it": "il che di e è non per una sono con della gli anche",
	"nl": "het een en van dat niet ik zijn maar ook voor we heb",
	"no": "og er det ikke jeg som på av til har vi med men",
	"pl": "i w nie się na to jest że z jak do co ale",
	"pt": "o que não é os uma com para mas isso muito você as em",
	"sv": "och är det inte jag som på av att har vi med men en",
	"tr": "ve bir bu da de için çok ne ben var ama değil",
}

// Guess guesses the language of a text, for servers that don't report it: by its script, or in Latin script by the most
// common words. It returns "" if neither decides.
func Guess(text string) transcript.Language {
	if l := byScript(text); l != "" {
		return l
	}
	points := map[transcript.Language]int{}
	said := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		said[w]++
	}
	var best transcript.Language
	for _, l := range transcript.Languages() {
		for w := range strings.FieldsSeq(commonWords[l]) {
			points[l] += said[w]
		}
		if points[l] > points[best] {
			best = l
		}
	}
	return best
}

// byScript guesses the language by the script of most letters. Only Japanese has kana, and only Ukrainian some Cyrillic letters.
func byScript(text string) transcript.Language {
	counts, all := map[*unicode.RangeTable]int{}, 0
	ukrainian := 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		all++
		for _, script := range []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Cyrillic, unicode.Devanagari} {
			if unicode.Is(script, r) {
				counts[script]++
			}
		}
		if strings.ContainsRune("іїєґІЇЄҐ", r) {
			ukrainian++
		}
	}
	kana := counts[unicode.Hiragana] + counts[unicode.Katakana]
	switch {
	case all == 0:
		return ""
	case 2*(kana+counts[unicode.Han]) > all && 20*kana > all:
		return "ja"
	case 2*counts[unicode.Han] > all:
		return "zh"
	case 2*counts[unicode.Hangul] > all:
		return "ko"
	case 2*counts[unicode.Devanagari] > all:
		return "hi"
	case 2*counts[unicode.Cyrillic] > all && 50*ukrainian > all:
		return "uk"
	case 2*counts[unicode.Cyrillic] > all:
		return "ru"
	}
	return ""
}
