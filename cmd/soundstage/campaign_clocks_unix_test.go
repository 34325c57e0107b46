//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Clocks of nodes that are 5 minutes apart make no difference: what one node signs, the other accepts, limits are exact, no job is taken from
// a worker that lives, and retries begin in time.
func TestCampaignClockOfNodes(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	if !canShiftClock {
		t.Skip("the clock of a process can be moved on Linux with amd64 only")
	}
	c := newCluster(t)
	hooks := newLateHooks(t)
	l := newLoad(t, c.hooks.URL)
	k := &clocks{cluster: c, load: l}
	for _, by := range []string{"150s", "-150s"} {
		c.env = []string{"SOUNDSTAGE_TEST_CLOCK=" + by}
		k.nodes = append(k.nodes, c.client(l, c.api("--rate-limit", "30,1000000,1000000"), 1))
		c.worker()
	}
	k.apart()
	_, err := k.nodes[0].call("POST", "/v1/webhooks", map[string]any{"url": hooks.URL, "events": []string{"transcript.completed", "output.completed"}}, 201)
	require.NoError(t, err)
	k.nodes[0].makeBase(&process{t: t, url: k.nodes[0].url})
	n := k.hold()
	k.uploads()
	k.cursors()
	k.assets()
	k.limits()
	k.release(n)
	hooks.check(t, 3+n)
}

// clocks are two API nodes and two workers, each pair with clocks that are 5 minutes apart.
type clocks struct {
	*cluster
	*load
	nodes []*loadClient // the one ahead, and the one behind
	since time.Time     // when both workers held jobs
}

// apart checks that the clocks are what the test needs.
func (k *clocks) apart() {
	var at []time.Time
	for _, n := range k.nodes {
		resp, err := http.Get(n.url + "/healthz")
		require.NoError(n.t, err)
		require.NoError(n.t, resp.Body.Close())
		date, err := http.ParseTime(resp.Header.Get("Date"))
		require.NoError(n.t, err)
		at = append(at, date)
	}
	require.InDelta(k.load.t, 300, at[0].Sub(at[1]).Seconds(), 10)
}

// uploads sends media to addresses that the other node signed, and checks the times of the recordings.
func (k *clocks) uploads() {
	t := k.load.t
	for i, signs := range k.nodes {
		other, media := k.nodes[1-i], signs.sound()
		address, object := signs.ask(t, len(media))
		require.NoError(t, other.put(strings.Replace(address, signs.url, other.url, 1), strings.NewReader(string(media)), len(media)))
		status, v := other.create(t, object)
		require.Equal(t, 201, status, "%v", v)
		r := v["recording"].(map[string]any)
		at, err := time.Parse(time.RFC3339, fmt.Sprint(r["created_at"]))
		require.NoError(t, err)
		require.InDelta(t, 0, time.Since(at).Seconds(), 30)
		(&process{t: t, url: signs.url}).waitStatus(fmt.Sprint(r["id"]), "completed")
	}
}

// cursors reads a list by turns from both nodes.
func (k *clocks) cursors() {
	seen, cursor := map[string]bool{}, ""
	for i := range 3 {
		v, err := k.nodes[i%2].call("GET", "/v1/recordings?limit=1"+cursor, nil, 200)
		require.NoError(k.load.t, err)
		for _, r := range v["recordings"].([]any) {
			seen[fmt.Sprint(r.(map[string]any)["id"])] = true
		}
		cursor = fmt.Sprint("&cursor=", v["next_cursor"])
	}
	require.Len(k.load.t, seen, 3)
}

// assets downloads a clip from the addresses that both nodes sign.
func (k *clocks) assets() {
	t := k.load.t
	v, err := k.nodes[0].call("POST", "/v1/renders", map[string]any{"recording_id": k.base.Load(), "start_ms": 0, "end_ms": 1000, "aspect_ratio": "original"}, 202)
	require.NoError(t, err)
	path := fmt.Sprint("/v1/renders/", v["render"].(map[string]any)["id"])
	for _, n := range k.nodes {
		var address string
		eventually(t, path, func() (string, bool) {
			v, err := n.call("GET", path, nil, 200)
			require.NoError(t, err)
			r := v["render"].(map[string]any)
			address = fmt.Sprint(r["asset_url"])
			return fmt.Sprint(r["status"]), r["status"] == "completed"
		})
		resp, err := http.Get(address)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 200, resp.StatusCode, "%s", address)
	}
}

