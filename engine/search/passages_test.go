package search_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// recorded returns a recording in which each text is an utterance of ten seconds.
func recorded(title string, texts ...string) search.Grounding {
	rt := search.Grounding{Title: title, Transcript: transcript.Transcript{Language: "en"}}
	for i, text := range texts {
		start := time.Duration(i) * 10 * time.Second
		rt.Transcript.Utterances = append(rt.Transcript.Utterances, transcript.Utterance{
			Speaker: transcript.SpeakerLabel(i % 2), Text: text, Start: start, End: start + 9*time.Second,
		})
	}
	return rt
}

// padded returns n utterances of about 80 tokens, some of them with other text.
func padded(n int, special map[int]string) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("u%d %s", i, strings.Repeat("so it goes on and on ", 14))
		if s, ok := special[i]; ok {
			texts[i] = fmt.Sprintf("u%d %s", i, s)
		}
	}
	return texts
}

// tokensOf returns the tokens of passages, roughly as a backend counts them.
func tokensOf(passages []transcript.Passage) (n int) {
	for _, p := range passages {
		n += transcript.EstimateTokens(p.Title)
		for _, u := range p.Utterances {
			n += transcript.EstimateTokens(u.Text) + transcript.EstimateTokens(u.Speaker)
		}
	}
	return n
}

// shown returns the first words of all utterances of passages, to identify them.
func shown(passages []transcript.Passage) (names []string) {
	for _, p := range passages {
		for _, u := range p.Utterances {
			name, _, _ := strings.Cut(u.Text, " ")
			recording, _, _ := strings.Cut(p.Label, ".")
			names = append(names, recording+name)
		}
	}
	return names
}

func labelsOf(passages []transcript.Passage) (labels []string) {
	for _, p := range passages {
		labels = append(labels, p.Label)
	}
	return labels
}

// Recordings that fit the budget are sent whole: every utterance once, in order, in passages labelled from 1.
func TestPassagesThatFit(t *testing.T) {
	t.Parallel()
	one, two := recorded("One", padded(12, nil)...), recorded("Two", "u0 Short.")
	one.Names = map[string]string{"Speaker 1": "Mara"}
	passages := search.ChoosePassages("anything", []search.Grounding{one, recorded("Silent"), two}, 100_000)
	want := []string{}
	for i := range 12 {
		want = append(want, fmt.Sprintf("1u%d", i))
	}
	require.Equal(t, append(want, "3u0"), shown(passages))
	require.Equal(t, []string{"1.1", "1.2", "1.3", "1.4", "3.1"}, labelsOf(passages))
	require.Equal(t, "Mara", passages[0].Utterances[1].Speaker)
	require.Equal(t, "Speaker 0", passages[0].Utterances[0].Speaker)
	require.Equal(t, "Speaker 1", one.Transcript.Utterances[1].Speaker)
	require.Empty(t, search.ChoosePassages("anything", []search.Grounding{recorded("Silent")}, 100))
}

// If not everything fits, matching windows come with their neighbours, in order of time and within the budget.
func TestPassagesThatMatch(t *testing.T) {
	t.Parallel()
	texts := padded(400, map[int]string{100: "Who paints the lighthouse?", 101: "The keeper paints it.", 300: "A lighthouse again."})
	passages := search.ChoosePassages("When was the LIGHTHOUSE painted?", []search.Grounding{recorded("One", texts...)}, 3000)
	got := shown(passages)
	require.Subset(t, got, []string{"1u99", "1u100", "1u101", "1u102", "1u300"})
	require.LessOrEqual(t, tokensOf(passages), 3000)
	require.Greater(t, tokensOf(passages), 1500)
	requireInOrder(t, passages)
}

// Every recording has its share, however well another matches. Unused shares go to the others.
func TestPassagesQuota(t *testing.T) {
	t.Parallel()
	special := map[int]string{}
	for i := range 200 {
		special[i] = strings.Repeat("lighthouse keeper at work ", 12)
	}
	recordings := []search.Grounding{
		recorded("All of it", padded(200, special)...), recorded("Once", padded(200, map[int]string{150: "The keeper of the lighthouse."})...),
		recorded("Never", padded(200, nil)...), recorded("Short", "u0 Hello."),
	}
	passages := search.ChoosePassages("lighthouse keeper", recordings, 6000)
	tokens := map[string]int{}
	for _, p := range passages {
		tokens[p.Title] += tokensOf([]transcript.Passage{p})
	}
	require.Contains(t, shown(passages), "2u150")
	require.Contains(t, shown(passages), "4u0")
	require.Greater(t, tokens["Never"], 300, "a recording without matches must get its share")
	require.Greater(t, tokens["All of it"], tokens["Never"])
	require.LessOrEqual(t, tokensOf(passages), 6000)
	require.Greater(t, tokensOf(passages), 5000, "the budget must be used")
	requireInOrder(t, passages)
}

