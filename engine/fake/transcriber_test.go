package fake_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Words begin and end with the sound, each turn has whole sentences, and the speaker changes after a long pause.
func TestTranscribe(t *testing.T) {
	t.Parallel()
	parts := []part{pause(500), burst(3000), pause(900), burst(4000), pause(1200), burst(2500), pause(700)}
	words := transcribe(t, record(0, parts...), engine.TranscribeRequest{})
	for i, b := range bursts(parts...) {
		var in []transcript.Word
		for _, w := range words {
			if w.Start >= millis(b.start-20) && w.End <= millis(b.end+20) {
				in = append(in, w)
			}
		}
		require.NotEmpty(t, in)
		require.InDelta(t, b.start, in[0].Start.Milliseconds(), 20)
		require.InDelta(t, b.end, in[len(in)-1].End.Milliseconds(), 20)
		require.Equal(t, []string{transcript.SpeakerLabel(i % 2)}, labels(in))
		require.NotEmpty(t, parse(t, in, "en"))
		words = words[len(in):]
	}
	require.Empty(t, words)
}

// Background noise changes only the edges of speech.
func TestTranscribeInNoise(t *testing.T) {
	t.Parallel()
	parts := []part{pause(1000), burst(3000), pause(1000), burst(2000), pause(1000), burst(3000), pause(1000)}
	for _, room := range []int{3, 30, 300, 1000} { // 66 to 16 dB below the voice
		words := transcribe(t, record(room, parts...), engine.TranscribeRequest{})
		for _, b := range bursts(parts...) {
			require.True(t, slices.ContainsFunc(words, func(w transcript.Word) bool {
				return (w.Start - millis(b.start)).Abs() <= 30*time.Millisecond
			}), "room %d: %v", room, words)
		}
		require.Len(t, parse(t, words, "en"), 3, "room %d", room)
	}
}

// Silence, background noise, and clicks have no words, without an error.
func TestTranscribeSilence(t *testing.T) {
	t.Parallel()
	for name, media := range map[string]recording{
		"nothing":       {},
		"half a sample": {1},
		"silence":       record(0, pause(3000)),
		"quiet room":    record(40, pause(3000)),
		"hissing room":  record(200, pause(3000)),
		"clicks":        record(0, pause(1000), burst(40), pause(1000), burst(30), pause(1000)),
	} {
		got, err := (&fake.Transcriber{Media: media}).Transcribe(t.Context(), engine.TranscribeRequest{})
		require.NoError(t, err, name)
		require.Empty(t, got.Words, name)
		require.Equal(t, transcript.DefaultLanguage, got.Language, name)
	}
}

// A sound without pauses is filled with words, even if it is only 400 ms long.
func TestTranscribeTone(t *testing.T) {
	t.Parallel()
	for _, ms := range []int{400, 1000, 10_000} {
		words := transcribe(t, tone(ms), engine.TranscribeRequest{})
		require.NotEmpty(t, words, ms)
		require.Zero(t, words[0].Start)
		require.Equal(t, millis(ms), words[len(words)-1].End)
		parse(t, words, "en")
	}
}

// The language is the requested one, or else the one in the media's tag, or else English.
func TestTranscribeLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked transcript.Language
		tag   string
		want  transcript.Language
	}{
		{"de", "", "de"}, {"de", "fra", "de"}, {"", "fra", "fr"}, {"", "cmn-Hans-CN", "zh"}, {"", "", "en"},
		{"", "tlh", "en"}, {"tlh", "deu", "de"},
	} {
		got, err := (&fake.Transcriber{Media: tone(2000)}).Transcribe(t.Context(), engine.TranscribeRequest{
			Language: c.asked, Info: engine.MediaInfo{Language: c.tag},
		})
		require.NoError(t, err)
		require.Equal(t, c.want, got.Language)
		parse(t, got.Words, c.want)
	}
}

