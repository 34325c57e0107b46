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
	supported = 300 // thousandths of what a question is about that a sentence must have to be an answer
	answers   = 3   // sentences of an answer, at most
)

// answer answers the prompt with the sentences that have most of what it is about, each with the label of its passage. A
// question that is about nothing in particular, or asks for a summary and the like, is answered with what the talk is about.
// Nothing supports an answer when no sentence has enough of the question.
func (a *author) answer() string {
	if len(a.talk.remarks) == 0 {
		return a.tongue.say("unsupported") + " " + engine.NoSupport
	}
	if who := a.addressed(); who != "" {
		a.talk = a.talk.only(who)
		a.focusOn(without(a.prompt, who))
	}
	if len(a.asked) == 0 {
		return a.inShort()
	}
	near := a.support()
	for i, r := range a.talk.remarks {
		if near[i] < supported {
			near[i] = 0
		}
		if r.asks {
			near[i] /= 3
		}
		near[i] += near[i] * a.closeness(r) / 1000
	}
	picked := a.talk.pick(near, answers)
	if len(picked) == 0 && len(a.orders(transcript.Fold(a.prompt))) > 0 {
		return a.inShort() // "give me three quotes"
	}
	if len(picked) == 0 {
		return a.tongue.say("unsupported") + " " + engine.NoSupport
	}
	best := near[picked[0]]
	picked = slices.DeleteFunc(picked, func(i int) bool { return near[i] < best*3/5 })
	return a.statements(picked)
}

// closeness says how directly a remark speaks of what is asked, in thousandths: up to 200 for how much of it is about that,
// and 100 when it begins with it.
func (a *author) closeness(r remark) (thousandths int) {
	shared := 0
	for _, id := range r.terms {
		if slices.Contains(a.focus, id) {
			shared++
		}
	}
	thousandths = 200 * shared / max(1, len(r.terms))
	for _, w := range r.words {
		if len(w.terms) > 0 {
			if !r.weak && slices.Contains(a.asked, w.terms[0]) {
				thousandths += 100
			}
			break
		}
	}
	return thousandths
}

// support says how much of the question each remark has, in thousandths: what the talk never mentions is part of the
// question too. What is said after a question has some of it: less than a sentence that has it all.
func (a *author) support() []int {
	support := a.relevance()
	known, all := 0, 0
	for _, id := range a.focus {
		known += a.talk.weights[id]
	}
	all = known + (len(a.asked)-len(a.focus))*(8+log2(len(a.talk.remarks)+1, 1))
	for i := range support {
		support[i] = support[i] * known / all
	}
	for i := len(support) - 1; i > 0; i-- {
		before, r := a.talk.remarks[i-1], a.talk.remarks[i]
		if before.asks && !r.asks && before.label == r.label && r.length > 3 {
			support[i] = max(support[i], support[i-1]*11/20)
		}
	}
	return support
}

// inShort says what the talk is about, with the sentences that are worth most.
func (a *author) inShort() string {
	about := ""
	if topics := a.talk.topics(3); len(topics) > 0 {
		about = a.about(topics)
	}
	a.focus = nil
	return paragraphs(about, a.statements(a.best(answers)))
}

// statements writes who says what in which passage; a list when it is more than one.
func (a *author) statements(remarks []int) string {
	var items []string
	for _, i := range remarks {
		r := a.talk.remarks[i]
		text := a.tongue.say("says", "who", escape(r.speaker), "quote", a.quoted(i))
		if citable(r.label) {
			text += a.tongue.gap() + "[" + r.label + "]"
		}
		items = append(items, text)
	}
	if len(items) == 1 {
		return items[0]
	}
	return bullets(items)
}

// citable reports whether a label has the form of one: numbers, and perhaps letters, with dots between them.
func citable(label string) bool {
	return label != "" && !strings.ContainsFunc(label, func(r rune) bool {
		return r != '.' && (r > unicode.MaxASCII || !prose.Sounds(r))
	})
}

// addressed returns the speaker whose whole name the prompt has, the longest such name, or "".
func (a *author) addressed() (name string) {
	for _, who := range a.talk.speakers() {
		if len(who) > len(name) && without(a.prompt, who) != a.prompt {
			name = who
		}
	}
	return name
}

// without removes a name from a text, regardless of case, where it stands as words of its own.
func without(text, name string) string {
	folded, want := transcript.Fold(text), transcript.Fold(name)
	if want == "" || len(folded) != len(text) { // where folding changes lengths, places can't be told
		return text
	}
	for from := 0; ; {
		i := strings.Index(folded[from:], want)
		if i < 0 {
			return text
		}
		i += from
		end := i + len(want)
		if !touches(folded[:i], want) && !touches(want, folded[end:]) {
			return text[:i] + text[end:]
		}
		from = end
	}
}

// touches reports whether two texts that are written side by side make one word of their ends: letters with spaces, or
// digits.
func touches(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return writtenIn(last) == letters && writtenIn(first) == letters
}
