package clips_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// transcriptOf returns the transcript of a script; see sample.Dialogue.
func transcriptOf(language transcript.Language, script string) transcript.Transcript {
	words := sample.Dialogue(script)
	t := transcript.Transcript{Language: language, Utterances: transcript.BuildUtterances(words, language)}
	if len(words) > 0 {
		t.Duration = words[len(words)-1].End
	}
	return t
}

// sentences returns sentences of the deterministic transcriber in a language.
func sentences(t *testing.T, l transcript.Language) []string {
	t.Helper()
	b, err := os.ReadFile("../fake/sentences/" + string(l) + ".txt")
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// conversation returns a transcript of sentences in a language, with two speakers who take turns at random.
func conversation(t *testing.T, l transcript.Language, n int, seed uint64) transcript.Transcript {
	t.Helper()
	dice := rand.New(rand.NewPCG(seed, 7))
	var script strings.Builder
	all, speaker := sentences(t, l), 0
	for range n {
		if dice.IntN(3) == 0 {
			speaker = 1 - speaker
		}
		fmt.Fprintf(&script, "%c: %s\n", 'A'+rune(speaker), all[dice.IntN(len(all))])
	}
	return transcriptOf(l, script.String())
}

// requireSuggestions checks what Suggest promises.
func requireSuggestions(t *testing.T, tr transcript.Transcript, all []clips.Suggestion) {
	t.Helper()
	starts, ends := map[time.Duration]bool{}, map[time.Duration]bool{}
	whole := ""
	for _, u := range tr.Utterances {
		begins := true
		for i, w := range u.Words {
			if begins {
				starts[w.Start] = true
			}
			begins = strings.ContainsAny(w.Text, ".?!。？！।…")
			if begins || i == len(u.Words)-1 {
				ends[w.End] = true
			}
		}
		whole += u.Text
	}
	whole = strings.Join(strings.Fields(whole), "")
	short, carousels := 0, 0
	for i, s := range all {
		require.GreaterOrEqual(t, s.Score, 0)
		require.LessOrEqual(t, s.Score, 100)
		require.NotEmpty(t, s.Title)
		require.LessOrEqual(t, utf8.RuneCountInString(s.Title), 80)
		require.NotContains(t, s.Title, "\n")
		require.Contains(t, whole, strings.Join(strings.Fields(s.Excerpt), ""), "the excerpt must be verbatim")
		if s.Kind == clips.KindCarousel {
			carousels++
			require.Zero(t, s.Window)
			continue
		}
		short++
		require.Equal(t, clips.KindClip, s.Kind)
		require.True(t, starts[s.Window.Start], "it begins with a sentence: %v", s)
		require.True(t, ends[s.Window.End], "it ends with a sentence: %v", s)
		require.LessOrEqual(t, s.Window.End, tr.Duration)
		require.LessOrEqual(t, s.Window.End-s.Window.Start, clips.MaxClip)
		if tr.Duration >= clips.MinClip {
			require.GreaterOrEqual(t, s.Window.End-s.Window.Start, clips.MinClip)
		}
		for _, o := range all[:i] {
			require.False(t, o.Kind == clips.KindClip && s.Window.Start < o.Window.End && o.Window.Start < s.Window.End, "clips must not overlap")
		}
	}
	require.LessOrEqual(t, short, 10)
	require.LessOrEqual(t, carousels, 2)
}

// In every language, clips are whole sentences of 15 to 90 seconds that don't overlap, with verbatim titles. The same transcript
// gives the same suggestions.
func TestSuggestClips(t *testing.T) {
	t.Parallel()
	for _, l := range transcript.Languages() {
		tr := conversation(t, l, 150, 1)
		all := clips.Suggest(tr)
		require.GreaterOrEqual(t, len(all), 5, l)
		requireSuggestions(t, tr, all)
		require.Equal(t, all, clips.Suggest(tr))
		squeezed := ""
		for _, u := range tr.Utterances {
			squeezed += u.Text
		}
		squeezed = strings.Join(strings.Fields(squeezed), "")
		for _, s := range all {
			require.Contains(t, squeezed, strings.Join(strings.Fields(s.Title), ""), "the title must be verbatim")
		}
	}
}

// Each quality of a clip shows in its score: each clip beats the same clip with a flaw.
func TestClipScores(t *testing.T) {
	t.Parallel()
	score := func(l transcript.Language, script string) int {
		t.Helper()
		all := clips.Suggest(transcriptOf(l, script))
		require.NotEmpty(t, all)
		require.Equal(t, clips.KindClip, all[0].Kind)
		return all[0].Score
	}
	// Each transcript is short enough to be one clip, so that only the flaw differs.
	body := "Harbour towns build their lighthouses of granite, since granite outlasts the sea by a thousand years."
	for name, c := range map[string]struct {
		language     transcript.Language
		better, less string
	}{
		"a connective": {"en", "A: Granite stays.\nA: " + body, "A: But granite stays.\nA: " + body},
		"a pronoun":    {"de", "A: Granit bleibt auch nach tausend Jahren am Hafen noch stehen.", "A: Er bleibt auch nach tausend Jahren am Hafen noch stehen."},
		"no spaces":    {"ja", "A: 灯台は海のそばに立っています。とても高い。", "A: しかし灯台は海のそばに立っています。高い。"},
		"a question":   {"en", "A: " + body + " Towns last.", "A: " + body + " Towns last?"},
		"breaking off": {"en", "A: " + body, "A: " + strings.TrimSuffix(body, ".")},
		"numbers":      {"en", "A: " + strings.Replace(body, "a thousand", "1000 long", 1), "A: " + body},
		"an answer":    {"en", "A: Why granite?\nB: " + body, "A: Why granite?\nA: " + body},
	} {
		require.Greater(t, score(c.language, c.better), score(c.language, c.less), name)
	}
}

// Where speakers overlap, a clip neither begins nor ends in the middle of another speaker's sentence: its window is the one that a render snaps
// to. That holds for a model's suggestions, too. Where somebody always speaks, there are still clips.
func TestClipsOfOverlappingSpeech(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		dice := rand.New(rand.NewPCG(seed, 4))
		tr := transcript.Transcript{Language: "en"}
		at := 0
		for i := range 80 {
			length := 2000 + dice.IntN(6000)
			tr.Utterances = append(tr.Utterances, utterance(transcript.SpeakerLabel(i%2), at, length))
			at += length + 300 - dice.IntN(3)*1500 // often the next speaker begins before the end
			tr.Duration = max(tr.Duration, time.Duration(at+length)*time.Millisecond)
		}
		asked := []clips.Suggestion{}
		for range 20 {
			start := time.Duration(dice.IntN(at)) * time.Millisecond
			asked = append(asked, clips.Suggestion{Kind: clips.KindClip, Title: "T", Window: transcript.Window{Start: start, End: start + 30*time.Second}})
		}
		for _, all := range [][]clips.Suggestion{clips.Suggest(tr), clips.Check(tr, asked)} {
			require.GreaterOrEqual(t, len(all), 3)
			for _, s := range all {
				if s.Kind != clips.KindClip {
					continue
				}
				w, err := transcript.SnapSentences(tr, tr.Duration, s.Window)
				require.NoError(t, err)
				require.Equal(t, s.Window, w)
				length := w.End - w.Start
				require.True(t, length >= clips.MinClip && length <= clips.MaxClip, length)
			}
		}
	}
	babble := transcript.Transcript{Language: "en", Duration: 100 * time.Second}
	for i := range 20 {
		babble.Utterances = append(babble.Utterances, utterance(transcript.SpeakerLabel(i), i*4000, 20000))
	}
	require.NotEmpty(t, clips.Suggest(babble))
	require.NotEmpty(t, clips.Check(babble, []clips.Suggestion{{Kind: clips.KindClip, Title: "T", Window: transcript.Window{Start: 30 * time.Second, End: 50 * time.Second}}}))
}

