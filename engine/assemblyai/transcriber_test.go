package assemblyai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/assemblyai"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// Transcriber fulfils the contract of engine.Transcriber.
func TestConformance(t *testing.T) {
	t.Parallel()
	enginetest.TestTranscriber(t, func(t *testing.T, media engine.Media) engine.Transcriber {
		return open(t, backendtest.NewAssemblyAI(t), func(c *assemblyai.Config) { c.Media = media })
	})
}

// open returns a Transcriber of a test server, without pauses.
func open(t *testing.T, s *backendtest.AssemblyAI, change func(*assemblyai.Config)) *assemblyai.Transcriber {
	t.Helper()
	c := assemblyai.Config{URL: s.URL, Key: "key", Clock: &backendtest.Clock{}, Transport: transport(t)}
	if change != nil {
		change(&c)
	}
	tr, err := assemblyai.New(c)
	require.NoError(t, err)
	return tr
}

// transport returns a transport whose connections are closed after the test.
func transport(t *testing.T) *http.Transport {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

func request(t *testing.T, notes engine.Checkpoints) engine.TranscribeRequest {
	t.Helper()
	info, err := wav.Media{}.Probe(t.Context(), backendtest.Beeps())
	require.NoError(t, err)
	return engine.TranscribeRequest{Source: backendtest.Beeps(), Info: info, Language: "en", Checkpoints: notes}
}

// paths returns the methods and paths of a server's requests, in order.
func paths(s *backendtest.AssemblyAI) (all []string) {
	for _, r := range s.Requests() {
		all = append(all, r.Method+" "+r.Path)
	}
	return all
}

const (
	toUpload = "POST /v2/upload"
	toSubmit = "POST /v2/transcript"
	toFind   = "GET /v2/transcript"
	toPoll   = "GET /v2/transcript/transcript-0"
	toPoll1  = "GET /v2/transcript/transcript-1"
)

// Transcribe uploads the media unchanged, and polls until the transcript is complete.
func TestTranscribe(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	s.Polls = 2
	got, err := open(t, s, nil).Transcribe(t.Context(), request(t, nil))
	require.NoError(t, err)
	ms := time.Millisecond
	require.Equal(t, engine.Transcription{Model: "AssemblyAI", Language: "en", Words: []transcript.Word{
		{Text: "word0", Start: 200 * ms, End: 400 * ms, Confidence: 0.9, Speaker: "Speaker 0"},
		{Text: "word1", Start: 600 * ms, End: 800 * ms, Confidence: 0.9, Speaker: "Speaker 0"},
	}}, got)
	require.Equal(t, []string{toUpload, toSubmit, toPoll, toPoll, toPoll}, paths(s))
	require.Equal(t, []byte(backendtest.Beeps()), s.Requests()[0].Body)
}

// The attempt after one that ended during polling continues, and repeats no request.
func TestResume(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Break(nil, nil, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	notes := &backendtest.Checkpoints{}
	tr := open(t, s, nil)
	_, err := tr.Transcribe(ctx, request(t, notes))
	require.Equal(t, engine.CodeCanceled, engine.CodeOf(err))

	got, err := open(t, s, nil).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, got.Words, 2)
	require.Equal(t, []string{toUpload, toSubmit, toPoll, toPoll, toPoll}, paths(s))
}

// An attempt with other settings makes a new request.
func TestResumeOther(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	notes := &backendtest.Checkpoints{}
	for range 2 {
		_, err := open(t, s, nil).Transcribe(t.Context(), request(t, notes))
		require.NoError(t, err)
	}
	require.Len(t, s.Submitted(), 1)
	_, err := open(t, s, func(c *assemblyai.Config) { c.Model = "universal-2" }).Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, s.Submitted(), 2)
}

// lossy loses the response to the first request for a transcript.
type lossy struct {
	http.RoundTripper
	lost bool
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err == nil && r.Method+" "+r.URL.Path == toSubmit && !l.lost {
		l.lost = true
		_ = resp.Body.Close()
		return nil, errors.New("the connection was lost")
	}
	return resp, err
}

// If the response to a request was lost, its transcript is found by the upload's URL.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	notes := &backendtest.Checkpoints{}
	tr := open(t, s, func(c *assemblyai.Config) { c.Transport = &lossy{RoundTripper: transport(t)} })
	_, err := tr.Transcribe(t.Context(), request(t, notes))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	_, err = tr.Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Equal(t, []string{toUpload, toSubmit, toFind, toPoll, toPoll}, paths(s))
}

