package formats

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// ParseLRC reads lyrics: each time tag begins an utterance that ends at the next one, of a tag without text, too. It reads times of words
// (enhanced LRC), lines with several times, hours, and the tags offset, length, and la. Speakers are found as in SubRip. The last line, if
// nothing tells its end, gets 4 s, which Problems says.
func ParseLRC(r io.Reader) (Parsed, error) { return parseCaptions("ParseLRC", kindLRC, r) }

const (
	lrcLast       = 4 * time.Second // length of the last line, if it is unknown
	lrcMaxRepeats = 100             // times of one line
)

var (
	lrcStart = lazyregexp.New(`^\[(?:\d+:\d|(?i:ti|ar|al|au|by|re|ve|la|length|offset|tool|#)[^\]\n]*:)`)
	lrcWord  = lazyregexp.New(`<(\d+:\d[\d:.,]*)>`)
)

// lrcLineAt is a line with one of its times.
type lrcLineAt struct {
	line       int
	start, end time.Duration
	text       string
}

type lrcReader struct {
	file     captionFile
	lines    []lrcLineAt
	bytes    int           // of the lines, with repetitions
	offset   time.Duration // that times are too late by
	length   time.Duration // of the media; 0 if unknown
	speakers prefixes
}

func readLRC(text string, found problems) captionFile {
	r := lrcReader{file: captionFile{problems: found}}
	for i, l := range splitLines(text) {
		r.read(l, i+1)
	}
	slices.SortStableFunc(r.lines, func(a, b lrcLineAt) int { return cmp.Compare(a.start, b.start) })
	r.setEnds()
	for _, l := range r.lines {
		if isBlank(l.text) {
			continue
		}
		c := sourceCue{line: l.line, start: max(l.start-r.offset, 0), end: max(l.end-r.offset, 0)}
		shown := lrcWord.ReplaceAllString(l.text, "")
		if !strings.HasPrefix(l.text, "<") {
			if _, ok := r.speakers.cut([]string{shown}, len(r.file.cues) == 0); ok {
				_, l.text, _ = strings.Cut(l.text+" ", ": ")
			}
		}
		c.shown = shown
		c.words = r.words(l.text, c.end)
		c.spans = []span{{r.speakers.speaker, lrcWord.ReplaceAllString(l.text, "")}}
		r.file.cues = append(r.file.cues, c)
	}
	return r.file
}

// read reads the tags of a line and its text.
func (r *lrcReader) read(l string, line int) {
	rest := strings.TrimSpace(l)
	var times []time.Duration
	for strings.HasPrefix(rest, "[") {
		tag, after, ok := strings.Cut(rest[1:], "]")
		if !ok {
			break
		}
		d, isTime := lrcClock(tag)
		if isTime {
			times, rest = append(times, d), strings.TrimSpace(after)
			continue
		}
		if len(times) > 0 {
			break // the text begins with a bracket
		}
		if reason := r.tag(tag); reason != "" {
			r.file.problems.add(line, "%s; the line was skipped.", reason)
		}
		return
	}
	switch {
	case len(times) == 0 && rest != "":
		r.file.problems.add(line, "text without a time was skipped.")
	case len(times) > lrcMaxRepeats || r.bytes+len(times)*len(rest) > maxCaptions:
		r.file.problems.add(line, "the line is repeated too often; it was skipped.")
	default:
		r.bytes += len(times) * len(rest)
		for _, start := range times {
			r.lines = append(r.lines, lrcLineAt{line: line, start: start, text: rest})
		}
	}
}

// tag reads a tag that is not a time. It returns what is wrong with it.
func (r *lrcReader) tag(tag string) string {
	name, value, _ := strings.Cut(tag, ":")
	value = strings.TrimSpace(value)
	switch strings.ToLower(name) {
	case "la":
		r.file.language = Language(value)
	case "length":
		r.length, _ = lrcClock(value)
	case "offset":
		ms, err := strconv.Atoi(strings.TrimPrefix(value, "+"))
		if err != nil || time.Duration(ms).Abs() > time.Duration(captions.MaxTime.Milliseconds()) {
			return "the offset is not a number of milliseconds"
		}
		r.offset = time.Duration(ms) * time.Millisecond
	default:
		if tag != "" && tag[0] >= '0' && tag[0] <= '9' {
			return "expected a time like 01:23.45"
		}
	}
	return ""
}

// lrcClock parses [hours:]minutes:seconds[.fraction]. Without hours, there may be more than 59 minutes.
func lrcClock(s string) (time.Duration, bool) {
	parts := strings.Split(strings.TrimSpace(s), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	last := len(parts) - 1
	var fraction time.Duration
	if whole, digits, ok := strings.Cut(strings.ReplaceAll(parts[last], ",", "."), "."); ok {
		var n int
		if fraction, n = leadingFraction(digits); n == 0 || n != len(digits) {
			return 0, false
		}
		parts[last] = whole
	}
	var fields [3]int64 // hours, minutes, seconds
	for i, part := range parts {
		n, digits := leadingNumber(part)
		if digits == 0 || digits != len(part) {
			return 0, false
		}
		fields[3-len(parts)+i] = n
	}
	if len(parts) == 2 {
		fields[0], fields[1] = fields[1]/60, fields[1]%60
	}
	d, reason := timeOf(fields[0], fields[1], fields[2])
	return d + fraction, reason == ""
}

// setEnds sets the ends of lines, which are sorted: the next later time, or that of the media.
func (r *lrcReader) setEnds() {
	for i := len(r.lines) - 1; i >= 0; i-- {
		l := &r.lines[i]
		switch {
		case i+1 < len(r.lines) && r.lines[i+1].start > l.start:
			l.end = r.lines[i+1].start
		case i+1 < len(r.lines):
			l.end = r.lines[i+1].end
		case r.length > l.start:
			l.end = r.length
		default:
			if l.end = l.start + lrcLast; !isBlank(l.text) {
				r.file.problems.add(l.line, "nothing tells the end of the last line; it got %s.", lrcLast)
			}
		}
	}
}

// words returns the words of a line that has times of words, or nil.
func (r *lrcReader) words(text string, end time.Duration) []transcript.Word {
	tags := lrcWord.FindAllStringSubmatchIndex(text, -1)
	if len(tags) == 0 || !isBlank(text[:tags[0][0]]) {
		return nil
	}
	var words []transcript.Word
	for i, t := range tags {
		start, ok := lrcClock(text[t[2]:t[3]])
		if !ok {
			return nil
		}
		start = max(start-r.offset, 0)
		if n := len(words); n > 0 && words[n-1].End == 0 {
			words[n-1].End = start
		}
		next := len(text)
		if i+1 < len(tags) {
			next = tags[i+1][0]
		}
		if said := captions.CleanText(text[t[1]:next]); said != "" {
			words = append(words, transcript.Word{Text: said, Start: start, Speaker: r.speakers.speaker, Confidence: 1})
		}
	}
	if n := len(words); n > 0 && words[n-1].End == 0 {
		words[n-1].End = end
	}
	return words
}
