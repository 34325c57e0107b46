package enginetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// TestTranscriber checks an implementation of engine.Transcriber. Each subtest calls open. The sources are WAV files (16 kHz,
// mono) that media decodes; they contain synthetic voices without words. A Transcriber that calls a server needs a fake one
// that returns words wherever the audio isn't silent.
func TestTranscriber(t *testing.T, open func(t *testing.T, media engine.Media) engine.Transcriber) {
	t.Helper()
	runClaims(t, func(t *testing.T) engine.Transcriber { return open(t, wavMedia{}) }, []claim[engine.Transcriber]{
		{"words are sorted by start, within the media, with valid text", returnsValidWords},
		{"speakers are all unknown or labels numbered by first appearance", returnsValidSpeakers},
		{"silence has no words and no error", returnsNoWordsForSilence},
		{"a requested language is kept, and otherwise one is detected", returnsLanguage},
		{"progress goes from 0 to 1 and never decreases", transcriptionProgresses},
		{"unusual hints are accepted", acceptsHints},
		{"a media error keeps its code", returnsMediaError},
		{"a transcription ends when its context ends, before or during reading", transcriptionEndsWithContext},
		{"a transcriber supports concurrent calls", transcribesConcurrently},
		{"checkpoints of an earlier attempt, even damaged ones, don't change the result", resumesFromCheckpoints},
	})
}

// request returns a request to transcribe a sound without any hints.
func request(t *testing.T, s sound) engine.TranscribeRequest {
	t.Helper()
	src := wavSource{content: s.wav()}
	info, err := wavMedia{}.Probe(t.Context(), src)
	require.NoError(t, err)
	return engine.TranscribeRequest{Source: src, Info: info}
}

// checkWords returns an error unless the words of a sound are valid.
func checkWords(words []transcript.Word, s sound) error {
	for i, w := range words {
		if i > 0 && w.Start < words[i-1].Start {
			return fmt.Errorf("word %d starts before the previous one: %v, %v", i, words[i-1], w)
		}
		if w.Start < 0 || w.End <= w.Start || w.End > s.duration() {
			return fmt.Errorf("word %d has no length or is outside the audio: %v", i, w)
		}
		if !(w.Confidence >= 0 && w.Confidence <= 1) {
			return fmt.Errorf("word %d has a confidence outside 0 to 1: %v", i, w)
		}
		if w.Text == "" || strings.TrimSpace(w.Text) != w.Text {
			return fmt.Errorf("word %d is empty or has surrounding spaces: %v", i, w)
		}
		if err := checkText(w.Text); err != nil {
			return err
		}
	}
	return nil
}

// transcribe transcribes a request and fails the test unless the words are valid.
func transcribe(t *testing.T, tr engine.Transcriber, req engine.TranscribeRequest) engine.Transcription {
	t.Helper()
	got, err := tr.Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.NoError(t, checkWords(got.Words, conversation()))
	return got
}

func returnsValidWords(t *testing.T, tr engine.Transcriber) {
	req := request(t, conversation())
	require.NotEmpty(t, transcribe(t, tr, req).Words)
	short := lowVoice.say(0.5, 3)
	got, err := tr.Transcribe(t.Context(), request(t, short))
	require.NoError(t, err)
	require.NoError(t, checkWords(got.Words, short))
	req.Info.Duration = 0 // unknown
	transcribe(t, tr, req)
}

func returnsValidSpeakers(t *testing.T, tr engine.Transcriber) {
	known := map[string]bool{}
	got := transcribe(t, tr, request(t, conversation()))
	for _, w := range got.Words {
		if !known[w.Speaker] && w.Speaker != "" {
			require.Equal(t, transcript.SpeakerLabel(len(known)), w.Speaker)
			known[w.Speaker] = true
		}
	}
	if len(known) > 0 {
		for _, w := range got.Words {
			require.NotEmpty(t, w.Speaker, "%v", w)
		}
	}
}

