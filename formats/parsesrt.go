package formats

import (
	"io"
	"regexp"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ParseSRT reads SubRip: each cue is an utterance without words. Blank lines inside cues, missing numbers, LF, CRLF and
// UTF-16 are all read. Tags of style (<i>, <font …>, {\an8}) are dropped; entities stay, since SubRip has none.
//
// SubRip has no speakers. Where the first cue begins with "Name: " (or a line "[Name]"), the file is taken to name its
// speakers so, each until the next name. A broken file is CodeInvalid; the sentence has line and column.
func ParseSRT(r io.Reader) (Parsed, error) {
	text, err := readText("ParseSRT", r)
	if err != nil {
		return Parsed{}, err
	}
	return parseSRT(string(text))
}

func parseSRT(text string) (Parsed, error) {
	lines := splitLines(text)
	var t transcript.Transcript
	var cues [][]string
	for i, l := range lines {
		start, end, column, reason := timeLine(l)
		// What looks like times below other times, or below text, is what somebody said.
		isTime := strings.Contains(l, arrow) && (i == 0 || isBlank(lines[i-1]) || isNumber(lines[i-1]))
		switch {
		case isTime && reason != "":
			return Parsed{}, syntaxError("ParseSRT", i+1, column, "%s.", reason)
		case isTime:
			if n := len(cues); n > 0 {
				cues[n-1] = withoutNumber(cues[n-1])
			}
			t.Utterances = append(t.Utterances, caption("", "", start, end))
			cues = append(cues, nil)
		case len(cues) > 0:
			cues[len(cues)-1] = append(cues[len(cues)-1], l)
		case !isBlank(l) && !(isNumber(l) && i+1 < len(lines) && strings.Contains(lines[i+1], arrow)):
			return Parsed{}, syntaxError("ParseSRT", i+1, 1, "a cue's number or times are expected.")
		}
	}
	speakers := false
	speaker := ""
	for i, c := range cues {
		for j := range c {
			c[j] = style.ReplaceAllString(c[j], "")
		}
		if name, rest, ok := speakerPrefix(c); ok && (speakers || i == 0) {
			speakers, speaker, c = true, name, rest
		}
		t.Utterances[i].Speaker, t.Utterances[i].Text = speaker, joinLines(c)
	}
	return finish(t, nil), nil
}

var style = regexp.MustCompile(`(?i)</?(?:[biu]|font(?: [^<>]*)?)>|\{\\[^{}]*\}`)

func isBlank(l string) bool { return strings.TrimSpace(l) == "" }

// isNumber reports whether a line can be a cue's number.
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

const maxSpeakerPrefix = 60 // characters; longer ones are sentences with a colon

// speakerPrefix takes "Name: " or a line "[Name]" off the start of a cue.
func speakerPrefix(lines []string) (name string, rest []string, ok bool) {
	if len(lines) == 0 {
		return "", nil, false
	}
	first := strings.TrimSpace(lines[0])
	if inner, found := strings.CutPrefix(first, "["); found && strings.HasSuffix(inner, "]") {
		return captions.CleanText(strings.TrimSuffix(inner, "]")), lines[1:], len(lines) > 1
	}
	name, text, found := strings.Cut(first+" ", ": ")
	if !found || name == "" || len([]rune(name)) > maxSpeakerPrefix || strings.ContainsAny(name, "?!,;") || unicode.IsSpace(rune(name[0])) {
		return "", nil, false
	}
	return captions.CleanText(name), append([]string{text}, lines[1:]...), true
}
