package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// hook subscribes a receiver with the given handler and returns the webhook's path.
func (c *client) hook(answer http.HandlerFunc) string {
	c.t.Helper()
	receiver := httptest.NewServer(answer)
	c.t.Cleanup(receiver.Close)
	w := c.json(201, "POST", "/v1/webhooks", `{"url":"`+receiver.URL+`","events":["transcript.completed","output.completed"]}`)
	return "/v1/webhooks/" + w["webhook"].(map[string]any)["id"].(string)
}

// firedOf returns the events in an advance's response, as "time-since-start kind status".
func firedOf(t *testing.T, v map[string]any) (list []string) {
	t.Helper()
	for _, f := range v["fired"].([]any) {
		m := f.(map[string]any)
		at, err := time.Parse(time.RFC3339Nano, m["at"].(string))
		require.NoError(t, err)
		list = append(list, at.Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)).String()+" "+m["kind"].(string)+" "+m["status"].(string))
	}
	return list
}

// With a frozen clock nothing happens by itself. An advance returns when everything due has happened, webhooks included.
func TestManualClock(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual, AllowPrivateURLs: true})
	var mu sync.Mutex
	got := 0
	hook := c.hook(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got++
	})
	id := c.record("tone.wav")
	for range 3 {
		require.Equal(t, "queued", c.status("/v1/recordings/"+id))
	}
	v := c.advance(`{"by":"999ms"}`)
	require.Empty(t, v["fired"])
	require.Equal(t, "queued", c.status("/v1/recordings/"+id))
	v = c.advance(`{"next_event":true}`)
	require.Equal(t, []string{"1s transcript.transcribe processing"}, firedOf(t, v))
	require.Equal(t, "processing", c.status("/v1/recordings/"+id))
	clock := c.json(200, "GET", "/_soundstage/clock", "")
	require.Equal(t, "manual", clock["mode"])
	require.Equal(t, "2026-01-01T00:00:01Z", clock["now"])
	require.Equal(t, 0.0, clock["rate"])
	first := clock["pending"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"at": "2026-01-01T00:00:03Z", "kind": "transcript.transcribe", "resource": id, "status": "processing"}, first)
	v = c.advance(`{"until":{"resource":"` + id + `","status":"completed"}}`)
	require.Equal(t, true, v["settled"])
	require.Equal(t, "2026-01-01T00:00:03Z", v["now"])
	list := firedOf(t, v)
	require.Subset(t, list, []string{"3s transcript.transcribe completed", "3s transcript.diarize completed"})
	require.Contains(t, list, "3s webhook.deliver delivered")
	mu.Lock()
	require.Equal(t, 1, got)
	mu.Unlock()
	require.Equal(t, "completed", c.status("/v1/recordings/"+id))
	require.Equal(t, "delivered", c.json(200, "GET", hook+"/deliveries", "")["deliveries"].([]any)[0].(map[string]any)["status"])
	v = c.advance(`{"to":"2026-03-01T00:00:00Z"}`)
	require.Equal(t, "2026-03-01T00:00:00Z", v["now"], "%v", v["running"])
}

// Events of several resources happen in order of their times.
func TestAdvanceOrder(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual})
	recording := c.record("conversation.wav")
	c.advance(`{"by":"1h"}`)
	c.things(recording)
	v := c.advance(`{"by":"1h"}`)
	require.Equal(t, true, v["settled"])
	var last time.Time
	kinds := map[string]bool{}
	for _, f := range v["fired"].([]any) {
		m := f.(map[string]any)
		at, err := time.Parse(time.RFC3339Nano, m["at"].(string))
		require.NoError(t, err)
		require.False(t, at.Before(last), "%v", m)
		last = at
		kinds[m["kind"].(string)] = true
	}
	for _, kind := range []string{"output.generate", "chat.answer", "import.download", "transcript.download", "transcript.transcribe", "render.render", "suggestions.make"} {
		require.True(t, kinds[kind], kind)
	}
}

