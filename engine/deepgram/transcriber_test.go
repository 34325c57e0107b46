package deepgram_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/deepgram"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// Transcriber fulfils the contract of engine.Transcriber.
func TestConformance(t *testing.T) {
	t.Parallel()
	enginetest.TestTranscriber(t, func(t *testing.T, media engine.Media) engine.Transcriber {
		return open(t, backendtest.NewDeepgram(t), func(c *deepgram.Config) { c.Media = media })
	})
}

// open returns a Transcriber of a test server.
func open(t *testing.T, s *backendtest.Deepgram, change func(*deepgram.Config)) *deepgram.Transcriber {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	c := deepgram.Config{URL: s.URL, Key: "key", Transport: transport}
	if change != nil {
		change(&c)
	}
	tr, err := deepgram.New(c)
	require.NoError(t, err)
	return tr
}

func request(t *testing.T, notes engine.Checkpoints) engine.TranscribeRequest {
	t.Helper()
	info, err := wav.Media{}.Probe(t.Context(), backendtest.Beeps())
	require.NoError(t, err)
	return engine.TranscribeRequest{Source: backendtest.Beeps(), Info: info, Language: "en", Checkpoints: notes}
}

// Transcribe sends the media unchanged and returns its words.
func TestTranscribe(t *testing.T) {
	t.Parallel()
	s := backendtest.NewDeepgram(t)
	got, err := open(t, s, nil).Transcribe(t.Context(), request(t, nil))
	require.NoError(t, err)
	ms := time.Millisecond
	require.Equal(t, engine.Transcription{Model: "Deepgram (nova-3)", Language: "en", Words: []transcript.Word{
		{Text: "word0.", Start: 200 * ms, End: 400 * ms, Confidence: 0.9, Speaker: "Speaker 0"},
		{Text: "word1.", Start: 600 * ms, End: 800 * ms, Confidence: 0.9, Speaker: "Speaker 0"},
	}}, got)
	require.Len(t, s.Requests(), 1)
	require.Equal(t, []byte(backendtest.Beeps()), s.Requests()[0].Body)
}

// A stored response is never paid for again, not even after a crash. Other settings make a new request.
func TestResume(t *testing.T) {
	t.Parallel()
	s := backendtest.NewDeepgram(t)
	notes := &backendtest.Checkpoints{}
	first, err := open(t, s, nil).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	second, err := open(t, s, nil).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Len(t, s.Requests(), 1)
	_, err = open(t, s, func(c *deepgram.Config) { c.Model = "nova-2" }).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, s.Requests(), 2)
}

// late cancels a context when a response has been read.
type late struct {
	http.RoundTripper
	cancel func()
}

func (l late) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(body))
		l.cancel()
	}
	return resp, err
}

// An attempt that is canceled before the response pays again; one that is canceled after it doesn't.
func TestCancel(t *testing.T) {
	t.Parallel()
	s := backendtest.NewDeepgram(t)
	notes := &backendtest.Checkpoints{}
	ctx, cancel := context.WithCancel(t.Context())
	s.Break(func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	_, err := open(t, s, nil).Transcribe(ctx, request(t, notes))
	require.Equal(t, engine.CodeCanceled, engine.CodeOf(err))
	require.Empty(t, notes.All())

	ctx, cancel = context.WithCancel(t.Context())
	_, _ = open(t, s, func(c *deepgram.Config) { c.Transport = late{c.Transport, cancel} }).Transcribe(ctx, request(t, notes))
	require.Error(t, ctx.Err())
	got, err := open(t, s, nil).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, got.Words, 2)
	require.Len(t, s.Requests(), 2)
}

// Invalid notes are ignored. Failing notes stop an attempt before it is charged, but not after.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := backendtest.NewDeepgram(t)
	notes := &backendtest.Checkpoints{}
	tr := open(t, s, nil)
	for i, note := range []string{"", "{", "{}", `{"results":{"channels":[]}}`, string(speech.Seal([]byte(`{"results":7}`)))} {
		_, err := tr.Transcribe(t.Context(), request(t, notes))
		require.NoError(t, err)
		require.Len(t, s.Requests(), i+1)
		for name := range notes.All() {
			require.NoError(t, notes.Save(t.Context(), name, []byte(note)))
		}
	}
	full := engine.Errorf(engine.CodeNoSpace, "Keep", "The disk is full.")
	notes.Fail(full)
	_, err := tr.Transcribe(t.Context(), request(t, notes))
	require.ErrorIs(t, err, full)
	require.Len(t, s.Requests(), 5)

	notes = &backendtest.Checkpoints{}
	_, err = open(t, s, func(c *deepgram.Config) { c.Transport = late{c.Transport, func() { notes.Fail(full) }} }).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
}

