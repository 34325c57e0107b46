package deepgram_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/deepgram"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A fault has its own Code, Retryable, and RetryAfter, and is never stored in a note.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault     backendtest.Fault
		code      engine.Code
		retryable bool
		after     time.Duration
	}{
		"429":             {backendtest.Status(429, "7", `{"err_code":"TOO_MANY_REQUESTS"}`), engine.CodeUnavailable, true, 7 * time.Second},
		"500":             {backendtest.Status(500, "", `oops`), engine.CodeUnavailable, true, 0},
		"504":             {backendtest.Status(504, "", `oops`), engine.CodeUnavailable, true, 0},
		"400 of the body": {backendtest.Status(400, "", `{"err_msg":"Bad Request: failed to process audio: corrupt or unsupported data"}`), engine.CodeBadMedia, false, 0},
		"400 of the rest": {backendtest.Status(400, "", `{"err_msg":"No such model/language/tier combination found."}`), engine.CodeUnavailable, false, 0},
		"401":             {backendtest.Status(401, "", `{"err_code":"INVALID_AUTH"}`), engine.CodeUnavailable, false, 0},
		"402":             {backendtest.Status(402, "", `{"err_code":"ASR_PAYMENT_REQUIRED"}`), engine.CodeUnavailable, false, 0},
		"422":             {backendtest.Status(422, "", `{"err_msg":"incomplete"}`), engine.CodeUnavailable, true, 0},
		"slow":            {backendtest.Silent(time.Minute), engine.CodeUnavailable, true, 0},
		"cut off":         {backendtest.CutOff(`{"results":{"channels":[`), engine.CodeUnavailable, true, 0},
		"content type":    {backendtest.Answer("text/html", `<html>`), engine.CodeUnavailable, true, 0},
		"nothing in it":   {backendtest.Answer("application/json", `{}`), engine.CodeUnavailable, true, 0},
		"wrong types":     {backendtest.Answer("application/json", `{"results":[]}`), engine.CodeUnavailable, true, 0},
		"garbage":         {backendtest.Garbage(1 << 20), engine.CodeUnavailable, true, 0},
		"more garbage":    {backendtest.Garbage(64<<20 + 1), engine.CodeUnavailable, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewDeepgram(t)
			s.Break(c.fault)
			notes := &backendtest.Checkpoints{}
			tr := open(t, s, func(cfg *deepgram.Config) {
				if name == "slow" {
					cfg.Timeout = 300 * time.Millisecond
				}
			})
			got, err := tr.Transcribe(t.Context(), request(t, notes))
			var e *engine.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.code, e.Code, "%v", err)
			require.Equal(t, c.retryable, e.Retryable, "%v", err)
			require.Equal(t, c.after, e.RetryAfter)
			require.NotEmpty(t, e.Msg)
			require.NotContains(t, e.Msg+e.Hint, "oops")
			require.Empty(t, got.Words)
			require.Empty(t, notes.All())
		})
	}
}

// Words with any times become ordered words within the media, or are dropped.
func TestWords(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	word := func(text string, from, to time.Duration, confidence float64, speaker string, estimated bool) transcript.Word {
		return transcript.Word{Text: text, Start: from * ms, End: to * ms, Confidence: confidence, Speaker: speaker, Estimated: estimated}
	}
	channel := func(words string) string {
		return `{"detected_language":"pt-BR","alternatives":[{"words":` + words + `}]}`
	}
	for name, c := range map[string]struct {
		results string
		want    []transcript.Word
	}{
		"no channels":  {`{"channels":[]}`, nil},
		"nothing":      {`{"channels":[{"alternatives":[]}],"utterances":null}`, nil},
		"empty":        {`{"channels":[{"alternatives":[{"transcript":"","words":[]}]}]}`, nil},
		"NaN":          {`{"channels":[` + channel(`[{"word":"a","start":0,"end":0.1,"confidence":NaN},{"word":"b","start":NaN,"end":-Infinity},{"word":"c","punctuated_word":"C.","start":0.3,"end":0.4,"confidence":0.5}]`) + `]}`, []transcript.Word{word("a", 0, 100, 1, "", false), word("b", 100, 300, 1, "", true), word("C.", 300, 400, 0.5, "", false)}},
		"overlaps":     {`{"channels":[` + channel(`[{"word":"a","start":0.1,"end":0.5,"confidence":7},{"word":"b","start":0.2,"end":0.4}]`) + `]}`, []transcript.Word{word("a", 100, 200, 1, "", false), word("b", 200, 400, 1, "", false)}},
		"outside":      {`{"channels":[` + channel(`[{"word":"a","start":-4,"end":0.5},{"word":"b","start":0.9,"end":1e300}]`) + `]}`, []transcript.Word{word("a", 0, 500, 1, "", false), word("b", 500, 1000, 1, "", true)}},
		"speakers":     {`{"channels":[` + channel(`[{"word":"a","start":0,"end":0.1,"speaker":3},{"word":"b","start":0.1,"end":0.2,"speaker":0},{"word":"c","start":0.2,"end":0.3,"speaker":null},{"word":"d","start":0.3,"end":0.4,"speaker":"3"}]`) + `]}`, []transcript.Word{word("a", 0, 100, 1, "Speaker 0", false), word("b", 100, 200, 1, "Speaker 1", false), word("c", 200, 300, 1, "Speaker 1", false), word("d", 300, 400, 1, "Speaker 0", false)}},
		"two channels": {`{"channels":[` + channel(`[{"word":"a","start":0,"end":0.1,"speaker":0},{"word":"c","start":0.4,"end":0.5,"speaker":0}]`) + `,` + channel(`[{"word":"b","start":0.2,"end":0.3,"speaker":0},{"word":"d","start":0.6,"end":0.7}]`) + `]}`, []transcript.Word{word("a", 0, 100, 1, "Speaker 0", false), word("b", 200, 300, 1, "Speaker 1", false), word("c", 400, 500, 1, "Speaker 0", false), word("d", 600, 700, 1, "Speaker 1", false)}},
		"utterances":   {`{"channels":[` + channel(`[]`) + `],"utterances":[{"start":0,"end":0.4,"speaker":1,"transcript":"a b"},{"start":0.5,"end":0.7,"speaker":0,"words":[{"word":"c","start":0.5,"end":0.7}]}]}`, []transcript.Word{word("a", 0, 200, 1, "Speaker 0", true), word("b", 200, 400, 1, "Speaker 0", true), word("c", 500, 700, 1, "Speaker 1", false)}},
		"text alone":   {`{"channels":[{"detected_language":"pt","alternatives":[{"transcript":"a b"}]}]}`, []transcript.Word{word("a", 0, 500, 1, "", true), word("b", 500, 1000, 1, "", true)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewDeepgram(t)
			s.Break(backendtest.Answer("application/json", `{"results":`+c.results+`}`))
			req := request(t, nil)
			req.Language = ""
			got, err := open(t, s, nil).Transcribe(t.Context(), req)
			require.NoError(t, err)
			require.Len(t, got.Words, len(c.want))
			for i := range c.want {
				require.Equal(t, c.want[i], got.Words[i])
			}
			if len(c.want) > 0 {
				require.EqualValues(t, "pt", got.Language)
			}
		})
	}
}
