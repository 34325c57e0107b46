package backendtest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// RealKey returns the API key of a real service from an environment variable and fails the test without one. Tests that need
// a key are built only with -tags real, because each run costs money: go test -tags real ./engine/deepgram -run Real.
func RealKey(t testing.TB, variable string) string {
	t.Helper()
	key := os.Getenv(variable)
	require.NotEmpty(t, key, "set %s to the API key of the real service", variable)
	return key
}

// HearConversation fails the test unless a Transcriber finds more than 70 % of the long words of conversation.wav in the
// folder testdata. A second attempt with the checkpoints of the first must return the same result.
func HearConversation(t testing.TB, tr engine.Transcriber, testdata string) {
	t.Helper()
	media, err := os.ReadFile(filepath.Join(testdata, "conversation.wav"))
	require.NoError(t, err)
	script, err := os.ReadFile(filepath.Join(testdata, "conversation.txt"))
	require.NoError(t, err)
	seconds := time.Duration(len(media)-speech.WAVHeaderSize) * time.Second
	req := engine.TranscribeRequest{
		Source: Source(media), Checkpoints: &Checkpoints{}, BoostedWords: []string{"Soundstage"},
		Spellings: []transcript.Spelling{{From: []string{"sound stage"}, To: "Soundstage"}},
		Info: engine.MediaInfo{
			Format: "wav", Duration: seconds / (2 * transcript.SampleRate),
			Audio: &engine.AudioStream{Codec: "pcm_s16le", SampleRate: transcript.SampleRate, Channels: 1},
		},
	}
	first, err := tr.Transcribe(context.Background(), req)
	require.NoError(t, err)
	require.Equal(t, transcript.Language("en"), first.Language)
	heard := strings.ToLower(transcript.JoinWords(first.Words, "en"))
	all, found := 0, 0
	for w := range strings.FieldsSeq(strings.ReplaceAll(strings.ToLower(string(script)), "|", " ")) {
		if w = strings.Trim(w, ".,?!:"); len(w) > 5 {
			all++
			if strings.Contains(heard, w) {
				found++
			}
		}
	}
	require.Greater(t, 10*found, 7*all, heard)
	second, err := tr.Transcribe(context.Background(), req)
	require.NoError(t, err)
	require.Equal(t, first, second)
}

// RealModel combines the ports that a language model implements.
type RealModel interface {
	engine.LLM
	engine.Suggester
	engine.Translator
}

// AskModel fails the test unless a model does the following: it answers a question from a passage with a citation, and says
// so if nothing supports an answer. It preserves terms in a translation. It suggests clips within the recording.
func AskModel(t testing.TB, m RealModel) {
	t.Helper()
	ctx := context.Background()
	said := transcript.Utterance{
		Speaker: "Maria", End: 20 * time.Second,
		Text: "In March we repaired the old lighthouse. The lamp burns every night now, and the fishermen find their way home.",
	}
	question := engine.WriteRequest{
		Task: engine.TaskChat, Prompt: "Who repaired the lighthouse?", Language: "en",
		Passages: []transcript.Passage{{Label: "1.1", Title: "The lighthouse", Language: "en", Utterances: []transcript.Utterance{said}}},
	}
	text, err := m.Write(ctx, question)
	require.NoError(t, err)
	require.Contains(t, text, "Maria")
	require.Contains(t, text, "[1.1]")

	question.Prompt = "What does the treaty of Westphalia say about submarines?"
	text, err = m.Write(ctx, question)
	require.NoError(t, err)
	require.Contains(t, text, engine.NoSupport)

	got, err := m.Translate(ctx, engine.TranslateRequest{From: "en", To: "de", Texts: []string{"Good morning, [[T0]].", "The lamp burns every night."}})
	require.NoError(t, err)
	require.Contains(t, got[0], "[[T0]]")
	require.Contains(t, got[1], "Nacht")

	suggested, err := m.Suggest(ctx, engine.Transcript{Transcript: transcript.Transcript{Language: "en", Duration: said.End, Utterances: []transcript.Utterance{said}}}, 3)
	require.NoError(t, err)
	for _, s := range suggested {
		require.LessOrEqual(t, s.Window.End, said.End)
	}
}
