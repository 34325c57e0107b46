package emulator_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A replay returns the recorded statuses and bodies, including signed URLs, faults, and aborted connections, and reports
// differences.
func TestReplay(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it runs whole jobs twice")
	c := newClient(t, emulator.Options{Seed: 5, Clock: emulator.ClockManual})
	c.record("conversation.wav")
	c.json(200, "POST", "/_soundstage/capsule/start", "")
	c.json(201, "POST", "/_soundstage/faults", `{"match":{"op":"*","nth":6},"do":{"status":503}}`)
	id := c.record("conversation.wav")
	c.advance(`{"by":"10s"}`)
	c.json(200, "GET", "/v1/recordings/"+id, "")
	c.json(404, "GET", "/v1/recordings/none", "")
	raw := c.do("GET", "/_soundstage/capsule", "").Body.Bytes()
	recorded, err := capsule.Parse(raw)
	require.NoError(t, err)
	require.Empty(t, recorded.Incomplete)
	require.Len(t, recorded.Requests, 7)

	var all []emulator.Replayed
	replay := func(until int) []emulator.Replayed {
		all = nil
		require.NoError(t, emulator.Replay(t.Context(), recorded, until, func(x emulator.Replayed) { all = append(all, x) }))
		return all
	}
	for _, x := range replay(0) {
		require.True(t, x.Same, "%+v", x)
	}
	require.Len(t, all, 7)
	require.Len(t, replay(2), 2)
	recorded.Requests[5].Status = 500
	require.False(t, replay(6)[5].Same)
}

// A replay returns the same ids, order, and answers of sinks although jobs run concurrently. It does so for every number of processors.
func TestReplayOfConcurrentJobs(t *testing.T) {
	slow.Skip(t, "it runs many jobs again and again")
	c := newClient(t, emulator.Options{Seed: 5, Clock: emulator.ClockManual})
	c.json(200, "POST", "/_soundstage/capsule/start", "")
	hook := c.json(200, "POST", "/_soundstage/webhooks/sink", `{"status":[500,200]}`)["webhook_id"].(string)
	ids := []string{c.record("conversation.wav"), c.record("tone.wav"), c.record("conversation.wav"), c.record("conversation.wav")}
	c.json(202, "POST", "/v1/imports", `{"url":"https://magic.soundstage.test/ok.mp3"}`)
	url := c.json(201, "POST", "/v1/transcripts", `{"url":"https://magic.soundstage.test/ok.mp3"}`)["id"].(string)
	c.advance(`{"by":"1h"}`)
	c.json(201, "POST", "/v1/transcripts", `{"url":"https://magic.soundstage.test/ok.mp3"}`)
	c.json(200, "GET", "/v1/transcripts/"+url, "")
	c.json(200, "GET", "/v1/webhooks/"+hook+"/deliveries?limit=100", "")
	c.json(200, "GET", "/v1/recordings", "")
	for _, id := range ids {
		c.json(200, "GET", "/v1/recordings/"+id+"/outputs", "")
	}
	requireSameReplays(t, c)
}

// A replay returns the same steps, although each poll lets several jobs continue.
func TestReplayOfSteps(t *testing.T) {
	slow.Skip(t, "it runs many jobs again and again")
	c := newClient(t, emulator.Options{Seed: 5, Clock: emulator.ClockSteps})
	c.json(200, "POST", "/_soundstage/capsule/start", "")
	hook := c.json(200, "POST", "/_soundstage/webhooks/sink", "{}")["webhook_id"].(string)
	ids := []string{c.record("conversation.wav"), c.record("conversation.wav")}
	for range 5 {
		for _, id := range ids {
			c.json(200, "GET", "/v1/recordings/"+id, "")
			c.json(200, "GET", "/v1/recordings/"+id+"/outputs", "")
		}
	}
	c.json(200, "GET", "/v1/webhooks/"+hook+"/deliveries?limit=100", "")
	requireSameReplays(t, c)
}

// requireSameReplays replays the client's capsule with several numbers of processors.
func requireSameReplays(t *testing.T, c *client) {
	t.Helper()
	recorded, err := capsule.Parse(c.do("GET", "/_soundstage/capsule", "").Body.Bytes())
	require.NoError(t, err)
	for _, processors := range []int{1, 2, 4, 8} {
		before := runtime.GOMAXPROCS(processors)
		err := emulator.Replay(t.Context(), recorded, 0, func(x emulator.Replayed) { require.True(t, x.Same, "%d processors: %+v", processors, x) })
		runtime.GOMAXPROCS(before)
		require.NoError(t, err)
	}
}

// Parse rejects invalid capsules.
func TestCapsuleRejected(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"":   "not a capsule",
		"{}": "not a capsule",
		`{"format":"soundstage-capsule","version":1`:                            "truncated",
		`{"format":"soundstage-capsule","version":2}`:                           "version 2",
		`{"format":"soundstage-capsule","version":1,"wrold":""}`:                "wrold",
		`{"format":"soundstage-capsule","version":1,"requests":[{"number":1}]}`: "Request 1",
	} {
		_, err := capsule.Parse([]byte(given))
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%q", given)
		require.True(t, strings.Contains(engine.Message(err), want), "%q: %v", given, err)
	}
	c := newClient(t, emulator.Options{})
	require.Contains(t, c.json(404, "GET", "/_soundstage/capsule", "")["hint"], "start")
	own := newClient(t, emulator.Options{Secrets: []emulator.Secret{{Value: "0123456789abcdef", Tier: engine.TierCore}}})
	own.json(409, "POST", "/_soundstage/capsule/start", "")
}
