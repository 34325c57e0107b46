package engine_test

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// tells is a Transcriber that hears what the context prompt says: each line "A: some words" is one speaker's, a word each
// 400 ms, and half a second of pause after a line. A line that has no spaces has a word for each two characters.
func tells(_ context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	return engine.Transcription{Language: req.Language, Words: tale(req.ContextPrompt)}, nil
}

func tale(script string) []engine.Word {
	var words []engine.Word
	at := 0
	for line := range strings.Lines(script) {
		speaker, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, w := range taleWords(text) {
			words = append(words, said(speaker, w, at, at+350))
			at += 400
		}
		at += 500
	}
	return words
}

func taleWords(text string) []string {
	if strings.Contains(text, " ") || len(text) == len([]rune(text)) {
		return strings.Fields(text)
	}
	var words []string
	for runes := []rune(text); len(runes) > 0; {
		n := min(2, len(runes))
		for n < len(runes) && strings.ContainsRune("。？！、…", runes[n]) {
			n++
		}
		words, runes = append(words, string(runes[:n])), runes[n:]
	}
	return words
}

func hourOfSound() stubMedia {
	m := minuteOfSound()
	m.info.Duration = time.Hour
	return m
}

// script makes a recording in the caller's default space that says the script; it is transcribed when the engine runs.
func (s *stage) script(title string, language engine.Language, script string) engine.Recording {
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
func (s *stage) tell(title string, language engine.Language, script string) engine.Recording {
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
