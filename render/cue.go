package render

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Cue is a caption: what is on screen from Start up to End, on the clock of its words.
type Cue struct {
	Start, End time.Duration
	Lines      [][]transcript.Word // none of them empty
}

// Words returns the words of all lines.
func (c Cue) Words() []transcript.Word { return slices.Concat(c.Lines...) }

// CueLimits are what a caption may be like to fit into the frame.
type CueLimits struct {
	Columns int // width of a line in characters; an East Asian wide one takes two
	Lines   int // of a caption
	Words   int // of a caption; 0 for any number
}

// CueBuilder breaks words, which are sorted by start, into captions, sorted by start. What it returns is made to keep
// the limits if it doesn't: a line that is too wide is set in smaller letters.
type CueBuilder func(words []transcript.Word, language transcript.Language, limits CueLimits) []Cue

// tidyCues makes the cues of any builder what the writer of captions needs: inside the window, in order, of non-empty
// lines, no more than the limits allow.
func tidyCues(cues []Cue, window transcript.Window, limits CueLimits) []Cue {
	var tidy []Cue
	for _, c := range cues {
		c.Lines = slices.DeleteFunc(slices.Clone(c.Lines), func(l []transcript.Word) bool { return len(l) == 0 })
		c.Start, c.End = max(c.Start, window.Start), min(c.End, window.End)
		if len(c.Lines) == 0 || c.Start >= c.End {
			continue
		}
		tidy = append(tidy, c.limited(limits)...)
	}
	slices.SortStableFunc(tidy, func(a, b Cue) int { return int(a.Start - b.Start) })
	for i := range len(tidy) - 1 {
		if gap := tidy[i+1].Start - tidy[i].End; gap > 0 && gap < maxGap {
			tidy[i].End = tidy[i+1].Start
		}
	}
	return tidy
}

// maxGap is how long there may be nothing between two captions: less looks like flicker. Subtitles that a player shows
// have a few frames between them, and builders make these.
const maxGap = 500 * time.Millisecond

// limited splits a cue that has too many lines or words. Its parts have as many words as one another.
func (c Cue) limited(limits CueLimits) []Cue {
	words := c.Words()
	n := len(words)
	parts := 1
	if limits.Words > 0 {
		parts = (n + limits.Words - 1) / limits.Words
	}
	if limits.Lines > 0 {
		parts = max(parts, (len(c.Lines)+limits.Lines-1)/limits.Lines)
	}
	if parts == 1 {
		return []Cue{c}
	}
	var cues []Cue
	for i := range parts {
		from, to := n*i/parts, n*(i+1)/parts
		if from == to {
			continue
		}
		part := Cue{Start: max(c.Start, words[from].Start), End: c.End}
		if i == 0 {
			part.Start = c.Start
		}
		if to < n {
			part.End = min(c.End, words[to].Start)
		}
		at := 0
		for _, line := range c.Lines { // keep the lines' breaks that lie inside the part
			if cut := line[min(max(from-at, 0), len(line)):min(max(to-at, 0), len(line))]; len(cut) > 0 {
				part.Lines = append(part.Lines, cut)
			}
			at += len(line)
		}
		if limits.Lines == 1 {
			part.Lines = [][]transcript.Word{words[from:to]}
		}
		if part.Start < part.End {
			cues = append(cues, part)
		}
	}
	return cues
}
