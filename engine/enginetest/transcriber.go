package enginetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// TestTranscriber runs every claim about a Transcriber, each on one that open has just made. The sources are WAV files, 16 kHz
// mono, which media decodes; what is said in them is voices without words. A Transcriber that talks to a server is run against
// one that hears words wherever it isn't silent.
func TestTranscriber(t *testing.T, open func(t *testing.T, media engine.Media) engine.Transcriber) {
	t.Helper()
	uphold(t, func(t *testing.T) engine.Transcriber { return open(t, waves{}) }, []claim[engine.Transcriber]{
		{"words are in order of their start, inside the media, and can be shown", hearsWords},
		{"speakers are all unknown, or labels in order of their first word", hearsSpeakers},
		{"silence has no words and is no error", hearsSilence},
		{"the language that was asked for is kept, and one that wasn't is found", hearsLanguage},
		{"progress goes from 0 to 1 and never falls", hearingProgresses},
		{"hints of any kind do no harm", hearsWithHints},
		{"an error of the media comes back with its code", hearsNothingOfBroken},
		{"a transcription whose context is over ends, before and while it listens", hearsNothingWhenOver},
		{"a transcriber works for many at once", hearsAtOnce},
		{"with the notes of an earlier try the same is heard, whatever became of them", hearsFromNotes},
	})
}

// request is the transcription of a sound of which nothing else is known.
func request(t *testing.T, s sound) engine.TranscribeRequest {
	t.Helper()
	src := file{content: s.wave()}
	info, err := waves{}.Probe(t.Context(), src)
	require.NoError(t, err)
	return engine.TranscribeRequest{Source: src, Info: info}
}

// checkWords says what is wrong with words of a sound.
func checkWords(words []transcript.Word, s sound) error {
	for i, w := range words {
		if i > 0 && w.Start < words[i-1].Start {
			return fmt.Errorf("word %d begins before the one before it: %v, %v", i, words[i-1], w)
		}
		if w.Start < 0 || w.End <= w.Start || w.End > s.duration() {
			return fmt.Errorf("word %d is empty or outside: %v", i, w)
		}
		if !(w.Confidence >= 0 && w.Confidence <= 1) {
			return fmt.Errorf("word %d has a confidence that is none: %v", i, w)
		}
		if w.Text == "" || strings.TrimSpace(w.Text) != w.Text {
			return fmt.Errorf("word %d is no word: %v", i, w)
		}
		if err := checkText(w.Text); err != nil {
			return err
		}
	}
	return nil
}

// hear transcribes and claims that the words are in order.
func hear(t *testing.T, tr engine.Transcriber, req engine.TranscribeRequest) engine.Transcription {
	t.Helper()
	got, err := tr.Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.NoError(t, checkWords(got.Words, conversation()))
	return got
}

func hearsWords(t *testing.T, tr engine.Transcriber) {
	req := request(t, conversation())
	require.NotEmpty(t, hear(t, tr, req).Words)
	short := lowVoice.say(0.5, 3)
	got, err := tr.Transcribe(t.Context(), request(t, short))
	require.NoError(t, err)
	require.NoError(t, checkWords(got.Words, short))
	req.Info.Duration = 0 // nobody knows
	hear(t, tr, req)
}

func hearsSpeakers(t *testing.T, tr engine.Transcriber) {
	known := map[string]bool{}
	got := hear(t, tr, request(t, conversation()))
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

func hearsSilence(t *testing.T, tr engine.Transcriber) {
	for _, seconds := range []float64{engine.MinSpeech.Seconds(), 1, 20} {
		req := request(t, silence(seconds))
		req.Language, req.BoostedWords, req.SpeakersExpected = "en", []string{"Soundstage"}, 2
		require.Empty(t, hear(t, tr, req).Words)
	}
}

func hearsLanguage(t *testing.T, tr engine.Transcriber) {
	for _, language := range []transcript.Language{"en", "de", "ru", "hi", "ko", "ja", "zh", ""} {
		req := request(t, conversation())
		req.Language = language
		got := hear(t, tr, req)
		if language != "" {
			require.Equal(t, language, got.Language)
		}
		require.True(t, got.Language.Supported(), "%q", got.Language)
	}
}

func hearingProgresses(t *testing.T, tr engine.Transcriber) {
	for _, s := range []sound{conversation(), silence(2)} {
		var done gauge
		req := request(t, s)
		req.Progress = done.tell
		hear(t, tr, req)
		done.require(t)
	}
}

func hearsWithHints(t *testing.T, tr engine.Transcriber) {
	for _, speakers := range []int{1, 2, 7, engine.MaxSpeakersExpected} {
		req := request(t, conversation())
		req.SpeakersExpected = speakers
		hear(t, tr, req)
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

func hearsNothingOfBroken(t *testing.T, tr engine.Transcriber) {
	for _, code := range []engine.Code{engine.CodeBadMedia, engine.CodeNoSpace} {
		req := request(t, conversation())
		req.Source = file{req.Source.(file).content, func() error { return engine.Errorf(code, "Open", "The media is broken.") }}
		got, err := tr.Transcribe(t.Context(), req)
		requireCode(t, code, err)
		require.Empty(t, got.Words)
	}
}

func hearsNothingWhenOver(t *testing.T, tr engine.Transcriber) {
	requireOver(t, func(ctx context.Context) error {
		_, err := tr.Transcribe(ctx, request(t, conversation()))
		return err
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req := request(t, conversation())
	req.Source = file{req.Source.(file).content, func() error { cancel(); return nil }}
	_, err := tr.Transcribe(ctx, req)
	requireCode(t, engine.CodeCanceled, err)
}

func hearsFromNotes(t *testing.T, tr engine.Transcriber) {
	notes := &jotter{kept: map[string][]byte{}}
	req := request(t, conversation())
	req.Notes = notes
	first := hear(t, tr, req)
	require.Equal(t, first, hear(t, tr, req))
	for _, damage := range [][]byte{{}, []byte("null"), []byte("{}"), []byte(`{"words":[{}]}`), []byte("\x00\xff"), []byte("7")} {
		for name := range notes.kept {
			notes.kept[name] = damage
		}
		require.Equal(t, first, hear(t, tr, req), "%q", damage)
	}
	for name, note := range notes.kept {
		notes.kept[name] = note[:len(note)/2]
	}
	require.Equal(t, first, hear(t, tr, req))
}

func hearsAtOnce(t *testing.T, tr engine.Transcriber) {
	req := request(t, conversation())
	require.NoError(t, together(6, func(int) error {
		got, err := tr.Transcribe(t.Context(), req)
		if err == nil && len(got.Words) == 0 {
			err = fmt.Errorf("nothing was heard")
		}
		if err == nil {
			err = checkWords(got.Words, conversation())
		}
		return err
	}))
}
