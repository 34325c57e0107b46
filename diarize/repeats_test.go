package diarize_test

import (
	"context"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A recording that repeats itself has as many speakers as what it repeats, and the same ones in each repeat. The repeats begin at
// different parts of a frame, and are within a block or in several.
func TestRepeats(t *testing.T) {
	t.Parallel()
	long(t)
	raw, err := os.ReadFile("../testdata/conversation.wav")
	require.NoError(t, err)
	audio := raw[44:]
	once := turnsOf(t, audio, len(audio))
	require.Equal(t, 2, once.Speakers())
	for name, length := range map[string]time.Duration{"3 min": 3 * time.Minute, "25 min": 25 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			turns := turnsOf(t, audio, int(length.Seconds())*2*rate)
			require.Equal(t, 2, turns.Speakers())
			period := time.Duration(len(audio)/2) * time.Second / rate
			for at := time.Duration(0); at+period < length; at += period {
				for _, turn := range once {
					middle := at + (turn.Start+turn.End)/2
					require.Equal(t, turn.Speaker, speakerAt(turns, middle), "at %v", middle)
				}
			}
		})
	}
}

// Repeats follow the first of their sound with an Embedder, too, even if it hears other voices in them.
func TestRepeatsWithEmbedder(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	part := synthSpeech(12, []int{0}, 60)
	const times = 4
	samples := slices.Repeat(part, times)
	turns := len(synthTurns(part, func(int) string { return "" }))
	ref := synthTurns(samples, func(turn int) string { return string(rune('a' + turn%turns%2 + turn/turns*2)) })
	require.Len(t, ref, turns*times)
	found := run(t, stamped(samples), diarize.Config{Embedder: model(ref)})
	require.Equal(t, 2, found.Speakers())
	for i := range ref {
		ref[i].Speaker = ref[i%turns].Speaker
	}
	require.Less(t, der.DER(ref, der.FromTurns(found), der.Options{}).DER(), 0.12)
}

func turnsOf(t *testing.T, audio []byte, size int) diarize.Turns {
	t.Helper()
	turns, err := diarize.Run(context.Background(), io.LimitReader(&loopReader{audio: audio}, int64(size)), diarize.Config{})
	require.NoError(t, err)
	return turns
}

// speakerAt returns who speaks at a time, or −1.
func speakerAt(turns diarize.Turns, at time.Duration) int {
	for _, turn := range turns {
		if turn.Start <= at && at < turn.End {
			return turn.Speaker
		}
	}
	return -1
}
