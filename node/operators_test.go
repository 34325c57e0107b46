package node_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api/contract"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/internal/browsertest"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/s3test"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/node"
)

const controlToken = "fedcba9876543210fedcba9876543210"

// operate sends a request to the operators' part of a node.
func (r *running) operate(method, path string, header ...string) (int, http.Header, map[string]any) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, nil)
	require.NoError(r.t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(r.t, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(r.t, err)
	var v map[string]any
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		require.NoError(r.t, json.Unmarshal(text, &v), "%s", text)
	}
	return res.StatusCode, res.Header, v
}

// ask sends a request with the token, requires a status, and returns the JSON.
func (r *running) ask(status int, method, path string) map[string]any {
	r.t.Helper()
	got, _, v := r.operate(method, path, "X-Soundstage-Token", controlToken)
	require.Equal(r.t, status, got, "%s %s: %v", method, path, v)
	return v
}

// operatorPaths are requests of the operators' part.
var operatorPaths = map[string]string{
	"/_soundstage/health": "GET", "/_soundstage/recordings": "GET", "/_soundstage/jobs": "GET", "/_soundstage/deliveries": "GET", "/_soundstage/jobs/x": "GET",
	"/_soundstage/jobs/x/cancel": "POST", "/_soundstage/deliveries/x/replay": "POST", "/_soundstage/none": "GET",
}

// Without a token, a node has no operators' console: nothing answers there.
func TestNoOperators(t *testing.T) {
	t.Parallel()
	r := start(t, node.Config{Store: newShared(), Blobs: memory.NewBlobs()})
	for path, method := range operatorPaths {
		for _, sent := range []string{"", controlToken} {
			status, _, v := r.operate(method, path, "X-Soundstage-Token", sent)
			require.Equal(t, 404, status, path)
			require.NotContains(t, v["error"], "token", path)
		}
	}
	for _, path := range []string{"/_soundstage/console/", "/_soundstage/console", "/_soundstage/console/operators.html"} {
		status, _, _ := r.operate("GET", path)
		require.Equal(t, 404, status, path)
	}
}

// With a token, the pages are public, and every request for data needs the token. Failures are limited; the right token is not.
func TestOperatorsNeedTheToken(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	r := start(t, node.Config{Store: newShared(), Blobs: memory.NewBlobs(), ControlToken: controlToken, Log: slog.New(slog.NewTextHandler(&log, nil))})
	status, header, _ := r.operate("GET", "/_soundstage/console/")
	require.Equal(t, 200, status)
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'")
	for path, method := range operatorPaths {
		status, _, v := r.operate(method, path)
		require.Equal(t, 401, status, path)
		require.Equal(t, "The operators' console requires the control token.", v["error"])
	}
	statuses := map[int]int{}
	for _, sent := range []string{controlToken[1:], controlToken + "0", strings.ToUpper(controlToken), "wrong", "x\ty", "Bearer " + controlToken} {
		status, header, _ := r.operate("GET", "/_soundstage/jobs", "X-Soundstage-Token", sent)
		if statuses[status]++; status == 429 {
			require.Regexp(t, `^[1-7]$`, header.Get("Retry-After"))
		}
	}
	require.Equal(t, map[int]int{401: 2, 429: 4}, statuses, "10 failures are allowed at once, and 8 were above")
	for range 20 {
		r.ask(200, "GET", "/_soundstage/health")
	}
	status, _, _ = r.operate("GET", "/_soundstage/jobs", "Authorization", "bearer "+controlToken)
	require.Equal(t, 200, status)
	status, _, _ = r.operate("GET", "/_soundstage/jobs", "Authorization", "Bearer "+controlToken[1:])
	require.Equal(t, 429, status)
	require.Equal(t, 2, strings.Count(log.String(), "wrong control token"))
	require.NotContains(t, log.String(), controlToken[1:])
}

