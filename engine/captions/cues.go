package captions

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Cue is a caption: the text on screen at one time.
type Cue struct {
	Start, End time.Duration // whole milliseconds, Start < End
	Label      string        // of the speaker
	Speaker    string        // for readers: the assigned name, else the label; "" when unknown
	Turn       bool          // the speaker differs from the previous cue's
	Lines      []Line

	roomy                            bool // has room for a prefix
	utterance, firstToken, lastToken int  // what its lines are made of
}

// Line is one line of a cue.
type Line struct {
	Text  string            // with the speaker's prefix, if requested
	Words []transcript.Word // the words of the line, with times

	Label, Speaker string // of this line, in a cue of two speakers; else ""

	turn bool // one of a dialogue
}

// Text returns the lines, separated by line feeds.
func (c Cue) Text() string {
	lines := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = l.Text
	}
	return strings.Join(lines, "\n")
}

// Build breaks a transcript into captions, in order of their start. names has speaker names by label.
//
// Hard rules: at most the lines, columns, and seconds of the options, no break inside a word that fits a line, no long silence inside a cue,
// and one speaker per cue, except in dialogues. Of all breaks that keep these rules, the cheapest wins (cuebreak.go). Cheap cues keep
// together what belongs together (breakcost.go), are long and slow enough to read, end where sentences and phrases end, and have lines of
// similar length (cuecost.go). The cues are then timed (cuetiming.go). A word wider than a line is broken (widewords.go).
func Build(t transcript.Transcript, names map[string]string, o Options) []Cue {
	return Prepare(t, names, true).Cues(o)
}

func (s Script) Cues(o Options) []Cue {
	o = o.WithDefaults(s.Language)
	b := newBreaker(o, s)
	cues := make([]Cue, 0, len(s.Utterances)*3)
	leads := make([]lead, len(s.Utterances))
	if o.SpeakerPrefix {
		leads = s.leads()
	}
	for i := range s.Utterances {
		cues = b.append(cues, i, leads[i])
	}
	for again := true; again; {
		order(cues)
		again = false
		if o.SpeakerPrefix {
			cues, again = b.makeRoom(cues)
		}
	}
	if o.Dialogues {
		cues = dialogues(cues, o)
		lend(cues, o)
	}
	if o.Flat {
		flatten(cues, o)
	}
	setEnds(cues, s.Duration, o)
	atMostTwo(cues)
	for i := range cues {
		if cues[i].Turn && o.SpeakerPrefix && cues[i].Speaker != "" && !cues[i].Dialogue() {
			cues[i].addPrefix(o)
		}
	}
	return cues
}

func byStart(a, b Cue) int { return cmp.Compare(a.Start, b.Start) }

// sortCues sorts cues by start. They usually are, which is faster to see than to sort.
func sortCues(cues []Cue) {
	if !slices.IsSortedFunc(cues, byStart) {
		slices.SortStableFunc(cues, byStart)
	}
}

// order sorts cues, keeps cues of one speaker from overlapping, and marks turns.
func order(cues []Cue) {
	sortCues(cues)
	separate(cues)
	sortCues(cues)
	for i := range cues {
		cues[i].Turn = i == 0 || cues[i].Label != cues[i-1].Label
	}
}

// makeRoom breaks again those cues that begin a turn, because another speaker interrupted, and have no room for the prefix. It
// reports whether there were any; the order may then have changed.
func (b *breaker) makeRoom(cues []Cue) ([]Cue, bool) {
	lacks := func(c Cue) bool { return c.Turn && c.Speaker != "" && !c.roomy && !c.hasRoom(b.o) }
	if !slices.ContainsFunc(cues, lacks) {
		return cues, false
	}
	roomy := make([]Cue, 0, len(cues)+8)
	for _, c := range cues {
		if lacks(c) {
			roomy = b.rebreak(roomy, c)
		} else {
			roomy = append(roomy, c)
		}
	}
	return roomy, true
}

// lead says which cues of an utterance must have room for the speaker's prefix.
type lead int

const (
	leadNone  lead = iota
	leadFirst      // the utterance begins a turn
	leadEvery      // other speakers overlap: after sorting, any cue may begin a turn
)

// leads returns the lead of every utterance, for cues with prefixes.
func (s Script) leads() []lead {
	leads := make([]lead, len(s.Utterances))
	starts := make([]time.Duration, len(s.Utterances)) // earliest start of this and all later utterances
	next := 2 * MaxTime
	for i := len(s.Utterances) - 1; i >= 0; i-- {
		start, _ := s.Utterances[i].span()
		next = min(next, start)
		starts[i] = next
	}
	var spoken time.Duration // latest end of all utterances so far
	for i, u := range s.Utterances {
		start, end := u.span()
		switch {
		case u.Name == "":
		case start < spoken, i+1 < len(starts) && starts[i+1] < end:
			leads[i] = leadEvery
		case i == 0 || s.Utterances[i-1].Label != u.Label:
			leads[i] = leadFirst
		}
		spoken = max(spoken, end)
	}
	return leads
}

// span returns the start and end of an utterance, of its words if it has any.
func (u Utterance) span() (start, end time.Duration) {
	start, end = u.Start, u.End
	for _, w := range u.Words {
		start, end = min(start, w.Start), max(end, w.End)
	}
	return start, end
}

// prefixOf returns the text before the first word of a turn.
func prefixOf(name string) string { return name + ": " }

// ownLine reports whether a prefix is so long that it gets its own line.
func ownLine(name string, firstWord int, o Options) bool {
	w := displayWidth(prefixOf(name))
	return o.Lines > 1 && (w > o.Columns/2 || w+firstWord > o.Columns)
}

// prefixLine reports whether the cue's prefix has its own line.
func (c Cue) prefixLine(o Options) bool {
	return ownLine(c.Speaker, displayWidth(c.Lines[0].Words[0].Text), o)
}

func (c Cue) hasRoom(o Options) bool {
	if c.prefixLine(o) {
		return len(c.Lines) < o.Lines
	}
	return displayWidth(prefixOf(c.Speaker)+c.Lines[0].Text) <= o.Columns
}

func (c *Cue) addPrefix(o Options) {
	if c.prefixLine(o) {
		c.Lines = slices.Insert(c.Lines, 0, Line{Text: strings.TrimSuffix(prefixOf(c.Speaker), " ")})
		return
	}
	c.Lines[0].Text = prefixOf(c.Speaker) + c.Lines[0].Text
}
