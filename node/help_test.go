package node_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/node"
	"github.com/soundstage-dev/soundstage/render"
)

const signingKey = "0123456789abcdef0123456789abcdef"

// running is a node on real sockets.
type running struct {
	*node.Node
	t          *testing.T
	url, admin string
	stop       context.CancelFunc // begins to drain
	done       chan error
}

// start runs a node with an API, an admin listener, and work, until the test ends. c has the store and blobs.
func start(t *testing.T, c node.Config) *running {
	t.Helper()
	keys, err := node.ParseSigningKeys([]byte(signingKey))
	require.NoError(t, err)
	c.SigningKeys, c.Engine = keys, ports(t)
	c.API, c.Admin = listen(t), listen(t)
	if c.DrainDelay == 0 {
		c.DrainDelay = -1
	}
	n, err := node.New(t.Context(), c)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	r := &running{Node: n, t: t, url: "http://" + c.API.Addr().String(), admin: "http://" + c.Admin.Addr().String(), stop: stop, done: make(chan error, 1)}
	go func() { r.done <- n.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, r.wait())
	})
	return r
}

// wait returns when the node has stopped.
func (r *running) wait() error {
	select {
	case err := <-r.done:
		r.done <- err
		return err
	case <-time.After(time.Minute):
		r.t.Fatal("the node doesn't stop")
		return nil
	}
}

func listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return l
}

// ports returns the ports of an engine that needs ffmpeg for renders only.
func ports(t *testing.T) engine.Config {
	ffmpeg := render.FFmpeg{TempDir: t.TempDir()}
	m := media.Limit(wav.Media{Fallback: ffmpeg}, 0)
	return engine.Config{
		Media: m, Transcriber: &fake.Transcriber{Media: m, Diarizer: diarize.Diarizer{}}, Diarizer: diarize.Diarizer{}, LLM: writer.LLM{},
		Translator: fake.Translator{}, Renderer: render.Renderer{FFmpeg: ffmpeg}, Sender: fetch.NewSender(fetch.Config{AllowPrivate: true}),
	}
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

// client is a client of /v1.
type client struct {
	t      *testing.T
	url    string
	secret string
	header http.Header
}

// client creates a key of the node's account, and returns its client.
func (r *running) client() *client {
	r.t.Helper()
	me, err := r.Engine().CreateAccount(r.t.Context(), engine.NewAccount{AccountID: "00000000-0000-4000-8000-000000000001"})
	require.NoError(r.t, err)
	_, secret, err := r.Engine().CreateKey(r.t.Context(), me, engine.NewKey{Tier: engine.TierPlatform})
	require.NoError(r.t, err)
	return &client{t: r.t, url: r.url, secret: secret, header: http.Header{}}
}

// send sends a request and returns the status and the body.
func (c *client) send(method, path string, body []byte, contentType string) (int, []byte, http.Header) {
	c.t.Helper()
	secret := ""
	if !strings.Contains(path, "://") {
		path, secret = c.url+path, c.secret
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, path, bytes.NewReader(body))
	require.NoError(c.t, err)
	req.Header = c.header.Clone()
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(c.t, err)
	return res.StatusCode, text, res.Header
}

// do sends JSON, requires a status, and returns the JSON of the response.
func (c *client) do(status int, method, path string, body any) map[string]any {
	c.t.Helper()
	var raw []byte
	if body != nil {
		var err error
		raw, err = json.Marshal(body)
		require.NoError(c.t, err)
	}
	got, text, _ := c.send(method, path, raw, "application/json")
	require.Equal(c.t, status, got, "%s %s: %s", method, path, text)
	var v map[string]any
	require.NoError(c.t, json.Unmarshal(text, &v))
	return v
}

// record uploads a WAV file and creates a recording. It returns its ID and where the bytes went.
func (c *client) record(name string, content []byte, contentType string) (id, uploadURL string) {
	c.t.Helper()
	up := c.do(201, "POST", "/v1/uploads", map[string]any{"filename": name, "content_type": contentType, "content_size": len(content)})
	uploadURL = up["upload_url"].(string)
	status, text, _ := c.send("PUT", uploadURL, content, contentType)
	require.Equal(c.t, 200, status, "%s", text)
	rec := c.do(201, "POST", "/v1/recordings", map[string]any{"object_id": up["object_id"]})
	return rec["recording"].(map[string]any)["id"].(string), uploadURL
}

// settled polls a resource until a field has the value.
func (c *client) settled(path, noun, field, want string) map[string]any {
	c.t.Helper()
	var v map[string]any
	require.Eventually(c.t, func() bool {
		v = c.do(200, "GET", path, nil)[noun].(map[string]any)
		require.NotEqual(c.t, "failed", v[field], "%v", v)
		return v[field] == want
	}, 2*time.Minute, 50*time.Millisecond)
	return v
}

// get returns the status and the body of a GET.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url) //nolint:noctx // of the test's own node
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(text)
}
