package writer

import (
	"embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A file for each language: fixed words by their key, "key = text", and lists, "key: word word" or "key: a phrase | another".
//
//go:embed phrases/*.txt
var phrases embed.FS

// tongue is what is known of a language: how it says what the LLM says in its own words, and which words mean little.
type tongue struct {
	language transcript.Language
	phrases  map[string]string
	stop     map[string]bool // words that every text has
	filler   map[string]bool // words that prompts and questions have beside what they are about
	weak     map[string]bool // first words of a sentence that leans on the one before
	before   map[string]bool // words that stand before nouns
	after    map[string]bool // words that stand behind nouns
	verbs    []string        // ends of words that are hardly ever nouns; with a hyphen, beginnings
	actions  []string        // what a sentence says of something that is to be done
	numbers  []string        // two, three, … ten
	nouns    []string        // of Chinese, whose words are not told apart by how they are written
	wants    map[want][]string
}

// tongueOf returns what is known of a language, which for an unsupported one is the default's.
func tongueOf(language transcript.Language) *tongue {
	if t := tongues()[language]; t != nil {
		return t
	}
	return tongues()[transcript.DefaultLanguage]
}

var tongues = sync.OnceValue(func() map[transcript.Language]*tongue {
	all := map[transcript.Language]*tongue{}
	for _, l := range transcript.Languages() {
		all[l] = newTongue(l)
	}
	return all
})

func newTongue(language transcript.Language) *tongue {
	t := &tongue{language: language, phrases: map[string]string{}, wants: map[want][]string{}}
	text, _ := phrases.ReadFile("phrases/" + string(language) + ".txt") // a test says that there is one for each
	lists := map[string]string{}
	for row := range strings.Lines(string(text)) {
		row = strings.TrimSpace(row)
		if key, value, ok := strings.Cut(row, " = "); ok {
			t.phrases[key] = strings.ReplaceAll(strings.Trim(value, `"`), "~", "\u00a0") // quoted where a space is at an end
		} else if key, value, ok := strings.Cut(row, ": "); ok {
			lists[key] = transcript.Fold(value)
		}
	}
	t.stop, t.filler, t.weak = set(lists["stop"]), set(lists["filler"]), set(lists["weak"])
	t.before, t.after = set(lists["before"]), set(lists["after"])
	t.verbs = strings.Fields(lists["verbs"])
	t.actions, t.numbers, t.nouns = list(lists["actions"]), list(lists["numbers"]), list(lists["nouns"])
	for _, w := range wants {
		t.wants[w] = list(lists["want."+string(w)])
	}
	return t
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(transcript.Fold(words)) {
		m[w] = true
	}
	return m
}

func list(phrases string) (out []string) {
	for p := range strings.SplitSeq(phrases, "|") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// say returns a phrase, with values in the places that have their names: say("talk.one", "who", "Ada").
func (t *tongue) say(key string, values ...string) string {
	pairs := make([]string, 0, len(values))
	for i := 0; i+1 < len(values); i += 2 {
		pairs = append(pairs, "{"+values[i]+"}", values[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(t.phrases[key])
}

// enumerate joins items: "a, b and c".
func (t *tongue) enumerate(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return t.say("and", "a", strings.Join(items[:last], t.say("comma")), "b", items[last])
}

// comma joins parts without "and".
func (t *tongue) comma(items ...string) string { return strings.Join(items, t.say("comma")) }

// gap is what stands between two sentences.
func (t *tongue) gap() string {
	if t.language.Spaced() {
		return " "
	}
	return ""
}

// capital writes a text with a capital first letter, where the script has them.
func (t *tongue) capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if t.language == "tr" {
		return string(unicode.TurkishCase.ToUpper(r)) + s[n:]
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
