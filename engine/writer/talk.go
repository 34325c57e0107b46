package writer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// talk is what is said in some passages.
type talk struct {
	language   transcript.Language // of the first passage, or the default
	languages  []transcript.Language
	title      string                 // of the first passage
	said       []transcript.Utterance // each once, those without words left out
	remarks    []remark
	vocabulary map[string]int // numbers of terms, in order of their first use
	uses       []int          // different remarks that have a term, by its number
	weights    []int          // of terms, by their number: the rarer, the more
}

// newTalk reads passages. Passages may overlap: an utterance counts once, for the first passage that it is in.
func newTalk(passages []transcript.Passage) *talk {
	t := &talk{language: transcript.DefaultLanguage, vocabulary: map[string]int{}}
	type key struct {
		recording, speaker, text string
		start                    time.Duration
	}
	seen := map[key]bool{}
	readers := map[transcript.Language]*reader{}
	for i, p := range passages {
		language := p.Language
		if !language.Supported() {
			language = transcript.DefaultLanguage
		}
		if i == 0 {
			t.language, t.title = language, prose.Line(p.Title)
		}
		if !slices.Contains(t.languages, language) {
			t.languages = append(t.languages, language)
			readers[language] = newReader(language)
		}
		recording, _, _ := strings.Cut(p.Label, ".")
		for _, u := range p.Utterances {
			k := key{recording + "\x00" + p.Title, u.Speaker, u.Text, u.Start}
			if !seen[k] {
				seen[k] = true
				t.listen(u, p.Label, readers[language])
			}
		}
	}
	t.markRepeats()
	t.weigh()
	return t
}

// number returns the number of a term, and gives it one when it is new.
func (t *talk) number(term string) int {
	id, ok := t.vocabulary[term]
	if !ok {
		id = len(t.vocabulary)
		t.vocabulary[term] = id
	}
	return id
}

// markRepeats finds remarks that were made before.
func (t *talk) markRepeats() {
	seen := map[string]bool{}
	for i := range t.remarks {
		r := &t.remarks[i]
		r.again = seen[r.text]
		seen[r.text] = true
	}
}

// weigh gives terms their weights: 16·log₂ of how many remarks there are for each that has the term, and a little.
func (t *talk) weigh() {
	t.uses, t.weights = make([]int, len(t.vocabulary)), make([]int, len(t.vocabulary))
	for _, r := range t.remarks {
		if r.again {
			continue
		}
		for _, id := range r.terms {
			t.uses[id]++
		}
	}
	for id, n := range t.uses {
		t.weights[id] = 8 + log2(len(t.remarks)+1, max(n, 1))
	}
}

// terms returns what a prompt or a question is about, in order, each once: the terms of its words under each language
// of the talk and the prompt's own, but for words that say nothing in one of them or in English.
func (t *talk) terms(text string, own transcript.Language) (out []string) {
	all := append([]transcript.Language{own, transcript.DefaultLanguage}, t.languages...)
	idle := func(w expression) bool {
		for _, l := range all {
			folded := transcript.Fold(w.text)
			if tongue := tongueOf(l); tongue.filler[folded] || tongue.idle(w.text) {
				return true
			}
		}
		return false
	}
	for _, l := range append([]transcript.Language{own}, t.languages...) {
		for _, w := range newReader(l).expressions(text) {
			if idle(w) {
				continue
			}
			for _, term := range w.terms {
				if !slices.Contains(out, term) {
					out = append(out, term)
				}
			}
		}
	}
	return out
}

// length is how long the talk is, from its first to its last sound.
func (t *talk) length() time.Duration {
	if len(t.said) == 0 {
		return 0
	}
	first, last := t.said[0].Start, t.said[0].End
	for _, u := range t.said {
		first, last = min(first, u.Start), max(last, u.End)
	}
	return last - first
}

// speakers returns who speaks, whoever speaks longest first.
func (t *talk) speakers() []string {
	var names []string
	spoken := map[string]time.Duration{}
	for _, u := range t.said {
		if _, ok := spoken[u.Speaker]; !ok {
			names = append(names, u.Speaker)
		}
		spoken[u.Speaker] += u.End - u.Start
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(spoken[b], spoken[a]) })
	return names
}

// only is the part of the talk that is one speaker's.
func (t *talk) only(speaker string) *talk {
	kept := &talk{language: t.language, languages: t.languages, title: t.title, vocabulary: t.vocabulary}
	last := -1
	for _, r := range t.remarks {
		if transcript.Fold(r.speaker) != transcript.Fold(speaker) {
			continue
		}
		if r.said != last {
			last = r.said
			kept.said = append(kept.said, t.said[r.said])
		}
		r.said = len(kept.said) - 1
		kept.remarks = append(kept.remarks, r)
	}
	kept.markRepeats()
	kept.weigh()
	return kept
}
