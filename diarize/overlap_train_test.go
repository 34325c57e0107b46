package diarize

import (
	"bytes"
	"context"
	"strconv"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// OverlapRecording is a recording that was diarized once, to look for second voices with several weights.
type OverlapRecording struct {
	f      *frames
	voices []*mixture
	turns  Turns
	ref    []der.Segment
	First  der.Score // without second voices
}

// ReadOverlap diarizes audio.
func ReadOverlap(tb testing.TB, audio []byte, ref []der.Segment) *OverlapRecording {
	ctx := context.Background()
	c, err := Config{}.withDefaults()
	require.NoError(tb, err)
	f, err := readFrames(ctx, bytes.NewReader(audio), nil, func(int) {})
	require.NoError(tb, err)
	blocks := splitBlocks(f.n)
	for _, b := range blocks {
		require.NoError(tb, markSpeech(ctx, f, b))
	}
	found, err := findSpeakers(ctx, f, newEmbeddings(ctx, nil), blocks, c, func(float64) {})
	require.NoError(tb, err)
	voices, err := resegment(ctx, f, blocks, found, false, func(float64) {})
	require.NoError(tb, err)
	turns, err := makeTurns(ctx, f, voices)
	require.NoError(tb, err)
	return &OverlapRecording{f, voices, turns, ref, der.DER(ref, der.FromTurns(turns), der.Options{})}
}

// Score returns the score with second voices.
func (r *OverlapRecording) Score(tb testing.TB, evidence, nearness, bias, least float64) der.Score {
	turns, err := addSecondTurns(context.Background(), r.f, r.voices, r.turns, overlapWeights{evidence, nearness, bias, least})
	require.NoError(tb, err)
	return der.DER(r.ref, der.FromTurns(turns), der.Options{})
}

// Examples returns the evidence and nearness of each other voice in every tenth loud frame of a turn, and whether that voice is heard too.
func (r *OverlapRecording) Examples(tb testing.TB) (features [][]float64, heard []bool) {
	p := newPairs(r.f, r.voices, r.turns)
	spoken := map[string][]bool{}
	for _, s := range r.ref {
		if spoken[s.Speaker] == nil {
			spoken[s.Speaker] = make([]bool, r.f.n)
		}
		for i := int(s.Start / frameTime); i < min(r.f.n, int(s.End/frameTime)); i++ {
			spoken[s.Speaker][i] = true
		}
	}
	is := func(speaker, frame int) bool {
		name, known := r.First.Mapping[strconv.Itoa(speaker)]
		return known && spoken[name][frame]
	}
	for t, s := range p.turns {
		for b := range p.voices {
			evidence, err := p.evidence(context.Background(), t, b)
			require.NoError(tb, err)
			for i := 0; i < len(evidence); i += 10 {
				if p.f.core(s.lo + i) {
					features = append(features, []float64{evidence[i], p.nearness(t, b, s.lo+i)})
					heard = append(heard, is(p.who[t], s.lo+i) && is(b, s.lo+i))
				}
			}
		}
	}
	return features, heard
}

// TrainOverlap returns the weights and the bias of a logistic regression.
func TrainOverlap(features [][]float64, heard []bool) (weights []float64, bias float64) {
	each := make([]float64, len(heard))
	for i := range each {
		each[i] = 1
	}
	return logistic(features, heard, each)
}
