package writer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	minCoverage = 300 // least relevance of a sentence in an answer, in thousandths
	maxAnswers  = 3   // most sentences in an answer
)

// answer answers the prompt with the most relevant sentences, each with the label of its passage. A greeting, or a request for content
// such as a summary, is answered with the topics of the transcript. If no sentence is relevant enough, the answer ends with
// engine.NoSupport.
func (a *author) answer() string {
	if len(a.corpus.sentences) == 0 {
		return a.lexicon.say("unsupported") + " " + engine.NoSupport
	}
	if who := a.namedSpeaker(); who != "" {
		a.corpus = a.corpus.onlySpeaker(who)
		a.focusOn(withoutName(a.prompt, who))
	}
	if len(a.asked) == 0 {
		return a.summary()
	}
	near := a.coverage()
	for i, r := range a.corpus.sentences {
		if near[i] < minCoverage {
			near[i] = 0
		}
		if r.question {
			near[i] /= 3
		}
		near[i] += near[i] * a.closeness(r) / 1000
	}
	picked := a.corpus.pick(near, maxAnswers)
	if len(picked) == 0 && len(a.requests(transcript.Fold(a.prompt))) > 0 {
		return a.summary() // "give me three quotes"
	}
	if len(picked) == 0 {
		return a.lexicon.say("unsupported") + " " + engine.NoSupport
	}
	best := near[picked[0]]
	picked = slices.DeleteFunc(picked, func(i int) bool { return near[i] < best*3/5 })
	return a.statements(picked)
}

// closeness returns a bonus for a sentence that is directly about the question, in thousandths: up to 200 for the share of its terms that
// are in the question. A sentence that begins with one gets another 100.
func (a *author) closeness(r sentence) (thousandths int) {
	shared := 0
	for _, id := range r.terms {
		if slices.Contains(a.focus, id) {
			shared++
		}
	}
	thousandths = 200 * shared / max(1, len(r.terms))
	for _, w := range r.words {
		if len(w.terms) > 0 {
			if !r.dependent && slices.Contains(a.asked, w.terms[0]) {
				thousandths += 100
			}
			break
		}
	}
	return thousandths
}

// coverage returns the share of the question that each sentence covers, in thousandths. Terms that never occur in the transcript count as
// part of the question. A sentence after a question gets 55 % of the question's value.
func (a *author) coverage() []int {
	support := a.relevance()
	known, all := 0, 0
	for _, id := range a.focus {
		known += a.corpus.weights[id]
	}
	all = known + (len(a.asked)-len(a.focus))*(8+log2(len(a.corpus.sentences)+1, 1))
	for i := range support {
		support[i] = support[i] * known / all
	}
	for i := len(support) - 1; i > 0; i-- {
		before, r := a.corpus.sentences[i-1], a.corpus.sentences[i]
		if before.question && !r.question && before.label == r.label && r.length > 3 {
			support[i] = max(support[i], support[i-1]*11/20)
		}
	}
	return support
}

// summary returns the topics of the transcript and its most important sentences.
func (a *author) summary() string {
	about := ""
	if topics := a.corpus.topics(3); len(topics) > 0 {
		about = a.about(topics)
	}
	a.focus = nil
	return paragraphs(about, a.statements(a.best(maxAnswers)))
}

// statements formats sentences with speaker and passage, as a list if there are several.
func (a *author) statements(sentences []int) string {
	var items []string
	for _, i := range sentences {
		r := a.corpus.sentences[i]
		text := a.lexicon.say("says", "who", escape(r.speaker), "quote", a.quoted(i))
		if citable(r.label) {
			text += a.lexicon.gap() + "[" + r.label + "]"
		}
		items = append(items, text)
	}
	if len(items) == 1 {
		return items[0]
	}
	return bullets(items)
}

// citable reports whether a label is valid in a citation: ASCII letters, digits, and dots.
func citable(label string) bool {
	return label != "" && !strings.ContainsFunc(label, func(r rune) bool {
		return r != '.' && (r > unicode.MaxASCII || !prose.IsSpoken(r))
	})
}

// namedSpeaker returns the speaker whose full name is in the prompt, or "". If there are several, it returns the longest name.
func (a *author) namedSpeaker() (name string) {
	for _, who := range a.corpus.speakers() {
		if len(who) > len(name) && withoutName(a.prompt, who) != a.prompt {
			name = who
		}
	}
	return name
}

// withoutName removes a name from a text, if it occurs as whole words, in any case.
func withoutName(text, name string) string {
	folded, want := transcript.Fold(text), transcript.Fold(name)
	if want == "" || len(folded) != len(text) { // if folding changes the length, positions don't match
		return text
	}
	for from := 0; ; {
		i := strings.Index(folded[from:], want)
		if i < 0 {
			return text
		}
		i += from
		end := i + len(want)
		if !joinsWord(folded[:i], want) && !joinsWord(want, folded[end:]) {
			return text[:i] + text[end:]
		}
		from = end
	}
}

// joinsWord reports whether the end of a and the start of b would form one word: both are digits, or letters of scripts with spaces.
func joinsWord(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return scriptOf(last) == letters && scriptOf(first) == letters
}
