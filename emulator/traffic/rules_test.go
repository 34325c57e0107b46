package traffic_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// An entry has the duration of its exchange, in milliseconds.
func TestEntryDuration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tr := traffic.New(traffic.Config{})
		tr.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(1500 * time.Millisecond) })).
			ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/spaces", nil))
		found, err := tr.Find(traffic.Match{})
		require.NoError(t, err)
		raw, err := json.Marshal(found[0])
		require.NoError(t, err)
		require.Contains(t, string(raw), `"duration_ms":1500`)
	})
}

// Every part of an exchange counts as memory, so that none can fill it.
func TestEveryPartCountsAsMemory(t *testing.T) {
	t.Parallel()
	const most, large = 50_000, 5000
	long := strings.Repeat("x", large)
	for name, change := range map[string]func(w http.ResponseWriter, req *http.Request){
		"path":            func(_ http.ResponseWriter, req *http.Request) { req.URL.Path += long },
		"query":           func(_ http.ResponseWriter, req *http.Request) { req.URL.RawQuery = long },
		"request body":    func(_ http.ResponseWriter, req *http.Request) { req.Body = io.NopCloser(strings.NewReader(long)) },
		"request header":  func(_ http.ResponseWriter, req *http.Request) { req.Header.Set("A", long) },
		"header names":    func(_ http.ResponseWriter, req *http.Request) { req.Header.Set(long, "a") },
		"response body":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, long) },
		"response header": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("A", long) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tr := traffic.New(traffic.Config{MaxBytes: most, MaxBody: large})
			handler := tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				if strings.HasPrefix(name, "response") {
					change(w, req)
				}
				_, _ = io.Copy(io.Discard, req.Body)
			}))
			for range 40 {
				req := httptest.NewRequest("POST", "/v1/spaces", nil)
				if !strings.HasPrefix(name, "response") {
					change(nil, req)
				}
				handler.ServeHTTP(httptest.NewRecorder(), req)
			}
			n, err := tr.Count(traffic.Match{})
			require.NoError(t, err)
			require.LessOrEqual(t, n, most/large)
			require.GreaterOrEqual(t, n, most/large/2)
		})
	}
}

// A response that is written in parts is truncated at the same byte.
func TestTruncateParts(t *testing.T) {
	t.Parallel()
	for after, want := range map[int64]string{0: "", 3: "abc", 4: "abcd", 5: "abcde", 8: "abcdefgh", 11: "abcdefghijk"} {
		tr := traffic.New(traffic.Config{})
		_, err := tr.AddFault(traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: traffic.Do{Truncate: &after}})
		require.NoError(t, err)
		handler := tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for _, part := range []string{"abcd", "efgh", "ijkl"} {
				_, _ = io.WriteString(w, part)
			}
		}))
		w := httptest.NewRecorder()
		require.PanicsWithValue(t, http.ErrAbortHandler, func() { handler.ServeHTTP(w, httptest.NewRequest("GET", "/v1/spaces", nil)) })
		require.Equal(t, want, w.Body.String(), after)
	}
}

// A flush sends the status 200 if there is none yet; a response that is cut afterwards has it in the log.
func TestStatusOfAFlush(t *testing.T) {
	t.Parallel()
	tr := traffic.New(traffic.Config{})
	handler := tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
		}
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	for method, want := range map[string]int{"GET": 200, "POST": 202} {
		w := httptest.NewRecorder()
		require.Panics(t, func() { handler.ServeHTTP(w, httptest.NewRequest(method, "/v1/spaces", nil)) })
		require.Equal(t, want, w.Code)
		found, err := tr.Find(traffic.Match{Method: method})
		require.NoError(t, err)
		require.Equal(t, want, found[0].Status)
		require.True(t, found[0].Aborted)
	}
}

// An invalid match or body is CodeInvalid wherever it comes in.
func TestInvalidEverywhere(t *testing.T) {
	t.Parallel()
	tr := traffic.New(traffic.Config{})
	wrong := traffic.Match{Since: -1}
	_, find := tr.Find(wrong)
	_, count := tr.Count(wrong)
	_, wait := tr.Wait(t.Context(), wrong, 1)
	_, each := tr.Each(wrong, 0, func(*traffic.Entry) error { return nil })
	_, body := tr.AddFault(traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: traffic.Do{Status: 500, Body: json.RawMessage("{")}})
	for name, err := range map[string]error{
		"find": find, "count": count, "wait": wait, "each": each, "har": tr.WriteHAR(io.Discard, wrong, "1"), "body": body,
		"status": json.Unmarshal([]byte(`{"status":42}`), new(traffic.Match)),
	} {
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), name)
	}
}

// A fault without times and nth hits the first matching request, and says so.
func TestDefaultsOfAFault(t *testing.T) {
	t.Parallel()
	tr := traffic.New(traffic.Config{})
	f := traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: traffic.Do{Status: 500}}
	s, err := tr.AddFault(f)
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 1}, [2]int{s.Match.Nth, s.Times})
	seed := uint64(1)
	f.Probability, f.Seed = 1, &seed
	s, err = tr.AddFault(f)
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 0}, [2]int{s.Match.Nth, s.Times})
}

// The export has the size and type of each response, and the reason and fault of the exchange.
func TestHARContent(t *testing.T) {
	t.Parallel()
	tr := traffic.New(traffic.Config{MaxBody: 3})
	tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Location", "/there")
		w.Header().Set("X-Soundstage-Reason", "because")
		w.WriteHeader(302)
		_, _ = io.WriteString(w, "12345")
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/spaces", nil))
	var b bytes.Buffer
	require.NoError(t, tr.WriteHAR(&b, traffic.Match{}, "1"))
	var doc struct {
		Log struct {
			Entries []struct {
				Reason   string `json:"_reason"`
				Op       string `json:"_op"`
				Number   int    `json:"_number"`
				Response struct {
					Status      int
					StatusText  string
					RedirectURL string
					BodySize    int
					Content     struct {
						Size           int
						MimeType, Text string
						Comment        string
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	e := doc.Log.Entries[0]
	require.Equal(t, []any{"because", "listSpaces", 1}, []any{e.Reason, e.Op, e.Number})
	r := e.Response
	require.Equal(t, []any{302, "Found", "/there", 5}, []any{r.Status, r.StatusText, r.RedirectURL, r.BodySize})
	require.Equal(t, []any{5, "text/plain", "123", "truncated: only the first bytes were kept"},
		[]any{r.Content.Size, r.Content.MimeType, r.Content.Text, r.Content.Comment})
}
