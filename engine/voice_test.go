package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// printer is a Diarizer whose print of a speaker says when the first turn starts; who speaks for less than a second has none. The nearest
// voice has the same print but for its first byte, and a distance of that byte. Two such voices are about as near, so none is.
type printer struct{ turns }

func (printer) PrintVoices(_ context.Context, pcm io.Reader, turns []transcript.Turn) (prints [][]byte, err error) {
	_, err = io.Copy(io.Discard, pcm)
	spoken := map[int]time.Duration{}
	for _, turn := range turns {
		for len(prints) <= turn.Speaker {
			prints = append(prints, nil)
		}
		if spoken[turn.Speaker] += turn.End - turn.Start; spoken[turn.Speaker] >= time.Second && prints[turn.Speaker] == nil {
			prints[turn.Speaker] = fmt.Appendf([]byte{byte(turn.Speaker)}, "until %v", turn.End)
		}
	}
	return prints, err
}

func (printer) NearestVoice(print []byte, known [][]byte) (int, float64, error) {
	index := -1
	for i, k := range known {
		if len(k) == 0 {
			return -1, 0, engine.Errorf(engine.CodeInvalid, "NearestVoice", "no print")
		}
		if bytes.Equal(print[1:], k[1:]) || k[0] == 0xff {
			if index >= 0 {
				return -1, 0, nil
			}
			index = i
		}
	}
	return index, float64(print[0]) + 1, nil
}

func TestSuggestVoices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		heard := hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{Words: []transcript.Word{
				sample.Said("A", "One.", 0, 900), sample.Said("A", "Two.", 1000, 1900), sample.Said("B", "Three.", 3000, 4900), sample.Said("C", "Four.", 6000, 6100),
			}}, nil
		})
		s := newStage(t, engine.Config{Transcriber: heard, Diarizer: printer{}})
		ctx := t.Context()
		// Without a completed transcript there are no voices.
		r := s.record()
		_, err := s.PrintVoices(ctx, s.caller, r.ID)
		requireCode(t, engine.CodeNotReady, err)
		stop := s.start()
		defer stop()
		_, err = s.WaitRecording(ctx, s.caller, r.ID)
		require.NoError(t, err)
		// Each label has its print, but for the one who says a word.
		voices, err := s.PrintVoices(ctx, s.caller, r.ID)
		require.NoError(t, err)
		require.Len(t, voices, 3)
		require.Equal(t, []string{"until 1.9s", "until 4.9s"}, []string{string(voices[0].Print[1:]), string(voices[1].Print[1:])})
		require.Nil(t, voices[2].Print)
		// A voice with consent is suggested for its label, and nothing is assigned.
		ada := engine.EnrolledVoice{Name: "Ada", Print: voices[1].Print, ConsentAt: time.Now()}
		got, err := s.SuggestVoices(ctx, s.caller, r.ID, []engine.EnrolledVoice{ada})
		require.NoError(t, err)
		require.Equal(t, []engine.VoiceSuggestion{{Label: voices[1].Label, Name: "Ada", Distance: 2}}, got)
		labels, err := s.ListLabels(ctx, s.caller, r.ID)
		require.NoError(t, err)
		for _, l := range labels {
			require.Nil(t, l.Speaker, "%+v", l)
		}
		// A person with several prints is suggested as well; two people with about the same voice aren't.
		again, other := ada, engine.EnrolledVoice{Name: "Ada", Print: voices[0].Print, ConsentAt: time.Now()}
		again.Print = append([]byte{77}, ada.Print[1:]...)
		got, err = s.SuggestVoices(ctx, s.caller, r.ID, []engine.EnrolledVoice{again, ada})
		require.NoError(t, err)
		require.Equal(t, []engine.VoiceSuggestion{{Label: voices[1].Label, Name: "Ada", Distance: 2}}, got)
		got, err = s.SuggestVoices(ctx, s.caller, r.ID, []engine.EnrolledVoice{again, other})
		require.NoError(t, err)
		require.Equal(t, []engine.VoiceSuggestion{{Label: voices[0].Label, Name: "Ada", Distance: 1}}, got)
		again.Name = "Eve"
		got, err = s.SuggestVoices(ctx, s.caller, r.ID, []engine.EnrolledVoice{again, ada})
		require.NoError(t, err)
		require.Empty(t, got)
		// A voice near to two labels is suggested for the nearer one, and none of no voices.
		any := engine.EnrolledVoice{Name: "Any", Print: []byte{0xff}, ConsentAt: time.Now()}
		got, err = s.SuggestVoices(ctx, s.caller, r.ID, []engine.EnrolledVoice{any})
		require.NoError(t, err)
		require.Equal(t, []engine.VoiceSuggestion{{Label: voices[0].Label, Name: "Any", Distance: 1}}, got)
		got, err = s.SuggestVoices(ctx, s.caller, r.ID, nil)
		require.NoError(t, err)
		require.Empty(t, got)
		// A voice without consent, and a broken print, are refused.
		ada.ConsentAt = time.Time{}
		_, err = s.SuggestVoices(ctx, s.caller, r.ID, []engine.EnrolledVoice{ada})
		requireCode(t, engine.CodeInvalid, err)
		_, err = s.SuggestVoices(ctx, s.caller, r.ID, []engine.EnrolledVoice{{Name: "Ada", ConsentAt: time.Now()}})
		requireCode(t, engine.CodeInvalid, err)
		// Others don't see the recording.
		_, err = s.SuggestVoices(ctx, engine.Caller{UserID: "other", AccountID: "account"}, r.ID, nil)
		requireCode(t, engine.CodeNotFound, err)
	})
}

// Without a diarizer that makes prints, voices are unavailable.
func TestVoicesUnavailable(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	_, err := s.PrintVoices(t.Context(), s.caller, "any")
	requireCode(t, engine.CodeUnavailable, err)
	_, err = s.SuggestVoices(t.Context(), s.caller, "any", nil)
	requireCode(t, engine.CodeUnavailable, err)
}
