package transcript

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// MaxWindow is the longest that a render may be (service.md, Limits: at most 3 minutes).
const MaxWindow = 180 * time.Second

// Window is a stretch of a recording, from Start up to End.
type Window struct {
	Start, End time.Duration
}

// Snap moves an asked window to spoken words: to the start of the first and the end of the last word that it touches.
// words are a Transcript's, sorted by start; media is the recording's duration, and words beyond it don't count. An edge
// that is a word's already stays, so snapping a snapped window changes nothing, also where speakers talk at once. A window
// of more than MaxWindow is refused; one that grows beyond it by snapping loses the last words that don't fit. Because
// durations are told in whole seconds, an asked end may lie up to a second behind the media's.
//
// Errors: CodeInvalid (end not after start, longer than MaxWindow, outside the media), CodeNoSpeech.
// Source: service.md, POST /v1/renders; decisions.md, Renders.
func Snap(words []Word, media time.Duration, asked Window) (Window, error) {
	const op = "Snap"
	switch {
	case asked.End <= asked.Start:
		return Window{}, fault.Errorf(fault.CodeInvalid, op, "end_ms must be after start_ms.").WithRule("render.window-backwards")
	case asked.End-asked.Start > MaxWindow:
		return Window{}, fault.Errorf(fault.CodeInvalid, op, "The window is longer than 3 minutes.").WithRule("render.window-too-long")
	case asked.Start < 0 || asked.Start >= media || asked.End > media+time.Second:
		return Window{}, fault.Errorf(fault.CodeInvalid, op, "The window lies outside the recording, which is %d ms long.", media.Milliseconds()).WithRule("render.window-outside")
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
