package diarize_test

import (
	"math/rand/v2"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/stretchr/testify/require"
)

// Two voices speak in short scenes, every other one in noise. Next to a silent pause, that noise is no speech, or it would be a voice.
func TestScenes(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it computes")
	long(t)
	var whole recording
	for scene := range 24 {
		rng, s := rand.New(rand.NewPCG(uint64(scene), 1)), script{}
		if scene%2 == 1 {
			s.noise = 15
		}
		said := say(t, cast[scene/2%2], sentences[scene%len(sentences)])
		audio := make([]float64, rate, 2*rate+len(said))
		ref := loud(said, len(audio), cast[scene/2%2].name)
		whole.add(s.mix(append(append(audio, said...), make([]float64, rate/2)...), rng), ref)
	}
	turns := run(t, samplesOf(whole.audio), diarize.Config{})
	require.Equal(t, 2, turns.Speakers())
	require.Less(t, der.DER(whole.ref, der.FromTurns(turns), der.Options{}).DER(), 0.05)
}
