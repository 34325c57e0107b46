package answer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Citation is the title and time that a passage's label refers to.
type Citation struct {
	title string
	at    time.Duration
}

// Citations returns the citations of passages by label.
func Citations(passages []transcript.Passage) map[string]Citation {
	m := make(map[string]Citation, len(passages))
	for _, p := range passages {
		m[p.Label] = Citation{p.Title, p.Utterances[0].Start}
	}
	return m
}

// maxCitedTitle is the longest title in a citation, in characters.
const maxCitedTitle = 80

// String returns the citation as an answer shows it: “Title”, 12:34.
func (c Citation) String() string {
	title := transcript.OneLine(strings.ToValidUTF8(c.title, "\uFFFD"))
	if utf8.RuneCountInString(title) > maxCitedTitle {
		title = strings.TrimSpace(string([]rune(title)[:maxCitedTitle-1])) + "…"
	}
	return "“" + markdownText.Replace(title) + "”, " + clockTime(c.at)
}

// markdownText escapes characters that would make a link, an HTML element, or code.
var markdownText = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, "`", "\\`", `<`, `\<`)

// clockTime returns 12:34, or 1:02:03 from one hour.
func clockTime(d time.Duration) string {
	s := int(d / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

var (
	citing   = lazyregexp.New(`^\[[ \t]*\d{1,6}\.\d{1,6}(?:[ \t]*[,;][ \t]*\d{1,6}\.\d{1,6})*[ \t]*\]`)
	labels   = lazyregexp.New(`\d+\.\d+`)
	fence    = lazyregexp.New("^ {0,3}(`{3,}|~{3,})")
	codeSpan = lazyregexp.New("^`+")
)

// MapCitations replaces the labels that a model cites, "[2.17]" or "[1.2, 1.3]", by titles and times: [“Title”, 12:34]. Unknown
// labels are removed, with the blank before them if nothing remains. Markdown code and links stay as they are. cited reports
// whether there was a known label.
func MapCitations(text string, known map[string]Citation) (mapped string, cited bool) {
	var b strings.Builder
	open := "" // the fence of the current code block
	for line := range strings.Lines(text) {
		if f := fence.FindStringSubmatch(line); f != nil && (open == "" || closesFence(line, open)) {
			if open == "" {
				open = f[1]
			} else {
				open = ""
			}
			b.WriteString(line)
			continue
		}
		if open != "" {
			b.WriteString(line)
			continue
		}
		out, some := mapLine(line, known)
		b.WriteString(out)
		cited = cited || some
	}
	return b.String(), cited
}

// closesFence reports whether a line closes a code block: it has only the fence's character, at least as often as the opening
// fence.
func closesFence(line, open string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= len(open) && strings.Trim(line, open[:1]) == ""
}

// mapLine is MapCitations for a line outside code blocks.
func mapLine(line string, known map[string]Citation) (mapped string, cited bool) {
	var b []byte
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case '\\':
			n := min(2, len(line)-i)
			b = append(b, line[i:i+n]...)
			i += n
			continue
		case '`':
			n := codeLength(line[i:])
			b = append(b, line[i:i+n]...)
			i += n
			continue
		case '[':
			n := len(citing.FindString(line[i:]))
			if n == 0 || strings.HasPrefix(line[i+n:], "(") {
				break
			}
			if cites := cite(line[i:i+n], known); cites != "" {
				b, cited = append(b, cites...), true
			} else if k := len(b); k > 1 && b[k-1] == ' ' && len(bytes.TrimLeft(b, " \t")) > 0 {
				b = b[:k-1]
			}
			i += n
			continue
		}
		b = append(b, line[i])
		i++
	}
	return string(b), cited
}

// codeLength returns the length of the code span at the start of s, or of its backticks if nothing closes them.
func codeLength(s string) int {
	ticks := codeSpan.FindString(s)
	for i := len(ticks); i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		n := len(codeSpan.FindString(s[i:]))
		i += n
		if n == len(ticks) {
			return i
		}
	}
	return len(ticks)
}

// cite returns the citations of the known labels in brackets, each once, or "" when none is known.
func cite(brackets string, known map[string]Citation) string {
	var cites []string
	for _, label := range labels.FindAllString(brackets, -1) {
		if c, ok := known[label]; ok && !slices.Contains(cites, c.String()) {
			cites = append(cites, c.String())
		}
	}
	if len(cites) == 0 {
		return ""
	}
	return "[" + strings.Join(cites, "; ") + "]"
}
