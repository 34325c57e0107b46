package render

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Cue is a caption on screen from Start until End, in the time of its words.
type Cue struct {
	Start, End time.Duration
	Lines      [][]transcript.Word // no line is empty
}

// Words returns the words of all lines.
func (c Cue) Words() []transcript.Word { return slices.Concat(c.Lines...) }

// CueLimits are the limits of a caption that fits into the frame.
type CueLimits struct {
	Columns int // width of a line in characters; an East Asian wide character counts as two
	Lines   int // most lines of a caption
	Words   int // wanted words of a caption, at most half as many more where words belong together; 0 for no limit
	// Sentences ends a caption at the end of each sentence. It is set where captions are short and Words can't limit them: in Chinese and
	// Japanese.
	Sentences bool
}

// CueBuilder breaks words, sorted by start, into captions, sorted by start. The caller enforces the limits afterwards; a
// line that is too wide is set in smaller letters.
type CueBuilder func(words []transcript.Word, language transcript.Language, limits CueLimits) []Cue

// tidyCues prepares the cues of any builder for the caption writer: it clips them to the window, sorts them, drops empty
// lines, enforces the limits, and closes short gaps unless they were asked for.
func tidyCues(cues []Cue, window transcript.Window, limits CueLimits, keepGaps bool) []Cue {
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
		if gap := tidy[i+1].Start - tidy[i].End; gap > 0 && gap < maxGap && !keepGaps {
			tidy[i].End = tidy[i+1].Start
		}
	}
	return tidy
}

// maxGap is the longest gap between two captions that is closed, because short gaps look like flicker. Builders leave a few
// frames between captions, as subtitles in a player need.
const maxGap = 500 * time.Millisecond

// mostWords is the hard limit that belongs to Words, as in captions.Options.
func (l CueLimits) mostWords() int { return l.Words + (l.Words+1)/2 }

// limited splits a cue with too many lines or words into parts with about the same number of words.
func (c Cue) limited(limits CueLimits) []Cue {
	words := c.Words()
	n := len(words)
	parts := 1
	if limits.Words > 0 && n > limits.mostWords() {
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
		for _, line := range c.Lines { // keep the line breaks inside the part
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
