package writer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// expression is a word of a text: in Japanese a run of kanji, of katakana or of other letters, in Chinese what stands
// between two words of grammar.
type expression struct {
	text  string
	terms []string // by which it is compared, none for a word that says nothing
	name  bool     // has a capital letter, and not because it begins the sentence
	first bool     // begins the sentence
	cued  bool     // stands where nouns stand
	verb  bool     // ends as nouns hardly ever do
}

// reader cuts texts of one language into words. It remembers each word that it has read: a talk has few that are new.
type reader struct {
	*tongue
	read map[string]entry
}

// entry is what is known of a word wherever it stands.
type entry struct {
	as            []expression
	before, after bool // nouns stand behind it, or before it
}

func newReader(language transcript.Language) *reader {
	return &reader{tongueOf(language), map[string]entry{}}
}

// look returns what is known of a word.
func (r *reader) look(word string, w writtenAs) entry {
	e, ok := r.read[word]
	if ok {
		return e
	}
	folded := transcript.Fold(word)
	e.before, e.after = r.before[folded], r.after[folded]
	if w == hiragana {
		e.after = particle(word)
	} else {
		e.as = r.express(word, w)
	}
	for i := range e.as {
		e.as[i].verb = w == letters && r.isVerb(transcript.Fold(e.as[i].text))
	}
	r.read[word] = e
	return e
}

// expressions cuts a sentence into words.
func (r *reader) expressions(text string) (out []expression) {
	cued := false
	for len(text) > 0 {
		c, n := utf8.DecodeRuneInString(text)
		w := writtenIn(c)
		if w == nothing {
			cued = cued && !unicode.IsPunct(c)
			text = text[n:]
			continue
		}
		word := text[:runOf(text, w)]
		text = text[len(word):]
		known := r.look(word, w)
		if last := len(out) - 1; known.after && last >= 0 {
			out[last].cued = true
		}
		for _, e := range known.as {
			upper, _ := utf8.DecodeRuneInString(e.text)
			e.first = len(out) == 0
			e.name = unicode.IsUpper(upper) && !e.first
			e.cued = e.cued || cued || e.name
			if r.language == "de" {
				e.cued = e.name // German writes all nouns with a capital, and hardly anything else
			}
			out = append(out, e)
		}
		cued = known.before
	}
	return out
}

// runOf returns the length of the word that s begins with: a hyphen or an apostrophe between letters is part of it.
func runOf(s string, w writtenAs) int {
	for i, r := range s {
		switch now := writtenIn(r); {
		case now == w, now != nothing && unicode.IsMark(r), w == hangul && now == letters && unicode.IsDigit(r):
		case w == letters && i > 0 && strings.ContainsRune("-'’.", r):
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if writtenIn(next) != letters || r == '.' && !unicode.IsDigit(next) {
				return i
			}
		default:
			return i
		}
	}
	return len(s)
}

// express makes expressions of one run.
func (t *tongue) express(word string, w writtenAs) []expression {
	switch w {
	case hangul:
		bare, noun := t.withoutParticle(word)
		if t.idle(word) || t.idle(bare) {
			return []expression{{text: bare}}
		}
		return []expression{{text: bare, terms: pairs(bare), cued: noun}}
	case han:
		if t.language == "zh" {
			return t.chinese(word)
		}
		if t.idle(word) {
			return []expression{{text: word}}
		}
		return []expression{{text: word, terms: pairs(word)}}
	}
	bare := t.bare(word)
	if t.idle(word) || t.idle(bare) || w == letters && utf8.RuneCountInString(bare) < 2 && !unicode.IsDigit(rune(bare[0])) {
		return []expression{{text: bare}}
	}
	return []expression{{text: bare, terms: []string{stemOf(bare, stem)}}}
}

// idle reports whether a word says nothing of what a text is about.
func (t *tongue) idle(word string) bool {
	folded := transcript.Fold(word)
	return t.stop[folded] || t.stop[strings.ReplaceAll(folded, "’", "'")]
}

// isVerb reports whether a folded word has an ending, or a beginning, of verbs and of other words that are no nouns.
func (t *tongue) isVerb(folded string) bool {
	return slices.ContainsFunc(t.verbs, func(v string) bool {
		beginning, ok := strings.CutSuffix(v, "-")
		return ok && strings.HasPrefix(folded, beginning) || strings.HasSuffix(folded, v)
	})
}

// bare returns a word without what an apostrophe joins to it: an article before it, an ending behind it.
func (t *tongue) bare(word string) string {
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

// pairs returns each two characters that stand beside each other, or the only one.
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