// No word ends after the probed duration of the media.
func TestTranscribeDuration(t *testing.T) {
	t.Parallel()
	words := transcribe(t, record(0, burst(3000), pause(1000), burst(2000)), engine.TranscribeRequest{
		Info: engine.MediaInfo{Duration: 2345678 * time.Microsecond},
	})
	require.Equal(t, 2345*time.Millisecond, words[len(words)-1].End)
	parse(t, words, "en")
}

// The same media, request, and seed give the same transcript, also in concurrent calls. A different seed, language, boosted word, or
// number of speakers gives a different one.
func TestTranscribeIsDeterministic(t *testing.T) {
	t.Parallel()
	media := record(20, burst(2500), pause(900), burst(3000), pause(800), burst(2000))
	requests := []engine.TranscribeRequest{
		{}, {Language: "de"}, {SpeakersExpected: 3}, {BoostedWords: []string{"Soundstage"}}, {Language: "ja"},
	}
	seeds := []uint64{0, 1}
	got := make([][]transcript.Word, 20*len(requests)*len(seeds))
	var wg sync.WaitGroup
	for run := range 20 {
		wg.Go(func() {
			for i := range requests {
				for j, seed := range seeds {
					at := (run*len(requests)+i)*len(seeds) + j
					out, _ := (&fake.Transcriber{Media: media, Seed: seed}).Transcribe(t.Context(), requests[i])
					got[at] = out.Words
				}
			}
		})
	}
	wg.Wait()
	different := map[string]bool{}
	first := got[:len(requests)*len(seeds)]
	for i, words := range got {
		require.NotEmpty(t, words)
		require.Equal(t, first[i%len(first)], words)
		different[transcript.JoinWords(words, "en")] = true
	}
	require.Len(t, different, len(first))
}

// Transcribe returns the decoder's errors.
func TestTranscribeErrors(t *testing.T) {
	t.Parallel()
	bad := engine.Errorf(engine.CodeBadMedia, "Decode", "The media is broken.")
	media := record(0, burst(2000))
	for _, b := range []broken{{media, bad, nil, nil}, {media, nil, bad, nil}, {media, nil, nil, bad}} {
		_, err := (&fake.Transcriber{Media: b}).Transcribe(t.Context(), engine.TranscribeRequest{})
		require.ErrorIs(t, err, bad)
		_, err = (&fake.Transcriber{Media: b, Diarizer: fake.Diarizer{}}).Transcribe(t.Context(), engine.TranscribeRequest{})
		require.ErrorIs(t, err, bad)
	}
	_, err := (&fake.Transcriber{}).Transcribe(t.Context(), engine.TranscribeRequest{})
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
}

// Transcribe returns the error of a cancelled context, also if the decoder fails because of it.
func TestTranscribeCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := (&fake.Transcriber{Media: long(2000)}).Transcribe(ctx, engine.TranscribeRequest{
		Info:     engine.MediaInfo{Duration: 2000 * time.Second},
		Progress: func(float64) { cancel() },
	})
	require.ErrorIs(t, err, context.Canceled)
	media := broken{recording: tone(2000), read: errors.New("killed")}
	_, err = (&fake.Transcriber{Media: media}).Transcribe(ctx, engine.TranscribeRequest{})
	require.ErrorIs(t, err, context.Canceled)
}

// Progress never decreases, and ends at 1, with and without a Diarizer.
func TestTranscribeProgress(t *testing.T) {
	t.Parallel()
	for _, d := range []engine.Diarizer{nil, fake.Diarizer{}, turns{{End: time.Second}}} {
		for _, duration := range []time.Duration{0, 5 * time.Second, 20 * time.Second} {
			var done []float64
			_, err := (&fake.Transcriber{Media: long(20), Diarizer: d}).Transcribe(t.Context(), engine.TranscribeRequest{
				Info: engine.MediaInfo{Duration: duration}, Progress: func(f float64) { done = append(done, f) },
			})
			require.NoError(t, err)
			require.True(t, slices.IsSorted(done), "%v", done)
			require.InDelta(t, 1, done[len(done)-1], 0)
			if duration > 0 {
				require.Greater(t, len(done), 10)
			}
		}
	}
}
