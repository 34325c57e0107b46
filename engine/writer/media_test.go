package writer_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// conversationMedia is a Media with a 1-minute conversation, repeated minutes times: noise and pauses over background noise. It is the
// same in every run.
type conversationMedia struct{ minutes int }

func (conversationMedia) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{}, nil
}

func (m conversationMedia) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	var minute []byte
	x := uint32(1)
	for range 6 {
		for _, part := range []struct{ ms, loudness int }{{5200, 6000}, {900, 0}, {3000, 6000}, {900, 0}} {
			for range part.ms * transcript.SampleRate / 1000 {
				x = x*1664525 + 1013904223
				sample := int(int16(x>>16))*part.loudness/32768 + int(int16(x>>8))*10/32768
				minute = append(minute, byte(sample), byte(sample>>8))
			}
		}
	}
	readers := make([]io.Reader, m.minutes)
	for i := range readers {
		readers[i] = bytes.NewReader(minute)
	}
	return io.NopCloser(io.MultiReader(readers...)), nil
}

// transcribe returns the fake Transcriber's utterances for minutes of conversation.
func transcribe(t testing.TB, minutes int, language transcript.Language) []transcript.Utterance {
	t.Helper()
	got, err := (&fake.Transcriber{Media: conversationMedia{minutes}}).Transcribe(t.Context(), engine.TranscribeRequest{Language: language})
	require.NoError(t, err)
	return transcript.BuildUtterances(got.Words, language)
}

// sentences returns the fake Transcriber's sentences in a language, without the carriers of boosted words.
func sentences(t testing.TB, language transcript.Language) (whole []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "fake", "sentences", string(language)+".txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		if !strings.Contains(line, "{}") {
			whole = append(whole, strings.TrimSuffix(line, "\n"))
		}
	}
	return whole
}

// plain replaces no-break spaces by spaces.
func plain(s string) string { return strings.ReplaceAll(s, "\u00a0", " ") }
