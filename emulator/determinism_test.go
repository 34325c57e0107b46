package emulator_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// story is a whole life of a sandbox; noise is called between its requests. It returns all that was answered and all that was sent.
func story(t *testing.T, o emulator.Options, receiver string, noise func(*client)) (c *client) {
	t.Helper()
	o.Clock, o.AllowPrivateURLs = emulator.ClockManual, true
	c = newClient(t, o)
	c.json(201, "POST", "/v1/webhooks", `{"url":"`+receiver+`","events":["transcript.completed","output.completed"]}`)
	noise(c)
	id := c.record("conversation.wav")
	noise(c)
	c.advance(`{"by":"10s"}`)
	paths := c.things(id)
	noise(c)
	c.advance(`{"by":"1h"}`)
	for _, noun := range []string{"output", "chat", "import", "transcript", "suggestions"} {
		c.json(200, "GET", paths[noun], "")
	}
	c.json(200, "GET", "/v1/recordings?limit=1", "")
	c.json(200, "GET", "/v1/recordings/"+id+"/transcript", "")
	c.json(200, "GET", "/v1/recordings/"+id+"/outputs", "")
	return c
}

// mail is a receiver that keeps what it gets.
type mail struct {
	mu   sync.Mutex
	got  map[string]string // by webhook-id
	copy bool              // whether anything came twice
}

func (m *mail) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	b, _ := io.ReadAll(req.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	id := req.Header.Get("webhook-id")
	m.copy = m.copy || m.got[id] != ""
	m.got[id] = req.Header.Get("webhook-timestamp") + " " + req.Header.Get("webhook-signature") + " " + string(b)
}

// take empties the mailbox.
func (m *mail) take() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	got := m.got
	m.got = map[string]string{}
	return got
}

// Two sandboxes of one seed under a manual clock answer and send the same bytes; another seed's are others.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it runs whole jobs again and again")
	box := &mail{got: map[string]string{}}
	receiver := httptest.NewServer(box)
	t.Cleanup(receiver.Close)
	silent := func(*client) {}
	first := story(t, emulator.Options{Seed: 7}, receiver.URL, silent)
	sent := box.take()
	require.GreaterOrEqual(t, len(sent), 3)
	second := story(t, emulator.Options{Seed: 7}, receiver.URL, silent)
	require.Len(t, second.tape, len(first.tape))
	for i := range first.tape {
		require.Equal(t, first.tape[i], second.tape[i])
	}
	require.Equal(t, sent, box.take())
	require.False(t, box.copy)

	// Requests in between change no other kind's ids.
	noisy := story(t, emulator.Options{Seed: 7}, receiver.URL, func(c *client) {
		kept := c.tape
		c.json(200, "GET", "/v1/spaces", "")
		c.json(201, "POST", "/v1/spaces/"+string(emulator.SandboxSpaceID)+"/speakers", `{"name":"Ann"}`)
		c.json(404, "GET", "/v1/outputs/none", "")
		c.tape = kept
	})
	require.Equal(t, sent, box.take())
	require.Len(t, noisy.tape, len(first.tape))

	other := story(t, emulator.Options{Seed: 8}, receiver.URL, silent)
	require.NotEqual(t, first.tape[0], other.tape[0])
	for id := range box.take() {
		require.NotContains(t, sent, id)
	}
}

// Secrets of one's own are part of what signs addresses: a sandbox that isn't everybody's doesn't sign like one that is.
func TestSecretsSignAlone(t *testing.T) {
	t.Parallel()
	signature := func(secrets []emulator.Secret) string {
		c := newClient(t, emulator.Options{Clock: emulator.ClockManual, Secrets: secrets})
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/uploads", strings.NewReader(anUpload))
		secret := "sk_sandbox_platform"
		if secrets != nil {
			secret = secrets[0].Value
		}
		req.Header.Set("Authorization", "Bearer "+secret)
		w := httptest.NewRecorder()
		c.handler.ServeHTTP(w, req)
		require.Equal(t, 201, w.Code, "%s", w.Body)
		return w.Body.String()
	}
	own := []emulator.Secret{{Value: "a-secret-of-my-own-0001", Tier: "platform"}}
	require.Equal(t, signature(nil), signature(nil))
	require.NotEqual(t, signature(nil), signature(own))
}