// After a refused request, the next attempt repeats it with the same upload.
func TestResubmit(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	notes := &backendtest.Checkpoints{}
	tr := open(t, s, nil)
	s.Break(nil, backendtest.Status(500, "", ""))
	_, err := tr.Transcribe(t.Context(), request(t, notes))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	_, err = tr.Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Equal(t, []string{toUpload, toSubmit, toFind, toSubmit, toPoll, toPoll}, paths(s))
}

// A transcript or an upload that the server has forgotten is created again, once.
func TestForgotten(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	notes := &backendtest.Checkpoints{}
	tr := open(t, s, nil)
	_, err := tr.Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	s.Forget()
	got, err := tr.Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, got.Words, 2)
	require.Equal(t, []string{toUpload, toSubmit, toPoll, toPoll, toPoll, toUpload, toSubmit, toPoll1, toPoll1}, paths(s))

	only := &backendtest.Checkpoints{} // only the upload was stored
	s = backendtest.NewAssemblyAI(t)
	tr = open(t, s, nil)
	s.Break(nil, backendtest.Status(500, "", ""))
	_, err = tr.Transcribe(t.Context(), request(t, only))
	require.Error(t, err)
	s.Forget()
	_, err = tr.Transcribe(t.Context(), request(t, only))
	require.NoError(t, err)
	require.Equal(t, []string{toUpload, toSubmit, toFind, toSubmit, toUpload, toSubmit, toPoll, toPoll}, paths(s))

	s.Forget()
	s.Break(nil, nil, nil, backendtest.Status(404, "", "")) // and the new upload too
	_, err = tr.Transcribe(t.Context(), request(t, only))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.Len(t, s.Submitted(), 2)
}

// Invalid notes are ignored. Failing notes stop an attempt before it is charged, but not after.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	notes := &backendtest.Checkpoints{}
	tr := open(t, s, nil)
	_, err := tr.Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	for name, note := range notes.All() {
		require.NotContains(t, name+note, "\"key\"")
		require.NoError(t, notes.Save(t.Context(), name, []byte("\xff{")))
	}
	_, err = tr.Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, s.Submitted(), 2)

	full := engine.Errorf(engine.CodeNoSpace, "Keep", "The disk is full.")
	notes.Fail(full)
	_, err = tr.Transcribe(t.Context(), request(t, notes))
	require.ErrorIs(t, err, full)
	require.Len(t, s.Submitted(), 2)

	notes = &backendtest.Checkpoints{}
	s.Break(nil, func(w http.ResponseWriter, _ *http.Request) { // the disk fills up during the request
		notes.Fail(full)
		_, _ = io.WriteString(w, `{"id":"transcript-0"}`)
	})
	_, err = tr.Transcribe(t.Context(), request(t, notes))
	require.NoError(t, err)
	require.Len(t, s.Submitted(), 2)
}

// Media that is too large to upload is uploaded as decoded audio.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	s := backendtest.NewAssemblyAI(t)
	req := request(t, nil)
	req.Source = huge{backendtest.Beeps()}
	_, err := open(t, s, nil).Transcribe(t.Context(), req)
	require.Equal(t, engine.CodeTooLarge, engine.CodeOf(err))
	require.Empty(t, s.Requests())

	got, err := open(t, s, func(c *assemblyai.Config) { c.Media = shortened{} }).Transcribe(t.Context(), req)
	require.NoError(t, err)
	require.Len(t, got.Words, 2)
	require.Equal(t, append(speech.WAVHeader(-1), backendtest.Beeps()[speech.WAVHeaderSize:]...), s.Requests()[0].Body)
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
	for _, c := range []assemblyai.Config{{}, {Key: " \n"}, {Key: "secret\nkey"}, {Key: "secret", URL: "ftp://x"}, {Key: "secret", URL: "http://u:secret@x"}} {
		_, err := assemblyai.New(c)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%v", err)
		require.NotContains(t, err.Error(), "secret")
	}
	s := backendtest.NewAssemblyAI(t)
	s.Key = "another"
	_, err := open(t, s, func(c *assemblyai.Config) { c.Key = "secret" }).Transcribe(t.Context(), request(t, nil))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.NotContains(t, err.Error(), "secret")
}
