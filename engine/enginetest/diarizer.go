package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// TestDiarizer checks an implementation of engine.Diarizer. Each subtest calls open.
func TestDiarizer(t *testing.T, open func(t *testing.T) engine.Diarizer) {
	t.Helper()
	runClaims(t, open, []claim[engine.Diarizer]{
		{"turns are sorted, within the audio, and speakers numbered by first appearance", findsTurns},
		{"two alternating voices are two alternating speakers", findsTwo},
		{"silence has no turns for any expected number of speakers", findsNoTurnsInSilence},
		{"any expected number of speakers is accepted", acceptsExpectedSpeakers},
		{"the result doesn't depend on how the audio is split into reads", findsInPieces},
		{"two equal channels give the turns of one", hearsEqualChannels},
		{"diarization progress goes from 0 to 1 and never decreases", diarizationProgresses},
		{"an error of the audio reader is returned", returnsReaderError},
		{"a diarization ends when its context ends, before or during reading", diarizationEndsWithContext},
		{"a diarizer supports concurrent calls", diarizesConcurrently},
		{"Assign sets each word's speaker and nothing else", assignsWords},
		{"a voice is nearest to its own print, and broken prints are refused", printsVoices},
	})
}

// frame is how far the last turn may extend beyond the audio, because speech is measured in frames.
const frame = 10 * time.Millisecond

// checkTurns returns an error unless the turns of a sound are valid.
func checkTurns(turns []transcript.Turn, s sound) error {
	known := 0
	for i, turn := range turns {
		if i > 0 && turn.Start < turns[i-1].Start {
			return fmt.Errorf("turn %d starts before the previous one: %v, %v", i, turns[i-1], turn)
		}
		if turn.Start < 0 || turn.End <= turn.Start || turn.End > s.duration()+frame {
			return fmt.Errorf("turn %d is empty or outside the audio: %v", i, turn)
		}
		if turn.Speaker < 0 || turn.Speaker > known {
			return fmt.Errorf("turn %d has speaker %d after %d speakers", i, turn.Speaker, known)
		}
		if !(turn.Confidence >= 0 && turn.Confidence <= 1) {
			return fmt.Errorf("turn %d has a confidence outside 0 to 1: %v", i, turn)
		}
		known = max(known, turn.Speaker+1)
	}
	return nil
}

// diarized returns the turns of a sound and fails the test unless they are valid.
func diarized(t *testing.T, d engine.Diarizer, s sound, o transcript.DiarizeOptions) []transcript.Turn {
	t.Helper()
	turns, err := d.Diarize(t.Context(), bytes.NewReader(s.pcm()), o)
	require.NoError(t, err)
	require.NoError(t, checkTurns(turns, s))
	return turns
}

func findsTurns(t *testing.T, d engine.Diarizer) {
	require.NotEmpty(t, diarized(t, d, conversation(), transcript.DiarizeOptions{}))
	require.NotEmpty(t, diarized(t, d, lowVoice.say(6, 1), transcript.DiarizeOptions{}))
	diarized(t, d, highVoice.say(0.4, 1), transcript.DiarizeOptions{})
}

func findsTwo(t *testing.T, d engine.Diarizer) {
	for _, expected := range []int{0, 2} {
		turns := diarized(t, d, conversation(), transcript.DiarizeOptions{Speakers: expected})
		for k := range 4 {
			middle := time.Duration(4*k+2)*time.Second + 500*time.Millisecond
			speaker := -1
			for _, turn := range turns {
				if turn.Start <= middle && middle < turn.End {
					speaker = turn.Speaker
				}
			}
			require.Equal(t, k%2, speaker, "at %v with %d expected speakers: %v", middle, expected, turns)
		}
	}
}

func findsNoTurnsInSilence(t *testing.T, d engine.Diarizer) {
	for _, s := range []sound{{}, {1}, silence(0.1), silence(20)} {
		for _, expected := range []int{0, 1, 3} {
			require.Empty(t, diarized(t, d, s, transcript.DiarizeOptions{Speakers: expected}))
		}
	}
}

func acceptsExpectedSpeakers(t *testing.T, d engine.Diarizer) {
	for _, expected := range []int{1, engine.MaxSpeakersExpected} {
		turns := diarized(t, d, conversation()[:9*transcript.SampleRate], transcript.DiarizeOptions{Speakers: expected})
		require.NotEmpty(t, turns)
	}
}