// utterance returns a sentence of ten words that begins at a time and takes a length, in milliseconds.
func utterance(speaker string, at, length int) transcript.Utterance {
	var words []transcript.Word
	for i, word := range strings.Fields("Granite lasts a hundred years in the cold north sea.") {
		words = append(words, sample.Said(speaker, word, at+i*length/10, at+(i+1)*length/10))
	}
	return transcript.Utterance{
		Speaker: speaker, Words: words, Text: transcript.JoinWords(words, "en"), Start: words[0].Start, End: words[len(words)-1].End,
	}
}

// The best clip has the recording's own terms, not small talk.
func TestClipsFindTheTopic(t *testing.T) {
	t.Parallel()
	talk := strings.Repeat("A: Well you know it is what it is and so on and so on again.\nB: Yes I know you know that it is so and so on.\n", 12)
	matter := "A: Why do lighthouses use Fresnel lenses?\nB: A Fresnel lens folds thick glass into thin rings. " +
		"Lighthouses with Fresnel lenses reach 20 miles. A lens of plain glass would weigh 5 tons. Fresnel built the first lens in 1823.\n"
	tr := transcriptOf("en", talk+matter+talk)
	all := clips.Suggest(tr)
	requireSuggestions(t, tr, all)
	require.Contains(t, all[0].Excerpt, "Fresnel lens folds")
	require.Contains(t, all[0].Title, "ens")
}

