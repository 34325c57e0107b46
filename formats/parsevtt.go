package formats

import (
	"io"
	"slices"
	"strings"
	"time"
)

// ParseVTT reads WebVTT as browsers do: each cue becomes an utterance without words, with the name in its voice tag as speaker. It drops
// tags, resolves escapes, and skips comments, styles, and regions. What browsers skip, such as a cue with an invalid time, is skipped
// and listed in Problems. A file with problems and no cue is CodeInvalid, with the line in the message.
//
// It follows the parser algorithm of https://www.w3.org/TR/webvtt1/#file-parsing. It does not use go-astisub, whose reader loses cues
// and doesn't report where a file is invalid.
func ParseVTT(r io.Reader) (Parsed, error) {
	const op = "ParseVTT"
	text, found, err := readText(op, r, maxFile)
	if err != nil {
		return Parsed{}, err
	}
	f, err := readCaptions(op, kindVTT, text, found)
	if err != nil {
		return Parsed{}, err
	}
	return f.transcript(op)
}

func readVTT(op, text string, found problems) (captionFile, error) {
	p := vttParser{lines: splitLines(strings.ReplaceAll(text, "\x00", "\uFFFD")), file: captionFile{problems: found}}
	signature := p.lines[0]
	if rest, ok := strings.CutPrefix(signature, "WEBVTT"); !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return captionFile{}, syntaxError(op, 1, 1, "a WebVTT file must start with WEBVTT.")
	}
	p.at = 1
	if p.at < len(p.lines) && p.lines[p.at] != "" {
		p.header()
	}
	for p.at < len(p.lines) {
		if p.lines[p.at] == "" {
			p.at++
			continue
		}
		p.block()
	}
	return p.file, nil
}

// vttParser reads the lines of a file, block by block.
type vttParser struct {
	lines   []string
	at      int // next line
	seenCue bool
	file    captionFile
}

// header reads the lines below the signature. A time line ends them.
func (p *vttParser) header() {
	for ; p.at < len(p.lines) && p.lines[p.at] != "" && !strings.Contains(p.lines[p.at], arrow); p.at++ {
		if tag, ok := strings.CutPrefix(p.lines[p.at], "Language:"); ok {
			p.file.language = Language(tag)
		}
	}
}

// block collects a block (section 6.1, "collect a WebVTT block"): a cue with an optional identifier, a style sheet, a region, or something
// else, which is skipped. A line with an arrow in the text of a cue begins the next block.
func (p *vttParser) block() {
	first := p.at
	timing := slices.IndexFunc(p.lines[first:min(first+2, len(p.lines))], func(l string) bool { return strings.Contains(l, arrow) })
	p.at = first + 1 + max(timing, 0)
	for p.at < len(p.lines) && p.lines[p.at] != "" && !strings.Contains(p.lines[p.at], arrow) {
		p.at++
	}
	if timing < 0 {
		p.skipped(first)
		return
	}
	line := first + timing
	cue, column, reason := vttTimes(p.lines[line])
	if reason != "" {
		p.file.problems.addAt(line+1, column, "%s; the cue was skipped.", reason)
		return
	}
	if column > 0 {
		p.file.problems.addAt(line+1, column, "expected a full stop before the milliseconds, not a comma; browsers skip this cue.")
	}
	p.seenCue = true
	cue.line = line + 1
	var unclosed bool
	cue.spans, cue.shown, unclosed = vttSpans(strings.Join(p.lines[line+1:p.at], "\n"))
	if unclosed {
		p.file.problems.add(line+1, "a tag is not closed; the text in it was skipped.")
	}
	p.file.cues = append(p.file.cues, cue)
}

// skipped reports a block without a cue, unless it has no spoken text.
func (p *vttParser) skipped(first int) {
	l := p.lines[first]
	if l == "NOTE" || strings.HasPrefix(l, "NOTE ") || strings.HasPrefix(l, "NOTE\t") {
		return
	}
	switch strings.TrimRight(l, " \t\f") {
	case "STYLE", "REGION":
		if p.seenCue {
			p.file.problems.add(first+1, "a style sheet or region after the first cue was skipped.")
		}
		return
	}
	p.file.problems.add(first+1, "text without a time line was skipped.")
}

// vttTimes parses a time line (section 6.3). If that fails, reason is the error, and column its position in bytes from 1. Without a
// reason, column is the position of a comma that stands for a full stop, or 0.
func vttTimes(l string) (c sourceCue, column int, reason string) {
	rest := strings.TrimLeft(l, vttSpace)
	at := func() int { return len(l) - len(rest) + 1 }
	var comma bool
	times := [2]time.Duration{}
	for i := range times {
		if i == 1 {
			if rest = strings.TrimLeft(rest, vttSpace); !strings.HasPrefix(rest, arrow) {
				return c, at(), "expected -->"
			}
			rest = strings.TrimLeft(rest[len(arrow):], vttSpace)
		}
		begin := at()
		d, size, reason := vttTimestamp(rest)
		if reason != "" {
			return c, begin, reason
		}
		if comma = rest[size-4] == ','; comma {
			column = begin + size - 4
		}
		times[i], rest = d, rest[size:]
	}
	c.start, c.end = times[0], times[1]
	return c, column, ""
}

// vttSpace is white space between the parts of a time line. A vertical tab is none.
const vttSpace = " \t\f"

// vttTimestamp parses [hours:]mm:ss.mmm at the start of s and returns its size in bytes. It accepts a comma before the milliseconds.
func vttTimestamp(s string) (d time.Duration, size int, reason string) {
	hours, digits := leadingNumber(s)
	size = digits
	fields := []int64{}
	for len(fields) < 2 && strings.HasPrefix(s[size:], ":") {
		n, digits := leadingNumber(s[size+1:])
		if digits != 2 {
			return 0, 0, expectedTime
		}
		fields, size = append(fields, n), size+3
	}
	switch {
	case digits == 0 || len(fields) == 0:
		return 0, 0, expectedTime
	case len(fields) == 1 && digits != 2:
		return 0, 0, expectedTime
	case len(fields) == 1:
		hours, fields = 0, []int64{hours, fields[0]}
	}
	if size == len(s) || s[size] != '.' && s[size] != ',' {
		return 0, 0, expectedTime
	}
	fraction, digits := leadingFraction(s[size+1:])
	if digits != 3 {
		return 0, 0, expectedTime
	}
	d, reason = timeOf(hours, fields[0], fields[1])
	return d + fraction, size + 4, reason
}
