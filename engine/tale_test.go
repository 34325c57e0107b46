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

// tells is a Transcriber that hears what the context prompt says: each line "A: some words" is one speaker's, a word each
// 400 ms, and half a second of pause after a line. A line that has no spaces has a word for each two characters.
func tells(_ context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{Language: req.Language, Words: sample.Dialogue(req.ContextPrompt)}, nil
}

func hourOfSound() stubMedia {
	m := minuteOfSound()
	m.info.Duration = time.Hour
	return m
}

// script makes a recording in the caller's default space that says the script; it is transcribed when the engine runs.
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

// tell makes a recording that says the script and waits for its transcript.
func (s *stage) tell(title string, language transcript.Language, script string) engine.Recording {
	s.t.Helper()
	r, err := s.WaitRecording(context.Background(), s.caller, s.script(title, language, script).ID)
	require.NoError(s.t, err)
	require.Equal(s.t, engine.TranscriptCompleted, r.TranscriptStatus)
	return r
}

// storyteller completes the Config of a stage on which each recording, an hour long, says what it is told to.
func storyteller(c engine.Config) engine.Config {
	c.Media, c.Transcriber = hourOfSound(), hear(tells)
	return c
}
