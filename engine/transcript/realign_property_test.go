package transcript_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// pieces are what utterances of the tests are made of.
var pieces = map[transcript.Language][]string{
	"en": {"a", "the", "keeper", "lighthouse", "no,", "yes.", "(sic)", "Zoë", "-", "’twas"},
	"ja": {"東", "京", "東京", "です", "。", "「", "」", "GPT", "-4", "ー", "あ", "が\u3099"},
}

// drawUtterance draws an utterance whose words are in order and may overlap. Its text is its words, joined with and without spaces.
func drawUtterance(t *rapid.T, language transcript.Language) transcript.Utterance {
	u := transcript.Utterance{Speaker: "Speaker 0"}
	at := time.Duration(rapid.IntRange(0, 50).Draw(t, "start")) * ms
	for i := range rapid.IntRange(1, 12).Draw(t, "words") {
		at += time.Duration(rapid.IntRange(0, 400).Draw(t, "pause")) * ms
		w := transcript.Word{
			Text: rapid.SampledFrom(pieces[language]).Draw(t, "word"), Speaker: u.Speaker, Start: at,
			End: at + time.Duration(rapid.IntRange(1, 500).Draw(t, "length"))*ms, Confidence: 0.5,
		}
		u.Words = append(u.Words, w)
		if i > 0 && (language == "en" || rapid.IntRange(0, 5).Draw(t, "spaced") == 0) && rapid.IntRange(0, 5).Draw(t, "apart") > 0 {
			u.Text += " "
		}
		u.Text += w.Text
		u.End = max(u.End, w.End)
	}
	u.Start, u.Confidence = u.Words[0].Start, 0.5
	return u
}

// drawText draws a text that shares pieces with an utterance.
func drawText(t *rapid.T, u transcript.Utterance, language transcript.Language) string {
	texts := pieces[language]
	for _, w := range u.Words {
		texts = append(slices.Clone(texts), w.Text)
	}
	var text strings.Builder
	for range rapid.IntRange(1, 14).Draw(t, "new words") {
		text.WriteString(rapid.SampledFrom(texts).Draw(t, "new word"))
		text.WriteString(rapid.SampledFrom([]string{" ", " ", ""}).Draw(t, "space"))
	}
	return transcript.OneLine(text.String())
}

// requireAligned fails unless an edited utterance has the text, its words in order, and times inside the old utterance.
func requireAligned(t require.TestingT, old, now transcript.Utterance, text string) {
	require.Equal(t, text, now.Text)
	_, ok := transcript.AppendGaps(nil, now.Text, now.Words)
	require.True(t, ok, "the text %q isn't the words %v", now.Text, now.Words)
	last := old.Start
	for _, w := range now.Words {
		require.GreaterOrEqual(t, w.Start, last, "%v", now.Words)
		require.GreaterOrEqual(t, w.End, w.Start+ms, "%v", now.Words)
		require.Equal(t, w.Start, w.Start.Truncate(ms))
		require.Equal(t, w.End, w.End.Truncate(ms))
		if w.Confidence != 1 { // kept, though marks may have joined it
			require.True(t, slices.ContainsFunc(old.Words, func(o transcript.Word) bool {
				return o.Start == w.Start && o.End == w.End && strings.HasPrefix(w.Text, o.Text)
			}), "%v", w)
		}
		last = w.Start
	}
	require.Equal(t, now.Words[0].Start, now.Start)
}

// Whatever the new text is, its words are in order, inside the utterance, and old ones have their own times.
func TestRealignProperties(t *testing.T) {
	t.Parallel()
	for _, language := range []transcript.Language{"en", "ja"} {
		rapid.Check(t, func(t *rapid.T) {
			old := drawUtterance(t, language)
			text := drawText(t, old, language)
			before := slices.Clone(old.Words)
			now, _ := transcript.Realign(old, text, language)
			requireAligned(t, old, now, text)
			require.LessOrEqual(t, now.End, old.End)
			require.Equal(t, before, old.Words, "the old utterance was changed")
		})
	}
}

// Every word but the changed one keeps its times and confidence.
func TestRealignKeepsTheRest(t *testing.T) {
	t.Parallel()
	for language, changed := range map[transcript.Language]string{"en": "Xylophone", "ja": "犬"} {
		rapid.Check(t, func(t *rapid.T) {
			old := drawUtterance(t, language)
			old.Text = ""
			for i, w := range old.Words {
				if i > 0 {
					old.Text += " "
				}
				old.Text += w.Text
			}
			i := rapid.IntRange(0, len(old.Words)-1).Draw(t, "changed")
			want := slices.Clone(old.Words)
			texts := strings.Split(old.Text, " ")
			texts[i], want[i].Text, want[i].Confidence = changed, changed, 1
			now, changes := transcript.Realign(old, strings.Join(texts, " "), language)
			require.Equal(t, want, now.Words)
			require.Equal(t, []transcript.Change{{Start: want[i].Start, End: want[i].End, Old: old.Words[i].Text, New: changed}}, changes)
		})
	}
}

// No text makes Realign fail.
func FuzzRealign(f *testing.F) {
	for _, c := range realignCases {
		f.Add(c.old.Text, c.text, c.language == "en")
	}
	f.Fuzz(func(t *testing.T, from, to string, spaced bool) {
		language := transcript.Language("en")
		if !spaced {
			language = "zh"
		}
		from, to = transcript.OneLine(strings.ToValidUTF8(from, "")), transcript.OneLine(strings.ToValidUTF8(to, ""))
		if strings.TrimSpace(from) == "" || strings.TrimSpace(to) == "" {
			return
		}
		old := transcript.Retext(transcript.Utterance{Speaker: "Speaker 0", Start: 10 * ms, End: 900 * ms, Confidence: 0.5}, from, language)
		now, _ := transcript.Realign(old, to, language)
		requireAligned(t, old, now, to)
		same, changes := transcript.Realign(now, to, language)
		require.Equal(t, now, same)
		require.Empty(t, changes)
	})
}
