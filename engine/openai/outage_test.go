package openai_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/wav"
)

// restarting is a whisper.cpp server that is away until the clock says up: first nothing listens, then connections break, then a proxy sends
// 502, then the server loads its model, then it wants fewer requests.
type restarting struct {
	clock    *stepClock
	began    time.Time
	up       time.Duration // since began
	url      string
	failures [5]atomic.Int32
}

func newRestarting(t *testing.T, clock *stepClock, up time.Duration) *restarting {
	t.Helper()
	r := &restarting{clock: clock, began: clock.Now(), up: up}
	faults := []backendtest.Fault{
		nil, backendtest.CutOff(`{"text":"wo`), backendtest.Status(502, "", "<html>Bad Gateway</html>"),
		backendtest.Status(503, "", `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`), backendtest.Status(429, "5", `{}`),
	}
	real := backendtest.NewWhisperCPP(t)
	forward, err := http.NewRequest(http.MethodPost, real.URL, nil)
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if n := r.phase(); n < len(faults) {
			r.failures[n].Add(1)
			faults[max(n, 1)](w, req)
			return
		}
		out := req.Clone(req.Context())
		out.URL.Scheme, out.URL.Host, out.RequestURI = forward.URL.Scheme, forward.URL.Host, ""
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer func() { _ = resp.Body.Close() }()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// phase returns which fault the server has now; 5 for none.
func (r *restarting) phase() int { return min(int(5*r.clock.Now().Sub(r.began)/r.up), 5) }

// transport connects to a closed port while nothing listens.
func (r *restarting) transport(t *testing.T) http.RoundTripper {
	gone := httptest.NewServer(http.NotFoundHandler())
	closed := gone.Listener.Addr().String()
	gone.Close()
	transport := backend.NewTransport()
	transport.DisableKeepAlives = true
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if r.phase() == 0 {
			r.failures[0].Add(1)
			address = closed
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	return transport
}

// stepClock is an engine.Clock that is frozen between steps.
type stepClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*stepTimer
}

type stepTimer struct {
	at time.Time
	c  chan time.Time
}

func (t *stepTimer) C() <-chan time.Time { return t.c }
func (t *stepTimer) Stop() bool          { return true }

func (c *stepClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stepClock) NewTimer(d time.Duration) engine.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &stepTimer{c.now.Add(d), make(chan time.Time, 1)}
	c.timers = append(c.timers, t)
	return t
}

// step advances the clock to a time and fires its timers.
func (c *stepClock) step(to time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = to
	c.timers = slices.DeleteFunc(c.timers, func(t *stepTimer) bool {
		due := !t.at.After(to)
		if due {
			t.c <- to
		}
		return due
	})
}

// stepUntil steps to the next attempt of the transcription, again and again, until done returns true.
func (c *stepClock) stepUntil(t *testing.T, e *engine.Engine, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); {
		changed := e.Changes()
		page, err := e.ListJobs(t.Context(), engine.JobList{Kinds: []queue.Kind{engine.JobTranscribe}, Statuses: []queue.Status{queue.Retrying}})
		require.NoError(t, err)
		if len(page.Jobs) == 1 && page.Jobs[0].RunAt.After(c.Now()) {
			c.step(page.Jobs[0].RunAt)
		}
		require.True(t, time.Now().Before(deadline))
		select {
		case <-changed:
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// A server that is away for nearly ten minutes, in every way that servers are, costs no recording, although the program is restarted in the
// meantime. The clock is virtual; the server, the connections, and the database are real.
func TestRestartingServer(t *testing.T) {
	t.Parallel()
	clock := &stepClock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	server := newRestarting(t, clock, 10*time.Minute)
	path, blobs := filepath.Join(t.TempDir(), "soundstage.db"), memory.NewBlobs()
	open := func() (*engine.Engine, func()) {
		store, err := sqlite.Open(t.Context(), path)
		require.NoError(t, err)
		e, err := engine.New(engine.Config{
			Store: store, Blobs: blobs, Media: wav.Media{}, Clock: clock, Random: func() float64 { return 0 },
			Transcriber: newTranscriber(t, openai.TranscriberConfig{
				Dialect: openai.WhisperCPP, URL: server.url, Media: wav.Media{}, Transport: server.transport(t), Clock: clock,
			}),
		})
		require.NoError(t, err)
		return e, func() { require.NoError(t, store.Close()) }
	}
	run := func(e *engine.Engine) (stop func()) {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- e.Run(ctx) }()
		return func() { cancel(); require.NoError(t, <-done) }
	}

	e, closeStore := open()
	caller, err := e.CreateAccount(t.Context(), engine.NewAccount{Name: "Studio"})
	require.NoError(t, err)
	id := uploaded(t, e, caller)
	stop := run(e)
	clock.stepUntil(t, e, func() bool { return server.failures[2].Load() > 0 })
	stop()
	closeStore()

	e, closeStore = open()
	stop = run(e)
	clock.stepUntil(t, e, func() bool {
		r, _, err := e.GetRecording(t.Context(), caller, id)
		require.NoError(t, err)
		require.NotEqual(t, engine.TranscriptError, r.TranscriptStatus)
		return r.TranscriptStatus == engine.TranscriptCompleted
	})
	rt, err := e.GetRecordingTranscript(t.Context(), caller, id)
	require.NoError(t, err)
	require.NotEmpty(t, rt.Transcript.Utterances)
	stop()
	closeStore()
	for i := range server.failures {
		require.Positive(t, server.failures[i].Load(), "fault %d was never met", i)
	}
	require.Less(t, clock.Now().Sub(server.began), 15*time.Minute)
}

// uploaded creates a recording of a conversation.
func uploaded(t *testing.T, e *engine.Engine, c engine.Caller) engine.RecordingID {
	t.Helper()
	f, err := os.Open("../../testdata/conversation.wav")
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	require.NoError(t, err)
	u, err := e.CreateUpload(t.Context(), c, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: info.Size()})
	require.NoError(t, err)
	_, err = e.ReceiveUpload(t.Context(), u.ID, f)
	require.NoError(t, err)
	r, _, err := e.CreateRecording(t.Context(), c, engine.NewRecording{ObjectID: u.ID, DetectLanguage: true})
	require.NoError(t, err)
	return r.ID
}

// When a model returns no words for media with sound, the error says so, and names the model. Media without sound has no speech.
func TestModelSaysNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sound pcm
		model string
		want  string
	}{
		"sound":   {noiseBursts(4, 300, 100, 0), "base.en", "The transcriber (base.en) returned no words, so the language could not be detected."},
		"silence": {make(pcm, 64_000), "base.en", "No speech was found, so the language could not be detected."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := backendtest.NewOpenAISpeech(t, backendtest.EmptyResult)
			store, blobs := memory.NewStore(), memory.NewBlobs()
			e, err := engine.New(engine.Config{
				Store: store, Blobs: blobs, Media: c.sound, Transcriber: newTranscriber(t, openai.TranscriberConfig{URL: s.URL + "/v1", Model: c.model, Media: c.sound}),
			})
			require.NoError(t, err)
			caller, err := e.CreateAccount(t.Context(), engine.NewAccount{Name: "Studio"})
			require.NoError(t, err)
			id := uploaded(t, e, caller)
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			go func() { done <- e.Run(ctx) }()
			_, err = e.WaitRecording(t.Context(), caller, id)
			cancel()
			require.NoError(t, <-done)
			require.Equal(t, engine.CodeNoSpeech, engine.CodeOf(err))
			require.Equal(t, c.want, engine.Message(err), fmt.Sprint(err))
		})
	}
}
