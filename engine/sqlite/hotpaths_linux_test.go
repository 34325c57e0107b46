package sqlite_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/internal/hotpaths"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// TestHotPaths compares the statements of the hottest paths, and what a durable job writes, with testdata/hotpaths.golden. A transaction's BEGIN
// and COMMIT are statements, too.
func TestHotPaths(t *testing.T) {
	slow.Skip(t, "the race detector changes no count")
	path := newPath(t)
	s := openAt(t, path)
	var statements atomic.Int64
	s.CountStatements(func(string) { statements.Add(1) })
	count := func(path string, run func(i int)) hotpaths.Count {
		const n = 10
		run(0) // fills caches
		before := statements.Load()
		for i := range n {
			run(i + 1)
		}
		return hotpaths.Count{Path: path, What: "statements", Value: float64(statements.Load()-before) / n}
	}
	all := []hotpaths.Count{count("durable job", func(i int) {
		update(t, s, func(tx engine.Tx) error { return recordingAndJob(tx, i) })
	})}
	all = append(all, durableJob(t)...)
	update(t, s, func(tx engine.Tx) error { // so that the engine below doesn't find them
		for i := range 11 {
			if err := tx.DeleteJob(job(fmt.Sprint(i)).ID); err != nil {
				return err
			}
		}
		return nil
	})
	sender := &sender{}
	e, err := engine.New(engine.Config{Store: s, Blobs: memory.NewBlobs(), Sender: sender})
	require.NoError(t, err)
	me, err := e.CreateAccount(t.Context(), engine.NewAccount{Name: "Studio", SpaceID: "space"})
	require.NoError(t, err)
	for _, r := range requests(t, e, me) {
		all = append(all, count(r.path, func(int) { r.send() }))
	}
	hook, _, err := e.CreateWebhook(t.Context(), me, engine.NewWebhook{URL: "https://example.com/hook", Events: engine.EventTypes()})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { require.NoError(t, e.Run(ctx)) })
	delivery := count("webhook delivery", func(i int) {
		_, err := e.TestWebhook(ctx, me, hook.ID)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			left := queryFile(t, path, "SELECT count(*) FROM jobs WHERE kind = ? AND status <> 'completed'", string(engine.JobDeliver))
			return sender.sent.Load() == int64(i+1) && left[0] == "0"
		}, time.Minute, 5*time.Millisecond)
	})
	stop()
	running.Wait()
	delivery.Tolerance = 0.1 // a worker may look for another job once more
	hotpaths.Check(t, "testdata/hotpaths.golden", append(all, delivery))
}

// request is a request of a usual client.
type request struct {
	path string
	send func()
}

// requests returns requests to the API of an engine whose space has recordings.
func requests(t *testing.T, e *engine.Engine, me engine.Caller) (all []request) {
	_, secret, err := e.CreateKey(t.Context(), me, engine.NewKey{})
	require.NoError(t, err)
	signer, err := files.NewSigner(files.Key{ID: "2026", Secret: []byte(strings.Repeat("s", 32))})
	require.NoError(t, err)
	handler := api.New(api.Config{Engine: e, Signer: signer})
	send := func(target string) []byte {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Authorization", "Bearer "+secret)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code, "%s: %s", target, w.Body)
		return w.Body.Bytes()
	}
	cursor := regexp.MustCompile(`"next_cursor":"([^"]+)"`).FindSubmatch(send("/v1/recordings?limit=2"))
	require.NotEmpty(t, cursor)
	for _, r := range []struct{ path, target string }{
		{"simple GET", "/v1/recordings/" + string(recording("space", 3).ID)},
		{"list from a cursor", "/v1/recordings?limit=25&cursor=" + url.QueryEscape(string(cursor[1]))},
		{"search", "/v1/search?query=episode"},
	} {
		all = append(all, request{r.path, func() { send(r.target) }})
	}
	return all
}

// sender accepts webhooks.
type sender struct{ sent atomic.Int64 }

func (*sender) Check(context.Context, string) error { return nil }

func (s *sender) Send(context.Context, engine.SendRequest) (engine.SendResponse, error) {
	s.sent.Add(1)
	return engine.SendResponse{Status: 200}, nil
}

// durableJob returns what a recording and its job cost the disk if each commit waits for it: calls that make bytes durable, and bytes written. strace
// counts them in a child process.
func durableJob(t *testing.T) []hotpaths.Count {
	const jobs = 20
	one, many := traced(t, 1), traced(t, 1+jobs)
	counts := []hotpaths.Count{
		{Path: "durable job", What: "calls of fsync or fdatasync"}, {Path: "durable job", What: "bytes written", Tolerance: 0.02},
	}
	for i := range counts {
		counts[i].Value = float64(many[i]-one[i]) / jobs
	}
	return counts
}

var (
	syncCall  = regexp.MustCompile(`\b(?:fsync|fdatasync)\(.* = 0$|(?:fsync|fdatasync) resumed>.* = 0$`)
	writeCall = regexp.MustCompile(`\bpwrite64\b.* = (\d+)$`)
)

// traced returns the calls that make bytes durable and the bytes written by a process that commits jobs.
func traced(t *testing.T, jobs int) (n [2]int) {
	log := filepath.Join(t.TempDir(), "strace")
	own := child(t, "jobs", newPath(t))
	cmd := exec.CommandContext(t.Context(), "strace", "-f", "--seccomp-bpf", "-e", "signal=none", "-e", "trace=fsync,fdatasync,pwrite64", "-s", "0", "-o", log, own.Path)
	cmd.Env = append(own.Env, jobsEnv+"="+strconv.Itoa(jobs))
	out, err := cmd.CombinedOutput()
	if err != nil && os.Getenv("CI") != "true" {
		t.Skipf("strace can't count: %v: %s", err, out)
	}
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
	raw, err := os.ReadFile(log)
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if syncCall.MatchString(line) {
			n[0]++
		} else if m := writeCall.FindStringSubmatch(line); m != nil {
			written, _ := strconv.Atoi(m[1])
			n[1] += written
		}
	}
	return n
}
