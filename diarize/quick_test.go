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

// Voices with many short turns are distinguished, and one voice stays whole, on the telephone, too.
func TestQuickTurns(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for _, c := range []struct {
		voices int
		seed   uint64
		phone  bool
	}{{1, 0, false}, {3, 1, false}, {3, 2, false}, {4, 0, false}, {1, 3, true}, {2, 2, true}, {2, 6, true}, {3, 0, true}, {3, 3, true}, {4, 1, true}, {4, 4, true}} {
		t.Run(fmt.Sprintf("%d voices, seed %d, phone %v", c.voices, c.seed, c.phone), func(t *testing.T) {
			t.Parallel()
			samples, ref := chat(t, c.seed, cast[:c.voices], 50)
			if c.phone {
				samples = telephone(samples)
			}
			turns := run(t, samples, diarize.Config{})
			require.Equal(t, c.voices, turns.Speakers())
			require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.1)
		})
	}
}

// Voices with short turns stay whole in a recording of several blocks, too.
func TestLongQuickTurns(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	for name, c := range map[string]struct {
		voices []voice
		seed   uint64
		phone  bool
	}{
		"two on the telephone":                        {cast[:2], 0, true},
		"three on the telephone":                      {cast[:3], 0, true},
		"three, of whom two are alike, in all blocks": {cast[2:5], 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			samples, ref := chat(t, c.seed, c.voices, 700)
			samples = script{noise: 25}.mix(dequantise(samples), rand.New(rand.NewPCG(c.seed, 5)))
			if c.phone {
				samples = telephone(samples)
			}
			turns := run(t, samples, diarize.Config{})
			require.Equal(t, len(c.voices), turns.Speakers())
			require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.12)
		})
	}
}

// What is known about the number of speakers holds for quick turns, too.
func TestQuickTurnsWithHints(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	samples, ref := chat(t, 4, cast[:4], 50)
	samples = telephone(samples)
	require.LessOrEqual(t, run(t, samples, diarize.Config{MaxSpeakers: 3}).Speakers(), 3)
	turns := run(t, samples, diarize.Config{Speakers: 4})
	require.Equal(t, 4, turns.Speakers())
	require.Less(t, der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), 0.1)
}
