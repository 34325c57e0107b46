package writer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// expression is a word of a text. In Japanese, it is a run of kanji, katakana, or other letters; in Chinese, the text between two
// function words.
type expression struct {
	text  string
	terms []string // for comparison; none for a stop word
	name  bool     // has a capital letter although it doesn't begin the sentence
	first bool     // begins the sentence
	cued  bool     // is in a typical position of nouns
	verb  bool     // has an ending that is rare in nouns
}

// reader splits texts of one language into words. It caches the analysis of each word, because most words of a transcript are repeated.
type reader struct {
	*lexicon
	cache map[string]entry
}

// entry is the analysis of a word, independent of its position.
type entry struct {
	expressions   []expression
	before, after bool // the word usually comes before, or after, nouns
}

func newReader(language transcript.Language) *reader {
	return &reader{lexiconOf(language), map[string]entry{}}
}

// analyse returns the analysis of a word, from the cache if possible.
func (r *reader) analyse(word string, w script) entry {
	e, ok := r.cache[word]
	if ok {
		return e
	}
	folded := transcript.Fold(word)
	e.before, e.after = r.before[folded], r.after[folded]
	if w == hiragana {
		e.after = particle(word)
	} else {
		e.expressions = r.parseRun(word, w)
	}
	for i := range e.expressions {
		e.expressions[i].verb = w == letters && r.isVerb(transcript.Fold(e.expressions[i].text))
	}
	r.cache[word] = e
	return e
}

// expressions splits a sentence into words.
func (r *reader) expressions(text string) (out []expression) {
	cued := false
	for len(text) > 0 {
		c, n := utf8.DecodeRuneInString(text)
		w := scriptOf(c)
		if w == noScript {
			cued = cued && !unicode.IsPunct(c)
			text = text[n:]
			continue
		}
		word := text[:runOf(text, w)]
		text = text[len(word):]
		known := r.analyse(word, w)
		if last := len(out) - 1; known.after && last >= 0 {
			out[last].cued = true
		}
		for _, e := range known.expressions {
			upper, _ := utf8.DecodeRuneInString(e.text)
			e.first = len(out) == 0
			e.name = unicode.IsUpper(upper) && !e.first
			e.cued = e.cued || cued || e.name
			if r.language == "de" {
				e.cued = e.name // in German, almost only nouns are capitalised
			}
			out = append(out, e)
		}
		cued = known.before
	}
	return out
}

// runOf returns the length of the word that s begins with. A hyphen or an apostrophe between letters is part of the word.
func runOf(s string, w script) int {
	for i, r := range s {
		switch now := scriptOf(r); {
		case now == w, now != noScript && unicode.IsMark(r), w == hangul && now == letters && unicode.IsDigit(r):
		case w == letters && i > 0 && strings.ContainsRune("-'’.", r):
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if scriptOf(next) != letters || r == '.' && !unicode.IsDigit(next) {
				return i
			}
		default:
			return i
		}
	}
	return len(s)
}

// parseRun converts a run of characters to expressions.
func (t *lexicon) parseRun(word string, w script) []expression {
	switch w {
	case hangul:
		bare, noun := t.withoutParticle(word)
		if t.isStopWord(word) || t.isStopWord(bare) {
			return []expression{{text: bare}}
		}
		return []expression{{text: bare, terms: pairs(bare), cued: noun}}
	case han:
		if t.language == "zh" {
			return t.chinese(word)
		}
		if t.isStopWord(word) {
			return []expression{{text: word}}
		}
		return []expression{{text: word, terms: pairs(word)}}
	}
	bare := t.withoutClitic(word)
	if t.isStopWord(word) || t.isStopWord(bare) || w == letters && utf8.RuneCountInString(bare) < 2 && !unicode.IsDigit(rune(bare[0])) {
		return []expression{{text: bare}}
	}
	return []expression{{text: bare, terms: []string{stemOf(bare, stem)}}}
}

// isStopWord reports whether a word is a stop word.
func (t *lexicon) isStopWord(word string) bool {
	folded := transcript.Fold(word)
	return t.stop[folded] || t.stop[strings.ReplaceAll(folded, "’", "'")]
}

// isVerb reports whether a folded word has a suffix or prefix of verbs and other words that aren't nouns.
func (t *lexicon) isVerb(folded string) bool {
	return slices.ContainsFunc(t.verbs, func(v string) bool {
		beginning, ok := strings.CutSuffix(v, "-")
		return ok && strings.HasPrefix(folded, beginning) || strings.HasSuffix(folded, v)
	})
}

// withoutClitic returns a word without the article or ending that an apostrophe joins to it.
func (t *lexicon) withoutClitic(word string) string {
	i := strings.IndexAny(word, "'’")
	if i <= 0 {
		return word
	}
	_, n := utf8.DecodeRuneInString(word[i:])
	switch t.language {
	case "fr", "it":
		if i <= 5 {
			return word[i+n:]
		}
		return word
	case "uk", "ru", "pl":
		return word
	}
	return word[:i]
}

// pairs returns all pairs of adjacent characters, or the text itself if it has one character.
func pairs(s string) (out []string) {
	previous := -1
	for i, r := range s {
		if previous >= 0 {
			out = append(out, s[previous:i+utf8.RuneLen(r)])
		}
		previous = i
	}
	if len(out) == 0 {
		return []string{s}
	}
	return out
}
