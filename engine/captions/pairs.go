package captions

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// pairs lists words with those after them that a caption keeps on the same line, because the two are one preposition, one comparison, or a
// part of a month: "front of", "more than", "mid July". MONTH stands for any month, and words with a # count only before an amount.
var pairs = map[transcript.Language]string{
	"en": "more:than# less:than# fewer:than# front:of top:of one:in two:in three:in four:in nine:in as:well well:as such:as " +
		"at:least at:most mid:MONTH early:MONTH late:MONTH",
	"de": "mehr:als# weniger:als# bis:zu anstelle:von mitte:MONTH anfang:MONTH ende:MONTH",
	"es": "más:de menos:de delante:de,del detrás:de,del encima:de,del debajo:de,del dentro:de,del fuera:de,del cerca:de,del " +
		"lejos:de,del alrededor:de,del uno:de una:de mediados:de principios:de finales:de",
	"fr": "plus:de,d'un,d'une moins:de,d'un,d'une près:de,du,des,d'un,d'une autour:de,du,des loin:de,du,des lors:de,du,des " +
		"un:sur une:sur début:MONTH fin:MONTH mi:MONTH",
	"id": "lebih:dari# kurang:dari# satu:dari salah:satu awal:MONTH akhir:MONTH pertengahan:MONTH",
	"it": "più:di,del,della meno:di,del,della davanti:a,al,alla,ai,agli,alle dietro:a,al,alla accanto:a,al,alla vicino:a,al,alla " +
		"insieme:a,al,alla,con prima:di,del,della fuori:da,dal,dalla una:su uno:su metà:MONTH inizio:MONTH fine:MONTH",
	"nl": "meer:dan# minder:dan# een:op samen:met in:plaats plaats:van half:MONTH eind:MONTH begin:MONTH medio:MONTH",
	"no": "mer:enn# mindre:enn# flere:enn# færre:enn# én:av en:av inn:i,på ut:av,i,på opp:på,i ned:i,på midten:av slutten:av begynnelsen:av",
	"pl": "więcej:niż# mniej:niż# ponad:pół połowie:MONTH połową:MONTH połowy:MONTH początku:MONTH początkiem:MONTH końcu:MONTH końcem:MONTH końca:MONTH",
	"pt": "mais:de,do menos:de,do diante:de,do,da,dos,das debaixo:de,do,da,dos,das acima:de,do,da atrás:de,do,da além:de,do,da " +
		"dentro:de,do,da fora:de,do,da perto:de,do,da longe:de,do,da uma:em um:em meados:de fins:de início:de princípios:de",
	"ru": "более:чем менее:чем больше:чем# меньше:чем# чем:на,за,в середине:MONTH середина:MONTH середины:MONTH серединой:MONTH начале:MONTH " +
		"начала:MONTH началом:MONTH конце:MONTH конца:MONTH концом:MONTH ни:на,в,с,к,о,из,у",
	"sv": "mer:än# mindre:än# fler:än# färre:än# ett:av en:av in:i,på ut:ur,i,på upp:på,i ner:i,på mitten:av slutet:av början:av",
	"uk": "більше:ніж,за менше:ніж,за більш:ніж,як менш:ніж,як ніж:на,за,у,в середині:MONTH середина:MONTH середини:MONTH серединою:MONTH " +
		"початку:MONTH початком:MONTH кінці:MONTH кінця:MONTH кінцем:MONTH ні:на,в,у,з,до",
}

const anyMonth = "MONTH"

// pairsOf returns the pairs of a language by their first word.
func pairsOf(language transcript.Language) map[string][]string {
	all := map[string][]string{}
	for pair := range strings.FieldsSeq(pairs[language]) {
		first, next, _ := strings.Cut(pair, ":")
		all[first] = append(all[first], strings.Split(next, ",")...)
	}
	return all
}

// pairsWith reports whether word and next are a pair. after is what follows them, or nil.
func (word *wordFacts) pairsWith(next, after *wordFacts) bool {
	if word.pairs == nil || !word.open {
		return false
	}
	return slices.Contains(word.pairs, next.small) || next.month && slices.Contains(word.pairs, anyMonth) || word.compares(next, after)
}

// compares reports whether the three words are a comparison with an amount: "more than 36". after may be nil.
func (word *wordFacts) compares(next, after *wordFacts) bool {
	return word.pairs != nil && after != nil && (after.amount() || after.currency) && slices.Contains(word.pairs, next.small+"#")
}
