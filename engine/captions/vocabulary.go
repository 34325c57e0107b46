package captions

import (
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// vocabulary has the words that show where the phrases of a language begin and end, and which words belong together.
type vocabulary struct {
	roles           map[string]role // by word in lower case
	nounsAreCapital bool            // nouns are capitalised, so capitals don't indicate names
	capitalsName    bool            // this text has capitals only where its language asks for them
	ordinalDots     bool            // "3." is an ordinal number
	elides          bool            // articles and prepositions lose a vowel before the next word: jusqu'au
	spaced          bool            // words have spaces between them
	language        transcript.Language
	stranded        bool                // prepositions may end a clause, as adverbs: "to give up and go"
	between         string              // words between two numbers of a range: "10 to 15"
	pairs           map[string][]string // words that stay together, by the first
	korean          bool                // particles are written together with nouns
}

// role is a set of the roles that a word can have.
type role uint32

const (
	roleJoining role = 1 << iota
	roleBound
	roleSubject
	roleTrailing
	roleTitle
	roleUnit
	roleScale
	roleNumeral
	roleLabel
	roleMonth
	roleLink
	roleParticle
	roleCurrency
	roleLoose
)

const (
	nameParticles = "van von vom der de den ter ten te zu zum zur af av bin ibn bint ben al el da dal dalla degli di del della dei la las le les los lo dos das do du des t s san " +
		"фон ван дер де ла ле ибн бин бен аль эль да ді ібн"
	strandedWords = " of in on at to for with by about into after before on op met voor door bij naar av på til med for om til från för till "
	currencies    = "$ € £ ¥ ₹ ₽ ₴ ₺ ₩ us$ r$ a$ c$ kr rs rs. rp usd eur gbp chf jpy inr rub uah try krw cny rmb pln sek nok dkk idr brl mxn"
)

// rangeWords stand between the two numbers of a range.
var rangeWords = map[transcript.Language]string{
	"en": " to or ", "de": " bis oder ", "es": " a o y ", "fr": " à ou et ", "hi": " से या ", "id": " sampai hingga atau ",
	"it": " a o e ", "ko": " 내지 에서 ", "nl": " tot of à ", "no": " til eller ", "pl": " do lub ", "pt": " a ou e ",
	"ru": " до или ", "sv": " till eller ", "tr": " ila veya ", "uk": " до або чи ",
}

// vocabularies has the vocabularies that were needed so far, of known languages. Building one takes longer than breaking a minute of speech.
var vocabularies sync.Map // *vocabulary by transcript.Language

// vocabularyOf returns the vocabulary of a language, for one text. Unknown languages have only what is international.
func vocabularyOf(language transcript.Language) *vocabulary {
	shared, ok := vocabularies.Load(language)
	if !ok {
		shared = newVocabulary(language)
		if language.Supported() {
			shared, _ = vocabularies.LoadOrStore(language, shared)
		}
	}
	p := *shared.(*vocabulary) // capitalsName is the text's own
	return &p
}

func newVocabulary(language transcript.Language) *vocabulary {
	p := &vocabulary{language: language, roles: map[string]role{}, nounsAreCapital: language == "de", capitalsName: true, spaced: language.Spaced()}
	p.stranded, p.korean = strings.Contains(" en de nl no sv ", " "+string(language)+" "), language == "ko"
	p.ordinalDots = strings.Contains(" de no pl tr uk ", " "+string(language)+" ")
	p.elides = language == "fr" || language == "it"
	p.between = rangeWords[language]
	p.pairs = pairsOf(language)
	for _, row := range smallWords {
		if row.language == language {
			p.add(roleJoining, row.joining)
			p.add(roleBound, row.bound)
			p.add(roleLoose, row.loose)
			p.add(roleSubject, row.subjects)
			p.add(roleTrailing, row.trailing)
		}
	}
	for _, row := range bondWords {
		if row.language == language || row.language == "" {
			p.add(roleTitle, row.titles)
			p.add(roleUnit, row.units)
			p.add(roleScale, row.scales)
			p.add(roleNumeral, row.numerals)
			p.add(roleLabel, row.labels)
			p.add(roleMonth, row.months)
			p.add(roleLink, row.links)
		}
	}
	p.add(roleParticle, nameParticles)
	p.add(roleCurrency, currencies)
	return p
}

func (p *vocabulary) add(r role, words string) {
	for w := range strings.FieldsSeq(words) {
		p.roles[w] |= r
	}
}

// roleOf returns the roles of a word in lower case, with or without a full stop at its end.
func (p *vocabulary) roleOf(word string) role {
	if strings.Contains(word, "’") {
		word = strings.ReplaceAll(word, "’", "'")
	}
	return p.roles[word] | p.roles[strings.TrimRight(word, ".")]
}
