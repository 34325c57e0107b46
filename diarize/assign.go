package diarize

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	minorityShare = 0.3                     // of a sentence's speech may be somebody else's by mistake
	minorityPause = 300 * time.Millisecond  // an interjection is set off by a pause, a mistake isn't
	sentencePause = 1500 * time.Millisecond // a longer pause ends a sentence that has no full stop
	sentenceWords = 60                      // so does this many words
	clearShare    = 0.8                     // of a clearly heard word lies in one turn …
	clearSure     = 0.9                     // … with this confidence …
	clearTurn     = time.Second             // … and this length
)

// Assign returns the words, which are in order of their start, with the label of who said them. A word belongs to the
// speaker whose turns it overlaps the most; in a gap, to the nearest turn; where two talk at once and share it equally, to
// whoever said the word before. Then sentences are made whole: where the words of others are under 30 % of a sentence and
// no pause sets them off, they become the majority's, except those that were clearly heard: that lie in a long turn of high
// confidence. Words that a transcriber has given speakers to are returned as they are. Without turns all is the first
// speaker's.
func Assign(words []transcript.Word, turns []transcript.Turn) []transcript.Word {
	words = slices.Clone(words)
	if slices.ContainsFunc(words, func(w transcript.Word) bool { return w.Speaker != "" }) {
		return words
	}
	index := newTurnIndex(turns)
	heard := make([]hearing, len(words))
	before := 0
	for i, w := range words {
		heard[i] = index.hear(w, before)
		before = heard[i].speaker
	}
	for start := 0; start < len(words); {
		end := start + 1
		for end < len(words) && end-start < sentenceWords && !endsSentence(words[end-1].Text) &&
			words[end].Start-words[end-1].End <= sentencePause {
			end++
		}
		makeWhole(words[start:end], heard[start:end])
		start = end
	}
	for i := range words {
		words[i].Speaker = transcript.SpeakerLabel(heard[i].speaker)
	}
	return words
}

// Utterances assigns the words and groups them into paragraphs, as engine.BuildUtterances does.
func Utterances(words []transcript.Word, turns []transcript.Turn, language transcript.Language) []transcript.Utterance {
	return transcript.BuildUtterances(Assign(words, turns), language)
}

// hearing is who seems to have said a word.
type hearing struct {
	speaker int
	clear   bool
}

// makeWhole gives a sentence to its majority, where the rest looks like a mistake.
func makeWhole(words []transcript.Word, heard []hearing) {
	spoken := map[int]time.Duration{}
	majority, total := heard[0].speaker, words[0].End-words[0].Start
	spoken[majority] = total
	for i, w := range words[1:] {
		s := heard[i+1].speaker
		spoken[s] += w.End - w.Start
		total += w.End - w.Start
		if spoken[s] > spoken[majority] || spoken[s] == spoken[majority] && s < majority {
			majority = s
		}
	}
	if float64(total-spoken[majority]) >= minorityShare*float64(total) {
		return
	}
	for i := 0; i < len(words); {
		j := i + 1
		for j < len(words) && heard[j].speaker == heard[i].speaker {
			j++
		}
		setOff := i > 0 && words[i].Start-words[i-1].End > minorityPause || j < len(words) && words[j].Start-words[j-1].End > minorityPause
		if heard[i].speaker != majority && !setOff && !slices.ContainsFunc(heard[i:j], func(h hearing) bool { return h.clear }) {
			for k := i; k < j; k++ {
				heard[k].speaker = majority
			}
		}
		i = j
	}
}

// turnIndex finds the turns around a word.
type turnIndex struct {
	turns []transcript.Turn // by start
	until []int             // for each turn which one of those up to it ends last
}

func newTurnIndex(turns []transcript.Turn) turnIndex {
	x := turnIndex{slices.Clone(turns), make([]int, len(turns))}
	slices.SortStableFunc(x.turns, func(a, b transcript.Turn) int { return cmp.Compare(a.Start, b.Start) })
	for i := range x.turns {
		x.until[i] = i
		if i > 0 && x.turns[x.until[i-1]].End >= x.turns[i].End {
			x.until[i] = x.until[i-1]
		}
	}
	return x
}

// hear returns who seems to have said w; before is who said the word before it.
func (x turnIndex) hear(w transcript.Word, before int) hearing {
	if len(x.turns) == 0 {
		return hearing{}
	}
	first := sort.Search(len(x.turns), func(i int) bool { return x.turns[x.until[i]].End > w.Start })
	shared, sure := map[int]time.Duration{}, map[int]time.Duration{}
	best, found := 0, false
	for _, t := range x.turns[first:] {
		if t.Start >= w.End {
			break
		}
		overlap := min(w.End, t.End) - max(w.Start, t.Start)
		if overlap <= 0 {
			continue
		}
		shared[t.Speaker] += overlap
		if t.Confidence >= clearSure && t.End-t.Start >= clearTurn {
			sure[t.Speaker] += overlap
		}
		s := t.Speaker
		if !found || shared[s] > shared[best] || shared[s] == shared[best] && s == before {
			best, found = s, true
		}
	}
	if found {
		rivals := len(shared) > 1 && float64(shared[best]) < 2*float64(sum(shared)-shared[best])
		return hearing{best, !rivals && float64(sure[best]) >= clearShare*float64(w.End-w.Start)}
	}
	// first is the first turn that starts after the word, if there is one; the one before ends before it.
	if first == len(x.turns) {
		return hearing{speaker: x.turns[x.until[first-1]].Speaker}
	}
	if first > 0 {
		if last := x.turns[x.until[first-1]]; w.Start-last.End <= x.turns[first].Start-w.End {
			return hearing{speaker: last.Speaker}
		}
	}
	return hearing{speaker: x.turns[first].Speaker}
}

func sum(durations map[int]time.Duration) time.Duration {
	var total time.Duration
	for _, d := range durations {
		total += d
	}
	return total
}

// endsSentence reports whether a word has a full stop behind it, in any script.
func endsSentence(word string) bool {
	word = strings.TrimRight(word, "\"'”’»)]」』")
	for _, stop := range []string{".", "?", "!", "…", "。", "？", "！", "।", "؟", "۔"} {
		if strings.HasSuffix(word, stop) {
			return true
		}
	}
	return false
}
