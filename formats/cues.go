package formats

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Cue is a caption: what is on screen at one time.
type Cue struct {
	Start, End time.Duration // whole milliseconds, Start < End
	Label      string        // of the speaker
	Speaker    string        // as readers see it: the assigned name, else the label; "" when unknown
	Turn       bool          // the speaker is not that of the cue before
	Lines      []Line
}

// Line is one line of a cue.
type Line struct {
	Text  string        // with the speaker's prefix, where one was asked for
	Words []engine.Word // what is in the line, with times
}

// Text returns the lines with line feeds between them.
func (c Cue) Text() string {
	lines := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = l.Text
	}
	return strings.Join(lines, "\n")
}

// Cues breaks a transcript into captions, in order of their start.
//
// Hard rules: no more lines, columns and seconds than the options say, no break inside a word, one speaker per cue, no
// long silence inside a cue. Among all ways to break each utterance that keep them, the one with the lowest cost wins
// (cuebreak.go): cues that are long enough and slow enough to read, that end where sentences and phrases end, and lines
// of similar length. Then they are timed (cuetiming.go). A single word that is wider than a line has a line of its own.
func Cues(t engine.Transcript, o Options) []Cue {
	return prepare(t, o).cues(o.Captions)
}

func (s script) cues(o CaptionOptions) []Cue {
	o = o.withDefaults(s.language)
	b := newBreaker(o, s.language)
	cues := make([]Cue, 0, len(s.utterances)*3)
	for i, u := range s.utterances {
		lead := leadNone
		if o.SpeakerPrefix && u.name != "" {
			lead = s.leadOf(i)
		}
		cues = b.append(cues, u, lead)
	}
	setTimes(cues, o)
	slices.SortStableFunc(cues, func(a, b Cue) int { return cmp.Compare(a.Start, b.Start) })
	for i := range cues {
		cues[i].Turn = i == 0 || cues[i].Label != cues[i-1].Label
		if cues[i].Turn && o.SpeakerPrefix && cues[i].Speaker != "" {
			cues[i].addPrefix(o)
		}
	}
	return cues
}

// lead says which cues of an utterance must leave room for the speaker's prefix.
type lead int

const (
	leadNone  lead = iota
	leadFirst      // the utterance begins a turn
	leadEvery      // others speak meanwhile: after sorting, any cue may begin a turn
)

func (s script) leadOf(i int) lead {
	u := s.utterances[i]
	if i+1 < len(s.utterances) && s.utterances[i+1].start < u.end {
		return leadEvery
	}
	// Looking back some utterances is enough for real talk; a prefix without room then has a line of its own.
	for j := i - 1; j >= max(0, i-8); j-- {
		if s.utterances[j].end > u.start {
			return leadEvery
		}
	}
	if i > 0 && s.utterances[i-1].label == u.label {
		return leadNone
	}
	return leadFirst
}

// prefixOf returns what stands before the first words of a turn.
func prefixOf(name string) string { return name + ": " }

// ownLine reports whether a prefix is so long that it has a line of its own.
func ownLine(name string, firstWord int, o CaptionOptions) bool {
	w := displayWidth(prefixOf(name))
	return o.Lines > 1 && (w > o.Columns/2 || w+firstWord > o.Columns)
}

func (c *Cue) addPrefix(o CaptionOptions) {
	first := c.Lines[0]
	width := 0
	if len(first.Words) > 0 {
		width = displayWidth(first.Words[0].Text)
	}
	fits := displayWidth(prefixOf(c.Speaker)+first.Text) <= o.Columns
	if ownLine(c.Speaker, width, o) || !fits && len(c.Lines) < o.Lines {
		c.Lines = slices.Insert(c.Lines, 0, Line{Text: prefixOf(c.Speaker)[:len(c.Speaker)+1]})
		return
	}
	c.Lines[0].Text = prefixOf(c.Speaker) + first.Text
}
