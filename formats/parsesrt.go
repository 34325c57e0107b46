package formats

import (
	"io"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// ParseSRT reads SubRip: each cue becomes an utterance without words. It accepts blank lines in cues, missing numbers, LF,
// CRLF and UTF-16. It drops style tags (<i>, <font …>, {\an8}) and keeps entities, which SubRip doesn't have.
//
// A cue with an invalid time line is skipped, and a negative start becomes 0; Problems has both. A file with problems and no cue is
// CodeInvalid, with line and column in the message.
//
// SubRip has no speakers. If the first cue starts with "Name: " (or a line "[Name]"), such prefixes are speakers, each until
// the next. "Name : " with a space, as in French, is one only if the first prefix has a space, too. In a cue of several lines that all begin with a dash, each line is an utterance.
func ParseSRT(r io.Reader) (Parsed, error) { return parseCaptions("ParseSRT", kindSRT, r) }

func readSRT(text string, found problems) captionFile {
	f := captionFile{problems: found}
	lines := splitLines(text)
	var texts [][]string // by cue
	skipping := false    // the lines of an invalid cue
	for i, l := range lines {
		switch {
		case isTimeLine(lines, i):
			if n := len(texts); n > 0 && !skipping {
				texts[n-1] = withoutNumber(texts[n-1])
			}
			var c sourceCue
			if c, skipping = f.srtTimes(l, i+1); !skipping {
				f.cues, texts = append(f.cues, c), append(texts, nil)
			}
		case skipping:
		case len(texts) > 0:
			texts[len(texts)-1] = append(texts[len(texts)-1], l)
		case !isBlank(l) && !(isNumber(l) && i+1 < len(lines) && strings.Contains(lines[i+1], arrow)):
			f.problems.addAt(i+1, 1, "expected a cue number or a time line; the text was skipped.")
		}
	}
	var speakers prefixes
	for i, c := range texts {
		for j := range c {
			c[j] = style.ReplaceAllString(c[j], "")
		}
		f.cues[i].shown = strings.Join(c, "\n")
		for _, turn := range turnsOf(c) {
			turn, _ = speakers.cut(turn, i == 0)
			f.cues[i].spans = append(f.cues[i].spans, span{speakers.speaker, strings.Join(turn, "\n")})
		}
	}
	return f
}

// isTimeLine reports whether a line is meant as the time line of a cue: one with an arrow below the number of a cue, or that begins like
// a time. What looks like one below another one or below text is spoken text.
func isTimeLine(lines []string, i int) bool {
	l := lines[i]
	if !strings.Contains(l, arrow) || i > 0 && !isBlank(lines[i-1]) && !isNumber(lines[i-1]) {
		return false
	}
	if i > 0 && isNumber(lines[i-1]) && (i == 1 || isBlank(lines[i-2])) {
		return true
	}
	start := strings.TrimLeft(strings.TrimSpace(l), "-")
	return start != "" && (start[0] >= '0' && start[0] <= '9' || start[0] == '>')
}

// srtTimes parses a time line. It reports and skips a cue that has no usable times.
func (f *captionFile) srtTimes(l string, line int) (c sourceCue, skip bool) {
	start, end, column, reason := timeLine(l)
	switch {
	case reason != "":
		f.problems.addAt(line, column, "%s; the cue was skipped.", reason)
		return c, true
	case start < 0 && end <= 0:
		f.problems.add(line, "the times are negative; the cue was skipped.")
		return c, true
	case start < 0:
		f.problems.add(line, "the start is negative; it became 0.")
	case end < 0:
		f.problems.add(line, "the end is negative; the cue was skipped.")
		return c, true
	}
	return sourceCue{line: line, start: max(start, 0), end: end}, false
}

var style = lazyregexp.New(`(?i)</?(?:[biu]|font(?: [^<>]*)?)>|\{\\[^{}]*\}`)

func isBlank(l string) bool { return strings.TrimSpace(l) == "" }

// isNumber reports whether a line can be a cue number.
func isNumber(l string) bool {
	l = strings.TrimSpace(l)
	return l != "" && strings.Trim(l, "0123456789") == ""
}

// withoutNumber drops the number of the next cue from the end of a cue's lines.
func withoutNumber(cue []string) []string {
	if n := len(cue); n > 0 && isNumber(cue[n-1]) {
		return cue[:n-1]
	}
	return cue
}

// turnsOf splits the lines of a dialogue, which all begin with a dash.
func turnsOf(cue []string) [][]string {
	var turns [][]string
	for _, l := range cue {
		text, dash := strings.CutPrefix(l, "- ")
		if !dash && !isBlank(l) {
			return [][]string{cue}
		}
		if dash {
			turns = append(turns, []string{text})
		}
	}
	if len(turns) < 2 {
		return [][]string{cue}
	}
	return turns
}
