package transcript_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// spoken returns an utterance of one speaker. Each word is "text start end", in milliseconds; its confidence is 0.5.
func spoken(text string, words ...string) transcript.Utterance {
	u := transcript.Utterance{Speaker: "Speaker 1", Text: text, Confidence: 0.5}
	for _, s := range words {
		var w string
		var start, end int
		if _, err := fmt.Sscan(s, &w, &start, &end); err != nil {
			panic(err)
		}
		word := said("Speaker 1", w, start, end)
		word.Confidence = 0.5
		u.Words = append(u.Words, word)
		u.End = max(u.End, word.End)
	}
	u.Start = u.Words[0].Start
	return u
}

// shown returns words as spoken takes them, with "~" before those whose times are estimated, and "!" before those that a person wrote.
func shown(words []transcript.Word) (all []string) {
	for _, w := range words {
		mark := ""
		if w.Confidence == 1 {
			mark = "!"
		}
		if w.Estimated {
			mark += "~"
		}
		all = append(all, fmt.Sprintf("%s%s %d %d", mark, w.Text, w.Start.Milliseconds(), w.End.Milliseconds()))
	}
	return all
}

// realignCases are edits of one utterance with their words.
var realignCases = []struct {
	name     string
	language transcript.Language
	old      transcript.Utterance
	text     string
	want     string
	changes  string
}{
	{
		"the same text changes nothing", "en", spoken("I saw it.", "I 0 100", "saw 100 300", "it. 300 500"), "I saw it.",
		"I 0 100, saw 100 300, it. 300 500", "",
	},
	{
		"a changed word has the time of the word that it replaces", "en", spoken("I sore it.", "I 0 100", "sore 100 300", "it. 320 500"), "I saw it.",
		"I 0 100, !saw 100 300, it. 320 500", "100-300 sore>saw",
	},
	{
		"as many changed words have the times of the old ones", "en", spoken("I sore hit.", "I 0 100", "sore 100 300", "hit. 320 500"), "I saw it.",
		"I 0 100, !saw 100 300, !it. 320 500", "100-500 sore hit.>saw it.",
	},
	{
		"more words share the time of a run by their length", "en", spoken("the lighthouse keeper", "the 0 200", "lighthouse 1000 2000", "keeper 2000 3000"), "the light house keeper",
		"the 0 200, !~light 1000 1500, !~house 1500 2000, keeper 2000 3000", "1000-2000 lighthouse>light house",
	},
	{
		"fewer words share it, too", "en", spoken("an ice cream please", "an 0 200", "ice 1000 1500", "cream 1600 2000", "please 2000 3000"), "an icecream please",
		"an 0 200, !~icecream 1000 2000, please 2000 3000", "1000-2000 ice cream>icecream",
	},
	{
		"removed words vanish", "en", spoken("um I saw it", "um 0 100", "I 200 300", "saw 300 500", "it 500 600"), "I saw",
		"I 200 300, saw 300 500", "0-100 um>, 500-600 it>",
	},
	{
		"an inserted word is in the gap, no longer than the speaker needs", "en", spoken("aa bb", "aa 0 200", "bb 1000 1200"), "aa cccc bb",
		"aa 0 200, !~cccc 200 600, bb 1000 1200", "0-200 aa>aa cccc",
	},
	{
		"inserted words share a short gap", "en", spoken("aa bb", "aa 0 200", "bb 500 700"), "aa cc dd bb",
		"aa 0 200, !~cc 200 350, !~dd 350 500, bb 500 700", "0-200 aa>aa cc dd",
	},
	{
		"without a gap they share the end of the word before", "en", spoken("aa bb", "aa 0 200", "bb 200 400"), "aa cc bb",
		"aa 0 200, !~cc 100 200, bb 200 400", "0-200 aa>aa cc",
	},
	{
		"at the end, too", "en", spoken("aa bb", "aa 0 200", "bb 200 400"), "aa bb cc",
		"aa 0 200, bb 200 400, !~cc 300 400", "200-400 bb>bb cc",
	},
	{
		"before the first word they share its start", "en", spoken("aa bb", "aa 0 200", "bb 200 400"), "cc dd aa bb",
		"!~cc 0 66, !~dd 0 133, aa 0 200, bb 200 400", "0-200 aa>cc dd aa",
	},
	{
		"punctuation changes a word and keeps its time", "en", spoken("I saw it", "I 0 100", "saw 100 300", "it 300 500"), "I saw it!",
		"I 0 100, saw 100 300, !it! 300 500", "300-500 it>it!",
	},
	{
		"words without a space between them are kept together", "en", spoken("Well, no.", "Well 0 100", ", 100 110", "no 200 300", ". 300 310"), "Well, yes.",
		"Well 0 100, , 100 110, !~yes. 200 310", "200-310 no.>yes.",
	},
	{
		"no-break spaces keep words together", "fr", spoken("Vraiment\u00a0? Oui.", "Vraiment 0 100", "? 100 110", "Oui. 200 300"), "Vraiment\u00a0? Non.",
		"Vraiment 0 100, ? 100 110, !Non. 200 300", "200-300 Oui.>Non.",
	},
	{
		"everything is new", "en", spoken("aa bb", "aa 0 200", "bb 200 400"), "x",
		"!~x 0 400", "0-400 aa bb>x",
	},
	{
		"Chinese characters", "zh", spoken("我喜欢猫", "我 0 100", "喜 100 200", "欢 200 300", "猫 300 400"), "我喜欢狗。",
		"我 0 100, 喜 100 200, 欢 200 300, !狗。 300 400", "300-400 猫>狗。",
	},
	{
		"Chinese tokens", "zh", spoken("我喜欢猫", "我 0 100", "喜欢 100 300", "猫 300 400"), "我不喜欢GPT-4猫",
		"我 0 100, !~不 50 100, 喜欢 100 300, !~GPT-4 157 300, 猫 300 400", "0-100 我>我不, 100-300 喜欢>喜欢GPT-4",
	},
	{
		"marks after a Japanese token belong to it", "ja", spoken("東京です", "東京 0 200", "です 200 400"), "東京、です。",
		"東京、 0 200, です。 200 400", "0-200 東京>東京、, 200-400 です>です。",
	},
	{
		"marks that are tokens", "zh", spoken("好。来", "好 0 100", "。 100 101", "来 200 300"), "好！来",
		"好 0 100, !！ 100 101, 来 200 300", "100-101 。>！",
	},
	{
		"a text that isn't the words", "en", spoken("something else", "aa 0 200", "bb 200 400"), "aa cc",
		"aa 0 200, !cc 200 400", "200-400 bb>cc",
	},
}

