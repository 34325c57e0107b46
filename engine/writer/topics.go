package writer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// topic is a topic of the transcript: one or two of its words.
type topic struct {
	name      string // as in the transcript
	sentences []int  // indexes of the sentences that contain it, sorted
	score     int
	forms     map[string]int // number of uses of each form
	order     int            // rank of its first use
	pair      bool           // whether it has two words
}

// topics returns at most n topics, the most important first: frequent words in typical positions of nouns, and pairs of words that occur
// more than once.
func (t *corpus) topics(n int) []topic {
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
		c.sentences = t.sentencesWith(c)
		if !slices.ContainsFunc(out, func(o topic) bool { return overlaps(o, *c) }) {
			out = append(out, *c)
		}
	}
	return out
}

// candidates counts the words and pairs of words that could be topics.
func (t *corpus) candidates() (found []*topic) {
	byKey := map[string]*topic{}
	count := func(key, text string, index, score int) *topic {
		c := byKey[key]
		if c == nil {
			c = &topic{forms: map[string]int{}, order: len(found)}
			byKey[key] = c
			found = append(found, c)
		}
		c.forms[text]++
		c.score += score
		if len(c.sentences) == 0 || c.sentences[len(c.sentences)-1] != index {
			c.sentences = append(c.sentences, index)
		}
		return c
	}
	for i, r := range t.sentences {
		if r.repeated {
			continue
		}
		for j, w := range r.words {
			if !w.canNameTopic() || t.language == "de" && !w.cued {
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
	return slices.DeleteFunc(found, func(c *topic) bool { return c.pair && len(c.sentences) < 2 })
}

// pairs reports whether the j-th word of a sentence and the one before it are adjacent and could be a topic together.
func (t *corpus) pairs(r sentence, j int) bool {
	a, b := r.words[j-1], r.words[j]
	nouns := a.cued && (b.cued || t.language != "de")
	return t.language.Spaced() && nouns && a.canNameTopic() && strings.Contains(r.text, a.text+" "+b.text)
}

// canNameTopic reports whether a word can name a topic.
func (e expression) canNameTopic() bool {
	if len(e.terms) == 0 || e.verb && !e.name || strings.ContainsFunc(e.text, unicode.IsDigit) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(e.text)
	n := utf8.RuneCountInString(e.text)
	if w := scriptOf(r); w == letters && !e.name {
		return n >= 4 || unicode.Is(unicode.Devanagari, r) && n >= 3
	}
	return n >= 2
}

// key returns the key that the forms of a word share. Cyrillic words have longer stems.
func (e expression) key() string {
	if r, _ := utf8.DecodeRuneInString(e.text); unicode.Is(unicode.Cyrillic, r) {
		return stemOf(e.text, stem+1)
	}
	return strings.Join(e.terms, " ")
}

// form returns a word as it is written inside a sentence.
func (e expression) form(language transcript.Language) string {
	if e.first && language != "de" {
		return strings.ToLower(e.text)
	}
	return e.text
}

// nameOf returns the most frequent form of a topic. Among equally frequent forms, it returns the shortest, which is the least inflected.
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

// sentencesWith returns the sentences that contain the name of a topic.
func (t *corpus) sentencesWith(c *topic) (sentences []int) {
	for _, i := range c.sentences {
		if strings.Contains(transcript.Fold(t.sentences[i].text), transcript.Fold(c.name)) {
			sentences = append(sentences, i)
		}
	}
	return sentences
}

// overlaps reports whether the name of one topic contains the other's as a word.
func overlaps(a, b topic) bool {
	x, y := " "+transcript.Fold(a.name)+" ", " "+transcript.Fold(b.name)+" "
	return strings.Contains(x, y) || strings.Contains(y, x)
}

// names returns the escaped names of topics.
func names(topics []topic) (out []string) {
	for _, t := range topics {
		out = append(out, escape(t.name))
	}
	return out
}
