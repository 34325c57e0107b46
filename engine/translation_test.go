package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// upperCase is a translator that returns upperCase case and keeps tokens.
func upperCase(req engine.TranslateRequest) ([]string, error) {
	out := make([]string, len(req.Texts))
	for i, t := range req.Texts {
		out[i] = strings.ToUpper(t)
	}
	return out, nil
}

// A translation keeps ids, speakers, times, and the space's terms, spreads the words over the time, and is made once.
func TestTranslation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		s := newStage(t, engine.Config{
			Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
				return engine.Transcription{Words: []transcript.Word{
					sample.Said("A", "Hello", 0, 400), sample.Said("A", "sound", 500, 700), sample.Said("A", "stage,", 700, 900), sample.Said("A", "[[T0]]", 900, 1000), sample.Said("B", "No", 2000, 2400),
				}}, nil
			}),
			Translator: translates(func(req engine.TranslateRequest) ([]string, error) {
				asked++
				require.Equal(t, []string{"Hello [[T0]], [[T1]]", "No"}, req.Texts)
				return upperCase(req)
			}),
		})
		_, err := s.UpdateSpace(t.Context(), s.caller, "space", func(sp *engine.Space) error {
			sp.Spellings = []transcript.Spelling{{From: []string{"sound stage"}, To: "Soundstage"}}
			return nil
		})
		require.NoError(t, err)
		stop := s.start()
		r := s.completed()
		var rt engine.RecordingTranscript
		for range 2 {
			rt, err = s.TranslateTranscript(t.Context(), s.caller, r.ID, "de")
			require.NoError(t, err)
		}
		require.Equal(t, 1, asked, "a translation must be stored")
		require.Equal(t, transcript.Language("de"), rt.Transcript.Language)
		require.Equal(t, []transcript.Utterance{
			{Speaker: "Speaker 0", Text: "HELLO Soundstage, [[T0]]", Start: 0, End: 1000 * ms, Confidence: 0.9, Words: []transcript.Word{
				{Text: "HELLO", Start: 0, End: 227 * ms, Confidence: 0.9, Speaker: "Speaker 0"},
				{Text: "Soundstage,", Start: 227 * ms, End: 727 * ms, Confidence: 0.9, Speaker: "Speaker 0"},
				{Text: "[[T0]]", Start: 727 * ms, End: 1000 * ms, Confidence: 0.9, Speaker: "Speaker 0"},
			}},
			{Speaker: "Speaker 1", Text: "NO", Start: 2000 * ms, End: 2400 * ms, Confidence: 0.9, Words: []transcript.Word{
				{Text: "NO", Start: 2000 * ms, End: 2400 * ms, Confidence: 0.9, Speaker: "Speaker 1"},
			}},
		}, rt.Transcript.Utterances)
		own, err := s.TranslateTranscript(t.Context(), s.caller, r.ID, "en")
		require.NoError(t, err)
		require.Equal(t, "Hello Soundstage, [[T0]]", own.Transcript.Utterances[0].Text)
		_, err = s.TranslateTranscript(t.Context(), s.caller, r.ID, "tlh")
		requireCode(t, engine.CodeInvalid, err)
		_, err = s.TranslateTranscript(t.Context(), s.otherCaller(), r.ID, "de")
		requireCode(t, engine.CodeNotFound, err)
		stop()
	})
}

// Terms survive any translator. A translator that fails or omits text causes an error, and nothing is stored.
func TestTranslatorsThatMisbehave(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		translator translates
		want       string // of the utterance "Hello Soundstage there."; "" for CodeUnavailable
	}{
		"loses the term":   {func(r engine.TranslateRequest) ([]string, error) { return drop(r, "[[T0]]") }, "HELLO Soundstage THERE."},
		"repeats the term": {func(r engine.TranslateRequest) ([]string, error) { return swap(r, "[[T0]]", "[[T0]][[T0]]") }, "HELLO Soundstage THERE."},
		"invents a term":   {func(r engine.TranslateRequest) ([]string, error) { return swap(r, "[[T0]]", "[[T0]] [[T7]]") }, "HELLO Soundstage THERE."},
		"a huge token number": {func(r engine.TranslateRequest) ([]string, error) {
			return swap(r, "[[T0]]", "[[T99999999999999999999]]")
		}, "HELLO Soundstage THERE."},
		"returns too few texts": {func(r engine.TranslateRequest) ([]string, error) { return nil, nil }, ""},
		"returns nothing":       {func(r engine.TranslateRequest) ([]string, error) { return make([]string, len(r.Texts)), nil }, ""},
		"fails":                 {func(engine.TranslateRequest) ([]string, error) { return nil, errors.New("boom") }, ""},
		"unknown model":         {func(engine.TranslateRequest) ([]string, error) { return nil, engine.NotFound("", "model") }, ""},
		"no key": {func(engine.TranslateRequest) ([]string, error) {
			return nil, engine.Errorf(engine.CodeUnauthenticated, "", "No key.")
		}, ""},
		"line breaks and control characters": {func(r engine.TranslateRequest) ([]string, error) { return swap(r, " ", "\r\n \x00\u2028") }, "HELLO Soundstage THERE."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, engine.Config{Transcriber: hears("Hello", "Soundstage", "there."), Translator: c.translator})
				_, err := s.UpdateSpace(t.Context(), s.caller, "space", func(sp *engine.Space) error {
					sp.BoostedWords = []string{"Soundstage", "Hell"}
					return nil
				})
				require.NoError(t, err)
				stop := s.start()
				r := s.completed()
				rt, err := s.TranslateTranscript(t.Context(), s.caller, r.ID, "fr")
				if c.want == "" {
					requireCode(t, engine.CodeUnavailable, err)
				} else {
					require.NoError(t, err)
					require.Equal(t, c.want, rt.Transcript.Utterances[0].Text)
				}
				stop()
			})
		})
	}
	s := newStage(t, engine.Config{})
	_, err := s.TranslateTranscript(t.Context(), s.caller, "none", "fr")
	requireCode(t, engine.CodeNotFound, err)
}

func drop(r engine.TranslateRequest, what string) ([]string, error) { return swap(r, what, "") }

func swap(r engine.TranslateRequest, from, to string) ([]string, error) {
	out, _ := upperCase(r)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], from, to)
	}
	return out, nil
}