// An edited text keeps the words that it still has, and gives the others times.
func TestRealign(t *testing.T) {
	t.Parallel()
	for _, c := range realignCases {
		got, changes := transcript.Realign(c.old, c.text, c.language)
		require.Equal(t, c.want, strings.Join(shown(got.Words), ", "), c.name)
		require.Equal(t, c.text, got.Text, c.name)
		require.Equal(t, got.Words[0].Start, got.Start, c.name)
		for _, w := range got.Words {
			require.Equal(t, "Speaker 1", w.Speaker, c.name)
			require.LessOrEqual(t, w.End, got.End, c.name)
		}
		var all []string
		for _, x := range changes {
			all = append(all, fmt.Sprintf("%d-%d %s>%s", x.Start.Milliseconds(), x.End.Milliseconds(), x.Old, x.New))
		}
		require.Equal(t, c.changes, strings.Join(all, ", "), c.name)
	}
}

// The confidence of an utterance is the mean of its words', and its times are theirs.
func TestRealignSums(t *testing.T) {
	t.Parallel()
	got, _ := transcript.Realign(spoken("um aa bb", "um 0 100", "aa 100 200", "bb 200 400"), "aa cc", "en")
	require.InDelta(t, 0.75, got.Confidence, 1e-9)
	require.Equal(t, []time.Duration{100 * ms, 400 * ms}, []time.Duration{got.Start, got.End})
}

// An utterance without words gets some that share its time.
func TestRealignWithoutWords(t *testing.T) {
	t.Parallel()
	u := transcript.Utterance{Speaker: "Speaker 0", Text: "old", End: 200 * ms, Confidence: 0.3}
	got, changes := transcript.Realign(u, "aa bb", "en")
	require.Equal(t, "!~aa 0 100, !~bb 100 200", strings.Join(shown(got.Words), ", "))
	require.Equal(t, []transcript.Change{{End: 200 * ms, Old: "old", New: "aa bb"}}, changes)
}
