package emulator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// as is call with another secret.
func as(t *testing.T, secret, method, url, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	var v map[string]any
	if len(raw) > 0 && strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		require.NoError(t, json.Unmarshal(raw, &v), "%s", raw)
	}
	return resp.StatusCode, v
}

// put creates and uploads an upload, and returns its id and the path of its URL.
func put(t *testing.T, s *emulator.Server, secret string) (id, path string) {
	t.Helper()
	status, v := as(t, secret, "POST", s.URL()+"/v1/uploads", anUpload)
	require.Equal(t, 201, status)
	url := v["upload_url"].(string)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, strings.NewReader("bytes"))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "audio/wav")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
	return v["object_id"].(string), req.URL.Path
}

// recordings returns the ids of a user's recordings.
func recordings(t *testing.T, s *emulator.Server, secret string) (ids []string) {
	t.Helper()
	status, v := as(t, secret, "GET", s.URL()+"/v1/recordings", "")
	require.Equal(t, 200, status)
	for _, r := range v["recordings"].([]any) {
		ids = append(ids, r.(map[string]any)["id"].(string))
	}
	return ids
}

func record(t *testing.T, s *emulator.Server, secret, upload string) int {
	t.Helper()
	status, _ := as(t, secret, "POST", s.URL()+"/v1/recordings", `{"object_id":"`+upload+`"}`)
	return status
}

// Each world has its own data, secrets, and URLs. Nothing in it is visible elsewhere, and deleting it removes everything.
func TestWorlds(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Seed: 3})
	worlds := s.URL() + "/_soundstage/worlds"
	status, v := as(t, "", "POST", worlds, `{"name":"one","seed":7,"clock":"real"}`)
	require.Equal(t, 201, status)
	require.NotEmpty(t, v["time"].(map[string]any)["now"])
	delete(v["time"].(map[string]any), "now")
	require.Equal(t, map[string]any{"world": "one", "seed": 7.0, "clock": "real", "time": map[string]any{"mode": "real", "rate": 1.0}, "counts": map[string]any{
		"recordings": 0.0, "uploads": 0.0, "transcripts": 0.0, "jobs": 0.0, "requests": 0.0, "messages": 0.0,
	}, "secrets": map[string]any{
		"none": "sk_sandbox_none_one", "core": "sk_sandbox_core_one", "automation": "sk_sandbox_automation_one",
		"platform": "sk_sandbox_platform_one", "other": "sk_sandbox_other_one",
	}}, v)
	status, v = as(t, "", "POST", worlds, "")
	require.Equal(t, 201, status)
	require.Equal(t, "world-1", v["world"])
	require.Equal(t, 3.0, v["seed"])

	upload, path := put(t, s, "sk_sandbox_core_one")
	require.Equal(t, "/storage/one~"+upload, path)
	require.Equal(t, 201, record(t, s, "sk_sandbox_core_one", upload))
	require.Len(t, recordings(t, s, "sk_sandbox_platform_one"), 1)
	for _, elsewhere := range []string{"sk_sandbox_core", "sk_sandbox_other_one", "sk_sandbox_core_world-1"} {
		require.Empty(t, recordings(t, s, elsewhere))
		require.Equal(t, 404, record(t, s, elsewhere, upload))
	}
	status, _ = as(t, "sk_sandbox_none_one", "GET", s.URL()+"/v1/spaces", "")
	require.Equal(t, 403, status)
	upload, path = put(t, s, "sk_sandbox_core")
	require.Equal(t, "/storage/"+upload, path)

	status, v = as(t, "", "GET", worlds, "")
	require.Equal(t, 200, status)
	require.Equal(t, 3.0, v["count"])
	require.Equal(t, "default", v["worlds"].([]any)[0].(map[string]any)["world"])
	status, _ = as(t, "", "POST", s.URL()+"/_soundstage/reset?world=one", "")
	require.Equal(t, 200, status)
	require.Empty(t, recordings(t, s, "sk_sandbox_platform_one"))

	status, _ = as(t, "", "DELETE", worlds+"/one", "")
	require.Equal(t, 200, status)
	status, _ = as(t, "sk_sandbox_core_one", "GET", s.URL()+"/v1/spaces", "")
	require.Equal(t, 401, status)
	for url, want := range map[string]int{"/one": 404, "/default": 409} {
		status, v = as(t, "", "DELETE", worlds+url, "")
		require.Equal(t, want, status)
		require.NotEmpty(t, v["hint"])
	}
}

