package node_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/node"
)

func sample(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "testdata", name))
	require.NoError(t, err)
	return b
}

// A client of a node uploads a video, reads its transcript, renders a clip, and downloads it.
func TestClient(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Short(t, "it renders video")
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "rows.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{})
	require.NoError(t, err)
	r := start(t, node.Config{Store: store, Blobs: blobs, Work: true})
	c := r.client()
	id, at := c.record("talk.mp4", sample(t, "conversation.mp4"), "video/mp4")
	require.True(t, strings.HasPrefix(at, r.url+"/storage/"), at)
	c.settled("/v1/recordings/"+id, "recording", "transcript_status", "completed")
	_, text, _ := c.send("GET", "/v1/recordings/"+id+"/transcript?format=vtt", nil, "")
	require.Contains(t, string(text), "WEBVTT")
	made := c.do(202, "POST", "/v1/renders", map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 1500, "aspect_ratio": "1:1"})
	done := c.settled("/v1/renders/"+made["render"].(map[string]any)["id"].(string), "render", "status", "completed")
	status, video, _ := c.send("GET", done["asset_url"].(string), nil, "")
	require.Equal(t, 200, status)
	require.Equal(t, "ftyp", string(video[4:8]))
}

// A node signs URLs and cursors so that every other node with the same keys accepts them.
func TestNodesShareKeys(t *testing.T) {
	t.Parallel()
	store, blobs := newShared(), memory.NewBlobs()
	a, b := start(t, node.Config{Store: store, Blobs: blobs, Work: true}), start(t, node.Config{Store: store, Blobs: blobs})
	c := a.client()
	wav := sample(t, "conversation.wav")
	up := c.do(201, "POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": len(wav)})
	status, text, _ := c.send("PUT", strings.Replace(up["upload_url"].(string), a.url, b.url, 1), wav, "audio/wav")
	require.Equal(t, 200, status, "%s", text)
	onB := *c
	onB.url = b.url
	for range 2 {
		onB.record("b.wav", wav, "audio/wav")
	}
	page := c.do(200, "GET", "/v1/recordings?limit=1", nil)
	onB.do(200, "GET", "/v1/recordings?limit=1&cursor="+page["next_cursor"].(string), nil)
}

// Nodes whose signing keys have none in common don't start. A key can be replaced in steps, also while nodes with the last step start again.
func TestSigningKeysDiffer(t *testing.T) {
	t.Parallel()
	old, fresh := strings.Repeat("old-", 8), strings.Repeat("new-", 8)
	store := newShared()
	for i, step := range []struct {
		file string
		ok   bool
	}{
		{old, true}, {fresh, false}, {"# both\n" + old + "\n" + fresh, true}, {old, true}, {old + "\n" + fresh, true}, {fresh + "\n" + old, true}, {fresh, true}, {old, false},
	} {
		keys, err := node.ParseSigningKeys([]byte(step.file))
		require.NoError(t, err)
		c := node.Config{Store: store, Blobs: memory.NewBlobs(), API: listen(t), SigningKeys: keys}
		n, err := node.New(t.Context(), c)
		if step.ok {
			require.NoError(t, err, "step %d", i)
			require.NoError(t, n.Close())
			continue
		}
		require.Equal(t, engine.CodeConflict, engine.CodeOf(err), "step %d", i)
		require.ErrorContains(t, err, "signing keys differ")
		require.NotContains(t, err.Error(), step.file)
		require.NoError(t, c.API.Close())
	}
}

// A file of signing keys that can't be used is refused, and the error doesn't show it.
func TestParseSigningKeys(t *testing.T) {
	t.Parallel()
	for file, says := range map[string]string{"": "no signing key", "# comment\n\n": "no signing key", "\nhunter2-hunter2": "line 2"} {
		_, err := node.ParseSigningKeys([]byte(file))
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "hunter2")
	}
	keys, err := node.ParseSigningKeys([]byte("  " + signingKey + " \r\n#x\n" + strings.Repeat("b", 40)))
	require.NoError(t, err)
	require.Len(t, keys, 2)
	require.Equal(t, signingKey, string(keys[0].Secret))
	require.NotContains(t, signingKey, keys[0].ID)
}

// /readyz fails with the reason while the database or the storage can't be used; /healthz doesn't.
func TestReady(t *testing.T) {
	t.Parallel()
	store := newShared()
	r := start(t, node.Config{Store: store, Blobs: memory.NewBlobs()})
	for _, base := range []string{r.url, r.admin} {
		status, body := get(t, base+"/readyz")
		require.Equal(t, 200, status, body)
		require.JSONEq(t, `{"status":"ok"}`, body)
	}
	store.fail(engine.Errorf(engine.CodeUnavailable, "", "The database is gone.").Because(errors.New("password=hunter2")))
	status, body := get(t, r.url+"/readyz")
	require.Equal(t, 503, status)
	require.JSONEq(t, `{"status":"unavailable","problems":["The database is gone."]}`, body)
	status, _ = get(t, r.url+"/healthz")
	require.Equal(t, 200, status)
}

// A node works on the chosen classes only, with the chosen number of jobs.
func TestParseClasses(t *testing.T) {
	t.Parallel()
	classes, err := node.ParseClasses([]string{"render", " deliver"})
	require.NoError(t, err)
	require.Equal(t, []queue.Class{queue.ClassRender, queue.ClassDeliver}, classes)
	_, err = node.ParseClasses([]string{"renders"})
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	e, _ := errors.AsType[*engine.Error](err)
	require.Contains(t, e.Hint, "deliver, generate, import, maintain, render, transcribe")
}

// A worker of one class leaves the jobs of the others.
func TestOnly(t *testing.T) {
	t.Parallel()
	store, blobs := newShared(), memory.NewBlobs()
	r := start(t, node.Config{Store: store, Blobs: blobs, Work: true, Only: []queue.Class{queue.ClassRender}})
	c := r.client()
	id, _ := c.record("a.wav", sample(t, "conversation.wav"), "audio/wav")
	for range 5 {
		recording := c.do(200, "GET", "/v1/recordings/"+id, nil)["recording"].(map[string]any)
		require.Equal(t, "queued", recording["transcript_status"])
		time.Sleep(100 * time.Millisecond)
	}
}

// shared is a store in memory with the abilities of one that nodes share.
type shared struct {
	engine.Store
	mu     sync.Mutex
	values map[string]string
	broken error
	traces map[queue.ID]string
}

func newShared() *shared {
	return &shared{Store: memory.NewStore(), values: map[string]string{}, traces: map[queue.ID]string{}}
}

func (s *shared) Agree(_ context.Context, name, old, value string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stored, ok := s.values[name]; !ok || old != "" && stored == old {
		s.values[name] = value
	}
	return s.values[name], nil
}

func (s *shared) Ready(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

func (s *shared) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = err
}

func (*shared) Depth(context.Context) (map[string]int, error) {
	return map[string]int{"render": 3}, nil
}

func (*shared) Stats() (conflicts, losses int64) { return 5, 2 }
