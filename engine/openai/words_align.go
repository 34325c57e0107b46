package openai

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// stretch is the text of a segment.
type stretch struct {
	text  string
	index int // of the segment
}

// placed is a word, and the segment that it is in; -1 for none.
type placed struct {
	speech.Word
	stretch int
}

// written is a word as a text has it, with its punctuation.
type written struct {
	text, key string
	stretch   int
}

const (
	// window is how many words the text and the pieces are looked through for where they agree again.
	window = 24
	// blockSize is how many words of a text, or pieces, can be the same letters cut elsewhere: "well-known" and "well", "known".
	blockSize = 8
)

// aligner walks through texts, which know how words are written, and pieces, which know when they are said.
type aligner struct {
	texts  []written
	pieces []piece
	out    []placed
	i, j   int
	lost   int // how often in a row they were found to agree nowhere near
}

// align gives the words of texts the times of pieces. Where both have the same letters, a word is written as in the text; where they
// differ, what has a time is kept as it is. Words of the text that no piece is about have no time.
func align(texts []stretch, pieces []piece, language transcript.Language) []placed {
	a := aligner{pieces: pieces}
	for _, s := range texts {
		for _, w := range speech.Split(s.text, language) {
			a.texts = append(a.texts, written{w, letters(w), s.index})
		}
	}
	for a.i < len(a.texts) && a.j < len(a.pieces) {
		switch n, m, ok := a.block(a.i, a.j); {
		case a.pieces[a.j].key == "" && !broken(a.pieces[a.j].text):
			a.j++ // the text has the punctuation
		case a.texts[a.i].key == "":
			a.place(1, 0)
		case ok:
			a.place(n, m)
		default:
			a.differ(a.resync())
		}
	}
	a.differ(len(a.texts)-a.i, len(a.pieces)-a.j)
	if len(a.texts) == 0 && len(texts) == 1 {
		for i := range a.out {
			a.out[i].stretch = texts[0].index
		}
	}
	return a.out
}

// block returns how many words and pieces from here on have the same letters, of as few as possible.
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

// resync returns how many words and pieces differ until two blocks in a row agree again, or one agrees that is the end.
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
				a.lost = 0
				return n, d - n
			}
		}
	}
	// Texts that have nothing to do with each other are not gone through word by word.
	skip := window / 2 << a.lost
	a.lost = min(a.lost+1, 10)
	return min(skip, len(a.texts)-a.i), min(skip, len(a.pieces)-a.j)
}

// differ goes on behind words and pieces that say different things.
func (a *aligner) differ(n, m int) {
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
		at = a.texts[a.i].stretch
	case len(a.texts) > 0:
		at = a.texts[len(a.texts)-1].stretch
	}
	for _, p := range pieces {
		if p.key != "" && !broken(p.text) {
			a.out = append(a.out, placed{speech.Word{Text: p.text, Start: p.start, End: p.end, Confidence: sureness([]piece{p})}, at})
		}
	}
	a.i, a.j = a.i+n, a.j+m
}

// place gives words of the text the time of pieces, which are about all of them together.
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
		out := speech.Word{Text: w.text, Start: start, End: end, Confidence: sureness(pieces)}
		if n > 1 && start.Known && end.Known && end.At > start.At {
			share := func(runes int) time.Duration {
				return time.Duration(float64(end.At-start.At) * float64(runes) / float64(all))
			}
			out.Start, out.Estimated = start.Add(share(done)), true
			done += utf8.RuneCountInString(w.text)
			out.End = start.Add(share(done))
		}
		a.out = append(a.out, placed{out, w.stretch})
	}
}

// sureness is the mean probability of pieces.
func sureness(pieces []piece) speech.Confidence {
	sum, n := 0.0, 0
	for _, p := range pieces {
		sum, n = sum+p.sure, n+p.tokens
	}
	if n == 0 {
		return speech.Confidence{}
	}
	return sure(sum / float64(n))
}

// sure is a confidence of four decimals: of more, servers know nothing.
func sure(p float64) speech.Confidence { return speech.Sure(math.Round(p*1e4) / 1e4) }

// broken reports whether a text has what is left of half a character.
func broken(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }
