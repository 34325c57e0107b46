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

// Citation is the passage that a label refers to.
type Citation struct {
	title  string
	at     time.Duration // start of the passage
	said   string        // letters of its words
	words  []spoken
	starts []int // of words, in said
}

// spoken is a word, or an utterance whose words are not those of its text.
type spoken struct {
	at      time.Duration
	speaker string // letters of the name
}

// Citations returns the citations of passages by label.
func Citations(passages []transcript.Passage) map[string]Citation {
	m := make(map[string]Citation, len(passages))
	for _, p := range passages {
		m[p.Label] = newCitation(p)
	}
	return m
}

func newCitation(p transcript.Passage) Citation {
	c := Citation{title: p.Title, at: p.Utterances[0].Start}
	var said strings.Builder
	for _, u := range p.Utterances {
		speaker, words := letters(u.Speaker), u.Words
		if letters(transcript.JoinWords(words, p.Language)) != letters(u.Text) {
			words = []transcript.Word{{Text: u.Text, Start: u.Start}}
		}
		for _, w := range words {
			if word := letters(w.Text); word != "" {
				c.starts, c.words = append(c.starts, said.Len()), append(c.words, spoken{w.Start, speaker})
				said.WriteString(word)
			}
		}
	}
	c.said = said.String()
	return c
}

// when returns when the first word of a quote is spoken; ok is false if the passage doesn't have the words. If they are spoken several times,
// the first time counts, if possible of a speaker whom the statement, as returned by letters, names.
func (c Citation) when(quote, statement string) (at time.Duration, ok bool) {
	words := letters(quote)
	if words == "" || words == letters(c.title) {
		return 0, false
	}
	for from, n := 0, 0; n < maxPlaces; n++ {
		i := strings.Index(c.said[from:], words)
		if i < 0 {
			break
		}
		i += from
		from = i + 1
		first, begins := slices.BinarySearch(c.starts, i)
		if _, ends := slices.BinarySearch(c.starts, i+len(words)); !begins || !ends && i+len(words) < len(c.said) {
			continue // inside of words
		}
		if strings.Contains(statement, c.words[first].speaker) {
			return c.words[first].at, true
		}
		if !ok {
			at, ok = c.words[first].at, true
		}
	}
	return at, ok
}

// maxCitedTitle is the longest title in a citation, in characters.
const maxCitedTitle = 80

// show returns the citation of a time as an answer shows it: “Title”, 12:34.
func (c Citation) show(at time.Duration) string {
	title := transcript.OneLine(strings.ToValidUTF8(c.title, "\uFFFD"))
	if utf8.RuneCountInString(title) > maxCitedTitle {
		title = strings.TrimSpace(string([]rune(title)[:maxCitedTitle-1])) + "…"
	}
	return "“" + markdownText.Replace(title) + "”, " + clockTime(at)
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
	quotes   = lazyregexp.New(`“[^“”]+[“”]|„[^“”]+[“”]|”[^”]+”|«[^»]+»|»[^«]+«|‹[^›]+›|「[^」]+」|『[^』]+』|‘.+?’(?:\PL|$)|"[^"]+"`)
	fence    = lazyregexp.New("^ {0,3}(`{3,}|~{3,})")
	codeSpan = lazyregexp.New("^`+")
)

// MapCitations replaces the labels that a model cites, "[2.17]" or "[1.2, 1.3]", by titles and times: [“Title”, 12:34]. The time is when the
// words of a quote before the label are spoken, else the start of the passage. Unknown labels are removed, with the blank before them if
// nothing remains. Markdown code and links stay as they are. cited reports whether there was a known label.
func MapCitations(text string, known map[string]Citation) (mapped string, cited bool) {
	m := mapper{known: known}
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
		out, some := m.line(line)
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

// mapper replaces the labels of a text.
type mapper struct {
	known    map[string]Citation
	lookedUp int // quotes; the first maxItems are
}

// line is MapCitations for a line outside code blocks.
func (m *mapper) line(line string) (mapped string, cited bool) {
	var b []byte
	statement, last := 0, 0 // where the statement begins that is cited, and where the last citation ended
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
			if strings.TrimSpace(line[last:i]) != "" {
				statement = last
			}
			if cites := m.cite(line[i:i+n], line[statement:i]); cites != "" {
				b, cited = append(b, cites...), true
			} else if k := len(b); k > 1 && b[k-1] == ' ' && len(bytes.TrimLeft(b, " \t")) > 0 {
				b = b[:k-1]
			}
			i += n
			last = i
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

// cite returns the citations of the known labels in brackets, each once, or "" when none is known. statement is the text before them.
func (m *mapper) cite(brackets, statement string) string {
	var cites []string
	for _, label := range labels.FindAllString(brackets, -1) {
		c, ok := m.known[label]
		if !ok {
			continue
		}
		for _, at := range m.timesOf(c, statement) {
			if shown := c.show(at); !slices.Contains(cites, shown) {
				cites = append(cites, shown)
			}
		}
	}
	if len(cites) == 0 {
		return ""
	}
	return "[" + strings.Join(cites, "; ") + "]"
}

// timesOf returns when the quotes of a statement are spoken in a passage, or the start of the passage if none is.
func (m *mapper) timesOf(c Citation, statement string) (at []time.Duration) {
	plain := letters(statement)
	for _, quote := range quotes.FindAllString(statement, -1) {
		if m.lookedUp++; m.lookedUp > maxItems {
			break
		}
		if t, ok := c.when(quote, plain); ok {
			at = append(at, t)
		}
	}
	if len(at) == 0 {
		return []time.Duration{c.at}
	}
	return at
}