// A path that is not exact leads nowhere, with or without a secret or a token.
func TestInexactPaths(t *testing.T) {
	t.Parallel()
	r := start(t, node.Config{Store: newShared(), Blobs: memory.NewBlobs(), ControlToken: controlToken})
	for path, want := range map[string]int{
		"//v1/prompts": 401, "/v1/recordings//transcript": 401, "/v1": 401, "//_soundstage/jobs": 404, "/_soundstage//jobs": 404, "/_soundstage": 404,
		"//healthz": 404,
	} {
		status, _, v := r.operate("GET", path, "X-Soundstage-Token", controlToken)
		require.Equal(t, want, status, path)
		require.NotEmpty(t, v["error"], path)
	}
	status, _, _ := r.operate("GET", "/_soundstage")
	require.Equal(t, 401, status)
}

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// A token that can be guessed, or that a header can't have, is refused.
func TestControlTokens(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"short", controlToken[1:], controlToken + " x", controlToken + "\n", controlToken + "é"} {
		keys, err := node.ParseSigningKeys([]byte(signingKey))
		require.NoError(t, err)
		l := listen(t)
		_, err = node.New(t.Context(), node.Config{Store: newShared(), Blobs: memory.NewBlobs(), SigningKeys: keys, API: l, ControlToken: token})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), token)
		require.ErrorContains(t, err, "A control token must")
		require.NotContains(t, err.Error(), controlToken[1:])
		require.NoError(t, l.Close())
	}
}

const hostileTitle = `</script><img src=x onerror=alert(1)> & "talk"`

// On PostgreSQL and S3, operators see the recordings, jobs, and deliveries of all accounts. They cancel jobs, make them due, and send deliveries
// again. Jobs have the form of the sandbox's contract. In a browser, a person does the same, and hostile texts stay text.
func TestOperators(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Short(t, "it starts servers")
	var mu sync.Mutex
	healthy, received := false, 0
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if received++; !healthy {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	t.Cleanup(receiver.Close)
	database, bucket := pgtest.Database(t), s3test.New(t)
	r := joinCluster(t, database, bucket, node.Config{ControlToken: controlToken, Version: "1.2.3"})
	joinCluster(t, database, bucket, node.Config{Work: true})
	c := r.client()
	c.do(201, "POST", "/v1/webhooks", map[string]any{"url": receiver.URL + "/hook?key=secret", "events": []string{"transcript.completed"}})
	sound := sample(t, "conversation.wav")
	up := c.do(201, "POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": len(sound), "title": hostileTitle})
	put, text, _ := c.send("PUT", up["upload_url"].(string), sound, "audio/wav")
	require.Equal(t, 200, put, "%s", text)
	id := c.do(201, "POST", "/v1/recordings", map[string]any{"object_id": up["object_id"]})["recording"].(map[string]any)["id"].(string)
	c.settled("/v1/recordings/"+id, "recording", "transcript_status", "completed")
	broken, _ := c.record("b.wav", sample(t, "notmedia.wav"), "audio/wav")
	other, err := r.Engine().CreateAccount(t.Context(), engine.NewAccount{})
	require.NoError(t, err)
	_, secret, err := r.Engine().CreateKey(t.Context(), other, engine.NewKey{})
	require.NoError(t, err)
	theirs, _ := (&client{t: t, url: r.url, secret: secret, header: http.Header{}}).record("c.wav", sample(t, "silence.wav"), "audio/wav")
	t.Run("api", func(t *testing.T) { operatorsAPI(t, r, id, broken, theirs, receiver.URL+"/hook") })
	mu.Lock()
	healthy = true
	before := received
	mu.Unlock()
	t.Run("browser", func(t *testing.T) {
		operatorsPage(t, r, func() int { mu.Lock(); defer mu.Unlock(); return received - before })
	})
}

// find returns the object of a list whose member has a value, or nil.
func findIn(list any, member string, value any) map[string]any {
	for _, v := range list.([]any) {
		if o := v.(map[string]any); o[member] == value {
			return o
		}
	}
	return nil
}

