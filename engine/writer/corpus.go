package writer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/prose"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// corpus is the parsed text of passages, with the weights of its terms.
type corpus struct {
	language   transcript.Language // of the first passage, or the default
	languages  []transcript.Language
	title      string                 // of the first passage
	utterances []transcript.Utterance // without duplicates and empty ones
	sentences  []sentence
	vocabulary map[string]int // numbers of terms, in order of their first use
	uses       []int          // by term number: how many different sentences contain the term
	weights    []int          // by term number: rare terms have higher weights
}

// newCorpus parses passages. If passages overlap, an utterance belongs to the first one that contains it.
func newCorpus(passages []transcript.Passage) *corpus {
	t := &corpus{language: transcript.DefaultLanguage, vocabulary: map[string]int{}}
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
				t.addUtterance(u, p.Label, readers[language])
			}
		}
	}
	t.markRepeats()
	t.weigh()
	return t
}

// termNumber returns the number of a term, and assigns one to a new term.
func (t *corpus) termNumber(term string) int {
	id, ok := t.vocabulary[term]
	if !ok {
		id = len(t.vocabulary)
		t.vocabulary[term] = id
	}
	return id
}

// markRepeats marks sentences whose text occurred before.
func (t *corpus) markRepeats() {
	seen := map[string]bool{}
	for i := range t.sentences {
		r := &t.sentences[i]
		r.repeated = seen[r.text]
		seen[r.text] = true
	}
}

// weigh computes the weights of terms: 8 + 16·log₂((sentences+1)/uses), an inverse document frequency.
func (t *corpus) weigh() {
	t.uses, t.weights = make([]int, len(t.vocabulary)), make([]int, len(t.vocabulary))
	for _, r := range t.sentences {
		if r.repeated {
			continue
		}
		for _, id := range r.terms {
			t.uses[id]++
		}
	}
	for id, n := range t.uses {
		t.weights[id] = 8 + log2(len(t.sentences)+1, max(n, 1))
	}
}

// terms returns the terms of a prompt or a question in order, without duplicates. It splits the text in the language own and in each
// language of the transcript. Words that are stop words or filler in one of these languages or in English are left out.
func (t *corpus) terms(text string, own transcript.Language) (out []string) {
	all := append([]transcript.Language{own, transcript.DefaultLanguage}, t.languages...)
	idle := func(w expression) bool {
		for _, l := range all {
			folded := transcript.Fold(w.text)
			if lex := lexiconOf(l); lex.filler[folded] || lex.isStopWord(w.text) {
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

// length returns the time from the start of the first utterance to the end of the last one.
func (t *corpus) length() time.Duration {
	if len(t.utterances) == 0 {
		return 0
	}
	first, last := t.utterances[0].Start, t.utterances[0].End
	for _, u := range t.utterances {
		first, last = min(first, u.Start), max(last, u.End)
	}
	return last - first
}

// speakers returns the names of the speakers, sorted by speaking time, longest first.
func (t *corpus) speakers() []string {
	var names []string
	spoken := map[string]time.Duration{}
	for _, u := range t.utterances {
		if _, ok := spoken[u.Speaker]; !ok {
			names = append(names, u.Speaker)
		}
		spoken[u.Speaker] += u.End - u.Start
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(spoken[b], spoken[a]) })
	return names
}

// onlySpeaker returns the part of one speaker.
func (t *corpus) onlySpeaker(speaker string) *corpus {
	kept := &corpus{language: t.language, languages: t.languages, title: t.title, vocabulary: t.vocabulary}
	last := -1
	for _, r := range t.sentences {
		if transcript.Fold(r.speaker) != transcript.Fold(speaker) {
			continue
		}
		if r.utterance != last {
			last = r.utterance
			kept.utterances = append(kept.utterances, t.utterances[r.utterance])
		}
		r.utterance = len(kept.utterances) - 1
		kept.sentences = append(kept.sentences, r)
	}
	kept.markRepeats()
	kept.weigh()
	return kept
}
