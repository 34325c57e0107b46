package engine_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// A transcriber gets the origin of the media: an upload's file name, an import's URL, or the URL of a transcription.
func TestOrigin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		told := make(chan engine.Origin, 3)
		s := newStage(t, engine.Config{Transcriber: hear(func(_ context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
			told <- req.Origin
			return engine.Transcription{}, nil
		})})
		t.Cleanup(s.start())
		next := func() engine.Origin {
			o := <-told
			require.NotZero(t, o.SHA256)
			o.SHA256 = [32]byte{}
			return o
		}
		r := s.record()
		require.Equal(t, engine.Origin{RecordingID: r.ID, Title: "talk.wav", Filename: "talk.wav"}, next())

		i := s.imported(s.importing(engine.NewImport{URL: "https://host.example/shows/one.mp3?x", Title: "One"}).ID)
		require.Equal(t, engine.Origin{RecordingID: i.RecordingID, Title: "One", Filename: "one.mp3", URL: i.URL}, next())
		made, _, err := s.GetRecording(t.Context(), s.caller, i.RecordingID)
		require.NoError(t, err)
		require.Equal(t, i.ID, made.ImportID)
		require.Empty(t, made.UploadID)

		_, err = s.CreateTranscript(t.Context(), s.caller, engine.NewTranscript{URL: "https://host.example/two.mp3"})
		require.NoError(t, err)
		require.Equal(t, engine.Origin{Filename: "two.mp3", URL: "https://host.example/two.mp3"}, next())
	})
}
