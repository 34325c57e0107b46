package proxy_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/proxy"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// replayed starts a replay of exchanges and returns a client of it.
func replayed(t *testing.T, all []*record.Exchange, c proxy.ReplayConfig) (client, *proxy.Replay) {
	t.Helper()
	if c.To == "" {
		c.To = "https://api.example.com"
	}
	r, err := proxy.NewReplay(all, c)
	require.NoError(t, err)
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	return client{t, s.URL, "any secret"}, r
}

// A recorded day can be repeated without the service: the client gets what it got, in order, with the storage of the replay.
func TestReplaysADay(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a sandbox")
	s := startSandbox(t, emulator.Options{})
	base, k := through(t, s.URL())
	first := day(t, client{t, base, "sk_sandbox_platform"})
	all := k.exchanges()
	_, r := replayed(t, all, proxy.ReplayConfig{To: s.URL()})
	var mu sync.Mutex
	var given []string
	again := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		r.ServeHTTP(w, req)
		given = append(given, w.Header().Get("X-Soundstage-Replay"))
	}))
	t.Cleanup(again.Close)
	require.Equal(t, first, day(t, client{t, again.URL, "any secret"}))
	mu.Lock()
	defer mu.Unlock()
	var want []string // every answer once, polls too, however many there were
	for _, x := range all {
		want = append(want, strconv.FormatInt(x.Number, 10))
	}
	require.Equal(t, want, given)
	require.Equal(t, proxy.ReplayStats{Exact: len(all), Misses: []string{}}, r.Stats())
	require.Zero(t, r.Skipped())
}

const (
	known, other = "0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11", "0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a12"
	mine, yours  = "ffffffff-0000-4000-8000-000000000001", "ffffffff-0000-4000-8000-000000000002"
)

// recorded returns an exchange; sent and answer are its bodies.
func recorded(number int64, method, path, sent string, status int, answer string) *record.Exchange {
	path, query, _ := strings.Cut(path, "?")
	x := record.WithoutSecrets(record.Raw{
		Method: method, Path: path, Query: query, Host: "api.example.com", Sent: http.Header{"Authorization": {"Bearer recorded"}},
		Body: record.Captured{Data: []byte(sent), Bytes: int64(len(sent))}, Status: status,
		Received: http.Header{"Content-Type": {"application/json"}, "Content-Length": {"999"}, "Set-Cookie": {"a=b"}, "X-Request-Id": {"r"}},
		Answer:   record.Captured{Data: []byte(answer), Bytes: int64(len(answer))},
	}, 1<<20)
	x.Number = number
	return x
}