// Creating an invalid world fails with an error that says why.
func TestWorldErrors(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{MaxWorlds: 2})
	worlds := s.URL() + "/_soundstage/worlds"
	for body, want := range map[string]int{
		`{"name":"A"}`: 400, `{"name":"a_b"}`: 400, `{"name":"` + strings.Repeat("a", 65) + `"}`: 400, `{"name":"default"}`: 409,
		`{"nom":"a"}`: 400, `{"clock":"sundial"}`: 400, `{"fork_of":"nobody"}`: 404, `{"seed":-1}`: 400, `[`: 400,
	} {
		status, v := as(t, "", "POST", worlds, body)
		require.Equal(t, want, status, body)
		require.NotEmpty(t, v["error"])
	}
	status, _ := as(t, "", "POST", worlds, `{"name":"a"}`)
	require.Equal(t, 201, status)
	status, v := as(t, "", "POST", worlds, `{"name":"b"}`)
	require.Equal(t, 507, status)
	require.Contains(t, v["hint"], "DELETE")
	status, _ = as(t, "", "POST", s.URL()+"/_soundstage/reset?world=b", "")
	require.Equal(t, 404, status)

	kept := start(t, emulator.Options{DataDir: t.TempDir()})
	status, v = as(t, "", "POST", kept.URL()+"/_soundstage/worlds", `{"name":"a"}`)
	require.Equal(t, 409, status)
	require.Contains(t, v["hint"], "--data")
	for _, o := range []emulator.Options{
		{WorldPerKey: true, DataDir: t.TempDir()},
		{WorldPerKey: true, Secrets: []emulator.Secret{{Value: "0123456789abcdef", Tier: engine.TierCore}}},
	} {
		_, err := emulator.New(t.Context(), o)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	}
}

// With custom server secrets, a world's secrets can't be guessed, and the control API doesn't return the custom ones.
func TestWorldsWithCustomSecrets(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Secrets: []emulator.Secret{{Value: "0123456789abcdef", Tier: engine.TierCore}}})
	w, err := s.CreateWorld(t.Context(), control.NewWorld{Name: "one"})
	require.NoError(t, err)
	require.Regexp(t, `^sk_sandbox_core_one_[A-Z2-7]{26}$`, w.Secrets["core"])
	put(t, s, w.Secrets["core"])
	status, _ := as(t, "sk_sandbox_core_one", "GET", s.URL()+"/v1/spaces", "")
	require.Equal(t, 401, status)
	require.Empty(t, s.Worlds()[0].Secrets)
}

// With WorldPerKey, the first request with a new secret creates its world exactly once. Other unknown secrets are rejected.
func TestWorldPerKey(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{WorldPerKey: true, MaxWorlds: 4})
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			secret := fmt.Sprintf("sk_sandbox_%s_ci-%d", []string{"core", "platform"}[i%2], i%3)
			if status, _ := as(t, secret, "GET", s.URL()+"/v1/recordings", ""); status != 200 {
				t.Errorf("%d for %s", status, secret)
			}
		})
	}
	all.Wait()
	require.Len(t, s.Worlds(), 4)
	for secret, want := range map[string]int{
		"sk_sandbox_core_ci-9": 507, "sk_sandbox_gold_ci-0": 401, "sk_sandbox_core_": 401, "sk_sandbox_core_A": 401, "sk_sandbox_core_ci-0_x": 401,
		"sk_sandbox_core_default": 401, "sk_live_core_ci-0": 401, "sk_sandbox": 401, "": 401, "sk_sandbox_none_ci-0": 403, "sk_sandbox_core": 200,
	} {
		status, _ := as(t, secret, "GET", s.URL()+"/v1/spaces", "")
		require.Equal(t, want, status, "%q", secret)
	}
	plain := start(t, emulator.Options{})
	status, _ := as(t, "sk_sandbox_core_ci-0", "GET", plain.URL()+"/v1/spaces", "")
	require.Equal(t, 401, status)
}

