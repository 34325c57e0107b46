package writer

import (
	"slices"
	"time"
)

// chapters cuts the talk into parts and lists them by the time at which they begin.
func (a *author) chapters(n int) string {
	if n == 0 {
		n = max(3, min(8, int(a.talk.length()/(4*time.Minute))))
	}
	begins := append([]int{0}, a.talk.breaks(n-1)...)
	worth := a.worth()
	var items, used []string
	for i, from := range begins {
		to := len(a.talk.said)
		if i+1 < len(begins) {
			to = begins[i+1]
		}
		title := a.title(worth, from, to, used)
		used = append(used, title)
		items = append(items, clock(a.talk.said[from].Start)+" "+escape(title))
	}
	return bullets(items)
}

// breaks returns at most n utterances with which something new begins, ascending: where the words before and behind have
// little in common, there is a pause, or a question is asked. Parts are at least half as long as they are on average,
// and begin at a second of their own.
func (t *talk) breaks(n int) (breaks []int) {
	if n < 1 {
		return nil
	}
	score := t.novelty()
	least := t.length() / time.Duration(2*(n+1))
	for len(breaks) < n {
		best := -1
		for i := 1; i < len(t.said); i++ {
			if t.parted(i, breaks, max(least, time.Second)) && (best < 0 || score[i] > score[best]) {
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

// parted reports whether an utterance begins so long after the first one, and so far from the others.
func (t *talk) parted(i int, others []int, least time.Duration) bool {
	at := t.said[i].Start
	if at < t.said[i-1].Start || at-t.said[0].Start < least || t.said[len(t.said)-1].End-at < least {
		return false
	}
	for _, o := range others {
		if (t.said[o].Start - at).Abs() < least {
			return false
		}
	}
	return true
}

// around is how many remarks before and behind a place are compared.
const around = 8

// novelty says for each utterance how new it is, in thousandths and more.
func (t *talk) novelty() []int {
	score := make([]int, len(t.said))
	for i, r := range t.remarks {
		if i == 0 || r.said == t.remarks[i-1].said {
			continue
		}
		before := t.bag(max(0, i-around), i)
		behind := t.bag(i, min(len(t.remarks), i+around))
		shared, all := 0, 1
		for _, id := range behind {
			all += t.weights[id]
			if _, ok := slices.BinarySearch(before, id); ok {
				shared += t.weights[id]
			}
		}
		pause := t.said[r.said].Start - t.said[r.said-1].End
		score[r.said] = 1000 - 1000*shared/all + int(min(max(pause, 0), 3*time.Second)/(10*time.Millisecond))
		if r.asks {
			score[r.said] += 50
		}
	}
	return score
}

// bag returns the terms of remarks, ascending.
func (t *talk) bag(from, to int) (terms []int) {
	for _, r := range t.remarks[from:to] {
		terms = append(terms, r.terms...)
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}
