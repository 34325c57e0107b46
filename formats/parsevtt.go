package formats

import (
	"html"
	"io"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ParseVTT reads WebVTT: each cue becomes an utterance without words, with the name in its voice tag as speaker. It drops
// tags, resolves escapes, skips comments and styles, and accepts an unescaped "-->" in text. An invalid file is CodeInvalid,
// with line and column in the message.
//
// It does not use go-astisub, whose reader loses cues and doesn't report where a file is invalid.
func ParseVTT(r io.Reader) (Parsed, error) {
	text, err := readText("ParseVTT", r)
	if err != nil {
		return Parsed{}, err
	}
	return parseVTT(string(text))
}

func parseVTT(text string) (Parsed, error) {
	const op = "ParseVTT"
	lines := splitLines(text)
	head, _, _ := strings.Cut(strings.ReplaceAll(lines[0], "\t", " "), " ")
	if head != "WEBVTT" {
		return Parsed{}, syntaxError(op, 1, 1, "a WebVTT file must start with WEBVTT.")
	}
	var t transcript.Transcript
	i := 1
	for ; i < len(lines) && lines[i] != "" && !strings.Contains(lines[i], arrow); i++ {
		if tag, ok := strings.CutPrefix(lines[i], "Language:"); ok {
			t.Language = transcript.LanguageOfTag(strings.TrimSpace(tag))
		}
	}
	for i < len(lines) {
		if lines[i] == "" {
			i++
			continue
		}
		block := i
		for i < len(lines) && lines[i] != "" {
			i++
		}
		u, err := vttCues(lines[block:i], block+1)
		if err != nil {
			return Parsed{}, err
		}
		t.Utterances = append(t.Utterances, u...)
	}
	return normalise(t, nil), nil
}

// vttCues parses a block of lines: a comment, or one or more cues without a blank line between them.
func vttCues(block []string, line int) ([]transcript.Utterance, error) {
	const op = "ParseVTT"
	for _, word := range []string{"NOTE", "STYLE", "REGION"} {
		if block[0] == word || strings.HasPrefix(block[0], word+" ") || strings.HasPrefix(block[0], word+"\t") {
			return nil, nil
		}
	}
	at := 0
	if !strings.Contains(block[0], arrow) {
		at = 1
	}
	if at >= len(block) || !strings.Contains(block[at], arrow) {
		return nil, syntaxError(op, line+at, 1, "expected the time line of a cue.")
	}
	var utterances []transcript.Utterance
	for at < len(block) {
		start, end, column, reason := timeLine(block[at])
		if reason != "" {
			return nil, syntaxError(op, line+at, column, "%s.", reason)
		}
		from := at + 1
		for at++; at < len(block); at++ {
			if _, _, _, reason := timeLine(block[at]); reason == "" {
				break
			}
		}
		utterances = append(utterances, vttPayload(block[from:at], caption("", "", start, end))...)
	}
	return utterances, nil
}

// vttPayload returns the lines of a cue as an utterance, or as one per speaker if a cue has several.
func vttPayload(lines []string, u transcript.Utterance) []transcript.Utterance {
	var utterances []transcript.Utterance
	var text []string
	flush := func() {
		if u.Text = joinLines(text); u.Text != "" {
			utterances = append(utterances, u)
		}
		text = nil
	}
	for _, l := range lines {
		var plain strings.Builder
		for l != "" {
			tag := strings.IndexByte(l, '<')
			end := strings.IndexByte(l[max(tag, 0):], '>')
			if tag < 0 || end < 0 {
				plain.WriteString(l)
				break
			}
			plain.WriteString(l[:tag])
			if name, ok := voice(l[tag+1 : tag+end]); ok {
				text = append(text, html.UnescapeString(plain.String()))
				plain.Reset()
				flush()
				u.Speaker = name
			}
			l = l[tag+end+1:]
		}
		text = append(text, html.UnescapeString(plain.String()))
	}
	flush()
	return utterances
}

// voice returns the name in a voice tag, "v.loud Ada".
func voice(tag string) (string, bool) {
	head, name, _ := strings.Cut(strings.ReplaceAll(tag, "\t", " "), " ")
	if head != "v" && !strings.HasPrefix(head, "v.") {
		return "", false
	}
	return captions.CleanText(html.UnescapeString(name)), true
}
