package transcript

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// MaxWindow is the longest window of a render (specification, "Limits": 3 minutes).
const MaxWindow = 180 * time.Second

// Window is a part of a recording, from Start up to End.
type Window struct {
	Start, End time.Duration
}

// Snap moves a window's edges to word boundaries: to the start of the first word and the end of the last word that it touches.
// words are a Transcript's, sorted by start. media is the recording's duration; words beyond it are ignored.
//
// An edge that is already a word's stays, so snapping a snapped window changes nothing, even where speakers overlap. A window
// longer than MaxWindow is refused. A window that snapping makes longer than MaxWindow loses the last words that don't fit. The
// requested end may reach the media's duration rounded up to a whole second, because clients see durations in whole seconds.
//
// Errors: CodeInvalid (end not after start, longer than MaxWindow, outside the media), CodeNoSpeech. Source: specification, "POST
// /v1/renders".
func Snap(words []Word, media time.Duration, asked Window) (Window, error) {
	const op = "Snap"
	switch {
	case asked.End <= asked.Start:
		return Window{}, fault.Errorf(fault.CodeInvalid, op, "start_ms must be less than end_ms (got %d and %d).", asked.Start.Milliseconds(), asked.End.Milliseconds()).WithRule("render.window-backwards")
	case asked.End-asked.Start > MaxWindow:
		return Window{}, fault.Errorf(fault.CodeInvalid, op, "The window is longer than 3 minutes.").WithRule("render.window-too-long")
	case asked.Start < 0 || asked.Start >= media || asked.End > (media+time.Second-1).Truncate(time.Second):
		return Window{}, fault.Errorf(fault.CodeInvalid, op, "The window must be inside the recording, which is %d ms long (got %d to %d ms).", media.Milliseconds(), asked.Start.Milliseconds(), asked.End.Milliseconds()).WithRule("render.window-outside")
	}
	silent := fault.Errorf(fault.CodeNoSpeech, op, "There is no speech in this window: pick a range with spoken words.")

	touched := TouchedWords(words, media, asked)
	if len(touched) == 0 {
		return Window{}, silent
	}
	start := asked.Start
	if !slices.ContainsFunc(touched, func(w Word) bool { return w.Start == start }) {
		start = touched[0].Start
	}
	end := asked.End
	if !slices.ContainsFunc(touched, func(w Word) bool { return w.End == end && w.Start >= start }) {
		end = 0
	}
	if end == 0 || end-start > MaxWindow {
		end = 0
		for _, w := range touched {
			if w.Start >= start && w.End-start <= MaxWindow {
				end = max(end, w.End)
			}
		}
	}
	if end <= start {
		return Window{}, silent
	}
	return Window{Start: start, End: end}, nil
}

// TouchedWords returns the words inside the media that share some time with the window.
func TouchedWords(words []Word, media time.Duration, w Window) []Word {
	var touched []Word
	for _, word := range words {
		if word.Start < w.End && word.End > w.Start && word.Start < word.End && word.End <= media {
			touched = append(touched, word)
		}
	}
	return touched
}

// Overlaps reports whether two windows have some time in common.
func (w Window) Overlaps(o Window) bool { return w.Start < o.End && o.Start < w.End }

// QuietAround returns a window with the silence around it: from the end of the word before it until the start of the next one. After the last
// word, the silence is MaxWindow long.
func QuietAround(words []Word, w Window) Window {
	quiet := Window{End: w.End + MaxWindow}
	for _, word := range words {
		if word.Start < w.Start {
			quiet.Start = max(quiet.Start, min(word.End, w.Start))
		}
		if word.End > w.End {
			quiet.End = min(quiet.End, max(word.Start, w.End))
		}
	}
	return quiet
}
