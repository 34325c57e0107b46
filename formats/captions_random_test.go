package formats_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// crosstalk returns people talking over each other, with random names, words and times.
func crosstalk(t *testing.T, r *rand.Rand, language transcript.Language) (transcript.Transcript, map[string]string) {
	vocabulary := wordsIn(t, language)
	names := map[string]string{"Speaker 1": strings.Repeat("Long Name ", r.IntN(6)), "Speaker 2": "李", "Speaker 3": "Ada"}
	tr := transcript.Transcript{Language: language}
	for range 1 + r.IntN(12) {
		speaker := transcript.SpeakerLabel(r.IntN(4))
		if r.IntN(8) == 0 {
			speaker = ""
		}
		u := transcript.Utterance{Speaker: speaker, Start: time.Duration(r.IntN(30_000)) * time.Millisecond}
		at := u.Start
		for range r.IntN(30) {
			word := vocabulary[r.IntN(len(vocabulary))]
			length := time.Duration(r.IntN(600)-20) * time.Millisecond
			u.Words = append(u.Words, transcript.Word{Text: word, Start: at, End: at + length})
			at += length + time.Duration(r.IntN(300)-30)*time.Millisecond
			if r.IntN(20) == 0 {
				at += time.Duration(r.IntN(9000)) * time.Millisecond
			}
		}
		u.End = at + time.Duration(r.IntN(500)-250)*time.Millisecond
		u.Text = transcript.JoinWords(u.Words, language)
		if r.IntN(3) == 0 {
			u.Words = nil
		}
		tr.Utterances = append(tr.Utterances, u)
	}
	return tr, names
}

// However people talk, no cue breaks a hard rule, each turn has its prefix, and every letter occurs once.
func TestCuesOfCrosstalk(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	languages := transcript.Languages()
	for n := range 600 {
		language := languages[n%len(languages)]
		tr, names := crosstalk(t, r, language)
		o := formats.Options{Names: names, Captions: captions.Options{SpeakerPrefix: n%2 == 0}}
		ends := map[string]time.Duration{}
		var got, previous string
		var last time.Duration
		for i, c := range captions.Build(tr, o.Names, o.Captions) {
			require.GreaterOrEqual(t, c.Start, last)
			require.Less(t, c.Start, c.End)
			require.LessOrEqual(t, c.End-c.Start, 7*time.Second)
			require.GreaterOrEqual(t, c.Start, ends[c.Label], "overlaps the speaker's previous cue")
			require.Equal(t, i == 0 || c.Label != previous, c.Turn)
			ends[c.Label], last, previous = c.End, c.Start, c.Label
			require.LessOrEqual(t, len(c.Lines), 2, "%d: %q", n, c.Text())
			prefixed := o.Captions.SpeakerPrefix && c.Turn && c.Speaker != ""
			require.True(t, !prefixed || strings.HasPrefix(c.Lines[0].Text, c.Speaker+":"), c.Text())
			for j, l := range c.Lines {
				if len(l.Words) > 1 || len(l.Words) == 1 && !(prefixed && j == 0) && columns(l.Words[0].Text) <= maxColumns(language) {
					require.LessOrEqual(t, columns(l.Text), maxColumns(language), "%d: %q", n, c.Text())
				}
				for _, w := range l.Words {
					got += letters(w.Text)
				}
			}
		}
		require.Equal(t, count(lettersOf(tr)), count(got))
	}
}

func count(s string) map[rune]int {
	n := map[rune]int{}
	for _, r := range s {
		n[r]++
	}
	return n
}

// Negative limits mean no limit.
func TestCaptionOptionsOff(t *testing.T) {
	t.Parallel()
	cues := captions.Build(spoken("en", say("A", 0, "Yes."), say("B", 2*time.Second, "No.")), nil, captions.Options{MinDuration: -1, Linger: -1, CloseGap: -1, Gap: -1})
	require.Equal(t, 300*time.Millisecond, cues[0].End)
	require.Equal(t, 2300*time.Millisecond, cues[1].End)
}