// A recording shorter than a clip is one clip. A few words, silence, and a transcript without words give none.
func TestClipsOfLittle(t *testing.T) {
	t.Parallel()
	tr := transcriptOf("en", "A: Nobody paints a harbour like Anna does. She mixes the light first.")
	all := clips.Suggest(tr)
	require.Len(t, all, 1)
	require.Equal(t, tr.Utterances[0].Text, all[0].Excerpt)
	require.Equal(t, transcript.Window{Start: 0, End: tr.Duration}, all[0].Window)
	require.Equal(t, "Nobody paints a harbour like Anna does", all[0].Title)
	for _, script := range []string{"", "A: Hm.", "A: Hello there."} {
		require.Empty(t, clips.Suggest(transcriptOf("en", script)))
	}
	gap := transcriptOf("en", "A: Nobody paints a harbour.\nA: Anna does.")
	for i := range gap.Utterances[0].Words[4:] {
		w := &gap.Utterances[0].Words[4+i]
		w.Start, w.End = w.Start+time.Minute, w.End+time.Minute
	}
	require.Empty(t, clips.Suggest(gap), "more than half is silence")
	require.Empty(t, clips.Suggest(transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{{Text: "No words."}}}))
}

// A carousel is several points of one speaker.
func TestCarousels(t *testing.T) {
	t.Parallel()
	tr := transcriptOf("en", "A: Tell me how a lighthouse is kept, please, if you would?\n"+
		"B: First you trim the wick. Second you wind the clock. Third you polish the lens of the lighthouse. Finally you write the log.\n"+
		"A: Thanks a lot for that.")
	var found []clips.Suggestion
	for _, s := range clips.Suggest(tr) {
		if s.Kind == clips.KindCarousel {
			found = append(found, s)
		}
	}
	require.Len(t, found, 1)
	require.True(t, strings.HasPrefix(found[0].Excerpt, "First you trim"), found[0].Excerpt)
	require.Contains(t, found[0].Excerpt, "Third")
}

// For any transcript, suggestions keep what Suggest promises.
func TestSuggestionProperties(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	texts := []string{"a.", "?", "…", "word", "日本。", "हाँ।", "\u0301", "e.g.", "\"Quoted.\"", "12", strings.Repeat("long", 30), "and"}
	for seed := range uint64(200) {
		dice := rand.New(rand.NewPCG(seed, 2))
		var words []transcript.Word
		at := 0
		for range dice.IntN(400) {
			length := 1 + dice.IntN(900)
			words = append(words, sample.Said(transcript.SpeakerLabel(dice.IntN(2)*dice.IntN(2)), texts[dice.IntN(len(texts))], at, at+length))
			at += dice.IntN(length + 30)
			if dice.IntN(40) == 0 {
				at += dice.IntN(20_000)
			}
		}
		language := transcript.Languages()[dice.IntN(18)]
		tr := transcript.Transcript{Language: language, Utterances: transcript.BuildUtterances(words, language)}
		for _, w := range words {
			tr.Duration = max(tr.Duration, w.End)
		}
		for _, s := range clips.Suggest(tr) {
			require.GreaterOrEqual(t, s.Score, 0)
			require.LessOrEqual(t, s.Score, 100)
			require.LessOrEqual(t, s.Window.End, tr.Duration)
			require.LessOrEqual(t, s.Window.End-s.Window.Start, clips.MaxClip)
			require.LessOrEqual(t, utf8.RuneCountInString(s.Title), 80)
			require.NotEmpty(t, s.Title)
		}
	}
}