func returnsNoWordsForSilence(t *testing.T, tr engine.Transcriber) {
	for _, seconds := range []float64{media.MinSpeech.Seconds(), 1, 20} {
		req := request(t, silence(seconds))
		req.Language, req.BoostedWords, req.SpeakersExpected = "en", []string{"Soundstage"}, 2
		require.Empty(t, transcribe(t, tr, req).Words)
	}
}

func returnsLanguage(t *testing.T, tr engine.Transcriber) {
	for _, language := range []transcript.Language{"en", "de", "ru", "hi", "ko", "ja", "zh", ""} {
		req := request(t, conversation())
		req.Language = language
		got := transcribe(t, tr, req)
		if language != "" {
			require.Equal(t, language, got.Language)
		}
		require.True(t, got.Language.Supported(), "%q", got.Language)
	}
}

func transcriptionProgresses(t *testing.T, tr engine.Transcriber) {
	for _, s := range []sound{conversation(), silence(2)} {
		var done progressRecorder
		req := request(t, s)
		req.Progress = done.report
		transcribe(t, tr, req)
		done.require(t)
	}
}

func acceptsHints(t *testing.T, tr engine.Transcriber) {
	for _, speakers := range []int{1, 2, 7, engine.MaxSpeakersExpected} {
		req := request(t, conversation())
		req.SpeakersExpected = speakers
		transcribe(t, tr, req)
	}
	req := request(t, conversation())
	req.ContextPrompt, req.BoostedWords, req.Spellings = strings.Join(oddTexts(), "\n"), []string{"Zoë", "日本語", "a-b c", sampleText}, sampleSpellings()
	for range engine.MaxBoostedWords - 4 {
		req.BoostedWords = append(req.BoostedWords, strings.Repeat("long", engine.MaxBoostedWord/4))
	}
	got, err := tr.Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.NotEmpty(t, got.Words)
}

func returnsMediaError(t *testing.T, tr engine.Transcriber) {
	for _, code := range []engine.Code{engine.CodeBadMedia, engine.CodeNoSpace} {
		req := request(t, conversation())
		req.Source = wavSource{req.Source.(wavSource).content, func() error { return engine.Errorf(code, "Open", "The media is broken.") }}
		got, err := tr.Transcribe(t.Context(), req)
		requireCode(t, code, err)
		require.Empty(t, got.Words)
	}
}

func transcriptionEndsWithContext(t *testing.T, tr engine.Transcriber) {
	requireCanceled(t, func(ctx context.Context) error {
		_, err := tr.Transcribe(ctx, request(t, conversation()))
		return err
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req := request(t, conversation())
	req.Source = wavSource{req.Source.(wavSource).content, func() error { cancel(); return nil }}
	_, err := tr.Transcribe(ctx, req)
	requireCode(t, engine.CodeCanceled, err)
}

func resumesFromCheckpoints(t *testing.T, tr engine.Transcriber) {
	notes := &memoryCheckpoints{kept: map[string][]byte{}}
	req := request(t, conversation())
	req.Checkpoints = notes
	first := transcribe(t, tr, req)
	require.Equal(t, first, transcribe(t, tr, req))
	for _, damage := range [][]byte{{}, []byte("null"), []byte("{}"), []byte(`{"words":[{}]}`), []byte("\x00\xff"), []byte("7")} {
		for name := range notes.kept {
			notes.kept[name] = damage
		}
		require.Equal(t, first, transcribe(t, tr, req), "%q", damage)
	}
	for name, note := range notes.kept {
		notes.kept[name] = note[:len(note)/2]
	}
	require.Equal(t, first, transcribe(t, tr, req))
}

func transcribesConcurrently(t *testing.T, tr engine.Transcriber) {
	req := request(t, conversation())
	require.NoError(t, concurrently(6, func(int) error {
		got, err := tr.Transcribe(t.Context(), req)
		if err == nil && len(got.Words) == 0 {
			err = fmt.Errorf("no words")
		}
		if err == nil {
			err = checkWords(got.Words, conversation())
		}
		return err
	}))
}
