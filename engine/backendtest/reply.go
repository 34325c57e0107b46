package backendtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
)

// ModelOptions say how a server of a language model behaves.
type ModelOptions struct {
	Key              string                           // that requests must have; "" for none
	Context          int                              // tokens to which a prompt is cut without a word, as Ollama does; 0 for no cut
	RefusesMaxTokens bool                             // it wants max_completion_tokens, as newer models of OpenAI do
	Reply            func(system, user string) string // default Reply
}

// Reply answers what package llm asks, sensibly and always the same: it cites the first passage that has a word of the question, writes a
// few lines with their marks, suggests the first lines, describes a person by what they say first, and translates by Translated.
func Reply(system, user string) string {
	parts := partsOf(system, user)
	switch {
	case parts["texts"] != "":
		return replyTexts(parts["texts"])
	case strings.Contains(system, `"suggestions"`):
		return replySuggestions(system, parts["transcript"])
	case parts["question"] != "":
		return replyQuestion(parts["question"], parts["transcript"])
	case parts["name"] != "":
		_, said, _ := strings.Cut(firstLine(parts["transcript"]), ": ")
		return parts["name"] + " says: " + said
	}
	var b strings.Builder
	b.WriteString("## In short\n\n")
	for i, l := range spokenLines(parts["transcript"]) {
		if mark, said, ok := strings.Cut(l, " "); ok && i < 3 {
			fmt.Fprintf(&b, "- [%s] %s\n", mark, said)
		}
	}
	return b.String()
}

// Translated is what Reply makes of a text: each letter from a to z is the one 13 places on, but in tokens such as [[T0]]. Twice makes the
// text again.
func Translated(text string) string {
	var b strings.Builder
	from := 0
	for _, token := range append(termTokens.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		b.WriteString(strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z':
				return 'a' + (r-'a'+13)%26
			case r >= 'A' && r <= 'Z':
				return 'A' + (r-'A'+13)%26
			}
			return r
		}, text[from:token[0]]))
		b.WriteString(text[token[0]:token[1]])
		from = token[1]
	}
	return b.String()
}

var (
	fenceID    = regexp.MustCompile(`[0-9a-f]{32}`)
	beginning  = regexp.MustCompile(`<<<(\w+) ([0-9a-f]{32})>>>\n`)
	headed     = regexp.MustCompile(`^\[([0-9.]+)\] `)
	numbered   = regexp.MustCompile(`^@(\d+) \((\d+) s\) [^:]*: (.*)$`)
	atMost     = regexp.MustCompile(`Find at most (\d+) `)
	termTokens = regexp.MustCompile(`\[\[T[0-9]+\]\]`)
)

// partsOf returns what stands between the fences whose id the system prompt tells.
func partsOf(system, user string) map[string]string {
	parts := map[string]string{}
	id := fenceID.FindString(system)
	for rest := user; ; {
		m := beginning.FindStringSubmatchIndex(rest)
		if m == nil {
			return parts
		}
		name, found := rest[m[2]:m[3]], rest[m[4]:m[5]]
		rest = rest[m[1]:]
		if body, behind, ok := strings.Cut(rest, "\n<<<end "+name+" "+id+">>>"); ok && found == id {
			parts[name], rest = body, behind
		}
	}
}

// spokenLines are the lines of a transcript that somebody says.
func spokenLines(transcript string) (spoken []string) {
	for l := range strings.Lines(transcript) {
		if l = strings.TrimSpace(l); l != "" && !headed.MatchString(l) {
			spoken = append(spoken, l)
		}
	}
	return spoken
}

func firstLine(transcript string) string { return append(spokenLines(transcript), "")[0] }

func replyQuestion(question, transcript string) string {
	label := ""
	asked := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	for l := range strings.Lines(transcript) {
		if m := headed.FindStringSubmatch(l); m != nil {
			label = m[1]
			continue
		}
		for _, word := range asked {
			if len(word) >= 6 && strings.Contains(strings.ToLower(l), word) {
				_, said, _ := strings.Cut(strings.TrimSpace(l), ": ")
				return said + " [" + label + "]"
			}
		}
	}
	return "Nothing is said about that. " + engine.NoSupport
}

func replySuggestions(system, transcript string) string {
	most, length := 1, 0
	if m := atMost.FindStringSubmatch(system); m != nil {
		_, _ = fmt.Sscan(m[1], &most)
	}
	type suggestion struct {
		Kind    string `json:"kind"`
		First   string `json:"first"`
		Last    string `json:"last"`
		Title   string `json:"title"`
		Excerpt string `json:"excerpt"`
		Score   int    `json:"score"`
	}
	list := []suggestion{}
	for _, l := range spokenLines(transcript) {
		m := numbered.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if length == 0 {
			if len(list) == most {
				break
			}
			list = append(list, suggestion{Kind: "clip", First: m[1], Title: "A moment", Excerpt: m[3], Score: 90 - len(list)})
		}
		seconds := 0
		_, _ = fmt.Sscan(m[2], &seconds)
		list[len(list)-1].Last = m[1]
		if length += seconds + 1; length > 20 {
			length = 0
		}
	}
	b, _ := json.Marshal(map[string]any{"suggestions": list})
	return string(b)
}

func replyTexts(texts string) string {
	type text struct {
		ID   int    `json:"id"`
		Text string `json:"text"`
	}
	var list []text
	if err := json.Unmarshal([]byte(texts), &list); err != nil {
		return "I can't read that."
	}
	for i := range list {
		list[i].Text = Translated(list[i].Text)
	}
	b, _ := json.Marshal(map[string]any{"translations": list})
	return string(b)
}
