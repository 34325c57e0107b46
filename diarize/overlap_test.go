package diarize

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// choir returns frames in which voices sound: each frame has the voices of a letter string, "a", "b", "ab", or is silent: "". A "~" is music
// under them. It returns models of the voices, which are trained on the first speaker of each frame.
func choir(t *testing.T, heard []string) (*frames, []*mixture) {
	t.Helper()
	rng, f, dct := rand.New(rand.NewPCG(8, 8)), &frames{}, dsp.NewDCT(melFilters, coefficients)
	mfcc := make([]float64, coefficients)
	for i, voices := range heard {
		bed := strings.HasSuffix(voices, "~")
		voices = strings.TrimSuffix(voices, "~")
		energies := make([]float64, melFilters)
		for _, v := range voices {
			formant := 4 + 7*float64(v-'a') + 3*rng.Float64() // each voice has a peak, which moves
			loud := 2 * rng.Float64()
			for k := range energies {
				d := (float64(k) - formant) / 2
				energies[k] += math.Exp(-5 + loud + 6*math.Exp(-d*d) + 0.3*rng.NormFloat64())
			}
		}
		for k, e := range energies {
			energies[k] = math.Log(e + 1e-9)
		}
		dct.Apply(mfcc, energies)
		f.add(mfcc, -20)
		if voices != "" {
			*f.flags(i) |= isSpeech | isCore
			*f.who(i) = voices[0] - 'a'
			if bed {
				*f.flags(i) |= isBed
			}
		}
	}
	var models []*mixture
	for who := range uint8(3) {
		m, err := voice(context.Background(), f, who)
		require.NoError(t, err)
		models = append(models, m)
	}
	return f, models
}

// part is a part of a choir: voices for a number of frames.
type part struct {
	voices string
	frames int
}

func sing(t *testing.T, parts ...part) Turns {
	t.Helper()
	var heard []string
	for _, p := range parts {
		for range p.frames {
			heard = append(heard, p.voices)
		}
	}
	f, models := choir(t, heard)
	turns, err := makeTurns(context.Background(), f, models)
	require.NoError(t, err)
	both, err := addSecondTurns(context.Background(), f, models, turns, trainedOverlap)
	require.NoError(t, err)
	if names := both.First(); len(names) == len(turns) {
		for i := range turns {
			require.Equal(t, turns[i].Start, names[i].Start)
			require.Equal(t, turns[i].Confidence, names[i].Confidence)
		}
	}
	return both
}

// A second voice is found where it sounds with another, before or after its own turn, and nowhere else.
func TestSecondTurns(t *testing.T) {
	t.Parallel()
	turns := sing(t, part{"a", 500}, part{"ab", 80}, part{"b", 500}, part{"", 40}, part{"a", 400}, part{"b", 300})
	require.Len(t, turns, 5)
	require.Len(t, turns.First(), 4)
	second := turns[1]
	require.True(t, second.Second)
	require.Equal(t, 1, second.Speaker)
	require.InDelta(t, 5, second.Start.Seconds(), 0.3)
	require.Equal(t, 5800*time.Millisecond, second.End)
	require.Greater(t, second.Confidence, 0.7)
	// Nobody is found where voices only alternate, or if there is only one.
	for _, parts := range [][]part{
		{{"a", 500}, {"b", 500}, {"a", 300}, {"b", 400}},
		{{"a", 900}, {"", 30}, {"a", 300}},
		{{"", 100}},
		{{"a", 500}, {"ab~", 80}, {"b", 500}}, // over music
	} {
		turns := sing(t, parts...)
		require.Equal(t, turns, turns.First())
	}
}

// Speakers are numbered by first speech, also if that is a second turn.
func TestSecondTurnNumbers(t *testing.T) {
	t.Parallel()
	turns := sing(t, part{"a", 500}, part{"ac", 100}, part{"b", 100}, part{"c", 400}, part{"b", 400})
	var order []int
	for _, turn := range turns {
		order = append(order, turn.Speaker)
	}
	require.Equal(t, []int{0, 1, 2, 1, 2}, order)
	require.True(t, turns[1].Second)
	require.Equal(t, 3, turns.Speakers())
}

// A second voice that has no turn for 10 s isn't looked for, and overlap under 0.2 s is dropped.
func TestSecondTurnLimits(t *testing.T) {
	t.Parallel()
	for frames, want := range map[int]int{leastOverlap - 1: 0, leastOverlap: 1} {
		short := sing(t, part{"a", 300}, part{"", 40}, part{"ab", frames}, part{"", 40}, part{"b", 300})
		require.Len(t, short, 3+want, "%d frames", frames)
	}
	far := sing(t, part{"a", 300}, part{"ab", 60}, part{"a", 300 + pairFar}, part{"b", 500})
	require.True(t, far[1].Second, "one turn is near, however long it is: %v", far)
	far = sing(t, part{"a", 300}, part{"ab", 60}, part{"a", 300}, part{"", pairFar}, part{"b", 500})
	require.Equal(t, far, far.First())
	p := &pairs{turns: []span{{0, 100}}, who: []int{0}, ends: [][]int{{100, -500}}, starts: [][]int{{math.MaxInt / 2, 120}}}
	require.InDelta(t, math.Exp(-0.21), p.nearness(0, 1, 99), 1e-9)
	require.InDelta(t, math.Exp(-1.2), p.nearness(0, 1, 0), 1e-9)
	p.starts[0][1] = math.MaxInt / 2
	require.InDelta(t, math.Exp(-5.01), p.nearness(0, 1, 0), 1e-9)
}

// Words never go to a second turn, even if it covers more of them.
func TestAssignIgnoresSecondTurns(t *testing.T) {
	t.Parallel()
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	turns := []transcript.Turn{
		{Start: 0, End: at(3.2), Confidence: 0.6},
		{Start: at(2.5), End: at(3.2), Speaker: 1, Confidence: 0.99, Second: true},
		{Start: at(3.2), End: at(6), Speaker: 1, Confidence: 0.9},
	}
	words := []transcript.Word{{Text: "one", Start: at(2.5), End: at(2.9)}, {Text: "two", Start: at(2.9), End: at(3.3)}, {Text: "three.", Start: at(3.4), End: at(4)}}
	var got []string
	for _, w := range Assign(words, turns, "en") {
		got = append(got, w.Speaker)
	}
	require.Equal(t, []string{"Speaker 0", "Speaker 0", "Speaker 1"}, got)
	require.Equal(t, Assign(words, Turns(turns).First(), "en"), Assign(words, turns, "en"))
}

// A cancelled context ends the search.
func TestSecondTurnsCanceled(t *testing.T) {
	t.Parallel()
	heard := make([]string, 3000)
	for i := range heard {
		heard[i] = string(rune('a' + i/500%2))
	}
	f, models := choir(t, heard)
	turns, err := makeTurns(context.Background(), f, models)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = addSecondTurns(ctx, f, models, turns, trainedOverlap)
	require.ErrorIs(t, err, context.Canceled)
}
