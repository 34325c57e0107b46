package formats

import "github.com/soundstage-dev/soundstage/engine/transcript"

// documentWords are the words that documents need in a language.
type documentWords struct {
	transcript, summary, chapters string
	speaker, speakers             string // one, and the heading of several
	date, source, duration        string
	speaking                      string // how long somebody speaks
	search                        string // what the box for it is called
}

// wordsOf has the words of the 18 languages.
var wordsOf = map[transcript.Language]documentWords{
	"en": {"Transcript", "Summary", "Chapters", "Speaker", "Speakers", "Date", "Source", "Duration", "Speaking time", "Search"},
	"de": {"Transkript", "Zusammenfassung", "Kapitel", "Sprecher", "Sprecher", "Datum", "Quelle", "Dauer", "Redezeit", "Suchen"},
	"es": {"Transcripción", "Resumen", "Capítulos", "Hablante", "Hablantes", "Fecha", "Fuente", "Duración", "Tiempo de palabra", "Buscar"},
	"fr": {"Transcription", "Résumé", "Chapitres", "Intervenant", "Intervenants", "Date", "Source", "Durée", "Temps de parole", "Rechercher"},
	"hi": {"प्रतिलेख", "सारांश", "अध्याय", "वक्ता", "वक्ता", "दिनांक", "स्रोत", "अवधि", "बोलने का समय", "खोजें"},
	"id": {"Transkrip", "Ringkasan", "Bab", "Pembicara", "Pembicara", "Tanggal", "Sumber", "Durasi", "Waktu bicara", "Cari"},
	"it": {"Trascrizione", "Riassunto", "Capitoli", "Interlocutore", "Interlocutori", "Data", "Fonte", "Durata", "Tempo di parola", "Cerca"},
	"ja": {"文字起こし", "要約", "チャプター", "話者", "話者", "日付", "ソース", "長さ", "発言時間", "検索"},
	"ko": {"녹취록", "요약", "챕터", "화자", "화자", "날짜", "출처", "길이", "발언 시간", "검색"},
	"nl": {"Transcript", "Samenvatting", "Hoofdstukken", "Spreker", "Sprekers", "Datum", "Bron", "Duur", "Spreektijd", "Zoeken"},
	"no": {"Transkripsjon", "Sammendrag", "Kapitler", "Taler", "Talere", "Dato", "Kilde", "Varighet", "Taletid", "Søk"},
	"pl": {"Transkrypcja", "Podsumowanie", "Rozdziały", "Mówca", "Mówcy", "Data", "Źródło", "Czas trwania", "Czas wypowiedzi", "Szukaj"},
	"pt": {"Transcrição", "Resumo", "Capítulos", "Orador", "Oradores", "Data", "Fonte", "Duração", "Tempo de fala", "Pesquisar"},
	"ru": {"Расшифровка", "Краткое содержание", "Главы", "Спикер", "Спикеры", "Дата", "Источник", "Длительность", "Время речи", "Поиск"},
	"sv": {"Transkription", "Sammanfattning", "Kapitel", "Talare", "Talare", "Datum", "Källa", "Längd", "Taltid", "Sök"},
	"tr": {"Döküm", "Özet", "Bölümler", "Konuşmacı", "Konuşmacılar", "Tarih", "Kaynak", "Süre", "Konuşma süresi", "Ara"},
	"uk": {"Розшифровка", "Короткий зміст", "Розділи", "Спікер", "Спікери", "Дата", "Джерело", "Тривалість", "Час мовлення", "Пошук"},
	"zh": {"文字记录", "摘要", "章节", "发言人", "发言人", "日期", "来源", "时长", "发言时长", "搜索"},
}

// documentWordsOf returns the words of a language; the English ones if it has none.
func documentWordsOf(l transcript.Language) documentWords {
	if w, ok := wordsOf[l]; ok {
		return w
	}
	return wordsOf["en"]
}