// A receiver that fails for a month gets the documented retry schedule, each wait within 10 %, and the month passes in no time. The
// same seed gives the same waits, another seed others.
func TestSchedule(t *testing.T) {
	t.Parallel()
	first := attemptsOfAMonth(t, 1)
	require.Equal(t, first, attemptsOfAMonth(t, 1))
	require.NotEqual(t, first, attemptsOfAMonth(t, 2))
	var last time.Duration
	for i, wait := range engine.DefaultWebhookRetry() {
		at, what, _ := strings.Cut(first[i], " ")
		fired, err := time.ParseDuration(at)
		require.NoError(t, err)
		require.InDelta(t, float64(wait), float64(fired-last), 0.1*float64(wait), first[i])
		require.NotEqual(t, wait, fired-last, "not spread")
		last = fired
		want := "webhook.deliver retrying"
		if i == len(engine.DefaultWebhookRetry())-1 {
			want = "webhook.deliver failed"
		}
		require.Equal(t, want, what)
	}
	require.Len(t, first, len(engine.DefaultWebhookRetry()))
}

// attemptsOfAMonth returns what happens while a test event fails for 30 days.
func attemptsOfAMonth(t *testing.T, seed uint64) []string {
	t.Helper()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual, AllowPrivateURLs: true, Seed: seed})
	hook := c.hook(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	c.json(202, "POST", hook+"/test", "")
	c.json(200, "POST", "/_soundstage/idle", `{}`) // the first attempt is due immediately: let it end first
	begun := time.Now()
	v := c.advance(`{"by":"30d"}`)
	require.Less(t, time.Since(begun), time.Minute)
	require.Equal(t, "2026-01-31T00:00:00Z", v["now"])
	return firedOf(t, v)
}

// A receiver that never responds delays an advance only for AdvanceWait. The response lists what still runs, and the clock stays.
func TestSilentReceiver(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual, AllowPrivateURLs: true, AdvanceWait: 200 * time.Millisecond})
	release := make(chan struct{})
	hook := c.hook(func(_ http.ResponseWriter, req *http.Request) {
		select {
		case <-release:
		case <-req.Context().Done():
		}
	})
	t.Cleanup(func() { close(release) })
	c.json(202, "POST", hook+"/test", "")
	v := c.advance(`{"by":"1h"}`)
	require.Equal(t, false, v["settled"])
	require.Equal(t, "2026-01-01T00:00:00Z", v["now"])
	running := v["running"].([]any)
	require.Len(t, running, 1)
	require.Equal(t, "webhook.deliver", running[0].(map[string]any)["kind"])
	idle := c.json(504, "POST", "/_soundstage/idle", `{"timeout_ms":50}`)
	require.NotEmpty(t, idle["error"])
}

// Held webhooks never delay idle or an advance. Idle waits for released ones.
func TestHeldWebhooksAreIdle(t *testing.T) {
	t.Parallel()
	for _, mode := range []emulator.ClockMode{emulator.ClockManual, emulator.ClockAuto} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			c := newClient(t, emulator.Options{Clock: mode, AllowPrivateURLs: true})
			var arrived atomic.Int64
			hook := c.hook(func(http.ResponseWriter, *http.Request) { arrived.Add(1) })
			c.json(200, "POST", "/_soundstage/webhooks/hold", "{}")
			for range 3 {
				c.json(202, "POST", hook+"/test", "")
			}
			require.Equal(t, true, c.advance(`{"by":"1h"}`)["settled"])
			c.json(200, "POST", "/_soundstage/idle", "")
			require.Zero(t, arrived.Load())
			c.json(200, "POST", "/_soundstage/webhooks/release", "")
			c.json(200, "POST", "/_soundstage/idle", "")
			require.EqualValues(t, 3, arrived.Load())
		})
	}
}

