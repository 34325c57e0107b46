package search

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A passage is a window of whole utterances, which overlaps the next one by an utterance, so that a question and its answer
// stand together in one of them.
const (
	passageMin = 300 // tokens from which on a window ends
	passageMax = 500 // tokens that a window has at most, unless it is a single utterance
)

// Grounding is a recording that a text is grounded in.
type Grounding struct {
	Title      string // of the recording
	Transcript transcript.Transcript
	Names      map[string]string // of speakers, by label
}

// excerpt is a window that may become a passage.
type excerpt struct {
	recording, number int // from 0
	from, to          int // utterances of the transcript, up to to
	tokens            int
	score             float64
	rank              int // among equal ones of the recording: first, last, middle, quarters, …
}

// ChoosePassages returns what to tell a backend of the recordings for it to answer a question: everything, where that has at most
// budget tokens, else the windows that match best. Of the budget each recording has the same share for its best
// windows, then for their neighbours; what is left goes to the best of all. Windows that match nothing are taken from all over the
// recording. Passages come in the order of the recordings and of time, no utterance twice; there is always one, unless nobody speaks.
func ChoosePassages(question string, recordings []Grounding, budget int) []transcript.Passage {
	all := cutExcerpts(recordings)
	if len(all) == 0 {
		return nil
	}
	chosen := make([]bool, len(all))
	if WholeTokens(recordings) <= budget {
		for i := range chosen {
			chosen[i] = true
		}
	} else {
		scoreExcerpts(all, recordings, question)
		chosen = pickExcerpts(all, len(recordings), budget)
	}
	var passages []transcript.Passage
	for i, x := range all {
		if chosen[i] {
			if i > 0 && chosen[i-1] && all[i-1].recording == x.recording {
				x.from = max(x.from, all[i-1].to)
			}
			passages = append(passages, recordings[x.recording].passage(x))
		}
	}
	return passages
}

// Whole returns all that is said in a recording as one passage, or nothing when nobody speaks.
func (g Grounding) Whole() []transcript.Passage {
	n := len(g.Transcript.Utterances)
	if n == 0 {
		return nil
	}
	return []transcript.Passage{g.passage(excerpt{to: n})}
}

// passage makes a passage of an excerpt, with the names of the speakers.
func (g Grounding) passage(x excerpt) transcript.Passage {
	p := transcript.Passage{Label: fmt.Sprintf("%d.%d", x.recording+1, x.number+1), Title: g.Title, Language: g.Transcript.Language}
	p.Utterances = slices.Clone(g.Transcript.Utterances[x.from:x.to])
	for i, u := range p.Utterances {
		if name := g.Names[u.Speaker]; name != "" {
			p.Utterances[i].Speaker = name
		}
	}
	return p
}

// excerptTokens is what a passage adds to its utterances: its label and title.
func (g Grounding) excerptTokens() int { return transcript.EstimateTokens(g.Title) + 8 }

// utteranceTokens counts the text and who says it.
func (g Grounding) utteranceTokens(u transcript.Utterance) int {
	return transcript.EstimateTokens(u.Text) + transcript.EstimateTokens(cmp.Or(g.Names[u.Speaker], u.Speaker)) + 4
}

// WholeTokens is what all recordings have together.
func WholeTokens(recordings []Grounding) (tokens int) {
	for _, g := range recordings {
		said := 0
		for _, u := range g.Transcript.Utterances {
			said += g.utteranceTokens(u)
		}
		tokens += said + (said/passageMin+1)*g.excerptTokens()
	}
	return tokens
}

// cutExcerpts cuts the transcripts into windows.
func cutExcerpts(recordings []Grounding) (all []excerpt) {
	for r, g := range recordings {
		utterances := g.Transcript.Utterances
		first := len(all)
		for from, fresh := 0, 0; fresh < len(utterances); { // fresh is the first utterance that no window has
			x := excerpt{recording: r, number: len(all) - first, from: from, to: from, tokens: g.excerptTokens()}
			for x.to < len(utterances) && (x.to == from || x.tokens < passageMin) {
				n := g.utteranceTokens(utterances[x.to])
				if x.to > from && x.tokens+n > passageMax {
					break
				}
				x.tokens += n
				x.to++
			}
			if x.to <= fresh { // the overlap leaves no room
				from = fresh
				continue
			}
			all = append(all, x)
			if fresh, from = x.to, x.to-1; from == x.from {
				from = fresh
			}
		}
	}
	return all
}

// scoreExcerpts rates each window by BM25 of the question's terms among all windows.
func scoreExcerpts(all []excerpt, recordings []Grounding, question string) {
	terms := map[string]int{}
	for _, u := range queryUnits(question) {
		for _, t := range u.terms {
			if _, ok := terms[t]; !ok {
				terms[t] = len(terms)
			}
		}
	}
	found := make([][]int, len(all)) // the terms of each window, sorted, as often as they occur
	has := make([]int, len(terms))
	lengths := make([]int, len(all))
	total := 0
	for r, g := range recordings {
		counts := countTerms(g.Transcript.Utterances, terms)
		for i, x := range all {
			if x.recording != r {
				continue
			}
			for _, c := range counts[x.from:x.to] {
				lengths[i] += c.length
				found[i] = append(found[i], c.terms...)
			}
			total += lengths[i]
			slices.Sort(found[i])
			eachTerm(found[i], func(t, _ int) { has[t]++ })
		}
	}
	mean := float64(total) / float64(len(all))
	for i := range all {
		eachTerm(found[i], func(t, often int) {
			all[i].score += relevance(rarity(len(all), has[t]), often, lengths[i], mean)
		})
	}
}

// eachTerm calls fn for each term of a sorted list, with how often it is in it.
func eachTerm(sorted []int, fn func(term, often int)) {
	for from := 0; from < len(sorted); {
		to := from + 1
		for to < len(sorted) && sorted[to] == sorted[from] {
			to++
		}
		fn(sorted[from], to-from)
		from = to
	}
}

// termCount is how many terms an utterance has, and which of those that are looked for, as often as they occur.
type termCount struct {
	length int
	terms  []int
}

func countTerms(utterances []transcript.Utterance, terms map[string]int) []termCount {
	counts := make([]termCount, len(utterances))
	for i, u := range utterances {
		scanText(u.Text, func(l *lexeme) {
			l.each(func(term []byte) {
				counts[i].length++
				if t, ok := terms[string(term)]; ok {
					counts[i].terms = append(counts[i].terms, t)
				}
			})
		})
	}
	return counts
}
