package writer_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/writer"
)

// conversation returns the transcript of a 4-minute conversation, in overlapping passages: each begins with the last utterance of the
// previous one.
func conversation(t testing.TB, language transcript.Language) []transcript.Passage {
	t.Helper()
	made, _ := conversations.LoadOrStore(language, sync.OnceValue(func() []transcript.Passage {
		return passages(transcribe(t, 4, language), language, 1)
	}))
	return made.(func() []transcript.Passage)()
}

// conversations caches conversations by language. They must not be changed.
var conversations sync.Map

// repeat repeats the utterances of passages.
func repeat(p []transcript.Passage, times int) []transcript.Passage {
	var said []transcript.Utterance
	for n := range times {
		later := time.Duration(n) * 4 * time.Minute
		for _, u := range all(p) {
			words := slices.Clone(u.Words)
			for i := range words {
				words[i].Start, words[i].End = words[i].Start+later, words[i].End+later
			}
			u.Words, u.Start, u.End = words, u.Start+later, u.End+later
			said = append(said, u)
		}
	}
	return passages(said, p[0].Language, 1)
}

// passages divides the utterances of the k-th recording into passages.
func passages(said []transcript.Utterance, language transcript.Language, k int) (out []transcript.Passage) {
	for from := 0; from == 0 || from < len(said)-1; from += 5 {
		out = append(out, transcript.Passage{
			Label: fmt.Sprintf("%d.%d", k, len(out)+1), Title: "Pilot", Language: language,
			Utterances: said[from:min(from+6, len(said))],
		})
	}
	return out
}

var llm writer.LLM

// write returns the LLM's text for a request.
func write(t testing.TB, req engine.WriteRequest) string {
	t.Helper()
	text, err := llm.Write(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// builtIns are the built-in types of outputs.
var builtIns = []engine.OutputType{
	engine.OutputOverview, engine.OutputQuotes, engine.OutputKeyTopics, engine.OutputChapters, engine.OutputSocialPosts,
}

// unescape removes backslash escapes.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// all returns each utterance of passages once.
func all(passages []transcript.Passage) (said []transcript.Utterance) {
	for _, p := range passages {
		for _, u := range p.Utterances {
			if n := len(said); n == 0 || u.Start > said[n-1].Start {
				said = append(said, u)
			}
		}
	}
	return said
}

// clock formats a time like the LLM.
func clock(d time.Duration) string {
	s := int(d / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// saidBy reports whether a speaker says a text whose first word begins at a time.
func saidBy(said []transcript.Utterance, speaker, text, at string) bool {
	for _, u := range said {
		if u.Speaker != speaker || !strings.Contains(u.Text, text) {
			continue
		}
		for _, w := range u.Words {
			if clock(w.Start) == at && strings.HasPrefix(text, w.Text) {
				return true
			}
		}
	}
	return false
}