// Invalid advances and clock settings are rejected with an error that says why.
func TestBadAdvance(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual})
	id := c.record("tone.wav")
	const nobody = "00000000-0000-4000-8000-000000000099"
	for body, want := range map[string]struct {
		status int
		word   string
	}{
		``:                                    {400, "exactly one"},
		`{}`:                                  {400, "exactly one"},
		`{"by":"1s","next_event":true}`:       {400, "exactly one"},
		`{"by":"-1s"}`:                        {400, "backwards"},
		`{"by":"soon"}`:                       {400, "must be a duration"},
		`{"by":7}`:                            {400, "must be a duration"},
		`{"by":"36600d"}`:                     {400, "100 years"},
		`{"to":"2025-12-31T23:59:59Z"}`:       {400, "backwards"},
		`{"to":"2126-12-31T23:59:59Z"}`:       {400, "100 years"},
		`{"to":"tomorrow"}`:                   {400, "not a valid time"},
		`{"at":"1s"}`:                         {400, "Unknown field"},
		`[]`:                                  {400, ""},
		`{"until":{"resource":"` + id + `"}}`: {400, "status"},
		`{"until":{"resource":"x","status":"completed"}}`:              {404, "no resource"},
		`{"until":{"resource":"` + nobody + `","status":"completed"}}`: {404, "no resource"},
		`{"until":{"resource":"` + id + `","status":"rendering"}}`:     {400, "never"},
		`{"until":{"resource":"` + id + `","status":"error"}}`:         {409, "completed"},
	} {
		v := c.json(want.status, "POST", "/_soundstage/clock/advance", body)
		require.Contains(t, v["error"], want.word, body)
	}
	v := c.json(409, "POST", "/_soundstage/clock/advance", `{"until":{"resource":"`+id+`","status":"queued"}}`)
	require.Contains(t, v["error"], "completed")
	for body, word := range map[string]string{
		`{}`: "at least", `{"mode":"fast"}`: "not a clock mode", `{"mode":"scaled"}`: "rate", `{"rate":3}`: "rate", `{"mode":"scaled","rate":0}`: "rate",
		`{"now":"2025-01-01T00:00:00Z"}`: "backwards", `{"now":"2199-01-01T00:00:00Z"}`: "100 years", `{"x":1}`: "Unknown field",
	} {
		require.Contains(t, c.json(400, "PUT", "/_soundstage/clock", body)["error"], word, body)
	}
	require.Contains(t, c.json(400, "POST", "/_soundstage/idle", `{"timeout_ms":0}`)["error"], "timeout_ms")
	c.json(404, "POST", "/_soundstage/clock/advance?world=other", `{"by":"1s"}`)
}

// The clock never shows a time that JSON can't represent, and a snapshot at the last possible time can be restored.
func TestEndOfTime(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual})
	c.json(200, "POST", "/_soundstage/clock/advance", `{"to":"2120-01-01T00:00:00Z"}`)
	c.json(200, "POST", "/_soundstage/clock/advance", `{"to":"2200-12-31T23:59:59Z"}`)
	require.Contains(t, c.json(400, "POST", "/_soundstage/clock/advance", `{"by":"1s"}`)["error"], "1970 to 2200")
	id := c.record("tone.wav")
	require.Equal(t, "queued", c.json(200, "GET", "/v1/recordings/"+id, "")["recording"].(map[string]any)["transcript_status"])
	kept := c.do("GET", "/_soundstage/snapshot", "")
	require.Equal(t, 200, kept.Code)
	require.Less(t, c.do("PUT", "/_soundstage/snapshot", kept.Body.String()).Code, 300)
	c.json(200, "GET", "/v1/recordings/"+id, "")
}

// A running clock can't be advanced. Once it is set to manual, it can.
func TestSetClock(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: "scaled:0.001"})
	require.Equal(t, "scaled:0.001", c.json(200, "GET", "/_soundstage/health", "")["clock"])
	id := c.record("tone.wav")
	require.Contains(t, c.json(409, "POST", "/_soundstage/clock/advance", `{"by":"1s"}`)["error"], "scaled")
	v := c.json(200, "PUT", "/_soundstage/clock", `{"mode":"manual"}`)
	require.Equal(t, "manual", v["mode"])
	c.advance(`{"until":{"resource":"` + id + `","status":"processing"}}`)
	v = c.json(200, "PUT", "/_soundstage/clock", `{"mode":"scaled:1000"}`)
	require.Equal(t, 1000.0, v["rate"])
	require.Equal(t, "idle", c.json(200, "POST", "/_soundstage/idle", "")["status"])
	require.Equal(t, "completed", c.status("/v1/recordings/"+id))
}

