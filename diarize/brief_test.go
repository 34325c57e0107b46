package diarize_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// chat returns a conversation of voices who take turns of 1 to 2.5 s without pauses.
func chat(tb testing.TB, seed uint64, voices []voice, turns int) (samples []int16, ref []der.Segment) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 98))
	audio := make([]float64, rate/2)
	for i := range turns {
		who := i % len(voices)
		x := say(tb, voices[who], sentences[rng.IntN(len(sentences))])
		x = x[:min(len(x), rate+rng.IntN(rate*3/2))]
		ref = append(ref, loud(x, len(audio), fmt.Sprint("voice", who))...)
		audio = append(audio, x...)
	}
	return script{}.mix(audio, rng), ref
}

// Voices with few and short turns are distinguished, and one voice stays whole.
func TestBriefConversation(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for _, c := range []struct {
		voices int
		seed   uint64
	}{{1, 0}, {1, 1}, {3, 0}, {3, 3}, {3, 4}, {4, 1}, {4, 2}, {4, 3}} {
		t.Run(fmt.Sprintf("%d voices, seed %d", c.voices, c.seed), func(t *testing.T) {
			t.Parallel()
			samples, ref := chat(t, c.seed, cast[:c.voices], 12)
			turns := run(t, samples, diarize.Config{})
			require.Equal(t, c.voices, turns.Speakers())
			require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.08)
		})
	}
}

// What is known about the number of speakers holds for brief conversations, too.
func TestBriefConversationWithHints(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	three, _ := chat(t, 0, cast[:3], 12)
	require.Equal(t, 2, run(t, three, diarize.Config{MaxSpeakers: 2}).Speakers())
	alike, _ := chat(t, 4, cast[:2], 12)
	require.Equal(t, 1, run(t, alike, diarize.Config{}).Speakers())
	require.GreaterOrEqual(t, run(t, alike, diarize.Config{MinSpeakers: 2}).Speakers(), 2)
}
