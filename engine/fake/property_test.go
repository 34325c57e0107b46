package fake_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// edge is the tolerance for the start and end of speech: a frame that is partly loud, and the median filter.
const edge = 20 * time.Millisecond

// For any sound and request, words are in order and fill the speech. There are no more speakers than expected. Turns consist of whole
// sentences, and no sentence spans a long pause.
func TestTranscribeProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := drawParts(t)
		req := engine.TranscribeRequest{
			Language:         rapid.SampledFrom(transcript.Languages()).Draw(t, "language"),
			SpeakersExpected: rapid.IntRange(0, 5).Draw(t, "speakers"),
			BoostedWords:     rapid.SliceOfN(rapid.SampledFrom([]string{"Soundstage", "open source", "東京", "3.5"}), 0, 4).Draw(t, "boosted"),
		}
		fakes := &fake.Transcriber{Media: record(rapid.IntRange(0, 100).Draw(t, "room"), parts...), Seed: rapid.Uint64().Draw(t, "seed")}
		got, err := fakes.Transcribe(t.Context(), req)
		require.NoError(t, err)
		require.Equal(t, req.Language, got.Language)

		checkWords(t, got.Words)
		checkSound(t, got.Words, bursts(parts...))
		checkSpeakers(t, got.Words, req.SpeakersExpected)
		for _, s := range parse(t, got.Words, req.Language, req.BoostedWords...) {
			for i, w := range s.words[1:] {
				require.LessOrEqual(t, w.Start-s.words[i].End, 1500*time.Millisecond+2*edge, s.text)
			}
		}
	})
}

// drawParts draws up to 12 s of bursts and pauses. Pauses are clearly shorter or longer than the limit for a pause to count.
func drawParts(t *rapid.T) (parts []part) {
	for left := rapid.IntRange(100, 12_000).Draw(t, "length"); left > 0; {
		p := burst(max(120, min(left, rapid.IntRange(120, 6000).Draw(t, "burst"))))
		left -= p.ms
		silence := rapid.OneOf(rapid.IntRange(20, 200), rapid.IntRange(300, 2500)).Draw(t, "pause")
		parts = append(parts, pause(silence), p)
	}
	return parts
}

// checkWords checks that words are in order, with times in whole milliseconds and valid confidences.
func checkWords(t require.TestingT, words []transcript.Word) {
	for i, w := range words {
		require.NotEmpty(t, w.Text)
		require.Less(t, w.Start, w.End, w)
		require.True(t, i == 0 || words[i-1].End <= w.Start, "%v %v", words[max(i-1, 0)], w)
		require.Equal(t, w.Start.Truncate(time.Millisecond), w.Start)
		require.Equal(t, w.End.Truncate(time.Millisecond), w.End)
		require.GreaterOrEqual(t, w.Confidence, 0.8)
		require.Less(t, w.Confidence, 1.0)
		require.LessOrEqual(t, len(fmt.Sprint(w.Confidence)), 4)
	}
}

// checkSound checks that words are within bursts, or the short pauses between them, and that they fill bursts.
func checkSound(t require.TestingT, words []transcript.Word, sound []span) {
	var loud []transcript.Window
	for _, s := range sound {
		if n := len(loud); n > 0 && millis(s.start)-loud[n-1].End < 250*time.Millisecond {
			loud[n-1].End = millis(s.end)
		} else {
			loud = append(loud, transcript.Window{Start: millis(s.start), End: millis(s.end)})
		}
	}
	i := 0
	for _, l := range loud {
		covered := time.Duration(0)
		first, last := time.Duration(-1), time.Duration(-1)
		for ; i < len(words) && words[i].Start < l.End; i++ {
			require.GreaterOrEqual(t, words[i].Start, l.Start-edge, "%v before %v", words[i], l)
			require.LessOrEqual(t, words[i].End, l.End+edge, "%v beyond %v", words[i], l)
			if first < 0 {
				first = words[i].Start
			}
			covered, last = covered+words[i].End-words[i].Start, words[i].End
		}
		if l.End-l.Start > time.Second {
			require.GreaterOrEqual(t, covered, (l.End-l.Start)*7/10, "%v", l)
			require.LessOrEqual(t, first-l.Start, edge, "%v", l)
			require.LessOrEqual(t, l.End-last, edge, "%v", l)
		}
	}
	require.Equal(t, len(words), i)
}

// checkSpeakers checks that there are at most expected speakers (two if 0), numbered in order of their first word.
func checkSpeakers(t require.TestingT, words []transcript.Word, expected int) {
	got := labels(words)
	if expected == 0 {
		expected = 2
	}
	require.LessOrEqual(t, len(got), expected)
	for i, l := range got {
		require.Equal(t, transcript.SpeakerLabel(i), l)
	}
}

// For any turns of a Diarizer, words are in order, sentences are whole, and there are no more speakers than expected.
func TestTranscribeWithAnyDiarizer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := drawParts(t)
		var found turns
		for range rapid.IntRange(0, 10).Draw(t, "turns") {
			start := rapid.IntRange(-100, 30_000).Draw(t, "start")
			found = append(found, transcript.Turn{
				Start: millis(start), End: millis(start + rapid.IntRange(-100, 8000).Draw(t, "turn")),
				Speaker: rapid.IntRange(-1, 6).Draw(t, "speaker"),
			})
		}
		expected := rapid.IntRange(1, 5).Draw(t, "speakers")
		got, err := (&fake.Transcriber{Media: record(0, parts...), Diarizer: found}).Transcribe(t.Context(), engine.TranscribeRequest{
			SpeakersExpected: expected,
		})
		require.NoError(t, err)
		checkWords(t, got.Words)
		checkSpeakers(t, got.Words, expected)
		parse(t, got.Words, "en")
	})
}