// In mode steps, each further poll of a resource shows its next state, and nothing else changes it.
func TestSteps(t *testing.T) {
	slow.Short(t, "it renders a clip")
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockSteps, AllowPrivateURLs: true})
	id := c.record("conversation.wav")
	path := "/v1/recordings/" + id
	for _, want := range []string{"queued", "processing", "completed", "completed"} {
		c.json(200, "GET", "/v1/recordings", "")
		require.Equal(t, want, c.status(path))
	}
	paths := c.things(id)
	for _, noun := range []string{"output", "chat", "import", "transcript", "render", "suggestions"} {
		want := map[string][]string{
			"output": {"queued", "completed"}, "chat": {"queued", "completed"}, "import": {"queued", "processing", "completed"},
			"transcript": {"queued", "processing", "completed"}, "render": {"rendering", "completed"},
		}[noun]
		if noun == "suggestions" {
			require.NotEqual(t, "0", c.status(paths[noun]), "the second poll") // the first poll has requested them
			continue
		}
		if noun != "output" { // the polls before have advanced the clock for the others
			last := ""
			for range 4 {
				last = c.status(paths[noun])
				require.Contains(t, want, last, noun)
			}
			require.Equal(t, "completed", last, noun)
			continue
		}
		for _, state := range want {
			require.Equal(t, state, c.status(paths[noun]), noun)
		}
	}
	for noun, want := range map[string][]string{"import": {"queued", "processing", "completed"}, "transcript": {"queued", "processing", "completed"}} {
		body := `{"url":"https://www.youtube.com/watch?v=three"}`
		key, status := "id", 201
		if noun == "import" {
			key, status = "import_id", 202
		}
		path := "/v1/" + noun + "s/" + c.json(status, "POST", "/v1/"+noun+"s", body)[key].(string)
		for _, state := range want {
			require.Equal(t, state, c.status(path), noun)
		}
	}
}

// In mode steps, each further poll of a webhook's deliveries shows the next attempt of the documented schedule.
func TestStepsOfDeliveries(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockSteps, AllowPrivateURLs: true})
	hook := c.hook(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	c.json(202, "POST", hook+"/test", "")
	for attempts := 1; attempts <= 10; attempts++ {
		d := c.json(200, "GET", hook+"/deliveries", "")["deliveries"].([]any)[0].(map[string]any)
		if attempts > 1 { // the first attempt may or may not be complete at the first poll
			require.Len(t, d["attempts"], attempts)
		}
	}
}

// In mode auto, the first poll of a resource shows its final state, and the resource passed through every state.
func TestAutoClock(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs many jobs")
	c := newClient(t, emulator.Options{AllowPrivateURLs: true})
	got := make(chan string, 100)
	c.hook(func(_ http.ResponseWriter, req *http.Request) { got <- req.Header.Get("webhook-timestamp") })
	id := c.record("conversation.wav")
	require.Equal(t, "completed", c.status("/v1/recordings/"+id))
	for noun, path := range c.things(id) {
		if status := c.status(path); noun == "suggestions" {
			require.NotEqual(t, "0", status)
		} else {
			require.Equal(t, "completed", status, noun)
		}
	}
	<-got
	c.record("tone.wav")
	for range 2 { // for the output and the second transcript, which nobody polls
		<-got
	}
	now := c.json(200, "GET", "/_soundstage/clock", "")
	require.Equal(t, "auto", now["mode"])
	c.record("tone.wav")
	require.Equal(t, "idle", c.json(200, "POST", "/_soundstage/idle", "")["status"])
	for _, r := range c.json(200, "GET", "/v1/recordings", "")["recordings"].([]any) {
		require.Equal(t, "completed", r.(map[string]any)["transcript_status"])
	}
}

