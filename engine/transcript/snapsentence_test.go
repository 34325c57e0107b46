package transcript_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// saying returns an utterance of sentences that each take a time: "A 0-1000 1000-2500" are two sentences of speaker A, of two words each.
func saying(text string) transcript.Utterance {
	speaker, times, _ := strings.Cut(text, " ")
	u := transcript.Utterance{Speaker: speaker}
	for _, span := range strings.Fields(times) {
		var start, end int
		if _, err := fmt.Sscanf(span, "%d-%d", &start, &end); err != nil {
			panic(err)
		}
		a, b := word(start, (start+end)/2), word((start+end)/2, end)
		a.Text, b.Text, a.Speaker, b.Speaker = "Never", "mind.", speaker, speaker
		u.Words = append(u.Words, a, b)
	}
	return u
}

// Edges move to the nearest start and end of a sentence, and never to the middle of another speaker's.
func TestSnapSentences(t *testing.T) {
	t.Parallel()
	plain := []string{"A 1000-5000 5000-9000", "B 9500-12000"}
	talkOver := []string{"A 0-10000 10000-20000", "B 9000-14000 14000-16000", "A 21000-25000"}
	long := []string{"A 0-200000"}
	for name, c := range map[string]struct {
		said        []string
		asked, want transcript.Window
		code        fault.Code
	}{
		"a tail is left out":                       {plain, window(4000, 9200), window(5000, 9000), ""},
		"most of a sentence is taken as a whole":   {plain, window(2000, 8000), window(1000, 9000), ""},
		"a part of one sentence":                   {plain, window(6000, 6100), window(5000, 9000), ""},
		"edges of sentences stay":                  {plain, window(5000, 12_000), window(5000, 12_000), ""},
		"silence around":                           {plain, window(0, 15_000), window(1000, 12_000), ""},
		"somebody still speaks where it begins":    {talkOver, window(9100, 24_000), window(0, 25_000), ""},
		"somebody still speaks where it ends":      {talkOver, window(0, 10_100), window(0, 20_000), ""},
		"one sentence longer than a window":        {long, window(10_000, 60_000), window(0, 100_000), ""},
		"silence":                                  {plain, window(12_500, 14_000), transcript.Window{}, fault.CodeNoSpeech},
		"end before start":                         {plain, window(5000, 4000), transcript.Window{}, fault.CodeInvalid},
		"the nearest start is after the requested": {plain, window(4900, 5100), window(5000, 9000), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := transcript.Transcript{Language: "en"}
			for _, s := range c.said {
				tr.Utterances = append(tr.Utterances, saying(s))
			}
			got, err := transcript.SnapSentences(tr, 300*time.Second, c.asked)
			require.Equal(t, c.code, fault.CodeOf(err), fmt.Sprint(err))
			require.Equal(t, c.want, got)
			viaTo, _ := transcript.SnapTo(transcript.SnapSentence, tr, 300*time.Second, c.asked)
			require.Equal(t, got, viaTo)
		})
	}
}

// "" and "word" snap to words, and anything else is refused with what is possible.
func TestSnapTo(t *testing.T) {
	t.Parallel()
	tr := transcript.Transcript{Language: "en", Utterances: []transcript.Utterance{saying("A 0-4000")}}
	for _, how := range []transcript.Snapping{"", transcript.SnapWord} {
		got, err := transcript.SnapTo(how, tr, 10*time.Second, window(2500, 3000))
		require.NoError(t, err)
		require.Equal(t, window(2000, 4000), got)
	}
	_, err := transcript.SnapTo("paragraph", tr, 10*time.Second, window(2500, 3000))
	require.ErrorContains(t, err, `"paragraph"`)
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
}

// For any speech of overlapping speakers, the window begins and ends with a sentence, unless one is too long, and stays when snapped again.
func TestSnapSentencesProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tr := transcript.Transcript{Language: "en"}
		media := 0
		for s := range rapid.IntRange(1, 3).Draw(t, "speakers") {
			text, at := string(rune('A'+s)), 0
			for range rapid.IntRange(1, 12).Draw(t, "sentences") {
				at += rapid.IntRange(0, 9000).Draw(t, "gap")
				length := rapid.IntRange(2, 40_000).Draw(t, "length")
				text += fmt.Sprintf(" %d-%d", at, at+length)
				at += length
			}
			tr.Utterances, media = append(tr.Utterances, saying(text)), max(media, at)
		}
		start := rapid.IntRange(0, media-1).Draw(t, "start")
		asked := window(start, min(media, start+rapid.IntRange(1, 180_000).Draw(t, "asked")))
		got, err := transcript.SnapSentences(tr, time.Duration(media)*ms, asked)
		if err != nil {
			if fault.CodeOf(err) != fault.CodeNoSpeech {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		starts, ends, clean := false, false, true
		for _, s := range transcript.Sentences(tr) {
			starts, ends = starts || s.Start == got.Start, ends || s.End == got.End
			clean = clean && (s.Start >= got.Start || s.End <= got.Start) && (s.Start >= got.End || s.End <= got.End)
		}
		switch again, err := transcript.SnapSentences(tr, time.Duration(media)*ms, got); {
		case !starts || !ends:
			t.Fatalf("%v is not on the edges of sentences", got)
		case got.Start < 0 || got.End > time.Duration(media)*ms || got.End <= got.Start || got.End-got.Start > transcript.MaxWindow:
			t.Fatalf("%v is outside the media, or too long", got)
		case err != nil || clean && again != got:
			t.Fatalf("%v snaps to %v (%v)", got, again, err)
		}
	})
}
