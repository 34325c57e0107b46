package fake

import (
	"cmp"
	"context"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Translator is a stand-in: what it returns is not a translation, but invented sentences of the target language, about as
// many and as long to say as those of the text, questions for questions. Terms of the form [[T0]] and numbers come back
// unchanged and as often, in a sentence that has a place for a name. The same text gives the same
// sentences, whatever it stands among. A real backend translates. It is safe for concurrent use.
type Translator struct{}

var _ engine.Translator = Translator{}

// Translate returns a text of the target language for each text; texts without words, and all texts when both languages are
// the same, come back as they are. CodeInvalid when the target is not a supported language; else its errors are those of ctx.
func (Translator) Translate(ctx context.Context, req engine.TranslateRequest) ([]string, error) {
	if !req.To.Supported() {
		return nil, engine.Errorf(engine.CodeInvalid, "Translate", "There is no language %q to translate to.", req.To)
	}
	if req.From == req.To {
		return slices.Clone(req.Texts), ctx.Err()
	}
	i := interpreter{vocal: vocals()[req.To], from: req.From, to: req.To}
	out := make([]string, len(req.Texts))
	for n, text := range req.Texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[n] = i.translate(text)
	}
	return out, nil
}

// vocal is what can be said in a language.
type vocal struct {
	sentences []saying // without numbers
	carriers  []saying
}

// vocals has what can be said, by language. Nobody changes it.
var vocals = sync.OnceValue(func() map[transcript.Language]vocal {
	all := map[transcript.Language]vocal{}
	for _, l := range transcript.Languages() {
		var v vocal
		whole, carriers, _ := sentences(l) // a test says that there are some in each
		for _, s := range whole {
			if !strings.ContainsFunc(s.text, unicode.IsDigit) {
				v.sentences = append(v.sentences, saying{s, s.asks()})
			}
		}
		for _, s := range carriers {
			v.carriers = append(v.carriers, saying{s, s.asks()})
		}
		all[l] = v
	}
	return all
})

// interpreter turns texts of a language into texts of another one.
type interpreter struct {
	vocal
	from, to transcript.Language
}

// kept is what comes back unchanged: terms, and numbers with what is written inside them.
var kept = regexp.MustCompile(`\[\[T[0-9]+\]\]|\p{Nd}+(?:[.,:/]\p{Nd}+)*`)

// translate says something for each sentence of a text.
func (i interpreter) translate(text string) string {
	if !strings.ContainsFunc(kept.ReplaceAllString(text, ""), unicode.IsLetter) {
		return text
	}
	text = prose.Line(text)
	var said []string
	used := map[string]bool{}
	for _, p := range prose.Cut(text, i.from) {
		said = append(said, i.sentence(text[p.From:p.To], used)...)
	}
	if i.to.Spaced() {
		return strings.Join(said, " ")
	}
	return strings.Join(said, "")
}

// sentence says something for a sentence of the source: a carrier for what is kept in it, and whole sentences for the rest
// of its time.
func (i interpreter) sentence(text string, used map[string]bool) (said []string) {
	keep := kept.FindAllString(text, -1)
	left := newSentence(kept.ReplaceAllString(text, ""), i.from).length
	dice, asks := lot(text), strings.ContainsAny(text, "?？")
	if len(keep) > 0 {
		c := choose(i.carriers, left, asks, dice, used)
		said = append(said, strings.Replace(c.text, slot, i.enumerate(keep), 1))
		left -= c.length
	}
	for len(said) == 0 || left > leastSentence {
		s := choose(i.sentences, left, asks && left < longSentence, dice, used)
		said = append(said, s.text)
		left -= s.length
	}
	if asks && !strings.ContainsAny(strings.Join(said, ""), "?？") { // a long statement has left no time for the question
		said = append(said, choose(i.sentences, leastSentence, true, dice, used).text)
	}
	return said
}

const (
	leastSentence = 1500 // milliseconds: what is shorter is not worth another sentence
	longSentence  = 9000 // milliseconds that hardly any sentence takes
	alternatives  = 6    // sentences of which one is drawn
)

// enumerate lists what is kept, as one name in a sentence.
func (i interpreter) enumerate(keep []string) string {
	if i.to.Spaced() {
		return strings.Join(keep, ", ")
	}
	return strings.Join(keep, "、")
}

// lot is a number that a text always draws.
func lot(text string) uint32 {
	h := fnv.New32a()
	_, _ = io.WriteString(h, text)
	return h.Sum32()
}

// saying is a sentence, and whether it is a question.
type saying struct {
	*sentence
	question bool
}

// strain says how badly a sentence fits so many milliseconds. It is far worse to ask where nobody does, and worst to say
// the same again.
func (s saying) strain(length int, asks bool, used map[string]bool) int {
	n := max(s.length-length, length-s.length)
	if s.question != asks {
		n += 60_000
	}
	if used[s.text] {
		n += 600_000
	}
	return n
}

// choose draws one of the sentences that fit best, of those that fit about as well, and marks it as used.
func choose(from []saying, length int, asks bool, lot uint32, used map[string]bool) *sentence {
	type fit struct {
		saying
		strain int
	}
	near := make([]fit, len(from))
	for i, s := range from {
		near[i] = fit{s, s.strain(length, asks, used)}
	}
	slices.SortStableFunc(near, func(a, b fit) int { return cmp.Compare(a.strain, b.strain) })
	n := 1
	for n < min(alternatives, len(near)) && near[n].strain <= near[0].strain+length/5+200 {
		n++
	}
	s := near[lot%uint32(n)]
	used[s.text] = true
	return s.sentence
}
