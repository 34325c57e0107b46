package emulator_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The engine's diarization step assigns generated words to the speakers for whom they were generated, with or without the number
// of speakers.
func TestInventedWordsAreDiarized(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	const path = "../testdata/conversation.wav"
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	media, src := wav.Media{}, files.Source(path)
	info, err := media.Probe(t.Context(), src)
	require.NoError(t, err)
	s := start(t, emulator.Options{Clock: emulator.ClockManual})
	e := s.Engine()
	me, _, err := emulator.Accounts(t.Context(), e)
	require.NoError(t, err)
	for _, speakers := range []int{0, 1, 2, 3} {
		u, err := e.CreateUpload(t.Context(), me, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: int64(len(b))})
		require.NoError(t, err)
		_, err = e.ReceiveUpload(t.Context(), u.ID, strings.NewReader(string(b)))
		require.NoError(t, err)
		r, _, err := e.CreateRecording(t.Context(), me, engine.NewRecording{ObjectID: u.ID, SpeakersExpected: speakers})
		require.NoError(t, err)
		_, body := call(t, "POST", s.URL()+"/_soundstage/clock/advance", fmt.Sprintf(`{"until":{"resource":%q,"status":"completed"}}`, r.ID))
		require.Contains(t, fmt.Sprint(body), "transcript.diarize")
		got, err := e.GetRecordingTranscript(t.Context(), me, r.ID)
		require.NoError(t, err)
		heard, err := (&fake.Transcriber{Media: media, Diarizer: diarize.Diarizer{}}).Transcribe(t.Context(), engine.TranscribeRequest{
			Source: src, Info: info, Language: "en", SpeakersExpected: speakers,
		})
		require.NoError(t, err)
		require.Equal(t, transcript.BuildUtterances(heard.Words, "en"), got.Transcript.Utterances, "%d speakers", speakers)
	}
}
