package engine_test

import (
	"bytes"
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// transcribeScript is a Transcriber that returns the context prompt as speech; see sample.Dialogue.
func transcribeScript(_ context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{Language: req.Language, Words: sample.Dialogue(req.ContextPrompt)}, nil
}

func hourOfSound() stubMedia {
	m := minuteOfSound()
	m.info.Duration = time.Hour
	return m
}

// script creates a recording of the script in the caller's default space. It is transcribed when the engine runs.
func (s *stage) script(title string, language transcript.Language, script string) engine.Recording {
	s.t.Helper()
	ctx := context.Background()
	u, err := s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: 5})
	require.NoError(s.t, err)
	_, err = s.ReceiveUpload(ctx, u.ID, bytes.NewReader([]byte("bytes")))
	require.NoError(s.t, err)
	r, _, err := s.CreateRecording(ctx, s.caller, engine.NewRecording{ObjectID: u.ID, Title: title, Language: language, ContextPrompt: script})
	require.NoError(s.t, err)
	return r
}

// spoken creates a recording of the script and waits for its transcript.
func (s *stage) spoken(title string, language transcript.Language, script string) engine.Recording {
	s.t.Helper()
	r, err := s.WaitRecording(context.Background(), s.caller, s.script(title, language, script).ID)
	require.NoError(s.t, err)
	require.Equal(s.t, engine.TranscriptCompleted, r.TranscriptStatus)
	return r
}

// scripted completes the Config of a stage whose recordings, one hour long each, say their context prompt.
func scripted(c engine.Config) engine.Config {
	c.Media, c.Transcriber = hourOfSound(), hear(transcribeScript)
	return c
}
