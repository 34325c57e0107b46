package formats

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// captionFile is what a caption file says: its cues as they are, and what couldn't be read.
type captionFile struct {
	language transcript.Language
	cues     []sourceCue
	problems problems
}

// sourceCue is a cue of a caption file.
type sourceCue struct {
	line       int               // of its times in the file, from 1
	start, end time.Duration     // as in the file: the end may be before the start
	spans      []span            // the text by speaker
	words      []transcript.Word // of the only span, if they have times
	shown      string            // the text that viewers see, if that isn't the text of the spans
}

// span is text of one speaker in a cue; lines end with "\n".
type span struct{ speaker, text string }

// spanWriter collects the text of a cue.
type spanWriter struct {
	spans   []span
	speaker string // of text
	text    strings.Builder
}

// add appends text of a speaker. White space never changes the speaker.
func (w *spanWriter) add(speaker, text string) {
	if speaker != w.speaker && strings.Trim(text, " \t\n\f") != "" {
		w.flush()
		w.speaker = speaker
	}
	w.text.WriteString(text)
}

func (w *spanWriter) flush() {
	if w.text.Len() > 0 {
		w.spans = append(w.spans, span{w.speaker, w.text.String()})
		w.text.Reset()
	}
}

// take returns what was collected and begins the next cue.
func (w *spanWriter) take() []span {
	w.flush()
	spans := w.spans
	*w = spanWriter{}
	return spans
}

// lines returns the lines that viewers see.
func (c sourceCue) lines() []string {
	var lines []string
	for l := range strings.SplitSeq(shownText(c), "\n") {
		if l = captions.CleanText(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// A day of captions has about 30,000 cues and 5 MB.
const (
	maxCues     = 200_000
	maxCaptions = 16 << 20 // of a caption file, in bytes
)

// transcript returns the cues as utterances, one per speaker of a cue. It is CodeInvalid if the file has problems and no text.
func (f captionFile) transcript(op string) (Parsed, error) {
	if len(f.cues) > maxCues {
		return Parsed{}, tooManyCues(op, len(f.cues))
	}
	f.checkTimes()
	t := transcript.Transcript{Language: f.language}
	for _, c := range f.cues {
		for _, s := range withoutDashes(c.spans) {
			if text := joinLines(strings.Split(s.text, "\n")); text != "" {
				u := caption(s.speaker, text, c.start, c.end)
				u.Words = c.words
				t.Utterances = append(t.Utterances, u)
			}
		}
	}
	if len(t.Utterances) == 0 && len(f.problems.found) > 0 {
		return Parsed{}, fault.Errorf(fault.CodeInvalid, op, "%s", f.problems.first())
	}
	p := normalise(t, nil)
	p.Problems = f.problems.list()
	return p, nil
}

// withoutDashes removes the dashes of a cue with the words of several speakers, such as ours.
func withoutDashes(spans []span) []span {
	dashed := func(s span) bool { return strings.HasPrefix(s.text, "- ") }
	if len(spans) < 2 || slices.ContainsFunc(spans, func(s span) bool { return !dashed(s) }) {
		return spans
	}
	bare := slices.Clone(spans)
	for i := range bare {
		bare[i].text = bare[i].text[2:]
	}
	return bare
}

func tooManyCues(op string, n int) error {
	return fault.Errorf(fault.CodeTooLarge, op, "The file has %d cues; at most %d are allowed.", n, maxCues).WithHint("Split it.")
}

// checkTimes reports times that run backwards. Such cues stay, because their text may matter.
func (f *captionFile) checkTimes() {
	var before time.Duration
	for _, c := range f.cues {
		switch {
		case c.end < c.start:
			f.problems.add(c.line, "the cue ends at %s, before its start at %s.", clockMillis(c.end), clockMillis(c.start))
		case c.end == c.start:
			f.problems.add(c.line, "the cue ends at its start, %s.", clockMillis(c.start))
		}
		if c.start < before {
			f.problems.add(c.line, "the cue starts at %s, before the previous cue at %s.", clockMillis(c.start), clockMillis(before))
		}
		before = c.start
	}
}
