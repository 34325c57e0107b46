package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// inbox is a receiver that stores what it receives.
type inbox struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	heads  []http.Header
	status int
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{status: 204}
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		in.mu.Lock()
		defer in.mu.Unlock()
		in.bodies, in.heads = append(in.bodies, string(body)), append(in.heads, req.Header.Clone())
		w.WriteHeader(in.status)
	}))
	t.Cleanup(in.Close)
	return in
}

func (in *inbox) count() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.bodies)
}

func (in *inbox) answer(status int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.status = status
}

// Events arrive at an independent receiver: signed so that the reference library verifies them, with IDs only, logged, and replayed with the
// same ID. Delivery stops when the receiver is gone.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	in := newInbox(t)
	made := r.do("POST", "/v1/webhooks", map[string]any{"url": in.URL, "events": []string{"transcript.completed"}, "description": "test"}).want(201)["webhook"].(map[string]any)
	hook := "/v1/webhooks/" + made["id"].(string)
	require.NotContains(t, r.do("GET", hook, nil).want(200)["webhook"], "secret", "a secret is shown only once")
	id := r.record("talk.wav", media(t, "conversation.wav"), nil)
	r.settled("/v1/recordings/"+id, "transcript_status")
	log := r.poll(hook+"/deliveries", func(v map[string]any) bool {
		d := v["deliveries"].([]any)
		return len(d) == 1 && d[0].(map[string]any)["status"] == "delivered"
	})
	delivery := log["deliveries"].([]any)[0].(map[string]any)
	require.Equal(t, 1, in.count())
	verifier, err := standardwebhooks.NewWebhook(made["secret"].(string))
	require.NoError(t, err)
	require.NoError(t, verifier.Verify([]byte(in.bodies[0]), in.heads[0]))
	require.Error(t, verifier.Verify([]byte(in.bodies[0]+" "), in.heads[0]))
	require.Equal(t, delivery["event_id"], in.heads[0].Get("webhook-id"))
	require.JSONEq(t, `{"recording_id":"`+id+`","space_id":"`+string(emulator.SandboxSpaceID)+`","transcript_status":"completed"}`, dataOf(t, in.bodies[0]))

	r.do("POST", hook+"/deliveries/"+delivery["id"].(string)+"/replay", nil).want(202)
	r.poll(hook+"/deliveries", func(map[string]any) bool { return in.count() == 2 })
	require.Equal(t, in.heads[0].Get("webhook-id"), in.heads[1].Get("webhook-id"))
	require.Equal(t, in.bodies[0], in.bodies[1])

	rotated := r.do("POST", hook+"/rotate-secret", nil).want(200)["webhook"].(map[string]any)["secret"].(string)
	in.answer(410)
	r.do("POST", hook+"/test", nil).want(202)
	gone := r.poll(hook, func(v map[string]any) bool { return v["webhook"].(map[string]any)["disabled"] == true })
	require.NotNil(t, gone)
	require.Equal(t, 3, in.count(), "410 is not tried again")
	for _, secret := range []string{made["secret"].(string), rotated} {
		v, err := standardwebhooks.NewWebhook(secret)
		require.NoError(t, err)
		require.NoError(t, v.Verify([]byte(in.bodies[2]), in.heads[2]), "old and new secrets overlap")
	}
	require.Equal(t, 204, r.do("DELETE", hook, nil).status)
	r.do("GET", hook, nil).wantError(404)
}

// A sandbox without access to private addresses rejects them as webhook URLs.
func TestWebhooksArePublic(t *testing.T) {
	t.Parallel()
	r := newRig(t, emulator.Options{})
	for _, url := range []string{"http://127.0.0.1:9/", "http://[::1]/", "http://169.254.169.254/", "http://10.1.2.3/hook"} {
		require.Equal(t, "url must resolve to a public address", r.do("POST", "/v1/webhooks", map[string]any{"url": url, "events": []string{"output.completed"}}).wantError(400), url)
	}
}

func dataOf(t *testing.T, body string) string {
	t.Helper()
	var v struct{ Data any }
	require.NoError(t, unmarshal(body, &v))
	return marshal(t, v.Data)
}
