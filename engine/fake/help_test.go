package fake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// transcribe returns the words of a Transcriber with default settings.
func transcribe(t testing.TB, media engine.Media, req engine.TranscribeRequest) []transcript.Word {
	t.Helper()
	got, err := (&fake.Transcriber{Media: media}).Transcribe(t.Context(), req)
	require.NoError(t, err)
	return got.Words
}

// lines returns the sentences and the carriers in the file of a language.
func lines(t require.TestingT, language transcript.Language) (whole, carriers []string) {
	b, err := os.ReadFile(filepath.Join("sentences", string(language)+".txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "{}") {
			carriers = append(carriers, line)
		} else {
			whole = append(whole, line)
		}
	}
	return whole, carriers
}

// said is a sentence of a transcript.
type said struct {
	text  string
	words []transcript.Word
}

// parse splits words into known sentences of a language. It fails the test if a sentence is incomplete.
func parse(t require.TestingT, words []transcript.Word, language transcript.Language, boosted ...string) (out []said) {
	known := map[string]bool{}
	whole, carriers := lines(t, language)
	for _, s := range whole {
		known[plain(s)] = true
	}
	for _, c := range carriers {
		for _, b := range boosted {
			known[plain(strings.Replace(c, "{}", b, 1))] = true
		}
	}
	for len(words) > 0 {
		run := 1
		for run < len(words) && words[run].Speaker == words[0].Speaker {
			run++
		}
		got, ok := parseRun(words[:run], language, known)
		require.True(t, ok, "incomplete sentences: %s", transcript.JoinWords(words[:run], language))
		out = append(out, got...)
		words = words[run:]
	}
	return out
}

// parseRun splits one speaker's words into known sentences. It backtracks if a sentence is the start of a longer one.
func parseRun(words []transcript.Word, language transcript.Language, known map[string]bool) ([]said, bool) {
	if len(words) == 0 {
		return nil, true
	}
	for n := 1; n <= min(len(words), 120); n++ {
		text := transcript.JoinWords(words[:n], language)
		if !known[plain(text)] {
			continue
		}
		if rest, ok := parseRun(words[n:], language, known); ok {
			return append([]said{{text, words[:n]}}, rest...), true
		}
	}
	return nil, false
}

// plain replaces no-break spaces by spaces.
func plain(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }

// labels returns the speakers in order of their first word.
func labels(words []transcript.Word) (out []string) {
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w.Speaker] {
			seen[w.Speaker] = true
			out = append(out, w.Speaker)
		}
	}
	return out
}

// texts returns the words' texts.
func texts(words []transcript.Word) (out []string) {
	for _, w := range words {
		out = append(out, w.Text)
	}
	return out
}
