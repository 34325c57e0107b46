package speech

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// stitch joins the words of parts. Where two parts overlap, both have transcribed the same words: at the end of the first
// part and the start of the second.
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
			words, next = mergeOverlap(words, next, parts[i].Start, parts[i].Start+parts[i].overlap)
		}
		words = append(words, next...)
	}
	slices.SortStableFunc(words, func(a, b transcript.Word) int { return cmp.Compare(a.Start, b.Start) })
	return words
}

// maxOverlapWords limits the words that are compared: no overlap contains more.
const maxOverlapWords = 100

// mergeOverlap removes the duplicate words of an overlap. If both parts have a common run of words there, the first part ends and
// the second begins within that run. Otherwise a word belongs to the part that contains its middle.
func mergeOverlap(a, b []transcript.Word, from, to time.Duration) (first, second []transcript.Word) {
	middle := (from + to) / 2
	tail := slices.IndexFunc(a, func(w transcript.Word) bool { return w.End > from })
	if tail < 0 {
		tail = len(a)
	}
	head := slices.IndexFunc(b, func(w transcript.Word) bool { return w.Start >= to })
	if head < 0 {
		head = len(b)
	}
	if i, j, n := common(a[tail:min(len(a), tail+maxOverlapWords)], b[max(0, head-maxOverlapWords):head]); n > 0 {
		j += max(0, head-maxOverlapWords)
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

// join keeps the first part's words before the second's, without overlap.
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

// common returns the longest run of equal words at about the same time; of equals, the one with the closest times.
func common(a, b []transcript.Word) (atA, atB, length int) {
	off := time.Duration(0)
	for i := range a {
		for j := range b {
			n, d := 0, time.Duration(0)
			for i+n < len(a) && j+n < len(b) && isDuplicate(a[i+n], b[j+n]) {
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

// isDuplicate reports whether two words are duplicates. An estimated time may be off by the length of the overlap.
func isDuplicate(a, b transcript.Word) bool {
	apart := (mid(a) - mid(b)).Abs()
	if a.Estimated || b.Estimated {
		return apart <= overlap && letters(a.Text) == letters(b.Text)
	}
	return 2*(min(a.End, b.End)-max(a.Start, b.Start)) >= min(a.End-a.Start, b.End-b.Start) && letters(a.Text) == letters(b.Text)
}

func mid(w transcript.Word) time.Duration { return (w.Start + w.End) / 2 }

// letters returns a word in lower case without punctuation. A word of punctuation only is unchanged.
func letters(text string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	return cmp.Or(bare, text)
}
