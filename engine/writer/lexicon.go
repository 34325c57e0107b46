package writer

import (
	"embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// phrases contains a file for each language, with fixed phrases, "key = text", and lists, "key: word word" or "key: a phrase | another".
//
//go:embed phrases/*.txt
var phrases embed.FS

// lexicon holds the lexicon of a language: the LLM's phrases, and word lists for the analysis of texts.
type lexicon struct {
	language     transcript.Language
	phrases      map[string]string
	stop         map[string]bool // stop words
	filler       map[string]bool // words of prompts and questions that aren't their topic
	contextWords map[string]bool // first words of sentences that need the sentence before them
	before       map[string]bool // words that come before nouns
	after        map[string]bool // words that come after nouns
	verbs        []string        // suffixes that are rare in nouns; prefixes end with a hyphen
	actions      []string        // phrases of sentences about things to be done
	numbers      []string        // two, three, … ten
	nouns        []string        // Chinese only, because its words have no visible boundaries
	kindPhrases  map[contentKind][]string
}

// lexiconOf returns the lexicon of a language, or that of the default language if it is not supported.
func lexiconOf(language transcript.Language) *lexicon {
	if t := lexicons()[language]; t != nil {
		return t
	}
	return lexicons()[transcript.DefaultLanguage]
}

var lexicons = sync.OnceValue(func() map[transcript.Language]*lexicon {
	all := map[transcript.Language]*lexicon{}
	for _, l := range transcript.Languages() {
		all[l] = newLexicon(l)
	}
	return all
})

func newLexicon(language transcript.Language) *lexicon {
	t := &lexicon{language: language, phrases: map[string]string{}, kindPhrases: map[contentKind][]string{}}
	text, _ := phrases.ReadFile("phrases/" + string(language) + ".txt") // never fails: a test checks that every language has a file
	lists := map[string]string{}
	for row := range strings.Lines(string(text)) {
		row = strings.TrimSpace(row)
		if key, value, ok := strings.Cut(row, " = "); ok {
			t.phrases[key] = strings.ReplaceAll(strings.Trim(value, `"`), "~", "\u00a0") // quoted if it begins or ends with a space
		} else if key, value, ok := strings.Cut(row, ": "); ok {
			lists[key] = transcript.Fold(value)
		}
	}
	t.stop, t.filler, t.contextWords = set(lists["stop"]), set(lists["filler"]), set(lists["weak"])
	t.before, t.after = set(lists["before"]), set(lists["after"])
	t.verbs = strings.Fields(lists["verbs"])
	t.actions, t.numbers, t.nouns = list(lists["actions"]), list(lists["numbers"]), list(lists["nouns"])
	for _, w := range contentKinds {
		t.kindPhrases[w] = list(lists["want."+string(w)])
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

// say returns a phrase with its placeholders replaced: say("talk.one", "who", "Ada").
func (t *lexicon) say(key string, values ...string) string {
	pairs := make([]string, 0, len(values))
	for i := 0; i+1 < len(values); i += 2 {
		pairs = append(pairs, "{"+values[i]+"}", values[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(t.phrases[key])
}

// enumerate joins items: "a, b and c".
func (t *lexicon) enumerate(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return t.say("and", "a", strings.Join(items[:last], t.say("comma")), "b", items[last])
}

// comma joins parts without "and".
func (t *lexicon) comma(items ...string) string { return strings.Join(items, t.say("comma")) }

// gap returns the separator between sentences.
func (t *lexicon) gap() string {
	if t.language.Spaced() {
		return " "
	}
	return ""
}

// capital returns a text with its first letter capitalised.
func (t *lexicon) capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if t.language == "tr" {
		return string(unicode.TurkishCase.ToUpper(r)) + s[n:]
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
