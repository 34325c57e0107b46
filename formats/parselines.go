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

const expectedTime = "expected a time like 00:00:01.000"

// timeLine parses "00:00:01,000 --> 00:00:02,500 settings" of SubRip. If that fails, reason is the error, and column its position in
// bytes from 1. A negative time is parsed too.
func timeLine(line string) (start, end time.Duration, column int, reason string) {
	rest := strings.TrimLeft(line, " \t")
	start, rest, reason = timestamp(rest)
	if reason != "" {
		return 0, 0, len(line) - len(rest) + 1, reason
	}
	rest = strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(rest, arrow) {
		return 0, 0, len(line) - len(rest) + 1, "expected -->"
	}
	rest = strings.TrimLeft(rest[len(arrow):], " \t")
	end, rest, reason = timestamp(rest)
	if reason == "" && rest != "" && !unicode.IsSpace(rune(rest[0])) {
		reason = expectedTime
	}
	if reason != "" {
		return 0, 0, len(line) - len(rest) + 1, reason
	}
	return start, end, 0, ""
}

// timestamp parses [-][hours:]minutes:seconds[.,]fraction at the start of s and returns the rest. If that fails, it returns s from the
// error on, and the reason.
func timestamp(s string) (d time.Duration, rest, reason string) {
	rest, negative := strings.CutPrefix(s, "-")
	var fields []int64
	for {
		n, digits := leadingNumber(rest)
		if digits == 0 {
			return 0, rest, expectedTime
		}
		fields, rest = append(fields, n), rest[digits:]
		if len(fields) == 3 || !strings.HasPrefix(rest, ":") {
			break
		}
		rest = rest[1:]
	}
	if len(fields) < 2 || rest == "" || rest[0] != '.' && rest[0] != ',' {
		return 0, rest, expectedTime
	}
	thousandths, digits := leadingFraction(rest[1:])
	if digits == 0 {
		return 0, rest[1:], expectedTime
	}
	if len(fields) == 2 {
		fields = append([]int64{0}, fields...)
	}
	if d, reason = timeOf(fields[0], fields[1], fields[2]); reason != "" {
		return 0, s, reason
	}
	if d += thousandths; negative {
		d = -d
	}
	return d, rest[1+digits:], ""
}

// timeOf returns a time, or the reason why it is none.
func timeOf(hours, minutes, seconds int64) (time.Duration, string) {
	if minutes > 59 || seconds > 59 {
		return 0, "minutes and seconds must be at most 59"
	}
	if hours >= int64(captions.MaxTime/time.Hour) {
		return 0, "times must be less than 10,000 hours"
	}
	return time.Duration(hours*3600+minutes*60+seconds) * time.Second, ""
}

// leadingNumber returns the number at the start of s and its digits. Numbers over a million become a million.
func leadingNumber(s string) (n int64, digits int) {
	for ; digits < len(s) && s[digits] >= '0' && s[digits] <= '9'; digits++ {
		n = min(n*10+int64(s[digits]-'0'), 1_000_000)
	}
	return n, digits
}

// leadingFraction returns the decimal fraction of a second at the start of s and its digits.
func leadingFraction(s string) (d time.Duration, digits int) {
	for unit := time.Second / 10; digits < len(s) && s[digits] >= '0' && s[digits] <= '9'; digits++ {
		d += time.Duration(s[digits]-'0') * unit
		unit /= 10
	}
	return d, digits
}

// caption returns a parsed cue as an utterance.
func caption(speaker, text string, start, end time.Duration) transcript.Utterance {
	return transcript.Utterance{Speaker: speaker, Text: text, Start: start, End: end, Confidence: 1}
}
