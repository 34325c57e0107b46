package hotpaths_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/internal/hotpaths"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

func skipIfRacing(t *testing.T) { slow.Skip(t, "allocations differ with the race detector") }

// caller sends requests to the handler of a sandbox, without a network.
type caller struct {
	*testing.T
	handler http.Handler
	host    string
}

// send returns the body of a response, which must have a status below 300.
func (c caller) send(method, target string, body []byte) []byte {
	c.Helper()
	r := httptest.NewRequest(method, target, bytes.NewReader(body))
	r.Host = c.host
	r.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	require.Less(c, w.Code, 300, "%s %s: %s", method, target, w.Body)
	return w.Body.Bytes()
}

// discard is a ResponseWriter that counts the bytes of the body.
type discard struct {
	header http.Header
	status int
	bytes  int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) WriteHeader(status int)      { d.status = status }
func (d *discard) Write(b []byte) (int, error) { d.bytes += len(b); return len(b), nil }

// get counts what a GET allocates, and the bytes of its response. The request and the writer are made once.
func (c caller) get(path, target string) []hotpaths.Count {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = c.host
	r.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	w := &discard{header: http.Header{}}
	counts := allocated(path, 0.02, 200, func() {
		clear(w.header)
		w.bytes, w.status = 0, http.StatusOK
		c.handler.ServeHTTP(w, r)
	})
	require.Equal(c, http.StatusOK, w.status, path)
	counts[0].Tolerance = 0 // few and always the same, so each one more shows
	return append(counts, hotpaths.Count{Path: path, What: "bytes sent", Value: float64(w.bytes), Tolerance: 0.02})
}

// upload creates an upload and sends its bytes. It returns the upload's ID.
func (c caller) upload(content []byte) string {
	var made struct {
		ObjectID  string `json:"object_id"`
		UploadURL string `json:"upload_url"`
	}
	body := fmt.Sprintf(`{"filename":"talk.wav","content_type":"audio/wav","content_size":%d}`, len(content))
	require.NoError(c, json.Unmarshal(c.send(http.MethodPost, "/v1/uploads", []byte(body)), &made))
	address, err := url.Parse(made.UploadURL)
	require.NoError(c, err)
	r := httptest.NewRequest(http.MethodPut, address.RequestURI(), bytes.NewReader(content))
	r.Host = c.host
	r.Header.Set("Content-Type", "audio/wav")
	w := &discard{header: http.Header{}, status: http.StatusOK}
	c.handler.ServeHTTP(w, r)
	require.Equal(c, http.StatusOK, w.status)
	return made.ObjectID
}

// record creates a recording and waits for its transcript.
func (c caller) record(content []byte) string {
	var made struct {
		Recording struct {
			ID     string `json:"id"`
			Status string `json:"transcript_status"`
		} `json:"recording"`
	}
	require.NoError(c, json.Unmarshal(c.send(http.MethodPost, "/v1/recordings", []byte(`{"object_id":"`+c.upload(content)+`"}`)), &made))
	id := made.Recording.ID
	require.Eventually(c, func() bool {
		require.NoError(c, json.Unmarshal(c.send(http.MethodGet, "/v1/recordings/"+id, nil), &made))
		return made.Recording.Status == "completed"
	}, time.Minute, time.Millisecond)
	return id
}

// requests counts what the requests of a usual client cost the sandbox, its request log included. The sandbox has 30 recordings.
func requests(t *testing.T) (all []hotpaths.Count) {
	s := emulatortest.New(t)
	c := caller{t, s.Sandbox.Handler(), strings.TrimPrefix(s.URL, "http://")}
	wav, err := os.ReadFile("../../testdata/conversation.wav")
	require.NoError(t, err)
	id := ""
	for range 30 {
		id = c.record(wav)
	}
	var page struct {
		Next string `json:"next_cursor"`
	}
	require.NoError(t, json.Unmarshal(c.send(http.MethodGet, "/v1/recordings?limit=5", nil), &page))
	require.NotEmpty(t, page.Next)
	s.Clock.Idle()
	all = append(all, c.get("simple GET", "/v1/recordings/"+id)...)
	all = append(all, c.get("list of 25 from a cursor", "/v1/recordings?limit=25&cursor="+url.QueryEscape(page.Next))...)
	all = append(all, c.get("poll of a transcript", "/v1/recordings/"+id+"/transcript")...)
	all = append(all, c.get("search in 30 recordings", "/v1/search?query=the")...)
	written := bytesWritten(t)
	const uploads = 20
	counts := allocated("POST upload, PUT 797 kB", 0.04, uploads, func() { c.upload(wav) })
	perUpload := float64(bytesWritten(t)-written) / (uploads + uploads/10)
	return append(append(all, counts...), hotpaths.Count{Path: "POST upload, PUT 797 kB", What: "bytes written to files", Value: perUpload, Tolerance: 0.02})
}

// bytesWritten returns how many bytes this process wrote by system calls. What is sent to sockets counts, too.
func bytesWritten(t *testing.T) (n int64) {
	raw, err := os.ReadFile("/proc/self/io")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(raw), "wchar: ")
	_, err = fmt.Sscan(rest, &n)
	require.NoError(t, err)
	return n
}
