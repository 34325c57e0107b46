package captions

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// numeralLinks are between the two parts of a numeral.
var numeralLinks = map[transcript.Language][]string{"en": {"-"}, "de": {"und"}, "fr": {"-"}, "nl": {"en", "ën"}}

// compoundNumeral reports whether a word is two numerals: twenty-five, siebenundzwanzig, dix-sept.
func (p *vocabulary) compoundNumeral(word string) bool {
	for _, link := range numeralLinks[p.language] {
		i := strings.LastIndex(word, link)
		if i > 0 && p.partOfNumeral(word[:i]) && p.partOfNumeral(word[i+len(link):]) {
			return true
		}
	}
	return false
}

func (p *vocabulary) partOfNumeral(word string) bool {
	return p.roles[word]&(roleNumeral|roleScale) != 0 || word == "one" || word == "ein" || word == "een"
}
