package search

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A passage is a window of whole utterances. It overlaps the next one by one utterance, so that a question and its answer are
// together in one of them.
const (
	passageMin = 300 // a window ends when it has this many tokens
	passageMax = 500 // most tokens of a window, unless it is a single utterance
)

// Grounding is a recording as the source of a generated text.
type Grounding struct {
	Title      string // of the recording
	Transcript transcript.Transcript
	Names      map[string]string // speaker names by label
}

// excerpt is a window that may become a passage.
type excerpt struct {
	recording, number int // from 0
	from, to          int // utterances from up to, but not including, to
	tokens            int
	score             float64
	rank              int // order among equally good windows of the recording: first, last, middle, quarters, …
}

// ChoosePassages returns the passages from which a model can answer a question: all text if it has at most budget tokens, else the
// windows that match best. Each recording gets an equal share of the budget, for its best windows and then for their neighbours. The
// remainder goes to the best windows of all recordings. Windows without a match are taken evenly from the whole recording. Passages are
// sorted by recording and time, and no utterance appears twice. There is at least one passage unless nobody speaks.
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

// Whole returns the whole recording as one passage, or nil when nobody speaks.
func (g Grounding) Whole() []transcript.Passage {
	n := len(g.Transcript.Utterances)
	if n == 0 {
		return nil
	}
	return []transcript.Passage{g.passage(excerpt{to: n})}
}

// passage returns the passage of an excerpt, with speaker names.
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

// excerptTokens is the size of a passage's label and title.
func (g Grounding) excerptTokens() int { return transcript.EstimateTokens(g.Title) + 8 }

// utteranceTokens counts the tokens of an utterance and its speaker.
func (g Grounding) utteranceTokens(u transcript.Utterance) int {
	return transcript.EstimateTokens(u.Text) + transcript.EstimateTokens(cmp.Or(g.Names[u.Speaker], u.Speaker)) + 4
}

// WholeTokens returns the tokens of all recordings together.
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
		for from, fresh := 0, 0; fresh < len(utterances); { // fresh is the first utterance in no window
			x := excerpt{recording: r, number: len(all) - first, from: from, to: from, tokens: g.excerptTokens()}
			for x.to < len(utterances) && (x.to == from || x.tokens < passageMin) {
				n := g.utteranceTokens(utterances[x.to])
				if x.to > from && x.tokens+n > passageMax {
					break
				}
				x.tokens += n
				x.to++
			}
			if x.to <= fresh { // the overlapping utterance leaves no room
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

// scoreExcerpts scores each window by BM25 of the question's terms among all windows.
func scoreExcerpts(all []excerpt, recordings []Grounding, question string) {
	terms := map[string]int{}
	for _, u := range queryUnits(question) {
		for _, t := range u.terms {
			if _, ok := terms[t]; !ok {
				terms[t] = len(terms)
			}
		}
	}
	found := make([][]int, len(all)) // the terms of each window, sorted, with repetitions
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

// eachTerm calls fn for each distinct term of a sorted list, with its count.
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

// termCount has the number of terms of an utterance, and those of them that are searched for, with repetitions.
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
