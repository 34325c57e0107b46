package openai

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// segmentText is the text of a segment.
type segmentText struct {
	text  string
	index int // of the segment
}

// placed is a word and its segment's index, or -1.
type placed struct {
	speech.Word
	segment int
}

// written is a word of the text, with its punctuation.
type written struct {
	text, key string
	segment   int
}

const (
	// window is the number of words and pieces that are searched for the next agreement.
	window = 24
	// blockSize is the maximum number of words or pieces with the same letters but other boundaries: "well-known" and
	// "well", "known".
	blockSize = 8
)

// aligner aligns texts, which have the spelling of words, with pieces, which have their times.
type aligner struct {
	texts          []written
	pieces         []piece
	out            []placed
	i, j           int
	failedSearches int // number of consecutive failed searches
}

// align gives the words of texts the times of pieces. Where both have the same letters, the text's spelling is used.
// Where they differ, the timed pieces are kept. Words of the text without a piece have no time.
func align(texts []segmentText, pieces []piece, language transcript.Language) []placed {
	a := aligner{pieces: pieces}
	for _, s := range texts {
		for _, w := range speech.Split(s.text, language) {
			a.texts = append(a.texts, written{w, letters(w), s.index})
		}
	}
	for a.i < len(a.texts) && a.j < len(a.pieces) {
		switch n, m, ok := a.block(a.i, a.j); {
		case a.pieces[a.j].key == "" && !broken(a.pieces[a.j].text):
			a.j++ // the punctuation comes from the text
		case a.texts[a.i].key == "":
			a.place(1, 0)
		case ok:
			a.place(n, m)
		default:
			a.skipDiffering(a.resync())
		}
	}
	a.skipDiffering(len(a.texts)-a.i, len(a.pieces)-a.j)
	if len(a.texts) == 0 && len(texts) == 1 {
		for i := range a.out {
			a.out[i].segment = texts[0].index
		}
	}
	return a.out
}

// block returns the smallest numbers of words and pieces from i and j that have the same letters.
func (a *aligner) block(i, j int) (n, m int, ok bool) {
	text, said := "", ""
	for {
		switch {
		case text == said && text != "":
			return n, m, true
		case !strings.HasPrefix(text, said) && !strings.HasPrefix(said, text), n > blockSize, m > blockSize:
			return 0, 0, false
		case len(text) <= len(said):
			if i+n == len(a.texts) {
				return 0, 0, false
			}
			text += a.texts[i+n].key
			n++
		default:
			if j+m == len(a.pieces) {
				return 0, 0, false
			}
			said += a.pieces[j+m].key
			m++
		}
	}
}

// resync returns how many words and pieces differ until two consecutive blocks agree, or the last one does.
func (a *aligner) resync() (n, m int) {
	words, pieces := min(window, len(a.texts)-a.i), min(window, len(a.pieces)-a.j)
	for d := 1; d <= window; d++ {
		for n := max(0, d-pieces); n <= min(d, words); n++ {
			i, j := a.i+n, a.j+d-n
			k, l, ok := a.block(i, j)
			if !ok || i == len(a.texts) || a.texts[i].key == "" || j < len(a.pieces) && a.pieces[j].key == "" {
				continue
			}
			if _, _, again := a.block(i+k, j+l); again || i+k == len(a.texts) || j+l == len(a.pieces) {
				a.failedSearches = 0
				return n, d - n
			}
		}
	}
	// Skip more after each failed search, so that unrelated texts don't take quadratic time.
	skip := window / 2 << a.failedSearches
	a.failedSearches = min(a.failedSearches+1, 10)
	return min(skip, len(a.texts)-a.i), min(skip, len(a.pieces)-a.j)
}

// skipDiffering skips n words and m pieces that differ.
func (a *aligner) skipDiffering(n, m int) {
	pieces := a.pieces[a.j : a.j+m]
	damaged := m == 0
	for _, p := range pieces {
		damaged = damaged || broken(p.text)
	}
	if damaged && n > 0 {
		a.place(n, m)
		return
	}
	at := -1
	switch {
	case a.i < len(a.texts):
		at = a.texts[a.i].segment
	case len(a.texts) > 0:
		at = a.texts[len(a.texts)-1].segment
	}
	for _, p := range pieces {
		if p.key != "" && !broken(p.text) {
			a.out = append(a.out, placed{speech.Word{Text: p.text, Start: p.start, End: p.end, Confidence: meanConfidence([]piece{p})}, at})
		}
	}
	a.i, a.j = a.i+n, a.j+m
}

// place gives n words of the text the joint time of m pieces.
func (a *aligner) place(n, m int) {
	words, pieces := a.texts[a.i:a.i+n], a.pieces[a.j:a.j+m]
	a.i, a.j = a.i+n, a.j+m
	var start, end speech.Time
	if m > 0 {
		start, end = pieces[0].start, pieces[m-1].end
	}
	all, done := 0, 0
	for _, w := range words {
		all += utf8.RuneCountInString(w.text)
	}
	for _, w := range words {
		out := speech.Word{Text: w.text, Start: start, End: end, Confidence: meanConfidence(pieces)}
		if n > 1 && start.Known && end.Known && end.At > start.At {
			share := func(runes int) time.Duration {
				return time.Duration(float64(end.At-start.At) * float64(runes) / float64(all))
			}
			out.Start, out.Estimated = start.Add(share(done)), true
			done += utf8.RuneCountInString(w.text)
			out.End = start.Add(share(done))
		}
		a.out = append(a.out, placed{out, w.segment})
	}
}

// meanConfidence returns the mean probability of pieces.
func meanConfidence(pieces []piece) speech.Confidence {
	sum, n := 0.0, 0
	for _, p := range pieces {
		sum, n = sum+p.sure, n+p.tokens
	}
	if n == 0 {
		return speech.Confidence{}
	}
	return rounded(sum / float64(n))
}

// rounded returns a confidence rounded to four decimals: servers are not more precise.
func rounded(p float64) speech.Confidence { return speech.KnownConfidence(math.Round(p*1e4) / 1e4) }

// broken reports whether a text contains part of a split character.
func broken(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }
