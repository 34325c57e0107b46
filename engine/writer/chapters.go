package writer

import (
	"slices"
	"time"
)

// chapters divides the transcript into n chapters and lists them with their start times. With 0, n depends on the length.
func (a *author) chapters(n int) string {
	if n == 0 {
		n = max(3, min(8, int(a.corpus.length()/(4*time.Minute))))
	}
	begins := append([]int{0}, a.corpus.breaks(n-1)...)
	worth := a.importance()
	var items, used []string
	for i, from := range begins {
		to := len(a.corpus.utterances)
		if i+1 < len(begins) {
			to = begins[i+1]
		}
		title := a.title(worth, from, to, used)
		used = append(used, title)
		items = append(items, clock(a.corpus.utterances[from].Start)+" "+escape(title))
	}
	return bullets(items)
}

// breaks returns the indexes of at most n utterances that begin a new chapter, in ascending order. It prefers places where the words
// before and after differ, after a pause, or at a question. A chapter is at least half of the average length, and at least 1 s long.
func (t *corpus) breaks(n int) (breaks []int) {
	if n < 1 {
		return nil
	}
	score := t.novelty()
	least := t.length() / time.Duration(2*(n+1))
	for len(breaks) < n {
		best := -1
		for i := 1; i < len(t.utterances); i++ {
			if t.farEnough(i, breaks, max(least, time.Second)) && (best < 0 || score[i] > score[best]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		breaks = append(breaks, best)
	}
	slices.Sort(breaks)
	return breaks
}

// farEnough reports whether an utterance begins at least the duration least from the start, the end, and the other breaks.
func (t *corpus) farEnough(i int, others []int, least time.Duration) bool {
	at := t.utterances[i].Start
	if at < t.utterances[i-1].Start || at-t.utterances[0].Start < least || t.utterances[len(t.utterances)-1].End-at < least {
		return false
	}
	for _, o := range others {
		if (t.utterances[o].Start - at).Abs() < least {
			return false
		}
	}
	return true
}

// noveltyWindow is the number of sentences to compare before and after a place.
const noveltyWindow = 8

// novelty returns for each utterance how much it differs from what was said before, from 0 to 1,350.
func (t *corpus) novelty() []int {
	score := make([]int, len(t.utterances))
	for i, r := range t.sentences {
		if i == 0 || r.utterance == t.sentences[i-1].utterance {
			continue
		}
		before := t.termsOf(max(0, i-noveltyWindow), i)
		after := t.termsOf(i, min(len(t.sentences), i+noveltyWindow))
		shared, all := 0, 1
		for _, id := range after {
			all += t.weights[id]
			if _, ok := slices.BinarySearch(before, id); ok {
				shared += t.weights[id]
			}
		}
		pause := t.utterances[r.utterance].Start - t.utterances[r.utterance-1].End
		score[r.utterance] = 1000 - 1000*shared/all + int(min(max(pause, 0), 3*time.Second)/(10*time.Millisecond))
		if r.question {
			score[r.utterance] += 50
		}
	}
	return score
}

// termsOf returns the terms of a range of sentences, sorted and without duplicates.
func (t *corpus) termsOf(from, to int) (terms []int) {
	for _, r := range t.sentences[from:to] {
		terms = append(terms, r.terms...)
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}
