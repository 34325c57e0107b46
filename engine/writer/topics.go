package writer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// topic is what a talk deals with: a word or two of it.
type topic struct {
	name    string // as it is written in the talk
	remarks []int  // that have it, ascending
	score   int
	forms   map[string]int // how often it is written how
	order   int            // of its first use
	pair    bool           // two words
}

// topics returns at most n topics of the talk, the most important first: words that occur where nouns stand, by how often,
// and pairs of words that occur more than once.
func (t *talk) topics(n int) []topic {
	found := t.candidates()
	slices.SortStableFunc(found, func(a, b *topic) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.order, b.order))
	})
	var out []topic
	for _, c := range found {
		if len(out) == n {
			break
		}
		c.name = nameOf(c)
		c.remarks = t.having(c)
		if !slices.ContainsFunc(out, func(o topic) bool { return overlaps(o, *c) }) {
			out = append(out, *c)
		}
	}
	return out
}

// candidates counts what could be a topic.
func (t *talk) candidates() (found []*topic) {
	byKey := map[string]*topic{}
	count := func(key, text string, remark, score int) *topic {
		c := byKey[key]
		if c == nil {
			c = &topic{forms: map[string]int{}, order: len(found)}
			byKey[key] = c
			found = append(found, c)
		}
		c.forms[text]++
		c.score += score
		if len(c.remarks) == 0 || c.remarks[len(c.remarks)-1] != remark {
			c.remarks = append(c.remarks, remark)
		}
		return c
	}
	for i, r := range t.remarks {
		if r.again {
			continue
		}
		for j, w := range r.words {
			if !w.sayable() || t.language == "de" && !w.cued {
				continue
			}
			score := 1
			if w.cued {
				score = 4
			}
			count(w.key(), w.form(t.language), i, score)
			if j > 0 && t.pairs(r, j) {
				text := r.words[j-1].form(t.language) + " " + w.text
				count(r.words[j-1].key()+" "+w.key(), text, i, 8).pair = true
			}
		}
	}
	return slices.DeleteFunc(found, func(c *topic) bool { return c.pair && len(c.remarks) < 2 })
}

// pairs reports whether the j-th word of a remark and the one before it stand side by side.
func (t *talk) pairs(r remark, j int) bool {
	a, b := r.words[j-1], r.words[j]
	nouns := a.cued && (b.cued || t.language != "de")
	return t.language.Spaced() && nouns && a.sayable() && strings.Contains(r.text, a.text+" "+b.text)
}

// sayable reports whether a word is one that a topic can be called by.
func (e expression) sayable() bool {
	if len(e.terms) == 0 || e.verb && !e.name || strings.ContainsFunc(e.text, unicode.IsDigit) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(e.text)
	n := utf8.RuneCountInString(e.text)
	if w := writtenIn(r); w == letters && !e.name {
		return n >= 4 || unicode.Is(unicode.Devanagari, r) && n >= 3
	}
	return n >= 2
}

// key is by what forms of a word are one topic. Cyrillic words have longer stems.
func (e expression) key() string {
	if r, _ := utf8.DecodeRuneInString(e.text); unicode.Is(unicode.Cyrillic, r) {
		return stemOf(e.text, stem+1)
	}
	return strings.Join(e.terms, " ")
}

// form is how a word is written when it doesn't begin a sentence.
func (e expression) form(language transcript.Language) string {
	if e.first && language != "de" {
		return strings.ToLower(e.text)
	}
	return e.text
}

// nameOf returns the most frequent form of a topic; of those that are as frequent the shortest, which is inflected least.
func nameOf(c *topic) string {
	var forms []string
	for f := range c.forms {
		forms = append(forms, f)
	}
	slices.SortFunc(forms, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.forms[b], c.forms[a]), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return forms[0]
}

// having returns the remarks that have a topic in the form of its name.
func (t *talk) having(c *topic) (remarks []int) {
	for _, i := range c.remarks {
		if strings.Contains(transcript.Fold(t.remarks[i].text), transcript.Fold(c.name)) {
			remarks = append(remarks, i)
		}
	}
	return remarks
}

// overlaps reports whether one of two topics' names is a word of the other's.
func overlaps(a, b topic) bool {
	x, y := " "+transcript.Fold(a.name)+" ", " "+transcript.Fold(b.name)+" "
	return strings.Contains(x, y) || strings.Contains(y, x)
}

// names returns what topics are called.
func names(topics []topic) (out []string) {
	for _, t := range topics {
		out = append(out, escape(t.name))
	}
	return out
}
