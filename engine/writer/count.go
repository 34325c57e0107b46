package writer

import (
	"strings"
	"unicode"
)

// maxItems is the largest number of items that a prompt can request.
const maxItems = 20

// count returns the first number in a folded text, in digits or as a word, or 0. It is at most 20.
func (a *author) count(text string) int {
	digits := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	if len(digits) > 0 {
		n := 0
		for _, r := range digits[0] {
			n = min(10*n+digit(r), 1000)
		}
		if n > 0 && n < 1000 {
			return min(n, maxItems)
		}
	}
	for _, t := range a.lexicons() {
		for i, word := range t.numbers {
			for spelling := range strings.FieldsSeq(word) {
				if t.find(text, spelling, true) >= 0 {
					return i + 2
				}
			}
		}
	}
	return 0
}

// digit returns the value of a decimal digit in the scripts of the supported languages, or 0.
func digit(r rune) int {
	if '0' <= r && r <= '9' {
		return int(r - '0')
	}
	if '०' <= r && r <= '९' {
		return int(r - '०')
	}
	if '０' <= r && r <= '９' {
		return int(r - '０')
	}
	return 0
}
