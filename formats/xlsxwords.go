package formats

import "github.com/soundstage-dev/soundstage/engine/transcript"

// xlsxWords are the column heads that only spreadsheets need.
type xlsxWords struct{ start, end, turns string }

// xlsxHeads has the words of the 18 languages.
var xlsxHeads = map[transcript.Language]xlsxWords{
	"en": {"Start", "End", "Turns"},
	"de": {"Beginn", "Ende", "Redebeiträge"},
	"es": {"Inicio", "Fin", "Intervenciones"},
	"fr": {"Début", "Fin", "Interventions"},
	"hi": {"आरंभ", "समाप्ति", "बारी"},
	"id": {"Mulai", "Selesai", "Giliran"},
	"it": {"Inizio", "Fine", "Interventi"},
	"ja": {"開始", "終了", "発言回数"},
	"ko": {"시작", "끝", "발언 횟수"},
	"nl": {"Begin", "Einde", "Beurten"},
	"no": {"Start", "Slutt", "Innlegg"},
	"pl": {"Początek", "Koniec", "Wypowiedzi"},
	"pt": {"Início", "Fim", "Intervenções"},
	"ru": {"Начало", "Конец", "Реплики"},
	"sv": {"Start", "Slut", "Inlägg"},
	"tr": {"Başlangıç", "Bitiş", "Söz sayısı"},
	"uk": {"Початок", "Кінець", "Репліки"},
	"zh": {"开始", "结束", "发言次数"},
}

// xlsxWordsOf returns the words of a language; the English ones if it has none.
func xlsxWordsOf(l transcript.Language) xlsxWords {
	if w, ok := xlsxHeads[l]; ok {
		return w
	}
	return xlsxHeads["en"]
}
