package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const campaignSpace = "00000000-0000-4000-8000-000000000030"

// load is a mix of clients that write to a server and record its acknowledgements.
type load struct {
	t       *testing.T
	ledger  *ledger
	files   string        // base URL of a server with media
	tone    []byte        // 1 s WAV
	base    *atomic.Value // ID of a recording with a completed transcript; "" before there is one
	counter atomic.Int64  // makes names unique
	heavy   atomic.Int64  // how many more renders may start
	retry   bool          // whether a response 503 is a fault of the test, as good as no response
	secret  string        // default sk_sandbox_platform
	renders atomic.Int64  // requests for renders
}

func newLoad(t *testing.T, files string) *load {
	t.Helper()
	tone, err := os.ReadFile(testdata("tone.wav"))
	require.NoError(t, err)
	l := &load{t: t, ledger: new(ledger), files: files, tone: tone, base: new(atomic.Value)}
	l.base.Store("")
	return l
}

// loadClient sends requests to one server until the server is gone.
type loadClient struct {
	*load
	ctx context.Context
	url string
	rng *rand.Rand
}

// run sends random requests until the server is gone or ctx is done. An unexpected response fails the test.
func (c *loadClient) run() {
	for c.ctx.Err() == nil {
		if err := c.one(); err != nil {
			return
		}
	}
}

// one sends the requests of one random operation. The error says that no response came.
func (c *loadClient) one() error {
	switch n := c.rng.IntN(100); {
	case n < 35:
		return c.speaker()
	case n < 50:
		return c.update()
	case n < 65:
		return c.upload()
	case n < 70:
		return c.importFile()
	case n < 75:
		return c.transcript()
	case c.base.Load() == "":
		return c.speaker()
	case n < 85:
		return c.generate()
	case n < 95:
		return c.chat()
	case c.heavy.Add(-1) >= 0:
		return c.render()
	}
	return c.speaker()
}

// call sends a request. The error says that no complete response came. A status other than want fails the test.
func (c *loadClient) call(method, path string, body any, want int) (map[string]any, error) {
	status, v, err := c.send(method, path, body)
	if err == nil && status != want {
		c.t.Errorf("%s %s %v: status %d: %v", method, path, body, status, v)
	}
	return v, err
}

func (c *loadClient) send(method, path string, body any) (int, map[string]any, error) {
	raw, _ := json.Marshal(body)
	req, err := http.NewRequestWithContext(c.ctx, method, c.url+path, bytes.NewReader(raw))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+cmp.Or(c.secret, "sk_sandbox_platform"))
	return c.do(req)
}

func (c *loadClient) do(req *http.Request) (int, map[string]any, error) {
	resp, err := campaignClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil, err
	}
	var v map[string]any
	if c.retry && resp.StatusCode == http.StatusServiceUnavailable {
		return 0, nil, fmt.Errorf("status 503: %s", text)
	}
	if len(text) > 0 {
		err = json.Unmarshal(text, &v)
	}
	return resp.StatusCode, v, err
}

// name returns a new unique name and records that it is sent.
func (c *loadClient) name(kind string) string {
	name := fmt.Sprintf("%s-%d", kind, c.counter.Add(1))
	c.ledger.mu.Lock()
	defer c.ledger.mu.Unlock()
	c.ledger.names = append(c.ledger.names, name)
	return name
}

func (c *loadClient) speaker() error {
	name := c.name("speaker")
	v, err := c.call("POST", "/v1/spaces/"+campaignSpace+"/speakers", map[string]any{"name": name}, 201)
	if err != nil {
		return err
	}
	s, _ := v["speaker"].(map[string]any)
	id, _ := s["id"].(string)
	c.ledger.putCounter(&counter{id: id, name: name, acks: []ack{{0, time.Now()}}})
	c.ledger.acked()
	return nil
}

// update increments the number in the biography of a speaker that no other client is updating.
func (c *loadClient) update() error {
	one := c.ledger.takeCounter()
	if one == nil {
		return nil
	}
	defer c.ledger.putCounter(one)
	one.sent++
	if _, err := c.call("PATCH", "/v1/speakers/"+one.id, map[string]any{"bio": fmt.Sprint(one.sent)}, 200); err != nil {
		return err
	}
	one.acks = append(one.acks, ack{one.sent, time.Now()})
	c.ledger.acked()
	return nil
}