// limits sends more requests than a key may, by turns to both nodes.
func (k *clocks) limits() {
	t := k.load.t
	secret, err := programCommand("keys", "create", "--database", k.pg.URL(), "--tier", "core").Output()
	require.NoError(t, err)
	statuses, resets := map[int]int{}, map[string]bool{}
	for i := range 40 {
		req, err := http.NewRequestWithContext(t.Context(), "GET", k.nodes[i%2].url+"/v1/spaces", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(secret)))
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		statuses[resp.StatusCode]++
		resets[resp.Header.Get("X-RateLimit-Reset")] = true
	}
	require.Equal(t, map[int]int{200: 30, 429: 10}, statuses)
	require.Len(t, resets, 1)
	for at := range resets {
		seconds, err := strconv.ParseInt(at, 10, 64)
		require.NoError(t, err)
		require.InDelta(t, 45, time.Until(time.Unix(seconds, 0)).Seconds(), 20)
	}
}

// hold makes both workers hold jobs, and returns how many.
func (k *clocks) hold() (n int) {
	t := k.load.t
	add := func() {
		n++
		_, err := k.nodes[n%2].call("POST", fmt.Sprint("/v1/recordings/", k.base.Load(), "/generate"), map[string]any{"prompt": fmt.Sprintf("Write about held-%d.", n)}, 202)
		require.NoError(t, err)
	}
	eventually(t, "workers", func() (string, bool) {
		busy := len(k.model.running(k.workers[0].name)) > 0 && len(k.model.running(k.workers[1].name)) > 0
		if !busy {
			require.Less(t, n, 20, "one worker gets no jobs")
			add()
			<-time.After(100 * time.Millisecond)
		}
		return "one is idle", busy
	})
	k.since = time.Now()
	return n
}

// release checks that no other worker took any of n jobs after all have looked at leases, and ends the jobs.
func (k *clocks) release(n int) {
	<-time.After(time.Until(k.since.Add(8 * time.Second))) // they look every 5 s
	for i := range n {
		require.Equal(k.load.t, 1, k.model.count(fmt.Sprintf("held-%d", i+1)))
	}
	k.model.release()
}

// lateHooks is a receiver that refuses each message once, and notes when it came.
type lateHooks struct {
	*httptest.Server
	mu    sync.Mutex
	came  map[string][]time.Time // by webhook-id
	wrong []string               // timestamps
}

func newLateHooks(t *testing.T) *lateHooks {
	t.Helper()
	h := &lateHooks{came: map[string][]time.Time{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h.mu.Lock()
		defer h.mu.Unlock()
		id := req.Header.Get("webhook-id")
		h.came[id] = append(h.came[id], time.Now())
		at, err := strconv.ParseInt(req.Header.Get("webhook-timestamp"), 10, 64)
		if off := time.Since(time.Unix(at, 0)); err != nil || off.Abs() > 30*time.Second {
			h.wrong = append(h.wrong, fmt.Sprint(at, " differs by ", off))
		}
		if len(h.came[id]) == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(h.Close)
	return h
}

// check waits for two attempts of each message, of which there are n or more. The second comes after 5 s, ± 10 %, and then at most 1 s late.
func (h *lateHooks) check(t *testing.T, n int) {
	t.Helper()
	var pauses durations
	eventually(t, "messages", func() (string, bool) {
		h.mu.Lock()
		defer h.mu.Unlock()
		twice := 0
		for _, came := range h.came {
			if len(came) > 1 {
				twice++
			}
		}
		return fmt.Sprintf("%d of %d", twice, max(n, len(h.came))), twice >= max(n, len(h.came))
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	require.Empty(t, h.wrong)
	for id, came := range h.came {
		require.Len(t, came, 2, id)
		pause := came[1].Sub(came[0])
		pauses.add(pause)
		require.Greater(t, pause, 4400*time.Millisecond, id)
		require.Less(t, pause, 15*time.Second, id) // also on a busy machine
	}
	t.Logf("second attempts of webhooks after %v", &pauses)
}
