package transcript

import (
	"strings"
	"time"
)

// The functions of this file make an edit again in another transcription of the same media. They find its place by time, and by text where
// there is one. ok is false if the place doesn't fit; the transcript is then unchanged.

const (
	nearby    = 1500 * time.Millisecond // how far transcriptions of the same words may be apart
	sameEdge  = 250 * time.Millisecond  // how far the edges of the same speech may be apart
	mostWords = 0.8                     // the part of an utterance's words that stands for all of them
)

// ReapplyChange puts c.New where c.Old was. It looks near c for words that are c.New already, else for c.Old, both without regard to case
// and punctuation. Without either, the words that have just the time of c are replaced; words are removed only if they are c.Old.
func ReapplyChange(t Transcript, c Change) (_ Transcript, ok bool) {
	before, after := letters(c.Old), letters(c.New)
	old, new := findText(t, before, c.Start), findText(t, after, c.Start)
	switch {
	case new.found() && before != after && (!old.found() || new.closerThan(old)):
		return t, true
	case old.found():
		return replaceWords(t, old, c.New), true
	case c.New == "":
		return t, findWindow(t, Window{c.Start, c.End}) == (place{})
	}
	p := findWindow(t, Window{c.Start, c.End})
	if !p.found() || p.off > sameEdge {
		return t, false
	}
	return replaceWords(t, p, c.New), true
}

// place is some words of an utterance.
type place struct {
	utterance, from, to int           // words from number from up to number to
	off                 time.Duration // how far its start, or its edges, are from the searched ones
}

func (p place) found() bool { return p.to > 0 }

// closerThan also prefers more words to fewer ones at the same place.
func (p place) closerThan(o place) bool {
	return p.off < o.off || p.off == o.off && p.to-p.from >= o.to-o.from
}

// letters returns what identifies a text: its letters and digits, without regard to case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if IsWordRune(r) {
			return r
		}
		return -1
	}, Fold(text))
}

// findText returns the words near a time whose letters are text.
func findText(t Transcript, text string, at time.Duration) (best place) {
	if text == "" {
		return best
	}
	for i, u := range t.Utterances {
		if u.Start > at+nearby || u.End < at-nearby {
			continue
		}
		for from, w := range u.Words {
			off := (w.Start - at).Abs()
			if off > nearby || best.found() && off >= best.off {
				continue
			}
			if n := countWords(u.Words[from:], text); n > 0 {
				best = place{i, from, from + n, off}
			}
		}
	}
	return best
}

// countWords returns how many of the first words have the letters of text, or 0.
func countWords(words []Word, text string) int {
	for n, w := range words {
		said := letters(w.Text)
		if n == 0 && said == "" || !strings.HasPrefix(text, said) {
			return 0
		}
		if text = text[len(said):]; text == "" {
			return n + 1
		}
	}
	return 0
}

// findWindow returns the words whose middle is in a window, of the utterance with most of them.
func findWindow(t Transcript, w Window) (best place) {
	for i, u := range t.Utterances {
		from, to := wordsIn(u, w)
		if to-from > best.to-best.from {
			edges := max((u.Words[from].Start - w.Start).Abs(), (latest(u.Words[from:to]) - w.End).Abs())
			best = place{i, from, to, edges}
		}
	}
	return best
}

// wordsIn returns the numbers of the words whose middle is in a window. Words are in order of their starts, so that they are adjacent
// unless speech overlaps.
func wordsIn(u Utterance, w Window) (from, to int) {
	for i, word := range u.Words {
		if middle := (word.Start + word.End) / 2; w.Start <= middle && middle < w.End {
			if to == 0 {
				from = i
			}
			to = i + 1
		}
	}
	return from, to
}

// replaceWords replaces the words of a place. An utterance without words is removed.
func replaceWords(t Transcript, p place, text string) Transcript {
	u := t.Utterances[p.utterance]
	spans, ok := wordSpans(u)
	if !ok {
		u.Text = JoinWords(u.Words, t.Language)
		if spans, ok = wordSpans(u); !ok {
			return t
		}
	}
	text = OneLine(u.Text[:spans[p.from].start] + text + u.Text[spans[p.to-1].end:])
	if strings.TrimSpace(text) == "" {
		return Remove(t, p.utterance)
	}
	t, _ = SetText(t, p.utterance, text)
	return t
}

// SetSpeakerIn gives the speech in a window a label. An utterance that is only partly in the window is split.
func SetSpeakerIn(t Transcript, w Window, label string) (_ Transcript, ok bool) {
	for i := len(t.Utterances) - 1; i >= 0; i-- {
		if cut, n := isolate(t, i, w); n >= 0 {
			t, ok = SetSpeaker(cut, n, label), true
		}
	}
	return t, ok
}

// RemoveIn removes what a speaker says in a window. ok is also true if nobody says anything there.
func RemoveIn(t Transcript, w Window, label string) (_ Transcript, ok bool) {
	silent := !findWindow(t, w).found()
	for i := len(t.Utterances) - 1; i >= 0; i-- {
		if t.Utterances[i].Speaker != label {
			continue
		}
		if cut, n := isolate(t, i, w); n >= 0 {
			t, ok = Remove(cut, n), true
		}
	}
	return t, ok || silent
}

// isolate splits utterance i so that its part in a window is an utterance of its own, and returns that one's number, or -1 without such a
// part. Most of an utterance stands for all of it, and little of it for nothing.
func isolate(t Transcript, i int, w Window) (Transcript, int) {
	u := t.Utterances[i]
	from, to := wordsIn(u, w)
	part := float64(to-from) / float64(max(len(u.Words), 1))
	switch {
	case part >= mostWords:
		return t, i
	case part <= 1-mostWords:
		return t, -1
	}
	if to < len(u.Words) {
		t = Split(t, i, to)
	}
	if from > 0 {
		t = Split(t, i, from)
		i++
	}
	return t, i
}

// MergeAt joins the utterances at a border: w is from the end of the first to the start of the second. ok is also true inside an utterance.
func MergeAt(t Transcript, w Window) (_ Transcript, ok bool) {
	at, best, off := (w.Start+w.End)/2, -1, nearby+1
	for i, u := range t.Utterances {
		if i+1 < len(t.Utterances) {
			if d := ((u.End+t.Utterances[i+1].Start)/2 - at).Abs(); d < off {
				best, off = i, d
			}
		}
		ok = ok || u.Start < at && at < u.End
	}
	if best < 0 {
		return t, ok
	}
	return Merge(t, best), true
}

// SplitAt splits an utterance before the word that begins at a time. ok is also true if an utterance begins there.
func SplitAt(t Transcript, at time.Duration) (_ Transcript, ok bool) {
	utterance, word, off := 0, 0, nearby+1
	for i, u := range t.Utterances {
		for k, w := range u.Words {
			if d := (w.Start - at).Abs(); d < off {
				utterance, word, off = i, k, d
			}
		}
	}
	if off > nearby {
		return t, false
	}
	if word > 0 {
		t = Split(t, utterance, word)
	}
	return t, true
}