// A fork has the parent's rows, blobs, and cursors under its own secrets. The two are independent, and jobs in progress continue in
// both.
func TestForkWorld(t *testing.T) {
	slow.Short(t, "it transcribes and renders in two worlds")
	t.Parallel()
	s := start(t, emulator.Options{})
	parent, err := s.CreateWorld(t.Context(), control.NewWorld{Name: "parent", Clock: "real"})
	require.NoError(t, err)
	secret := parent.Secrets["core"]
	spare, _ := put(t, s, secret)
	for range 2 {
		upload, _ := put(t, s, secret)
		require.Equal(t, 201, record(t, s, secret, upload))
	}
	_, v := as(t, secret, "GET", s.URL()+"/v1/recordings?limit=1", "")
	cursor := v["next_cursor"].(string)

	fork, err := s.CreateWorld(t.Context(), control.NewWorld{Name: "fork", ForkOf: "parent"})
	require.NoError(t, err)
	require.Equal(t, "real", fork.Clock)
	require.Equal(t, "parent", fork.ForkOf)
	require.Equal(t, recordings(t, s, secret), recordings(t, s, fork.Secrets["core"]))
	status, v := as(t, fork.Secrets["core"], "GET", s.URL()+"/v1/recordings?limit=1&cursor="+cursor, "")
	require.Equal(t, 200, status)
	require.Len(t, v["recordings"], 1)

	require.Equal(t, 201, record(t, s, fork.Secrets["core"], spare))
	require.Len(t, recordings(t, s, fork.Secrets["core"]), 3)
	require.Len(t, recordings(t, s, secret), 2)
	require.Equal(t, 201, record(t, s, secret, spare))
	status, _ = as(t, "", "DELETE", s.URL()+"/_soundstage/worlds/parent", "")
	require.Equal(t, 200, status)
	for _, id := range recordings(t, s, fork.Secrets["core"]) { // five bytes are not valid media
		e, err := s.EngineOf("fork")
		require.NoError(t, err)
		owner, err := e.Authenticate(t.Context(), fork.Secrets["core"])
		require.NoError(t, err)
		r, err := e.WaitRecording(t.Context(), owner, engine.RecordingID(id))
		require.True(t, r.TranscriptStatus.Over(), err)
		require.Equal(t, engine.TranscriptError, r.TranscriptStatus)
	}
	require.Empty(t, recordings(t, s, "sk_sandbox_core"))
}

// Worlds are created, deleted, reset, and forked concurrently with requests. Requests only fail when their secret is revoked.
func TestConcurrentWorlds(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs many jobs")
	s := start(t, emulator.Options{WorldPerKey: true})
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			for round := range 8 {
				name := fmt.Sprintf("w%d", (i+round)%3)
				secret := "sk_sandbox_core_" + name
				if status, _ := as(t, secret, "POST", s.URL()+"/v1/uploads", anUpload); status != 201 && status != 401 {
					t.Errorf("%d for an upload", status)
				}
				var err error
				switch i % 3 {
				case 0:
					err = s.DeleteWorld(t.Context(), name)
				case 1:
					err = s.Reset(t.Context(), name)
				case 2:
					_, err = s.CreateWorld(t.Context(), control.NewWorld{ForkOf: name})
				}
				if err != nil && engine.CodeOf(err) != engine.CodeNotFound {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// slowBody is a body of five bytes that blocks before the last two.
type slowBody struct {
	reading, rest chan struct{}
	read          int
}

func (b *slowBody) Read(p []byte) (int, error) {
	b.read++
	switch b.read {
	case 1:
		close(b.reading)
		return copy(p, "byt"), nil
	case 2:
		<-b.rest
		return copy(p, "es"), io.EOF
	}
	return 0, io.EOF
}

// Deleting a world waits for its requests in progress.
func TestDeleteDrains(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	w, err := s.CreateWorld(t.Context(), control.NewWorld{Name: "one"})
	require.NoError(t, err)
	_, v := as(t, w.Secrets["core"], "POST", s.URL()+"/v1/uploads", anUpload)
	body := &slowBody{reading: make(chan struct{}), rest: make(chan struct{})}
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPut, v["upload_url"].(string), body)
	req.Header.Set("Content-Type", "audio/wav")
	req.ContentLength = 5
	answer, answered, deleted := httptest.NewRecorder(), make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(answered)
		s.Handler().ServeHTTP(answer, req)
	}()
	<-body.reading
	go func() { deleted <- s.DeleteWorld(t.Context(), "one") }()
	for len(s.Worlds()) > 1 {
		runtime.Gosched()
	}
	select {
	case err := <-deleted:
		t.Fatalf("deleted while a request is in progress: %v", err)
	default:
	}
	close(body.rest)
	<-answered
	require.Equal(t, 200, answer.Code)
	require.NoError(t, <-deleted)
}

// A world that is created while the one of its name is deleted writes to the stream of its own, not to the ended one.
func TestCreateDuringDelete(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it creates 1,500 worlds")
	s, err := emulator.New(t.Context(), emulator.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	_, err = s.CreateWorld(t.Context(), control.NewWorld{Name: "x"})
	require.NoError(t, err)
	for range 1500 {
		var both sync.WaitGroup
		both.Go(func() { _ = s.DeleteWorld(t.Context(), "x") })
		both.Go(func() {
			for engine.CodeOf(func() error { _, err := s.CreateWorld(t.Context(), control.NewWorld{Name: "x"}); return err }()) == engine.CodeConflict {
				runtime.Gosched()
			}
		})
		both.Wait()
		require.True(t, s.Streams("x"))
	}
}
