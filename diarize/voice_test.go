package diarize_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"
	"testing/iotest"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// print returns the voice of a recording with one speaker.
func print(t *testing.T, seed uint64, voice int) diarize.Voice {
	t.Helper()
	voices, err := diarize.Voices(context.Background(), bytes.NewReader(pcm(synthSpeech(seed, []int{voice}, 20))), []transcript.Turn{{End: 20 * time.Second}})
	require.NoError(t, err)
	require.Len(t, voices, 1)
	return voices[0]
}

// Where two speak at once, nobody's print is made.
func TestVoicesWithoutOverlap(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	samples := synthSpeech(1, []int{0}, 40)
	spoken := func(turns ...transcript.Turn) time.Duration {
		voices, err := diarize.Voices(context.Background(), bytes.NewReader(pcm(samples)), turns)
		require.NoError(t, err)
		return voices[0].Spoken()
	}
	whole := transcript.Turn{End: 40 * time.Second}
	alone := spoken(whole, transcript.Turn{Start: 20 * time.Second, End: 40 * time.Second, Speaker: 1, Second: true})
	require.InDelta(t, spoken(whole).Seconds()/2, alone.Seconds(), 1)
	require.Equal(t, spoken(transcript.Turn{End: 20 * time.Second}), alone)
}

func TestVoices(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	enrolled := []diarize.Voice{print(t, 1, 0), print(t, 2, 3)}
	// The voices of a new recording are nearest to the same person's.
	samples := synthSpeech(5, []int{0, 3, 6}, 90)
	turns := run(t, samples, diarize.Config{Speakers: 3})
	voices, err := diarize.Voices(context.Background(), bytes.NewReader(pcm(samples)), turns)
	require.NoError(t, err)
	require.Len(t, voices, 3)
	suggested := map[int]int{}
	for _, v := range voices {
		require.Greater(t, v.Spoken(), diarize.LeastVoice)
		i, d := v.Nearest(enrolled)
		suggested[i]++
		if i >= 0 {
			require.Less(t, d, diarize.SameVoice)
		}
	}
	require.Equal(t, map[int]int{0: 1, 1: 1, -1: 1}, suggested, "the third voice is a stranger")
	// Distances are symmetrical, and 0 for the same print.
	a, b := enrolled[0], enrolled[1]
	require.InDelta(t, a.Distance(b), b.Distance(a), 1e-9)
	require.InDelta(t, 0, a.Distance(a), 1e-9)
	// A stranger is nobody, also if only one voice is enrolled.
	i, d := print(t, 3, 6).Nearest(enrolled[:1])
	require.Equal(t, -1, i)
	require.Greater(t, d, diarize.SameVoice)
	// Of two prints that are about as near, neither is suggested.
	i, _ = a.Nearest([]diarize.Voice{a, b})
	require.Equal(t, 0, i)
	i, _ = print(t, 9, 0).Nearest([]diarize.Voice{a, a})
	require.Equal(t, -1, i)
	// The stored form gives the same voice; anything else is refused.
	raw, err := a.MarshalBinary()
	require.NoError(t, err)
	var read diarize.Voice
	require.NoError(t, read.UnmarshalBinary(raw))
	require.Equal(t, a, read)
	// Only the mean differs: that counts too.
	shifted := append([]byte{}, raw...)
	copy(shifted[5:], []byte{0, 0, 0xa0, 0x40})
	require.NoError(t, read.UnmarshalBinary(shifted))
	require.Greater(t, a.Distance(read), 0.1)
	require.NoError(t, read.UnmarshalBinary(raw))
	nan := append([]byte{}, raw...)
	copy(nan[5:], []byte{0, 0, 0xc0, 0x7f})
	for _, bad := range [][]byte{nil, raw[1:], append([]byte{9}, raw[1:]...), nan} {
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(read.UnmarshalBinary(bad)))
	}
	require.Equal(t, a, read)
}

func TestVoicesOfLittleSpeech(t *testing.T) {
	t.Parallel()
	audio := pcm(synthSpeech(1, []int{0}, 12))
	// Who speaks for a few seconds, or not at all, has no print, and is like nobody.
	voices, err := diarize.Voices(context.Background(), bytes.NewReader(audio), []transcript.Turn{
		{End: 5 * time.Second}, {Start: 5 * time.Second, End: 6 * time.Second, Speaker: 2}, {Start: time.Hour, End: 2 * time.Hour, Speaker: 1},
	})
	require.NoError(t, err)
	require.Equal(t, make([]diarize.Voice, 3), voices)
	require.True(t, math.IsInf(voices[0].Distance(voices[0]), 1))
	i, _ := voices[0].Nearest([]diarize.Voice{{}})
	require.Equal(t, -1, i)
	require.Zero(t, voices[0].Spoken())
	// Impossible turns are refused, and errors of the reader are returned.
	for _, turn := range []transcript.Turn{{Start: -1}, {Start: 2, End: 1}, {Speaker: -1}, {Speaker: 255}} {
		_, err = diarize.Voices(context.Background(), bytes.NewReader(audio), []transcript.Turn{turn})
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
	}
	broken := errors.New("broken")
	_, err = diarize.Voices(context.Background(), iotest.ErrReader(broken), nil)
	require.ErrorIs(t, err, broken)
}
