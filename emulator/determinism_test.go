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

// story drives a sandbox through every noun and calls noise between requests. It returns the client with its recorded responses.
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

// mail is a receiver that stores what it gets.
type mail struct {
	mu   sync.Mutex
	got  map[string]string // by webhook-id
	copy bool              // whether a webhook arrived twice
}

func (m *mail) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	b, _ := io.ReadAll(req.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	id := req.Header.Get("webhook-id")
	m.copy = m.copy || m.got[id] != ""
	m.got[id] = req.Header.Get("webhook-timestamp") + " " + req.Header.Get("webhook-signature") + " " + string(b)
}

// take returns the stored requests and removes them.
func (m *mail) take() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	got := m.got
	m.got = map[string]string{}
	return got
}

// Two sandboxes with the same seed and a manual clock send identical bytes. Another seed gives other bytes.
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
	require.Len(t, second.responses, len(first.responses))
	for i := range first.responses {
		require.Equal(t, first.responses[i], second.responses[i])
	}
	require.Equal(t, sent, box.take())
	require.False(t, box.copy)

	// Requests in between don't change ids of other kinds.
	noisy := story(t, emulator.Options{Seed: 7}, receiver.URL, func(c *client) {
		kept := c.responses
		c.json(200, "GET", "/v1/spaces", "")
		c.json(201, "POST", "/v1/spaces/"+string(emulator.SandboxSpaceID)+"/speakers", `{"name":"Ann"}`)
		c.json(404, "GET", "/v1/outputs/none", "")
		c.responses = kept
	})
	require.Equal(t, sent, box.take())
	require.Len(t, noisy.responses, len(first.responses))

	other := story(t, emulator.Options{Seed: 8}, receiver.URL, silent)
	require.NotEqual(t, first.responses[0], other.responses[0])
	for id := range box.take() {
		require.NotContains(t, sent, id)
	}
}

// Custom secrets change the key that signs URLs, so that users of the public secrets can't forge them.
func TestCustomSecretsChangeTheKey(t *testing.T) {
	t.Parallel()
	signature := func(secrets []emulator.Secret) string {
		c := newClient(t, emulator.Options{Clock: emulator.ClockManual, Secrets: secrets})
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/v1/uploads", strings.NewReader(anUpload))
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