// A question without matches, such as "What is it about?", gets windows from the whole recording.
func TestPassagesSpread(t *testing.T) {
	t.Parallel()
	passages := search.ChoosePassages("Worum?", []search.Grounding{recorded("One", padded(400, nil)...)}, 4000)
	thirds := map[int]bool{}
	for _, p := range passages {
		thirds[int(p.Utterances[0].Start/(10*time.Second))*3/400] = true
	}
	require.Len(t, thirds, 3)
}

// Languages without spaces are matched by their characters.
func TestPassagesWithoutSpaces(t *testing.T) {
	t.Parallel()
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = fmt.Sprintf("u%d %s", i, strings.Repeat("这是别的话题。", 20))
	}
	texts[70] = "u70 灯塔看守人住在这里。"
	passages := search.ChoosePassages("谁是灯塔看守人？", []search.Grounding{recorded("One", texts...)}, 1500)
	require.Contains(t, shown(passages), "1u70")
}

// With any budget there is at least one passage, and a long utterance stays whole.
func TestPassagesTooLarge(t *testing.T) {
	t.Parallel()
	texts := padded(50, map[int]string{20: "lighthouse " + strings.Repeat("very long indeed ", 1000)})
	for _, budget := range []int{-1, 0, 1, 100, 500} {
		passages := search.ChoosePassages("lighthouse", []search.Grounding{recorded("One", texts...)}, budget)
		require.NotEmpty(t, passages)
		require.NotEmpty(t, passages[0].Utterances)
	}
	require.Contains(t, shown(search.ChoosePassages("lighthouse", []search.Grounding{recorded("One", texts...)}, 10_000)), "1u20")
}

// For any recordings, passages are in order, whole, uniquely labelled, and within the budget.
func TestPassagesProperties(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		dice := rand.New(rand.NewPCG(seed, 1))
		var recordings []search.Grounding
		for range 1 + dice.IntN(5) {
			var texts []string
			for i := range dice.IntN(60) {
				texts = append(texts, fmt.Sprintf("u%d %s", i, strings.Repeat(fmt.Sprintf("w%d ", dice.IntN(50)), 1+dice.IntN(200))))
			}
			recordings = append(recordings, recorded("T", texts...))
		}
		budget := 1000 + dice.IntN(20_000)
		passages := search.ChoosePassages("w1 w2 w3", recordings, budget)
		require.LessOrEqual(t, tokensOf(passages), budget, seed)
		requireInOrder(t, passages)
	}
}

// requireInOrder fails if an utterance repeats or passages are not sorted by recording and time.
func requireInOrder(t *testing.T, passages []transcript.Passage) {
	t.Helper()
	seen := map[string]bool{}
	recording, last := 0, time.Duration(-1)
	for _, p := range passages {
		require.False(t, seen[p.Label])
		seen[p.Label] = true
		var r, n int
		_, err := fmt.Sscanf(p.Label, "%d.%d", &r, &n)
		require.NoError(t, err)
		require.GreaterOrEqual(t, r, recording)
		if r > recording {
			recording, last = r, -1
		}
		for _, u := range p.Utterances {
			require.Greater(t, u.Start, last)
			last = u.Start
		}
	}
}

// A token is about four letters of Latin text, and one character of Chinese, Japanese or Korean.
func TestEstimateTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "fives": 2, "日本語": 3, "日本 abc": 3, "한국": 2, "Привет": 3, "é\xff": 1} {
		require.Equal(t, want, transcript.EstimateTokens(text), text)
	}
}

// BenchmarkPassages chooses passages from ten recordings of an hour.
func BenchmarkPassages(b *testing.B) {
	dice := rand.New(rand.NewPCG(3, 4))
	var recordings []search.Grounding
	for range 10 {
		recordings = append(recordings, search.Grounding{Transcript: transcript.Transcript{Language: "en", Utterances: sample.Chatter(dice, time.Hour)}})
	}
	for b.Loop() {
		require.NotEmpty(b, search.ChoosePassages("What did w40 say of w300 and w7000 in the end?", recordings, 20_000))
	}
}
