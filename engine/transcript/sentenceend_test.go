package transcript_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// endCases returns the words of a file of testdata/ends, and which of them end a sentence: those before a bar. An empty word
// follows each line.
func endCases(t *testing.T, l transcript.Language) (words []string, ends []bool) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "ends", string(l)+".txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		for w := range strings.SplitSeq(strings.TrimSpace(line), " ") {
			if w == "|" {
				ends[len(ends)-1] = true
				continue
			}
			words, ends = append(words, w), append(ends, false)
		}
		words, ends = append(words, ""), append(ends, false)
	}
	return words, ends
}

// Abbreviations, initials, and ordinals of each language end no sentence, other full stops do. Languages with capitals have at least 20
// cases: 8 of an end, and 8 of a full stop that ends nothing.
func TestEndsSentence(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/ends/*.txt")
	require.NoError(t, err)
	require.Len(t, files, len(transcript.Languages()), "one file for each language")
	for _, l := range transcript.Languages() {
		words, ends := endCases(t, l)
		yes, no := 0, 0
		for i, w := range words {
			if w == "" {
				continue
			}
			if got := transcript.EndsSentence(w, words[i+1], l); got != ends[i] {
				t.Errorf("%s: %q before %q: ends %v, want %v", l, w, words[i+1], got, ends[i])
			}
			switch {
			case ends[i]:
				yes++
			case strings.ContainsAny(w, ".?!…"):
				no++
			}
		}
		if l == "ja" || l == "ko" || l == "zh" || l == "hi" {
			require.NotZero(t, yes*no, l)
			continue
		}
		require.GreaterOrEqual(t, yes, 8, l)
		require.GreaterOrEqual(t, no, 8, l)
		require.GreaterOrEqual(t, yes+no, 20, l)
	}
}

// Without a next word, a title still ends nothing, and other abbreviations do. Unknown languages follow English.
func TestEndsSentenceAtTheEnd(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"": false, "word": false, "word,": false, "Dr.": false, "MR.": false, "U.S.": true, "5.": true, "B.": true, "etc.": true, "end.”": true, "end.»": true, "...": true, "。": true,
	} {
		require.Equal(t, want, transcript.EndsSentence(word, "", "en"), word)
		require.Equal(t, want, transcript.EndsSentence(word, "", ""), word)
	}
}

// Sentences have all words of a transcript, in order, whatever the words are.
func TestSentencesKeepWords(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(transcript.Languages()).Draw(t, "language")
		pieces := rapid.SampledFrom([]string{"Dr.", "J.", "U.S.", "3.", "XIV.", "etc.", "…", "?", "»", "The", "mai", "5", "end.", "。", "डॉ.", "г.", "\xff.", "."})
		texts := rapid.SliceOfN(rapid.OneOf(pieces, rapid.StringN(1, 6, -1)), 1, 30).Draw(t, "words")
		var u transcript.Utterance
		for _, text := range texts {
			u.Words = append(u.Words, transcript.Word{Text: text})
		}
		all := transcript.Sentences(transcript.Transcript{Language: l, Utterances: []transcript.Utterance{u}})
		require.Equal(t, transcript.JoinWords(u.Words, l), transcript.TextOf(all, l))
		require.True(t, all[0].Opens)
		require.True(t, all[len(all)-1].Closes)
	})
}

// Every supported language has rows of abbreviations, and every row has a known kind.
func TestAbbreviationRows(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("abbreviations.txt")
	require.NoError(t, err)
	found := map[transcript.Language]bool{}
	for line := range strings.Lines(string(b)) {
		row := strings.Fields(line)
		if len(row) == 0 || row[0] == "#" {
			continue
		}
		require.Greater(t, len(row), 2, line)
		require.Contains(t, []string{"title", "abbr", "number", "final", "starts", "names"}, strings.TrimSuffix(row[1], "*"), line)
		for _, w := range row[2:] {
			require.False(t, strings.HasSuffix(w, "."), "%s: %s has a full stop", line, w)
		}
		found[transcript.Language(row[0])] = true
	}
	require.ElementsMatch(t, transcript.Languages(), slices.Collect(maps.Keys(found)))
}