// Signed URLs expire in virtual time, and rate limits are measured in it.
func TestVirtualTimeEverywhere(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual, RateLimits: map[engine.Tier]int{engine.TierPlatform: 2}})
	up := c.json(201, "POST", "/v1/uploads", anUpload)
	c.json(200, "GET", "/v1/spaces", "")
	limited := c.do("GET", "/v1/spaces", "")
	require.Equal(t, 429, limited.Code)
	require.Equal(t, "60", limited.Header().Get("Retry-After"))
	require.Equal(t, "Thu, 01 Jan 2026 00:00:00 GMT", limited.Header().Get("Date"))
	c.advance(`{"by":"60s"}`)
	c.json(200, "GET", "/v1/spaces", "")
	url := strings.TrimPrefix(up["upload_url"].(string), "http://example.com")
	c.advance(`{"by":"28m59s"}`)
	require.Equal(t, 200, c.do("PUT", url, "12345", "Content-Type", "audio/wav").Code)
	c.advance(`{"by":"1s"}`)
	require.Equal(t, 403, c.do("PUT", url, "12345", "Content-Type", "audio/wav").Code)
}

// In mode steps each resource has its own steps: polls of others, also by users who may not see it, don't change what its next poll shows.
func TestOwnSteps(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockSteps})
	create := func() string {
		return "/v1/transcripts/" + c.json(201, "POST", "/v1/transcripts", `{"url":"https://magic.soundstage.test/ok.mp3"}`)["id"].(string)
	}
	steps := []string{"queued", "processing", "completed", "completed"}
	a, b, d := create(), create(), create()
	for _, want := range steps {
		require.Equal(t, want, c.status(a))
		require.Equal(t, 404, c.do("GET", d, "", "Authorization", "Bearer sk_sandbox_other").Code)
	}
	for _, want := range steps {
		require.Equal(t, want, c.status(b))
		require.Equal(t, want, c.status(d))
	}
	one, other := "/v1/recordings/"+c.record("conversation.wav"), "/v1/recordings/"+c.record("conversation.wav")
	for _, want := range steps {
		require.Equal(t, want, c.status(one))
		require.Equal(t, want, c.status(other))
	}
	require.Equal(t, "2026-01-01T00:00:00Z", c.json(200, "GET", "/_soundstage/clock", "")["now"])
}

// With a manual clock, no resource shows anything new before the clock moves, and each then takes as long as it says.
func TestNothingBeginsBeforeTheClockMoves(t *testing.T) {
	t.Parallel()
	c := newClient(t, emulator.Options{Clock: emulator.ClockManual})
	recording := c.record("conversation.wav")
	c.advance(`{"by":"1h"}`)
	paths := c.things(recording)
	paths["url"] = "/v1/transcripts/" + c.json(201, "POST", "/v1/transcripts", `{"url":"https://magic.soundstage.test/ok.mp3"}`)["id"].(string)
	paths["magic"] = "/v1/imports/" + c.json(202, "POST", "/v1/imports", `{"url":"https://magic.soundstage.test/ok.mp3"}`)["import_id"].(string)
	clockAt := func(v any) time.Time {
		at, err := time.Parse(time.RFC3339, v.(string))
		require.NoError(t, err)
		return at
	}
	now, waiting := clockAt(c.json(200, "GET", "/_soundstage/clock", "")["now"]), 0
	for _, v := range c.json(200, "GET", "/_soundstage/jobs?limit=100", "")["jobs"].([]any) {
		job := v.(map[string]any)
		if job["status"] == "completed" {
			continue
		}
		require.Equal(t, "queued", job["status"], "%v", job)
		require.True(t, clockAt(job["run_at"]).After(now), "%v", job)
		waiting++
	}
	require.GreaterOrEqual(t, waiting, len(paths))
	c.advance(`{"by":"4999ms"}`)
	require.Equal(t, "rendering", c.status(paths["render"]))
	c.advance(`{"by":"1ms"}`)
	require.Equal(t, "completed", c.status(paths["render"]))
}