// A request is converted to the API's parameters, within its limits.
func TestQuery(t *testing.T) {
	t.Parallel()
	many := make([]string, 1000)
	for i := range many {
		many[i] = string([]rune{'a' + rune(i%26), 'a' + rune(i/26)})
	}
	var spellings []transcript.Spelling
	for _, m := range many {
		spellings = append(spellings, transcript.Spelling{From: []string{"from " + m}, To: "To" + m})
	}
	for name, c := range map[string]struct {
		model string
		req   engine.TranscribeRequest
		check func(t *testing.T, q url.Values)
	}{
		"nothing": {"", engine.TranscribeRequest{}, func(t *testing.T, q url.Values) {
			require.Equal(t, url.Values{"model": {"nova-3"}, "detect_language": {"true"}, "diarize": {"true"}, "utterances": {"true"}, "punctuate": {"true"}, "smart_format": {"true"}}, q)
		}},
		"language": {"", engine.TranscribeRequest{Language: "zh", ContextPrompt: "x", SpeakersExpected: 2}, func(t *testing.T, q url.Values) {
			require.Equal(t, []string{"zh"}, q["language"])
			require.NotContains(t, q, "detect_language")
			require.Len(t, q, 6)
		}},
		"terms": {"", engine.TranscribeRequest{BoostedWords: []string{"Zoë & co", "a:b", "Zoë & co"}}, func(t *testing.T, q url.Values) {
			require.Equal(t, []string{"Zoë & co", "a:b"}, q["keyterm"])
		}},
		"keywords": {"nova-2-meeting", engine.TranscribeRequest{BoostedWords: []string{"Zoë & co", "a:b", "c"}}, func(t *testing.T, q url.Values) {
			require.Equal(t, []string{"c"}, q["keywords"])
			require.NotContains(t, q, "keyterm")
		}},
		"Whisper": {"whisper-large", engine.TranscribeRequest{BoostedWords: []string{"c"}}, func(t *testing.T, q url.Values) {
			require.NotContains(t, q, "keywords")
			require.NotContains(t, q, "keyterm")
		}},
		"many terms":  {"", engine.TranscribeRequest{BoostedWords: many}, func(t *testing.T, q url.Values) { require.Equal(t, many[:100], q["keyterm"]) }},
		"many tokens": {"", engine.TranscribeRequest{BoostedWords: append([]string{string(bytes.Repeat([]byte("x"), 1400))}, many...)}, func(t *testing.T, q url.Values) { require.Len(t, q["keyterm"], 1+33) }},
		"spellings": {"", engine.TranscribeRequest{Spellings: []transcript.Spelling{{From: []string{"Sound Stage", "a:b"}, To: "Soundstage"}}}, func(t *testing.T, q url.Values) {
			require.Equal(t, []string{"sound stage:Soundstage"}, q["replace"])
		}},
		"many spellings": {"", engine.TranscribeRequest{Spellings: spellings}, func(t *testing.T, q url.Values) {
			require.Greater(t, len(q["replace"]), 50)
			require.Less(t, len(url.Values{"replace": q["replace"]}.Encode()), 3001)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewDeepgram(t)
			c.req.Source = backendtest.Beeps()
			_, err := open(t, s, func(cfg *deepgram.Config) { cfg.Model = c.model }).Transcribe(t.Context(), c.req)
			require.NoError(t, err)
			q, err := url.ParseQuery(s.Requests()[0].Query)
			require.NoError(t, err)
			c.check(t, q)
		})
	}
}

// Media that is too large to send is sent as decoded audio.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	s := backendtest.NewDeepgram(t)
	req := request(t, nil)
	req.Source = huge{backendtest.Beeps()}
	_, err := open(t, s, nil).Transcribe(t.Context(), req)
	require.Equal(t, engine.CodeTooLarge, engine.CodeOf(err))
	require.Empty(t, s.Requests())
	got, err := open(t, s, func(c *deepgram.Config) { c.Media = shortened{} }).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Len(t, got.Words, 2)
}

// huge is a Source that reports too large a size.
type huge struct{ backendtest.Source }

func (huge) Size() int64 { return 3_000_000_000 }

// shortened decodes the real content of a huge Source.
type shortened struct{ engine.Media }

func (shortened) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	return wav.Media{}.Decode(ctx, src.(huge).Source)
}

// New refuses a missing key and an invalid URL. No error contains a key.
func TestNew(t *testing.T) {
	t.Parallel()
	for _, c := range []deepgram.Config{{}, {Key: " \n"}, {Key: "secret\nkey"}, {Key: "secret", URL: "ftp://x"}, {Key: "secret", URL: "http://u:secret@x"}} {
		_, err := deepgram.New(c)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%v", err)
		require.NotContains(t, err.Error(), "secret")
	}
	s := backendtest.NewDeepgram(t)
	s.Key = "another"
	_, err := open(t, s, func(c *deepgram.Config) { c.Key = "secret" }).Transcribe(t.Context(), request(t, nil))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.NotContains(t, err.Error(), "secret")
}