func findsInPieces(t *testing.T, d engine.Diarizer) {
	s := conversation()[:6*transcript.SampleRate]
	want := diarized(t, d, s, transcript.DiarizeOptions{})
	require.NotEmpty(t, want)
	for name, pcm := range map[string]io.Reader{
		"odd pieces":    oddReads{bytes.NewReader(s.pcm())},
		"data with EOF": iotest.DataErrReader(bytes.NewReader(s.pcm())),
		"half a sample": bytes.NewReader(append(s.pcm(), 1)),
	} {
		got, err := d.Diarize(t.Context(), pcm, transcript.DiarizeOptions{})
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
}

// oddReads reads 7 bytes at a time.
type oddReads struct{ io.Reader }

func (o oddReads) Read(p []byte) (int, error) { return o.Reader.Read(p[:min(len(p), 7)]) }

func hearsEqualChannels(t *testing.T, d engine.Diarizer) {
	if l, ok := d.(engine.StereoListener); !ok || !l.HearsStereo() {
		return
	}
	s := conversation()[:6*transcript.SampleRate]
	var both sound
	for _, sample := range s {
		both = append(both, sample, sample)
	}
	want := diarized(t, d, s, transcript.DiarizeOptions{})
	require.NotEmpty(t, want)
	for name, pcm := range map[string]io.Reader{
		"whole": bytes.NewReader(both.pcm()), "odd pieces": oddReads{bytes.NewReader(both.pcm())}, "half a pair": bytes.NewReader(append(both.pcm(), 1, 2, 3)),
	} {
		got, err := d.Diarize(t.Context(), pcm, transcript.DiarizeOptions{Stereo: true})
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
}

func diarizationProgresses(t *testing.T, d engine.Diarizer) {
	for _, s := range []sound{conversation()[:9*transcript.SampleRate], silence(2)} {
		var done progressRecorder
		diarized(t, d, s, transcript.DiarizeOptions{Progress: done.report})
		done.require(t)
	}
}

func returnsReaderError(t *testing.T, d engine.Diarizer) {
	for _, before := range []sound{{}, conversation()} {
		turns, err := d.Diarize(t.Context(), io.MultiReader(bytes.NewReader(before.pcm()), iotest.ErrReader(errTest)), transcript.DiarizeOptions{})
		require.ErrorIs(t, err, errTest)
		require.Empty(t, turns)
	}
}

func diarizationEndsWithContext(t *testing.T, d engine.Diarizer) {
	requireCanceled(t, func(ctx context.Context) error {
		_, err := d.Diarize(ctx, bytes.NewReader(conversation().pcm()), transcript.DiarizeOptions{})
		return err
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	half := len(conversation()) / 2
	pcm := io.MultiReader(bytes.NewReader(conversation()[:half].pcm()), cancelOnRead{cancel}, bytes.NewReader(conversation()[half:].pcm()))
	_, err := d.Diarize(ctx, pcm, transcript.DiarizeOptions{})
	requireCode(t, engine.CodeCanceled, err)
}

// cancelOnRead is an empty reader that calls a function when it is read.
type cancelOnRead struct{ stop func() }

func (s cancelOnRead) Read([]byte) (int, error) { s.stop(); return 0, io.EOF }

func diarizesConcurrently(t *testing.T, d engine.Diarizer) {
	s := conversation()[:6*transcript.SampleRate]
	require.NoError(t, concurrently(4, func(int) error {
		turns, err := d.Diarize(t.Context(), bytes.NewReader(s.pcm()), transcript.DiarizeOptions{})
		if err == nil && len(turns) == 0 {
			err = fmt.Errorf("no turns")
		}
		if err == nil {
			err = checkTurns(turns, s)
		}
		return err
	}))
}

func assignsWords(t *testing.T, d engine.Diarizer) {
	assigner, ok := d.(engine.WordAssigner)
	if !ok {
		return // WordAssigner is optional
	}
	var words []transcript.Word
	for _, u := range corpus[0].transcript().Utterances {
		words = append(words, u.Words...)
	}
	turns := []transcript.Turn{{Start: 0, End: 5 * time.Second, Confidence: 1}, {Start: 6 * time.Second, End: 12 * time.Second, Speaker: 1, Confidence: 1}}
	for _, turns := range [][]transcript.Turn{turns, turns[:1], nil} {
		got := assigner.Assign(append([]transcript.Word(nil), words...), turns, "en")
		require.Len(t, got, len(words))
		for i, w := range got {
			require.Contains(t, []string{transcript.SpeakerLabel(0), transcript.SpeakerLabel(1)}, w.Speaker)
			w.Speaker = words[i].Speaker
			require.Equal(t, words[i], w)
		}
	}
	require.Empty(t, assigner.Assign(nil, turns, "en"))
}

func printsVoices(t *testing.T, d engine.Diarizer) {
	printer, ok := d.(engine.VoicePrinter)
	if !ok {
		return // VoicePrinter is optional
	}
	s := conversation()
	turns := diarized(t, d, s, transcript.DiarizeOptions{Speakers: 2})
	prints, err := printer.PrintVoices(t.Context(), bytes.NewReader(s.pcm()), turns)
	require.NoError(t, err)
	require.Len(t, prints, 2)
	everybody := []transcript.Turn{{End: s.duration(), Confidence: 1}}
	whole, err := printer.PrintVoices(t.Context(), bytes.NewReader(s.pcm()), everybody)
	require.NoError(t, err)
	require.NotNil(t, whole[0])
	for i, p := range [][]byte{prints[0], prints[1], whole[0]} {
		if p == nil {
			continue // too little speech
		}
		at, distance, err := printer.NearestVoice(p, [][]byte{p})
		require.NoError(t, err)
		require.Zero(t, at, "print %d", i)
		require.InDelta(t, 0, distance, 1e-6)
	}
	at, _, err := printer.NearestVoice(whole[0], nil)
	require.NoError(t, err)
	require.Equal(t, -1, at)
	for _, bad := range [][]byte{nil, []byte("no print"), whole[0][1:]} {
		_, _, err = printer.NearestVoice(bad, nil)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
		_, _, err = printer.NearestVoice(whole[0], [][]byte{bad})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	}
}
