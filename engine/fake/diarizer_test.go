package fake_test

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// talk returns six turns. The third one contains a pause.
func talk() []part {
	return []part{
		pause(300), burst(3000), pause(800), burst(2500), pause(900), burst(2000), pause(500), burst(2500), pause(1200),
		burst(3000), pause(750), burst(2000), pause(1600), burst(2600), pause(300),
	}
}

// A pause of more than 700 ms ends a turn, and the next speaker follows.
func TestDiarize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		speakers int
		want     []int
	}{
		{0, []int{0, 1, 0, 1, 0, 1}},
		{1, []int{0, 0, 0, 0, 0, 0}},
		{2, []int{0, 1, 0, 1, 0, 1}},
		{3, []int{0, 1, 2, 0, 1, 2}},
		{6, []int{0, 1, 2, 3, 4, 5}},
		{7, []int{0, 1, 2, 3, 4, 5, 6}}, // the third turn is split at its pause
	} {
		var done float64
		got, err := fake.Diarizer{}.Diarize(t.Context(), bytes.NewReader(record(0, talk()...)), transcript.DiarizeOptions{
			Speakers: c.speakers, Progress: func(f float64) { done = f },
		})
		require.NoError(t, err)
		require.InDelta(t, 1, done, 0)
		var speakers []int
		for i, turn := range got {
			speakers = append(speakers, turn.Speaker)
			require.Less(t, turn.Start, turn.End)
			require.True(t, i == 0 || got[i-1].End <= turn.Start)
		}
		require.Equal(t, c.want, speakers, "%d speakers", c.speakers)
		require.InDelta(t, 300, got[0].Start.Milliseconds(), 20)
		require.InDelta(t, 3300, got[0].End.Milliseconds(), 20)
	}
}

// A short sound near a turn belongs to the turn. A very short one far from any turn is ignored, unless there is no other sound.
func TestDiarizeAsides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parts []part
		want  []span
	}{
		"near":     {[]part{burst(2000), pause(900), burst(400), pause(1300), burst(2000)}, []span{{0, 3300}, {4600, 6600}}},
		"nearer":   {[]part{burst(2000), pause(1300), burst(400), pause(900), burst(2000)}, []span{{0, 2000}, {3300, 6600}}},
		"cough":    {[]part{burst(2000), pause(1600), burst(200), pause(1600), burst(2000)}, []span{{0, 2000}, {5400, 7400}}},
		"far":      {[]part{burst(2000), pause(1600), burst(500), pause(1600), burst(2000)}, []span{{0, 2000}, {3600, 4100}, {5700, 7700}}},
		"only one": {[]part{pause(500), burst(200), pause(500)}, []span{{500, 700}}},
	} {
		got, err := fake.Diarizer{}.Diarize(t.Context(), bytes.NewReader(record(0, c.parts...)), transcript.DiarizeOptions{})
		require.NoError(t, err)
		require.Len(t, got, len(c.want), name)
		for i, w := range c.want {
			require.InDelta(t, w.start, got[i].Start.Milliseconds(), 30, name)
			require.InDelta(t, w.end, got[i].End.Milliseconds(), 30, name)
		}
	}
}

// Diarize returns the error of a cancelled context.
func TestDiarizeCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := fake.Diarizer{}.Diarize(ctx, bytes.NewReader(tone(1000)), transcript.DiarizeOptions{})
	require.ErrorIs(t, err, context.Canceled)
}

// There are as many speakers as expected if the speech is long enough, and never more.
func TestTranscribeSpeakers(t *testing.T) {
	t.Parallel()
	monologue := record(0, burst(5000), pause(300), burst(4000), pause(400), burst(6000))
	for name, c := range map[string]struct {
		media    recording
		expected int
		want     int
	}{
		"turns, not known":            {record(0, talk()...), 0, 2},
		"turns, one":                  {record(0, talk()...), 1, 1},
		"turns, four":                 {record(0, talk()...), 4, 4},
		"turns, seven":                {record(0, talk()...), 7, 7},
		"monologue, not known":        {monologue, 0, 1},
		"monologue, cut at pauses":    {monologue, 3, 3},
		"monologue, cut in sentences": {monologue, 5, 5},
		"tone, two":                   {tone(8000), 2, 2},
		"tone too short for two":      {tone(2000), 2, 1},
	} {
		words := transcribe(t, c.media, engine.TranscribeRequest{SpeakersExpected: c.expected})
		got := labels(words)
		require.Len(t, got, c.want, name)
		for i, l := range got {
			require.Equal(t, transcript.SpeakerLabel(i), l, name)
		}
		parse(t, words, "en")
	}
}

// A monologue that must be split is split at its longest pause.
func TestTranscribeCutsAtPause(t *testing.T) {
	t.Parallel()
	words := transcribe(t, record(0, burst(5000), pause(300), burst(4000), pause(400), burst(6000)), engine.TranscribeRequest{SpeakersExpected: 2})
	for _, w := range words {
		require.Equal(t, transcript.SpeakerLabel(map[bool]int{w.Start > 9500*time.Millisecond: 1}[true]), w.Speaker, "%v", w)
	}
}