// A model's suggestions are corrected or dropped.
func TestCheckSuggestions(t *testing.T) {
	t.Parallel()
	tr := conversation(t, "en", 60, 3)
	at := func(from, to int) transcript.Window {
		return transcript.Window{Start: time.Duration(from) * time.Second, End: time.Duration(to) * time.Second}
	}
	real := strings.Fields(tr.Utterances[0].Text)
	for name, c := range map[string]struct {
		suggested clips.Suggestion
		kept      bool
	}{
		"as it should be":     {clips.Suggestion{Kind: clips.KindClip, Title: "Title", Score: 50, Window: at(30, 60)}, true},
		"no kind":             {clips.Suggestion{Title: "Title", Window: at(30, 60)}, true},
		"too short":           {clips.Suggestion{Kind: clips.KindClip, Window: at(30, 31)}, true},
		"too long":            {clips.Suggestion{Kind: clips.KindClip, Window: transcript.Window{End: tr.Duration}}, true},
		"at the end":          {clips.Suggestion{Kind: clips.KindClip, Window: transcript.Window{Start: tr.Duration - time.Second, End: tr.Duration}}, true},
		"odd title and score": {clips.Suggestion{Kind: clips.KindClip, Title: "a\nb\x00" + strings.Repeat(" word", 40), Score: 1 << 40, Window: at(30, 60)}, true},
		"made up excerpt":     {clips.Suggestion{Kind: clips.KindClip, Excerpt: "Nobody said that.", Score: -7, Window: at(30, 60)}, true},
		"no window":           {clips.Suggestion{Kind: clips.KindClip}, false},
		"backwards":           {clips.Suggestion{Kind: clips.KindClip, Window: at(60, 30)}, false},
		"negative":            {clips.Suggestion{Kind: clips.KindClip, Window: at(-5, 30)}, false},
		"behind the end":      {clips.Suggestion{Kind: clips.KindClip, Window: transcript.Window{Start: tr.Duration, End: tr.Duration + time.Minute}}, false},
		"unknown kind":        {clips.Suggestion{Kind: "meme", Window: at(30, 60)}, false},
		"carousel":            {clips.Suggestion{Kind: clips.KindCarousel, Excerpt: "\n" + strings.Join(real, "  "), Window: at(1, 2)}, true},
		"carousel of nothing": {clips.Suggestion{Kind: clips.KindCarousel, Title: "Title"}, false},
		"carousel of a dream": {clips.Suggestion{Kind: clips.KindCarousel, Excerpt: "Nobody said that."}, false},
	} {
		got := clips.Check(tr, []clips.Suggestion{c.suggested})
		if !c.kept {
			require.Empty(t, got, name)
			continue
		}
		require.Len(t, got, 1, name)
		requireSuggestions(t, tr, got)
	}
	verbatim := clips.Check(tr, []clips.Suggestion{{Kind: clips.KindClip, Title: "T", Excerpt: real[0], Window: at(0, 20)}})
	require.Equal(t, real[0], verbatim[0].Excerpt, "a verbatim excerpt must stay")
	many := []clips.Suggestion{}
	for i := range 100 {
		many = append(many, clips.Suggestion{Kind: clips.KindClip, Title: "T", Score: i, Window: at(i, i+20)})
	}
	got := clips.Check(tr, many)
	requireSuggestions(t, tr, got)
	require.Equal(t, 99, got[0].Score, "the best must be first")
	require.Equal(t, 0, many[0].Score, "the argument must not change")
	require.Empty(t, clips.Check(transcript.Transcript{Language: "en"}, many))
}

// BenchmarkSuggestClips suggests clips for three hours of speech.
func BenchmarkSuggestClips(b *testing.B) {
	tr := transcript.Transcript{Language: "en", Duration: 3 * time.Hour, Utterances: sample.Chatter(rand.New(rand.NewPCG(5, 6)), 3*time.Hour)}
	for b.Loop() {
		require.NotEmpty(b, clips.Suggest(tr))
	}
}

// Suggestions of a model beyond the first two hundred are ignored.
func TestTooManySuggestions(t *testing.T) {
	t.Parallel()
	var words []transcript.Word
	for i := range 60 {
		words = append(words, sample.Said("Speaker 0", "Word.", i*500, i*500+400))
	}
	tr := transcript.Transcript{Language: "en", Duration: time.Minute, Utterances: transcript.BuildUtterances(words, "en")}
	good := clips.Suggestion{Kind: clips.KindClip, Title: "Good", Score: 90, Window: sample.Window(0, 20_000)}
	many := append(slices.Repeat([]clips.Suggestion{{Kind: "?"}}, 199), good, good)
	require.Len(t, clips.Check(tr, many), 1)
	require.Empty(t, clips.Check(tr, slices.Insert(many, 0, clips.Suggestion{Kind: "?"})[:201]))
}
