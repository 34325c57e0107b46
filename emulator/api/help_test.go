package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
	"github.com/soundstage-dev/soundstage/engine"
)

// rig is a sandbox on a real socket. Every exchange with it is validated against the contract.
type rig struct {
	t      *testing.T
	server *emulator.Server
	url    string
	secret string
}

// newRig starts a sandbox with the given options. The zero options keep no data.
func newRig(t *testing.T, o emulator.Options) *rig {
	t.Helper()
	needFFmpeg(t)
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	s, err := emulator.New(t.Context(), o)
	require.NoError(t, err)
	front := httptest.NewServer(c.Check(t, s.Handler()))
	t.Cleanup(func() {
		front.Close()
		require.NoError(t, s.Close())
	})
	return &rig{t: t, server: s, url: front.URL, secret: "sk_sandbox_platform"}
}

// needFFmpeg skips the test without ffmpeg, or fails it in CI.
func needFFmpeg(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ffmpeg is missing: run `make setup`")
		}
		t.Skip("ffmpeg is missing: run `make setup`")
	}
}

// as returns the rig with another secret; "" sends none.
func (r *rig) as(secret string) *rig {
	other := *r
	other.secret = secret
	return &other
}

// answer is a response.
type answer struct {
	t      *testing.T
	status int
	header http.Header
	body   []byte
}

// do sends a request. A string or byte body is sent unchanged, any other body as JSON. headers are pairs of name and value.
func (r *rig) do(method, path string, body any, headers ...string) answer {
	r.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	case []byte:
		reader = bytes.NewReader(b)
	case io.Reader:
		reader = b
	default:
		raw, err := json.Marshal(b)
		require.NoError(r.t, err)
		reader = bytes.NewReader(raw)
	}
	if !strings.Contains(path, "://") {
		path = r.url + path
	}
	req, err := http.NewRequestWithContext(context.Background(), method, path, reader)
	require.NoError(r.t, err)
	if r.secret != "" {
		req.Header.Set("Authorization", "Bearer "+r.secret)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(r.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	if resp.StatusCode/100 == 4 {
		require.Regexp(r.t, reasonPattern, resp.Header.Get("X-Soundstage-Reason"), "%s %s: %s", method, path, raw)
	}
	return answer{r.t, resp.StatusCode, resp.Header, raw}
}

// reasonPattern matches X-Soundstage-Reason: one ASCII line with source, rule, and provenance.
const reasonPattern = `^(specification|documentation|assumption|openapi\.yaml), [ -~]+ \((specified|documented|assumed)\)(: [ -~]+)?$`

// want requires a status and returns the JSON body.
func (a answer) want(status int) map[string]any {
	a.t.Helper()
	require.Equal(a.t, status, a.status, "%s", a.body)
	require.NotEmpty(a.t, a.header.Get("X-Request-Id"))
	if !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		return nil
	}
	var v map[string]any
	require.NoError(a.t, json.Unmarshal(a.body, &v), "%s", a.body)
	return v
}

// wantError requires a status and a body with only an error message, and returns the message.
func (a answer) wantError(status int) string {
	a.t.Helper()
	v := a.want(status)
	require.Len(a.t, v, 1, "%s", a.body)
	sentence, _ := v["error"].(string)
	require.NotEmpty(a.t, sentence)
	return sentence
}

// wantStorageError requires a status and a storage error with this code.
func (a answer) wantStorageError(status int, code string) {
	a.t.Helper()
	require.Equal(a.t, status, a.status, "%s", a.body)
	require.Contains(a.t, string(a.body), "<Error><Code>"+code+"</Code><Message>")
}

func media(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", name))
	require.NoError(t, err)
	return b
}

// upload reserves an object for a body and uploads it.
func (r *rig) upload(name, contentType string, body []byte) (objectID string) {
	r.t.Helper()
	v := r.do("POST", "/v1/uploads", map[string]any{"filename": name, "content_type": contentType, "content_size": len(body)}).want(201)
	put := r.as("").do("PUT", v["upload_url"].(string), body, "Content-Type", contentType)
	require.Equal(r.t, 200, put.status, "%s", put.body)
	return v["object_id"].(string)
}

// record uploads a body and creates a recording from it.
func (r *rig) record(name string, body []byte, more map[string]any) (id string) {
	r.t.Helper()
	in := map[string]any{"object_id": r.upload(name, "application/octet-stream", body)}
	for k, v := range more {
		in[k] = v
	}
	return r.do("POST", "/v1/recordings", in).want(201)["recording"].(map[string]any)["id"].(string)
}

// settled polls a path until the status under key is final, and returns the last body.
func (r *rig) settled(path, key string) map[string]any {
	r.t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		v := r.do("GET", path, nil).want(200)
		inner := v
		if rec, ok := v["recording"].(map[string]any); ok {
			inner = rec
		}
		switch engine.TranscriptStatus(inner[key].(string)) {
		case engine.TranscriptCompleted, engine.TranscriptError:
			return inner
		}
		require.True(r.t, time.Now().Before(deadline), "%v", v)
		pause(r.t)
	}
}

// pause waits briefly between two polls on the wall clock.
func pause(t *testing.T) {
	t.Helper()
	timer := time.NewTimer(2 * time.Millisecond)
	defer timer.Stop()
	<-timer.C
}
