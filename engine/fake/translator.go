package fake

import (
	"cmp"
	"context"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Translator returns invented sentences in the target language instead of translations. They take about as long to speak as the text,
// and questions become questions. Terms of the form [[T0]] and numbers are preserved, each as often as in the text. The same text always
// gives the same sentences, independently of the other texts. Translator is safe for concurrent use.
type Translator struct{}

var _ engine.Translator = Translator{}

// Translate returns a text in the target language for each text. Texts without words are unchanged, and so are all texts if both
// languages are the same. It returns CodeInvalid if the target language is not supported, and the errors of ctx.
func (Translator) Translate(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
	if !req.To.Supported() {
		return nil, engine.Errorf(engine.CodeInvalid, "Translate", "The language %q is not supported.", req.To)
	}
	if req.From == req.To {
		return slices.Clone(req.Texts), ctx.Err()
	}
	i := sentenceTranslator{sentenceSet: sentenceSets()[req.To], from: req.From, to: req.To}
	out := make([]string, len(req.Texts))
	for n, text := range req.Texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[n] = i.translate(text)
	}
	return out, nil
}

// sentenceSet holds the sentences of a language.
type sentenceSet struct {
	sentences []candidate // only those without numbers
	carriers  []candidate
}

// sentenceSets returns the sentences of every language. Callers must not change them.
var sentenceSets = sync.OnceValue(func() map[transcript.Language]sentenceSet {
	all := map[transcript.Language]sentenceSet{}
	for _, l := range transcript.Languages() {
		var v sentenceSet
		whole, carriers, _ := sentences(l) // never fails: a test checks that every language has a file
		for _, s := range whole {
			if !strings.ContainsFunc(s.text, unicode.IsDigit) {
				v.sentences = append(v.sentences, candidate{s, s.isQuestion})
			}
		}
		for _, s := range carriers {
			v.carriers = append(v.carriers, candidate{s, s.isQuestion})
		}
		all[l] = v
	}
	return all
})

// sentenceTranslator translates from one language to another.
type sentenceTranslator struct {
	sentenceSet
	from, to transcript.Language
}

// preserved matches what is preserved: terms, and numbers with their separators.
var preserved = lazyregexp.New(`\[\[T[0-9]+\]\]|\p{Nd}+(?:[.,:/]\p{Nd}+)*`)

// translate returns sentences for each sentence of a text.
func (i sentenceTranslator) translate(text string) string {
	if !strings.ContainsFunc(preserved.ReplaceAllString(text, ""), unicode.IsLetter) {
		return text
	}
	text = prose.Line(text)
	var said []string
	used := map[string]bool{}
	for _, p := range prose.Sentences(text, i.from) {
		said = append(said, i.sentence(text[p.From:p.To], used)...)
	}
	if i.to.Spaced() {
		return strings.Join(said, " ")
	}
	return strings.Join(said, "")
}

// sentence returns sentences for a sentence of the source: a carrier with the preserved terms and numbers, and whole sentences for the
// remaining time.
func (i sentenceTranslator) sentence(text string, used map[string]bool) (said []string) {
	keep := preserved.FindAllString(text, -1)
	left := newSentence(preserved.ReplaceAllString(text, ""), i.from).length
	dice, asks := textHash(text), strings.ContainsAny(text, "?？")
	if len(keep) > 0 {
		c := choose(i.carriers, left, asks, dice, used)
		said = append(said, strings.Replace(c.text, placeholder, i.enumerate(keep), 1))
		left -= c.length
	}
	for len(said) == 0 || left > minSentence {
		s := choose(i.sentences, left, asks && left < longSentence, dice, used)
		said = append(said, s.text)
		left -= s.length
	}
	if asks && !strings.ContainsAny(strings.Join(said, ""), "?？") { // no time was left for the question
		said = append(said, choose(i.sentences, minSentence, true, dice, used).text)
	}
	return said
}

const (
	minSentence  = 1500 // milliseconds: less remaining time gets no further sentence
	longSentence = 9000 // milliseconds: hardly any sentence is longer
	alternatives = 6    // number of best-fitting sentences to choose from
)

// enumerate joins the preserved terms and numbers for the slot of a carrier.
func (i sentenceTranslator) enumerate(keep []string) string {
	if i.to.Spaced() {
		return strings.Join(keep, ", ")
	}
	return strings.Join(keep, "、")
}

// textHash returns a hash of a text, which makes the choice of sentences deterministic.
func textHash(text string) uint32 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, text)
	return h.Sum32()
}

// candidate is a sentence, and whether it is a question.
type candidate struct {
	*sentence
	question bool
}

// misfit returns how badly a sentence fits length milliseconds. A question instead of a statement, or the reverse, is far worse, and a
// repeated sentence is worst.
func (s candidate) misfit(length int, asks bool, used map[string]bool) int {
	n := max(s.length-length, length-s.length)
	if s.question != asks {
		n += 60_000
	}
	if used[s.text] {
		n += 600_000
	}
	return n
}

// choose returns one of the best-fitting sentences, selected by hash, and marks it as used.
func choose(from []candidate, length int, asks bool, hash uint32, used map[string]bool) *sentence {
	type fit struct {
		candidate
		strain int
	}
	near := make([]fit, len(from))
	for i, s := range from {
		near[i] = fit{s, s.misfit(length, asks, used)}
	}
	slices.SortStableFunc(near, func(a, b fit) int { return cmp.Compare(a.strain, b.strain) })
	n := 1
	for n < min(alternatives, len(near)) && near[n].strain <= near[0].strain+length/5+200 {
		n++
	}
	s := near[hash%uint32(n)]
	used[s.text] = true
	return s.sentence
}