func operatorsAPI(t *testing.T, r *running, id, broken, theirs, hook string) {
	health := r.ask(200, "GET", "/_soundstage/health")
	require.Equal(t, "ok", health["status"])
	require.Equal(t, []any{"recordings", "jobs", "deliveries"}, health["pages"])

	var page map[string]any
	require.Eventually(t, func() bool {
		page = r.ask(200, "GET", "/_soundstage/recordings")
		return findIn(page["recordings"], "id", broken)["transcript_status"] == "error" && findIn(page["recordings"], "id", theirs)["transcript_status"] != "queued"
	}, time.Minute, 50*time.Millisecond)
	require.Equal(t, hostileTitle, findIn(page["recordings"], "id", id)["title"])
	require.NotEmpty(t, findIn(page["recordings"], "id", broken)["error"])
	require.Equal(t, theirs, page["recordings"].([]any)[0].(map[string]any)["id"], "newest first")
	first := r.ask(200, "GET", "/_soundstage/recordings?limit=1")
	second := r.ask(200, "GET", "/_soundstage/recordings?limit=2&after="+first["next"].(string))
	require.Equal(t, broken, second["recordings"].([]any)[0].(map[string]any)["id"])
	require.Nil(t, second["next"])
	require.Len(t, r.ask(200, "GET", "/_soundstage/recordings?status=error")["recordings"], 1)

	var delivery map[string]any
	require.Eventually(t, func() bool {
		delivery = findIn(r.ask(200, "GET", "/_soundstage/deliveries")["deliveries"], "status", "retrying")
		return delivery != nil && delivery["attempts"] == 2.0 // the third attempt is 5 min later
	}, time.Minute, 50*time.Millisecond)
	require.Equal(t, hook, delivery["url"], "without its query")
	require.EqualValues(t, 418, delivery["last_status"])
	whole := r.ask(200, "GET", "/_soundstage/deliveries/"+delivery["id"].(string))
	require.NotEmpty(t, whole["attempts"])
	require.Equal(t, "The delivery is still retrying.", r.ask(409, "POST", "/_soundstage/deliveries/"+delivery["id"].(string)+"/replay")["error"])

	// Jobs have the form of the contract.
	requireContract(t, r, "/_soundstage/jobs?limit=1000")
	job := findIn(r.ask(200, "GET", "/_soundstage/jobs?status=retrying&class=deliver&resource="+delivery["id"].(string))["jobs"], "ref", delivery["id"])
	require.Equal(t, true, job["held"])
	requireContract(t, r, "/_soundstage/jobs/"+job["id"].(string))
	transcribed := findIn(r.ask(200, "GET", "/_soundstage/jobs?kind=transcript.transcribe&resource="+id)["jobs"], "status", "completed")
	require.Equal(t, id, r.ask(200, "GET", "/_soundstage/jobs/"+transcribed["id"].(string))["job"].(map[string]any)["recording"])
	require.Equal(t, "The job is already completed.", r.ask(409, "POST", "/_soundstage/jobs/"+transcribed["id"].(string)+"/cancel")["error"])
	r.ask(409, "POST", "/_soundstage/jobs/"+transcribed["id"].(string)+"/step")

	for path, want := range map[string]string{
		"/_soundstage/jobs?world=x":          "A node has no worlds.",
		"/_soundstage/jobs?limit=0":          `limit must be a number from 1 to 1000 (got "0").`,
		"/_soundstage/recordings?limit=101":  `limit must be a number from 1 to 100 (got "101").`,
		"/_soundstage/recordings?status=new": `There is no status "new" of recordings.`,
		"/_soundstage/deliveries?after=x":    "cursor is not valid",
		"/_soundstage/deliveries?q=x":        `There is no parameter "q".`,
		"/_soundstage/jobs?kind=a&kind=b":    "kind is set 2 times.",
	} {
		require.Contains(t, r.ask(400, "GET", path)["error"], want)
	}
	for path, method := range map[string]string{"/_soundstage/jobs/none": "GET", "/_soundstage/jobs/none/step": "POST", "/_soundstage/deliveries/%00": "GET", "/_soundstage/events": "GET"} {
		r.ask(404, method, path)
	}
}

