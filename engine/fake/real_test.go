package fake_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// file is a file of the module's testdata, as an engine.LocalSource.
type file string

func (f file) Path() (string, error) { return filepath.Join("..", "..", "testdata", string(f)), nil }

func (f file) Size() int64 { return 0 }

func (f file) Open(context.Context, int64, int64) (io.ReadCloser, error) {
	return nil, fmt.Errorf("%s must be read by its path", f)
}

// hearFile transcribes a file with ffmpeg. Without ffmpeg, it skips the test, or fails it in CI.
func hearFile(t *testing.T, name string, req engine.TranscribeRequest) (engine.Transcription, error) {
	t.Helper()
	media := render.FFmpeg{}
	if err := media.Check(t.Context()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	req.Source = file(name)
	var err error
	if req.Info, err = media.Probe(t.Context(), req.Source); err != nil {
		return engine.Transcription{}, err
	}
	return (&fake.Transcriber{Media: media}).Transcribe(t.Context(), req)
}

// rttm returns the reference turns of a conversation.
func rttm(t *testing.T, name string) (spans []span, speakers []string) {
	t.Helper()
	path, _ := file(name).Path()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	names := map[string]string{}
	for line := range strings.Lines(string(b)) {
		var start, length float64
		fields := strings.Fields(line)
		_, err := fmt.Sscan(fields[3]+" "+fields[4], &start, &length)
		require.NoError(t, err)
		if _, ok := names[fields[7]]; !ok {
			names[fields[7]] = transcript.SpeakerLabel(len(names))
		}
		spans = append(spans, span{int(start * 1000), int((start + length) * 1000)})
		speakers = append(speakers, names[fields[7]])
	}
	return spans, speakers
}

// For real speech in any codec, words fill each turn, have the right speaker, and never lie between turns.
func TestTranscribeConversation(t *testing.T) {
	t.Parallel()
	spans, speakers := rttm(t, "conversation.rttm")
	for _, name := range []string{"conversation.wav", "conversation.mp3", "conversation.m4a", "conversation.ogg", "conversation.mp4"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := hearFile(t, name, engine.TranscribeRequest{BoostedWords: []string{"Soundstage"}})
			require.NoError(t, err)
			checkWords(t, got.Words)
			parse(t, got.Words, "en", "Soundstage")
			require.Contains(t, transcript.JoinWords(got.Words, "en"), "Soundstage")
			words := got.Words
			for i, s := range spans {
				n := 0
				for n < len(words) && words[n].Speaker == speakers[i] {
					n++
				}
				require.Greater(t, n, 2)
				require.InDelta(t, s.start, words[0].Start.Milliseconds(), 100)
				require.InDelta(t, s.end, words[n-1].End.Milliseconds(), 200)
				words = words[n:]
			}
			require.Empty(t, words)
		})
	}
}

// The language comes from the file's tag. Silence has no words, a tone has some. Media without audio is an error.
func TestTranscribeFiles(t *testing.T) {
	t.Parallel()
	got, err := hearFile(t, "german.m4a", engine.TranscribeRequest{})
	require.NoError(t, err)
	require.Equal(t, transcript.Language("de"), got.Language)
	parse(t, got.Words, "de")

	got, err = hearFile(t, "silence.wav", engine.TranscribeRequest{})
	require.NoError(t, err)
	require.Empty(t, got.Words)

	got, err = hearFile(t, "tone.wav", engine.TranscribeRequest{})
	require.NoError(t, err)
	require.NotEmpty(t, got.Words)

	_, err = hearFile(t, "videoonly.mp4", engine.TranscribeRequest{})
	require.Equal(t, engine.CodeBadMedia, engine.CodeOf(err))
}