// Requests match by method, path, query, body, and whether there is a secret. Repeated polls get the recorded answers in order, then the last one.
func TestMatching(t *testing.T) {
	t.Parallel()
	c, r := replayed(t, []*record.Exchange{
		recorded(1, "GET", "/v1/chat/"+known, "", 200, `{"chat_id":"`+known+`","status":"queued"}`),
		recorded(2, "GET", "/v1/recordings?limit=2&cursor=a", "", 200, `{"page":2}`),
		recorded(3, "GET", "/v1/chat/"+known, "", 200, `{"chat_id":"`+known+`","status":"completed"}`),
		recorded(4, "POST", "/v1/prompts", `{"name":"a","prompt":"b"}`, 201, `{"prompt":{"id":"`+other+`"}}`),
		recorded(5, "GET", "/v1/recordings/"+mine, "", 404, `{"error":"No `+mine+`."}`),
		recorded(7, "HEAD", "/v1/recordings?limit=2&cursor=a", "", 200, ""),
		{Number: 6, Method: "GET", Path: "/v1/usage", Error: "the service can't be reached", Status: 502},
	}, proxy.ReplayConfig{Ignore: []string{"note"}})
	require.Equal(t, 1, r.Skipped())
	for _, want := range []string{"queued", "completed", "completed"} {
		a := c.do("GET", "/v1/chat/"+known, "")
		require.Equal(t, want, a.text("status"))
		require.Empty(t, a.header.Get("Set-Cookie"), "masked headers are not repeated")
		require.Equal(t, "r", a.header.Get("X-Request-Id"))
		require.Equal(t, fmt.Sprint(len(a.body)), a.header.Get("Content-Length"))
	}
	require.Equal(t, 200, c.do("GET", "/v1/recordings?cursor=a&limit=2", "").status)
	require.Equal(t, "999", c.do("HEAD", "/v1/recordings?cursor=a&limit=2", "").header.Get("Content-Length"), "as recorded, without a body")
	created := c.do("POST", "/v1/prompts", `{ "prompt":"b", "note":"new", "name":"a"}`)
	require.Equal(t, 201, created.status)
	require.Equal(t, "4", created.header.Get("X-Soundstage-Replay"))

	unknown := c.do("GET", "/v1/recordings/"+yours, "")
	require.Equal(t, 404, unknown.status, "an id that no response gave stands for another one")
	require.Equal(t, "No "+yours+".", unknown.text("error"))
	for _, k := range []struct{ method, path, body, why string }{
		{"POST", "/v1/prompts", `{"name":"a","prompt":"b"}`, "all 1 recorded answers"},
		{"POST", "/v1/prompts", `{"name":"a","prompt":"c"}`, "another body"},
		{"GET", "/v1/recordings?limit=3", "", "with the query"},
		{"GET", "/v1/chat/ffffffff-0000-4000-8000-000000000003", "", "no request for this path"},
		{"GET", "/v1/usage", "", "no request for this path"},
	} {
		a := c.do(k.method, k.path, k.body)
		require.Equal(t, http.StatusNotImplemented, a.status, k.path)
		require.Equal(t, "replay.miss", a.header.Get("X-Soundstage-Reason"))
		require.Contains(t, a.header.Get("X-Soundstage-Hint"), k.why, k.path)
	}
	a := client{t, c.base, ""}.do("GET", "/v1/chat/"+known, "")
	require.Contains(t, a.header.Get("X-Soundstage-Hint"), "with a secret")
	stats := r.Stats()
	require.Equal(t, 6, stats.Missed)
	require.Equal(t, 1, stats.ByID)
	require.Equal(t, http.StatusRequestEntityTooLarge, c.do("POST", "/v1/prompts", strings.Repeat("x", 5<<20)).status)
}

// What wasn't recorded is answered by another handler, which gets the whole request.
func TestMissHandler(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	c, _ := replayed(t, nil, proxy.ReplayConfig{Miss: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		b, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s %s", r.Method, r.URL, b)
	})})
	a := c.do("POST", "/v1/prompts?a=1", `{"name":"a"}`)
	require.Equal(t, `POST /v1/prompts?a=1 {"name":"a"}`, a.body)
	require.Equal(t, "miss", a.header.Get("X-Soundstage-Replay"))
	require.EqualValues(t, 1, asked.Load())
}

// Signed URLs lead to the replay, which takes uploads and answers ranges of downloads.
func TestReplayedStorage(t *testing.T) {
	t.Parallel()
	up := recorded(1, "POST", "/v1/uploads", `{}`, 201, `{"object_id":"obj_1234567","upload_url":"https://bucket.example/obj_1234567?sig=1"}`)
	put := recorded(2, "PUT", "/obj_1234567", "", 200, "")
	put.Host, put.Storage, put.RequestBody.Partial = "bucket.example", true, "not recorded"
	render := recorded(3, "GET", "/v1/renders/"+known, "", 200, `{"render":{"asset_url":"https://api.example.com/storage/video?sig=1"}}`)
	get := recorded(4, "GET", "/storage/video", "", 200, "0123456789")
	get.Storage = true
	head := recorded(5, "HEAD", "/storage/video", "", 200, "")
	head.Storage = true
	c, _ := replayed(t, []*record.Exchange{up, put, render, get, head}, proxy.ReplayConfig{})
	address := c.do("POST", "/v1/uploads", `{}`).text("upload_url")
	require.Equal(t, c.base+"/_soundstage/storage/https/bucket.example/obj_1234567?sig=***", address)
	media, err := os.ReadFile("../../testdata/conversation.mp3")
	require.NoError(t, err)
	require.Equal(t, 200, c.do("PUT", address, string(media)).status)
	require.Equal(t, 200, c.do("PUT", address, string(media)).status, "a PUT may be repeated")
	asset := c.do("GET", "/v1/renders/"+known, "").at("render", "asset_url").(string)
	require.Equal(t, "999", c.do("HEAD", asset, "").header.Get("Content-Length"))
	part := c.do("GET", asset, "", "Range", "bytes=2-4")
	require.Equal(t, http.StatusPartialContent, part.status)
	require.Equal(t, "234", part.body)
}
