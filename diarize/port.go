package diarize

import (
	"context"
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Assign implements engine.WordAssigner with the function Assign.
func (Diarizer) Assign(words []transcript.Word, turns []transcript.Turn, language transcript.Language) []transcript.Word {
	return Assign(words, turns, language)
}

// PrintVoices implements engine.VoicePrinter with the function Voices.
func (Diarizer) PrintVoices(ctx context.Context, pcm io.Reader, turns []transcript.Turn) ([][]byte, error) {
	voices, err := Voices(ctx, pcm, turns)
	if err != nil {
		return nil, err
	}
	prints := make([][]byte, len(voices))
	for i, v := range voices {
		if v.Spoken() == 0 {
			continue
		}
		if prints[i], err = v.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	return prints, nil
}

// NearestVoice implements engine.VoicePrinter with Voice.Nearest.
func (Diarizer) NearestVoice(print []byte, known [][]byte) (index int, distance float64, err error) {
	var v Voice
	if err := v.UnmarshalBinary(print); err != nil {
		return -1, 0, err
	}
	voices := make([]Voice, len(known))
	for i, k := range known {
		if err := voices[i].UnmarshalBinary(k); err != nil {
			return -1, 0, err
		}
	}
	index, distance = v.Nearest(voices)
	return index, distance, nil
}