// requireContract fails the test unless a response has the form of the sandbox's contract.
func requireContract(t *testing.T, r *running, path string) {
	t.Helper()
	spec, err := os.ReadFile("../emulator/control/openapi.yaml")
	require.NoError(t, err)
	c, err := contract.Parse(spec)
	require.NoError(t, err)
	to, err := url.Parse(r.url)
	require.NoError(t, err)
	req := httptest.NewRequestWithContext(t.Context(), "GET", r.url+path, nil)
	req.Header.Set("X-Soundstage-Token", controlToken)
	rec := httptest.NewRecorder()
	c.Check(t, httputil.NewSingleHostReverseProxy(to)).ServeHTTP(rec, req)
	require.Equal(t, 200, rec.Code)
}

// operatorsPage does what a person does: enters the token, reads the lists, makes a job due, and sends a delivery again.
func operatorsPage(t *testing.T, r *running, received func() int) {
	shots := os.Getenv("SOUNDSTAGE_SCREENSHOTS")
	shoot := func(b *browsertest.Tab, name string) {
		if shots != "" {
			b.Screenshot(filepath.Join(shots, name))
		}
	}
	b := browsertest.Start(t).Open(t, r.url+"/_soundstage/console/")
	b.Until(`document.querySelector("input[type=password]") !== null`)
	b.Click("input[type=password]")
	b.Type("a wrong one\r")
	b.Until(`document.querySelector("[role=alert]")?.textContent.includes("did not accept")`)
	b.Click("input[type=password]")
	b.Type(controlToken + "\r")
	b.Until(`document.querySelectorAll("[role=option]").length === 3`)
	require.Equal(t, []string{"Recordings", "Jobs", "Deliveries"}, browsertest.Value[[]string](b, `[...document.querySelectorAll("nav a")].map((a) => a.textContent)`))
	require.True(t, browsertest.Value[bool](b, `[...document.querySelectorAll("[role=option] strong")].some((e) => e.textContent === `+"`"+hostileTitle+"`)"))
	require.Zero(t, browsertest.Value[int](b, `document.querySelectorAll("main img, main script").length`))
	shoot(b, "operators-recordings.png")

	b.Click(`nav a[href="#/deliveries"]`)
	b.Until(`document.querySelector('[aria-label^="Deliveries"] [role=option]').textContent.includes("retrying")`)
	b.Click(`[aria-label^="Deliveries"] [role=option]`)
	b.Until(`document.querySelector(".detail a[href^='#/jobs']") !== null`)
	shoot(b, "operators-delivery.png")
	b.Click(`.detail a[href^='#/jobs']`)
	b.Click(`[aria-label^="Jobs,"] [role=option]`)
	b.Until(`[...document.querySelectorAll(".detail button")].some((e) => e.textContent.includes("Run now"))`)
	shoot(b, "operators-job.png")
	b.Click(`.detail-body button`)
	require.Eventually(t, func() bool { return received() > 0 }, 20*time.Second, 20*time.Millisecond, "the delivery is made at once, not after 5 min")
	b.Until(`document.querySelector(".detail-head").textContent.includes("completed")`) // by polling

	b.Click(`nav a[href="#/deliveries"]`)
	b.Until(`document.querySelector('[aria-label^="Deliveries"] [role=option]').textContent.includes("delivered")`)
	b.Click(`[aria-label^="Deliveries"] [role=option]`)
	b.Until(`[...document.querySelectorAll(".detail button")].some((e) => e.textContent.includes("Send again"))`)
	b.Click(`.detail-body button`)
	require.Eventually(t, func() bool { return received() > 1 }, 20*time.Second, 20*time.Millisecond)
	for _, to := range b.Requests() {
		require.True(t, strings.HasPrefix(to, r.url) || strings.HasPrefix(to, "data:"), to)
	}
	for _, complaint := range b.Complaints() {
		require.Contains(t, complaint, "401", "only the wrong token is in the browser's console")
	}
	require.NotContains(t, browsertest.Value[string](b, `document.documentElement.outerHTML`), controlToken)
}
