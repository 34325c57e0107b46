package speech

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// stitch puts the words of parts together. Where two parts overlap, both have heard the words in the middle: those end the first part
// and begin the second.
func stitch(parts []Part, heard []note) []transcript.Word {
	var words []transcript.Word
	for i, h := range heard {
		next := make([]transcript.Word, len(h.Words))
		for k, w := range h.Words {
			w.Start, w.End = w.Start+parts[i].Start, w.End+parts[i].Start
			if len(parts) > 1 {
				w.Speaker = ""
			}
			next[k] = w
		}
		if parts[i].overlap > 0 {
			words, next = seam(words, next, parts[i].Start, parts[i].Start+parts[i].overlap)
		}
		words = append(words, next...)
	}
	slices.SortStableFunc(words, func(a, b transcript.Word) int { return cmp.Compare(a.Start, b.Start) })
	return words
}

// crowd bounds how many words two parts are looked through for the same ones: nobody says more in what they share.
const crowd = 100

// seam drops what two parts have twice of the time that both have heard. Where they say the same words there, one ends and the other
// begins in the middle of those. Where they don't, a word belongs to the part in which its middle lies.
func seam(a, b []transcript.Word, from, to time.Duration) (first, second []transcript.Word) {
	middle := (from + to) / 2
	tail := slices.IndexFunc(a, func(w transcript.Word) bool { return w.End > from })
	if tail < 0 {
		tail = len(a)
	}
	head := slices.IndexFunc(b, func(w transcript.Word) bool { return w.Start >= to })
	if head < 0 {
		head = len(b)
	}
	if i, j, n := common(a[tail:min(len(a), tail+crowd)], b[max(0, head-crowd):head]); n > 0 {
		j += max(0, head-crowd)
		return join(a[:tail+i+(n+1)/2], b[j+(n+1)/2:])
	}
	keepA := slices.IndexFunc(a[tail:], func(w transcript.Word) bool { return mid(w) >= middle })
	if keepA < 0 {
		keepA = len(a) - tail
	}
	dropB := slices.IndexFunc(b, func(w transcript.Word) bool { return mid(w) >= middle })
	if dropB < 0 {
		dropB = len(b)
	}
	return join(a[:tail+keepA], b[dropB:])
}

// join keeps the first part's words before the second's, and lets none last into those.
func join(a, b []transcript.Word) ([]transcript.Word, []transcript.Word) {
	for i := 0; i < len(b) && len(a) > 0 && b[i].Start < a[len(a)-1].Start; i++ {
		b[i].Start = a[len(a)-1].Start
		b[i].End = max(b[i].End, b[i].Start+time.Millisecond)
	}
	if len(b) > 0 {
		for i := len(a) - 1; i >= 0 && a[i].End > b[0].Start; i-- {
			a[i].End = max(b[0].Start, a[i].Start+time.Millisecond)
		}
	}
	return a, b
}

// common returns the longest run of the same words at about the same time, and of equals the one whose times agree best.
func common(a, b []transcript.Word) (atA, atB, length int) {
	off := time.Duration(0)
	for i := range a {
		for j := range b {
			n, d := 0, time.Duration(0)
			for i+n < len(a) && j+n < len(b) && same(a[i+n], b[j+n]) {
				d += (mid(a[i+n]) - mid(b[j+n])).Abs()
				n++
			}
			if n > length || n == length && n > 0 && d < off {
				atA, atB, length, off = i, j, n, d
			}
		}
	}
	return atA, atB, length
}

// same reports whether two words are one that was heard twice. Where a time is a guess, it may be off by what the parts share.
func same(a, b transcript.Word) bool {
	apart := (mid(a) - mid(b)).Abs()
	if a.Estimated || b.Estimated {
		return apart <= overlap && letters(a.Text) == letters(b.Text)
	}
	return 2*(min(a.End, b.End)-max(a.Start, b.Start)) >= min(a.End-a.Start, b.End-b.Start) && letters(a.Text) == letters(b.Text)
}

func mid(w transcript.Word) time.Duration { return (w.Start + w.End) / 2 }

// letters is a word without its case and punctuation; one that is nothing else stays as it is.
func letters(text string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	return cmp.Or(bare, text)
}