// sound returns a WAV file with unique bytes.
func (c *loadClient) sound() []byte {
	b := bytes.Clone(c.tone)
	for i := len(b) - 64; i < len(b); i++ {
		b[i] = byte(c.rng.Uint32())
	}
	return b
}

func (c *loadClient) upload() error { return c.uploadFile(c.sound(), "audio/wav", nil) }

// uploadFile stores a file and makes a recording of it. created, if not nil, receives the ID.
func (c *loadClient) uploadFile(media []byte, mediaType string, created func(id string)) error {
	name := c.name("recording")
	up, err := c.call("POST", "/v1/uploads", map[string]any{"filename": "tone.wav", "content_type": mediaType, "content_size": len(media)}, 201)
	if err != nil {
		return err
	}
	c.ledger.acked()
	to, _ := up["upload_url"].(string)
	req, err := http.NewRequestWithContext(c.ctx, http.MethodPut, to, bytes.NewReader(media))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", mediaType)
	status, v, err := c.do(req)
	if err != nil {
		return err
	}
	if status != 200 {
		c.t.Errorf("PUT: status %d: %v", status, v)
	}
	sum := sha256.Sum256(media)
	c.ledger.add(promise{bytes: hex.EncodeToString(sum[:])})
	v, err = c.call("POST", "/v1/recordings", map[string]any{"object_id": up["object_id"], "title": name}, 201)
	if err != nil {
		return err
	}
	id, _ := v["recording"].(map[string]any)["id"].(string)
	c.ledger.add(promise{path: "/v1/recordings/" + id, wrap: "recording", want: map[string]any{"id": id, "title": name}, status: "transcript_status"})
	if created != nil {
		created(id)
	}
	return nil
}

// makeBase makes the base recording and waits for its transcript.
func (c *loadClient) makeBase(p *process) {
	media, err := os.ReadFile(testdata("conversation.mp4"))
	require.NoError(c.t, err)
	var id string
	require.NoError(c.t, c.uploadFile(media, "video/mp4", func(created string) { id = created }))
	p.waitStatus(id, "completed")
	c.base.Store(id)
}

func (c *loadClient) importFile() error {
	name := c.name("import")
	v, err := c.call("POST", "/v1/imports", map[string]any{"url": c.files + "/" + name + ".wav", "title": name}, 202)
	if err != nil {
		return err
	}
	c.ledger.add(promise{path: fmt.Sprint("/v1/imports/", v["import_id"]), want: map[string]any{"title": name, "url": v["url"]}, status: "status"})
	return nil
}

func (c *loadClient) transcript() error {
	v, err := c.call("POST", "/v1/transcripts", map[string]any{"url": c.files + "/" + c.name("transcript") + ".wav"}, 201)
	if err != nil {
		return err
	}
	c.ledger.add(promise{path: fmt.Sprint("/v1/transcripts/", v["id"]), want: map[string]any{"id": v["id"]}, status: "status"})
	return nil
}

func (c *loadClient) generate() error {
	name := c.name("output")
	v, err := c.call("POST", fmt.Sprint("/v1/recordings/", c.base.Load(), "/generate"), map[string]any{"prompt": "Write a title.", "name": name}, 202)
	if err != nil {
		return err
	}
	c.ledger.add(promise{path: fmt.Sprint("/v1/outputs/", v["output_id"]), want: map[string]any{"name": name, "recording_id": c.base.Load()}, status: "status"})
	return nil
}

func (c *loadClient) chat() error {
	v, err := c.call("POST", "/v1/chat", map[string]any{"message": c.name("question") + "?", "recording_ids": []any{c.base.Load()}}, 202)
	if err != nil {
		return err
	}
	c.ledger.add(promise{path: fmt.Sprint("/v1/chat/", v["chat_id"]), want: map[string]any{"chat_id": v["chat_id"]}, status: "status"})
	return nil
}

func (c *loadClient) render() error {
	c.load.renders.Add(1)
	v, err := c.call("POST", "/v1/renders", map[string]any{"recording_id": c.base.Load(), "start_ms": 0, "end_ms": 1000, "aspect_ratio": "original", "title": c.name("render")}, 202)
	if err != nil {
		return err
	}
	r, _ := v["render"].(map[string]any)
	c.ledger.add(promise{
		path: fmt.Sprint("/v1/renders/", r["id"]), wrap: "render", status: "status",
		want: map[string]any{"start_ms": r["start_ms"], "end_ms": r["end_ms"], "created_at": r["created_at"]},
	})
	return nil
}
