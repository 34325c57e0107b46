package formats

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ParseSRT reads SubRip: each cue becomes an utterance without words. It accepts blank lines in cues, missing numbers, LF,
// CRLF and UTF-16. It drops style tags (<i>, <font …>, {\an8}) and keeps entities, which SubRip doesn't have.
//
// SubRip has no speakers. If the first cue starts with "Name: " (or a line "[Name]"), such prefixes are speakers, each until
// the next. An invalid file is CodeInvalid, with line and column in the message.
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
		// What looks like a time line below another time line or below text is spoken text.
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
			return Parsed{}, syntaxError("ParseSRT", i+1, 1, "expected a cue number or a time line.")
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
	return normalise(t, nil), nil
}

var style = regexp.MustCompile(`(?i)</?(?:[biu]|font(?: [^<>]*)?)>|\{\\[^{}]*\}`)

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

const maxSpeakerPrefix = 60 // in characters; anything longer is a sentence with a colon

// speakerPrefix splits "Name: " or a line "[Name]" off the start of a cue.
func speakerPrefix(lines []string) (name string, rest []string, ok bool) {
	if len(lines) == 0 {
		return "", nil, false
	}
	first := strings.TrimSpace(lines[0])
	if inner, found := strings.CutPrefix(first, "["); found && strings.HasSuffix(inner, "]") {
		said := slices.ContainsFunc(lines[1:], func(l string) bool { return !isBlank(l) }) // else it is a sound, such as "[Music]"
		return captions.CleanText(strings.TrimSuffix(inner, "]")), lines[1:], said
	}
	name, text, found := strings.Cut(first+" ", ": ")
	if !found || name == "" || len([]rune(name)) > maxSpeakerPrefix || strings.ContainsAny(name, "?!,;") || unicode.IsSpace(rune(name[0])) {
		return "", nil, false
	}
	return captions.CleanText(name), append([]string{text}, lines[1:]...), true
}
