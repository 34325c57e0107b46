package llm_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// recorded returns a transcript of n utterances of ten seconds.
func recorded(n int) engine.Transcript {
	said := spoken(n, many(n)...)[0].Utterances
	return engine.Transcript{Transcript: transcript.Transcript{Language: "en", Utterances: said, Duration: time.Duration(n) * 10 * time.Second}}
}

// Suggest converts line numbers to times, and parses lenient forms of answers.
func TestSuggestReads(t *testing.T) {
	t.Parallel()
	clip := clips.Suggestion{Kind: "clip", Title: "T", Excerpt: "E", Score: 80, Window: transcript.Window{Start: 10 * time.Second, End: 39 * time.Second}}
	const one = `{"kind":"clip","first":2,"last":4,"title":"T","excerpt":"E","score":80}`
	for answer, want := range map[string][]clips.Suggestion{
		`{"suggestions":[` + one + `]}`:                                        {clip},
		"Here you are:\n```json\n{\"suggestions\":[" + one + "]}\n```\nEnjoy!": {clip},
		`[` + one + `]`:  {clip},
		one:              {clip},
		one + "\n" + one: {clip, clip},
		`{"suggestions":[` + one + `,{"kind":"clip","fir`:                                                {clip},
		`{"suggestions":[{"first":"@2","last":4.0,"title":" T\n","excerpt":"E","score":"80","why":{}}]}`: {clip},
		`{"suggestions":[{"first":4,"last":2,"title":"T","excerpt":"E","score":80}]}`:                    {clip},
		`{"suggestions":[]}`: {},
		`{"suggestions":[{"first":0,"last":4},{"first":2,"last":7},{"first":-1},{"first":"two"},{"first":1e99},{"first":[1]},7,null,` + one + `]}`: {clip},
	} {
		got, err := model(t, says(answer), 0).Suggest(t.Context(), recorded(6), 5)
		require.NoError(t, err, answer)
		require.ElementsMatch(t, want, got, answer)
	}
	for _, answer := range []string{"I can't.", "[1.1] is good", `{"suggestions":`, "{", "[", "[[[[", strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 50_000)} {
		_, err := model(t, says(answer), 0).Suggest(t.Context(), recorded(6), 5)
		requireError(t, err, engine.CodeUnavailable, true, "could not be parsed")
	}
	none, err := model(t, says("x"), 0).Suggest(t.Context(), engine.Transcript{}, 5)
	require.NoError(t, err)
	require.Empty(t, none)
}

// Suggest returns the best suggestions, at most most, with scores from 0 to 100.
func TestSuggestBest(t *testing.T) {
	t.Parallel()
	got, err := model(t, says(`[{"first":1,"score":-5},{"first":2,"score":500},{"first":3,"score":50}]`), 0).Suggest(t.Context(), recorded(6), 2)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, []int{100, 50}, []int{got[0].Score, got[1].Score})
}

var shownLines = regexp.MustCompile(`(?m)^@(\d+) `)

// A transcript longer than the context is read in windows that fit the context, every line once. In a very long one,
// evenly spaced windows are read. A window whose answer can't be parsed is skipped.
func TestSuggestWindows(t *testing.T) {
	t.Parallel()
	for n, all := range map[int]bool{50: true, 400: true, 5000: false} {
		seen := map[int]int{}
		count := 0
		s := &stub{reply: func(r llm.Request) llm.Answer {
			first := 0
			for _, m := range shownLines.FindAllStringSubmatch(r.User, -1) {
				k, _ := strconv.Atoi(m[1])
				if first == 0 {
					first = k
				}
				seen[k]++
			}
			if count++; count == 2 {
				return llm.Answer{Text: "I'd rather not."}
			}
			return llm.Answer{Text: fmt.Sprintf(`{"suggestions":[{"first":%d,"last":%d,"score":%d}]}`, first, first+1, count)}
		}}
		got, err := model(t, s, 8192).Suggest(t.Context(), recorded(n), 12)
		require.NoError(t, err)
		require.LessOrEqual(t, len(s.asked), 12)
		require.Len(t, got, max(1, len(s.asked)-1))
		require.Contains(t, seen, 1)
		require.Contains(t, seen, n)
		for k, often := range seen {
			require.Equal(t, 1, often, k)
		}
		require.Equal(t, all, len(seen) == n, "%d of %d lines", len(seen), n)
		for _, r := range s.asked {
			require.Less(t, transcript.EstimateTokens(r.System)+transcript.EstimateTokens(r.User)+1000, 8192)
		}
	}
}
