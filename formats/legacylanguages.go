package formats

import (
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// legacyLanguage is a language in an encoding that was common before UTF-8.
type legacyLanguage struct {
	name     string // of the encoding
	encoding encoding.Encoding
	frequent string // the language's most frequent characters beyond ASCII, most frequent first
	// script has the other characters of a language with thousands of them.
	script []*unicode.RangeTable
}

const russian = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"

const japaneseKana = "のいにたとはしをがてるでなかっりれらもすこさあくよまきそけうんだみせつめえどろわちおねやげばごずンスーイルトリラクアシ"

var (
	hanOnly    = []*unicode.RangeTable{unicode.Han}
	hanAndKana = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}
)

// legacyLanguages are the languages that decodeLegacy knows. Where two encodings give the same text, the first one counts.
var legacyLanguages = []legacyLanguage{
	{"windows-1252", charmap.Windows1252, "éàèêçôîâûùïœëü", nil},                    // French
	{"windows-1252", charmap.Windows1252, "üäöß", nil},                              // German
	{"windows-1252", charmap.Windows1252, "óíáéñúü", nil},                           // Spanish
	{"windows-1252", charmap.Windows1252, "ãçáéíóõêâúàô", nil},                      // Portuguese
	{"windows-1252", charmap.Windows1252, "èàùòéì", nil},                            // Italian
	{"windows-1252", charmap.Windows1252, "äåöé", nil},                              // Swedish
	{"windows-1252", charmap.Windows1252, "åøæéòôó", nil},                           // Norwegian, Danish
	{"windows-1252", charmap.Windows1252, "ëéïóèöüê", nil},                          // Dutch, English
	{"windows-1254", charmap.Windows1254, "ıüşçğöâîû", nil},                         // Turkish
	{"windows-1250", charmap.Windows1250, "łąęóżśćńź", nil},                         // Polish
	{"windows-1250", charmap.Windows1250, "íáéěřčžýšůúťďňó", nil},                   // Czech
	{"windows-1250", charmap.Windows1250, "áéöóőíüúű", nil},                         // Hungarian
	{"windows-1250", charmap.Windows1250, "čšžćđ", nil},                             // Croatian, Slovenian
	{"windows-1250", charmap.Windows1250, "ăîşţâ", nil},                             // Romanian
	{"windows-1251", charmap.Windows1251, russian, nil},                             // Russian
	{"windows-1251", charmap.Windows1251, "оаниівтерсклудмпзьбгяйчхцжїюєшщфґ", nil}, // Ukrainian
	{"KOI8-R", charmap.KOI8R, russian, nil},
	{"windows-1253", charmap.Windows1253, "αοιετσνηυρπκμλςωδγχθφβξζψίάόέήύώϊ", nil},   // Greek
	{"windows-1255", charmap.Windows1255, "יוהלארתבמשנעםדקחפטכגצסןזץךף", nil},         // Hebrew
	{"windows-1256", charmap.Windows1256, "اليمنتروبدعسفهكحقجةشصخطذضزثغىأإءئآؤ", nil}, // Arabic
	{"Shift_JIS", japanese.ShiftJIS, japaneseKana, hanAndKana},
	{"EUC-JP", japanese.EUCJP, japaneseKana, hanAndKana},
	{"GB18030", simplifiedchinese.GB18030, "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里没什么好都去", hanOnly},
	{"EUC-KR", korean.EUCKR, "이다는에의하고을가로지한은서기자도인를사나리어라시그게해대아일들니정스부전수제있보", []*unicode.RangeTable{unicode.Hangul, unicode.Han}},
}
