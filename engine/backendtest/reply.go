package backendtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
)

// ModelOptions configures a fake server of a language model.
type ModelOptions struct {
	Key              string                           // API key that requests must carry; "" for none
	Context          int                              // tokens to which prompts are cut silently, as by Ollama; 0 for no limit
	RefusesMaxTokens bool                             // require max_completion_tokens, as newer OpenAI models do
	Reply            func(system, user string) string // returns the reply to a prompt; default Reply
}

// Reply returns a deterministic, plausible reply to a prompt of package llm. It answers a question with the first line that
// contains a word of it, and describes a speaker by their first line. It suggests clips from the first lines, translates with
// Translated, quotes the first lines, and writes any other text as a few lines with citations.
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
	if strings.Contains(system, "as a block quote, word for word") {
		return replyQuotes(parts["transcript"])
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

// Translated returns Reply's translation of a text: ROT13, except in terms such as [[T0]]. Applied twice, it returns the
// original text.
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

// partsOf returns the parts of a prompt between fences with the id from the system prompt, by name.
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
		if body, after, ok := strings.Cut(rest, "\n<<<end "+name+" "+id+">>>"); ok && found == id {
			parts[name], rest = body, after
		}
	}
}

// spokenLines returns the lines of a transcript without headings.
func spokenLines(transcript string) (spoken []string) {
	for l := range strings.Lines(transcript) {
		if l = strings.TrimSpace(l); l != "" && !headed.MatchString(l) {
			spoken = append(spoken, l)
		}
	}
	return spoken
}

// replyQuotes returns the first lines as block quotes.
func replyQuotes(transcript string) string {
	var quotes []string
	for _, l := range spokenLines(transcript) {
		mark, said, ok := strings.Cut(l, " ")
		name, words, named := strings.Cut(said, ": ")
		if ok && named && len(quotes) < 3 {
			quotes = append(quotes, "> "+words+"\n>\n> — **"+name+"**, ["+mark+"]")
		}
	}
	return strings.Join(quotes, "\n\n")
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
