package phrases

import (
	"slices"
	"strings"
)

// compounds are Japanese particles, and others, that consist of several words but are one: they never part.
var compounds = strings.Fields("において における におきまして に対し に対する について につき によって による により によれば によると にとって に関し に関する に関わる に基づ に伴 に際し に当た にあた にわた " +
	"に応じ に従 に加え に比べ に反し に過ぎ にすぎ に違い をめぐ を通じ を通し として としては にして ながら ながらに その他 という といった といって とともに と共に とはいえ からには からこそ " +
	"かもしれ なければ なくては なくても ければ ください くださ")

// splitCompounds sets 0 for the characters that continue a compound, and 1 for others.
func splitCompounds(words []int8, runes []rune, kinds []kind) {
	for i := range words {
		words[i] = 1
	}
	for i, r := range runes {
		if r < firstCompound || r > lastCompound {
			continue
		}
		for _, c := range compoundsBy[r-firstCompound] {
			if n := len(c); i+n <= len(runes) && runes[i+1] == c[1] && slices.Equal(runes[i+2:i+n], c[2:]) {
				clear(words[i+1 : i+n])
			}
		}
		if i > 0 && i+1 < len(runes) && kinds[i-1] == kindHan && does(r, runes[i+1]) {
			words[i] = 0
		}
	}
}

// does reports whether する begins, which makes a verb of the noun before it: 停電した.
func does(r, next rune) bool {
	switch r {
	case 'し':
		return strings.ContainsRune("たてまなよつ", next)
	case 'す':
		return next == 'る' || next == 'れ'
	case 'さ':
		return next == 'れ' || next == 'せ'
	}
	return false
}

// Compounds begin with hiragana.
const firstCompound, lastCompound = 'ぁ', 'ん'

// compoundsBy has the compounds by their first character.
var compoundsBy = func() (all [lastCompound - firstCompound + 1][][]rune) {
	for _, c := range compounds {
		runes := []rune(c)
		all[runes[0]-firstCompound] = append(all[runes[0]-firstCompound], runes)
	}
	return all
}()
