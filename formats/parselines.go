package formats

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// splitLines splits text at CRLF, LF or CR.
func splitLines(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// joinLines joins the lines of a cue with spaces, except between characters of scripts that don't use them.
func joinLines(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		if l = captions.CleanText(l); l == "" {
			continue
		}
		if b.Len() > 0 && !(isIdeographicEnd(b.String()) && isIdeographicStart(l)) {
			b.WriteByte(' ')
		}
		b.WriteString(l)
	}
	return b.String()
}

func isIdeographicEnd(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return captions.IsIdeographic(r)
}

func isIdeographicStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return captions.IsIdeographic(r)
}

const arrow = "-->"

// timeLine parses "00:00:01.000 --> 00:00:02.500 settings". If that fails, reason is the error, and column its position in
// bytes from 1.
func timeLine(line string) (start, end time.Duration, column int, reason string) {
	rest := strings.TrimLeft(line, " \t")
	start, rest, ok := timestamp(rest)
	if !ok {
		return 0, 0, len(line) - len(rest) + 1, "expected a time like 00:00:01.000"
	}
	rest = strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(rest, arrow) {
		return 0, 0, len(line) - len(rest) + 1, "expected -->"
	}
	rest = strings.TrimLeft(rest[len(arrow):], " \t")
	end, rest, ok = timestamp(rest)
	if !ok || rest != "" && !unicode.IsSpace(rune(rest[0])) {
		return 0, 0, len(line) - len(rest) + 1, "expected a time like 00:00:01.000"
	}
	return start, end, 0, ""
}

// timestamp parses [hours:]minutes:seconds[.,]fraction at the start of s and returns the rest. If that fails, it returns s
// from the error on.
func timestamp(s string) (d time.Duration, rest string, ok bool) {
	var parts []int64
	rest = s
	for {
		n, digits := int64(0), 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			n = min(n*10+int64(rest[digits]-'0'), int64(captions.MaxTime/time.Second))
			digits++
		}
		if digits == 0 {
			return 0, rest, false
		}
		parts, rest = append(parts, n), rest[digits:]
		if len(parts) == 3 || rest == "" || rest[0] != ':' {
			break
		}
		rest = rest[1:]
	}
	if len(parts) < 2 || rest == "" || rest[0] != '.' && rest[0] != ',' {
		return 0, rest, false
	}
	rest = rest[1:]
	fraction, unit, digits := time.Duration(0), time.Second/10, 0
	for ; digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9'; digits++ {
		fraction += time.Duration(rest[digits]-'0') * unit
		unit /= 10
	}
	if digits == 0 {
		return 0, rest, false
	}
	total := int64(0)
	for _, p := range parts {
		total = min(total*60+p, int64(captions.MaxTime/time.Second))
	}
	return time.Duration(total)*time.Second + fraction, rest[digits:], true
}

// caption returns a parsed cue as an utterance.
func caption(speaker, text string, start, end time.Duration) transcript.Utterance {
	return transcript.Utterance{Speaker: speaker, Text: text, Start: start, End: end, Confidence: 1}
}