// With a Diarizer, words and sentences change speakers at its turns, regardless of pauses.
func TestTranscribeWithDiarizer(t *testing.T) {
	t.Parallel()
	found := turns{
		{Start: 0, End: 4 * time.Second, Speaker: 2},
		{Start: 4 * time.Second, End: 9 * time.Second, Speaker: 0},
		{Start: 6 * time.Second, End: 7 * time.Second, Speaker: 1}, // talks while speaker 0 does
		{Start: 10 * time.Second, End: 14 * time.Second, Speaker: 1},
		{Start: 14 * time.Second, End: 14200 * time.Millisecond, Speaker: 2}, // too short to say anything
		{Start: 14200 * time.Millisecond, End: 20 * time.Second, Speaker: 2},
	}
	for expected, want := range map[int][]string{
		0: {"Speaker 0", "Speaker 1", "Speaker 2", "Speaker 0"},
		3: {"Speaker 0", "Speaker 1", "Speaker 2", "Speaker 0"},
		2: {"Speaker 0", "Speaker 1", "Speaker 0"}, // speaker 2 becomes speaker 0
		1: {"Speaker 0"},
	} {
		got, err := (&fake.Transcriber{Media: tone(20_000), Diarizer: found}).Transcribe(t.Context(), engine.TranscribeRequest{SpeakersExpected: expected})
		require.NoError(t, err)
		parse(t, got.Words, "en")
		var order []string
		for i, w := range got.Words {
			if i == 0 || w.Speaker != got.Words[i-1].Speaker {
				order = append(order, w.Speaker)
			}
		}
		require.Equal(t, want, order, "%d expected", expected)
		if expected == 0 {
			at := func(i int) time.Duration {
				for _, w := range got.Words {
					if w.Speaker == order[i] && w.Start >= time.Duration(i)*3*time.Second {
						return w.Start
					}
				}
				return 0
			}
			require.Equal(t, 4*time.Second, at(1))
			require.Equal(t, 9500*time.Millisecond, at(2))
		}
	}
}

// A Transcriber without a Diarizer gives the same result as with the package's Diarizer.
func TestTranscribeWithItsOwnDiarizer(t *testing.T) {
	t.Parallel()
	for _, media := range []recording{record(0, talk()...), tone(9000), record(0, burst(5000), pause(300), burst(4000))} {
		for expected := range 5 {
			req := engine.TranscribeRequest{SpeakersExpected: expected}
			got, err := (&fake.Transcriber{Media: media, Diarizer: fake.Diarizer{}}).Transcribe(t.Context(), req)
			require.NoError(t, err)
			require.Equal(t, transcribe(t, media, req), got.Words)
		}
	}
}

// If the Diarizer finds no turns, one speaker speaks all the time.
func TestTranscribeDiarizerFindsNobody(t *testing.T) {
	t.Parallel()
	got, err := (&fake.Transcriber{Media: record(0, talk()...), Diarizer: turns{}}).Transcribe(t.Context(), engine.TranscribeRequest{})
	require.NoError(t, err)
	require.Equal(t, []string{"Speaker 0"}, labels(got.Words))
}

// twice is a recording with its sound in both channels.
type twice struct{ recording }

func (r twice) DecodeStereo(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	pcm, err := r.Decode(ctx, src)
	if err != nil {
		return nil, err
	}
	mono, err := io.ReadAll(pcm)
	var both []byte
	for ; len(mono) > 1; mono = mono[2:] {
		both = append(append(both, mono[:2]...), mono[:2]...)
	}
	return io.NopCloser(bytes.NewReader(both)), err
}

// twoEars are turns that were heard in stereo, in odd pieces.
type twoEars struct{ turns }

func (twoEars) HearsStereo() bool { return true }

func (e twoEars) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	if !o.Stereo {
		return nil, nil
	}
	for piece := make([]byte, 4099); ; {
		if _, err := pcm.Read(piece); err != nil {
			return e.turns.Diarize(ctx, pcm, o)
		}
	}
}

// Stereo has the same speech as its mean.
func TestTranscribeStereo(t *testing.T) {
	t.Parallel()
	found := turns{{End: 4 * time.Second, Speaker: 0}, {Start: 4 * time.Second, End: 20 * time.Second, Speaker: 1}}
	said := func(channels int, d engine.Diarizer) engine.Transcription {
		got, err := (&fake.Transcriber{Media: twice{tone(20_000)}, Diarizer: d}).Transcribe(t.Context(), engine.TranscribeRequest{
			Info: engine.MediaInfo{Audio: &engine.AudioStream{Channels: channels}},
		})
		require.NoError(t, err)
		return got
	}
	require.Equal(t, said(1, found), said(2, twoEars{found}))
	require.Empty(t, said(1, twoEars{found}).Turns)
}
