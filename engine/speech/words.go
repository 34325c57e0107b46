package speech

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Word is a word in a server's response.
type Word struct {
	Text       string
	Start, End Time
	Estimated  bool // whether the adapter estimated its times
	Confidence Confidence
	Speaker    string // the server's label of the speaker; "" if unknown
}

// Segment is a section of speech in a server's response.
type Segment struct {
	Text       string // used only if Words is empty
	Start, End Time
	Words      []Word
	Confidence Confidence // default for its words
	Speaker    string     // default for its words
}

// Words converts segments to words. Words without a time, or with a time outside the media, get estimated times between
// the nearest known times within their segment, in proportion to their characters, and are marked Estimated. Words are
// clamped to the media and sorted by start. A word that overlaps the next one of its speaker ends there. Empty words are
// omitted.
//
// Speakers are renamed "Speaker 0", "Speaker 1", and so on, in order of their first word. If only some words have a
// speaker, the others get the previous one. A word without a confidence has 1. duration is the media's, or 0 if unknown.
func Words(segments []Segment, language transcript.Language, duration time.Duration) []transcript.Word {
	var words []transcript.Word
	at := time.Duration(0)
	next := starts(segments)
	for i, s := range segments {
		from, to := s.bounds(at, next[i+1], duration)
		laid := s.assignTimes(language, from, to, duration)
		words = append(words, laid...)
		for _, w := range laid {
			at = max(at, w.End)
		}
	}
	words = clamp(words, duration)
	renumber(words)
	return words
}

// bounds returns a segment's times: its own, else the end of the previous one and the start of the next one.
func (s Segment) bounds(before time.Duration, next Time, duration time.Duration) (from, to time.Duration) {
	from, to = before, before
	if s.Start.Known {
		from = max(0, s.Start.At)
	}
	switch {
	case s.End.Known && s.End.At > from:
		to = s.End.At
	case next.Known && next.At > from:
		to = next.At
	default:
		to = max(duration, from)
	}
	if duration > 0 {
		from, to = min(from, duration), min(to, duration)
	}
	return from, to
}

// starts returns, for each segment and for the end, the first known time from there on.
func starts(segments []Segment) []Time {
	out := make([]Time, len(segments)+1)
	for i, s := range slices.Backward(segments) {
		out[i] = out[i+1]
		for _, w := range slices.Backward(s.Words) {
			if w.Start.Known {
				out[i] = w.Start
			}
		}
		if s.Start.Known {
			out[i] = s.Start
		}
	}
	return out
}

// assignTimes assigns a time to every word of a segment.
func (s Segment) assignTimes(language transcript.Language, from, to, duration time.Duration) []transcript.Word {
	said := s.Words
	if len(said) == 0 {
		for _, text := range Split(s.Text, language) {
			said = append(said, Word{Text: text})
		}
	}
	words := make([]transcript.Word, 0, len(said))
	open := 0 // index of the first word without a time
	known := from
	for _, w := range said {
		out := transcript.Word{Text: clean(w.Text), Speaker: cmp.Or(w.Speaker, s.Speaker), Confidence: 1}
		if out.Text == "" {
			continue
		}
		for _, c := range []Confidence{s.Confidence, w.Confidence} {
			if c.Known {
				out.Confidence = c.Value
			}
		}
		timed := w.Start.Known && w.End.Known && w.End.At > w.Start.At && w.End.At > 0 && (duration == 0 || w.Start.At < duration)
		if timed {
			out.Start, out.End = max(0, w.Start.At), w.End.At
			if duration > 0 {
				out.End = min(out.End, duration)
			}
			spread(words[open:], known, max(known, out.Start))
		}
		out.Estimated = w.Estimated || !timed
		words = append(words, out)
		if timed {
			open, known = len(words), max(known, out.End)
		}
	}
	spread(words[open:], known, max(known, to))
	return words
}

// clean returns a word as valid UTF-8 without control characters, with single spaces.
func clean(text string) string { return strings.Join(fields(text), " ") }

// spread distributes words between two times in proportion to their characters. Without room, each gets 1 ms.
func spread(words []transcript.Word, from, to time.Duration) {
	all := 0
	for _, w := range words {
		all += utf8.RuneCountInString(w.Text)
	}
	to = max(to, from+time.Duration(len(words))*time.Millisecond)
	done := 0
	for i := range words {
		words[i].Start = from + share(to-from, done, all)
		done += utf8.RuneCountInString(words[i].Text)
		words[i].End = from + share(to-from, done, all)
	}
}

func share(length time.Duration, part, all int) time.Duration {
	return time.Duration(float64(length) * float64(part) / float64(all))
}

// clamp sorts words, limits them to the media, and removes overlaps of the same speaker.
func clamp(words []transcript.Word, duration time.Duration) []transcript.Word {
	for i := range words {
		w := &words[i]
		w.Start, w.End = max(0, w.Start.Round(time.Millisecond)), w.End.Round(time.Millisecond)
		if duration > 0 {
			last := duration.Truncate(time.Millisecond)
			w.Start, w.End = min(w.Start, max(0, last-time.Millisecond)), min(w.End, last)
		}
		w.End = max(w.End, w.Start+time.Millisecond)
	}
	slices.SortStableFunc(words, func(a, b transcript.Word) int { return cmp.Compare(a.Start, b.Start) })
	last := map[string]int{}
	for i, w := range words {
		if p, ok := last[w.Speaker]; ok && words[p].End > w.Start && w.Start > words[p].Start {
			words[p].End = w.Start
		}
		last[w.Speaker] = i
	}
	return words
}

// renumber numbers speakers by their first word. A word without a speaker gets the previous one, or the first.
func renumber(words []transcript.Word) {
	first := slices.IndexFunc(words, func(w transcript.Word) bool { return w.Speaker != "" })
	if first < 0 {
		return
	}
	names := map[string]string{}
	current := words[first].Speaker
	for i := range words {
		current = cmp.Or(words[i].Speaker, current)
		if _, ok := names[current]; !ok {
			names[current] = transcript.SpeakerLabel(len(names))
		}
		words[i].Speaker = names[current]
	}
}
