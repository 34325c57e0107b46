package capsule_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/engine"
)

// echo responds with the request's body; ?created sets status 201, and /v1/broken aborts the response.
var echo = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == "/v1/broken" {
		panic(http.ErrAbortHandler)
	}
	if req.URL.Query().Has("created") {
		w.WriteHeader(http.StatusCreated)
	}
	_, _ = io.Copy(w, req.Body)
})

func send(r *capsule.Recorder, method, target, body string, header ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	got := httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }()
		r.Serve(echo, got, req)
	}()
	return got
}

// The Recorder records requests that change the world, with their statuses, and skips read-only requests.
func TestRecorder(t *testing.T) {
	t.Parallel()
	r := capsule.NewRecorder(capsule.Capsule{World: "default", Seed: 7, Clock: "manual"}, true)
	require.Equal(t, "hello", send(r, "POST", "/v1/uploads?created", "hello").Body.String())
	send(r, "POST", "/_soundstage/clock/advance", `{"by":"1s"}`)
	send(r, "GET", "/_soundstage/requests", "")
	send(r, "POST", "/_soundstage/webhooks/wait", "{}")
	send(r, "GET", "/v1/broken", "")
	send(r, "PUT", "/uploads/1", "\xff\x00")
	r.Record("POST", "/_soundstage/faults", []byte("{}"))(http.StatusCreated)
	var none *capsule.Recorder
	none.Record("POST", "/", nil)(200)

	c := r.Capsule()
	require.Equal(t, capsule.Format, c.Format)
	var got []string
	for i, x := range c.Requests {
		require.Equal(t, i+1, x.Number)
		got = append(got, x.Method+" "+x.Path+" "+string(x.Body.Bytes())+" "+http.StatusText(x.Status))
	}
	require.Equal(t, []string{
		"POST /v1/uploads?created hello Created", `POST /_soundstage/clock/advance {"by":"1s"} OK`, "GET /v1/broken  ",
		"PUT /uploads/1 \xff\x00 OK", "POST /_soundstage/faults {} Created",
	}, got)
	require.Len(t, c.Requests[0].SHA256, 64)
	require.Empty(t, c.Requests[1].SHA256, "only responses under /v1 are hashed")
}

// Real API keys, cookies, and the control API's token are not recorded.
func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	r := capsule.NewRecorder(capsule.Capsule{}, false)
	send(r, "GET", "/v1/spaces", "", "Authorization", "Bearer sk_live_secret", "Cookie", "a=secret", "X-Soundstage-Token", "secret")
	send(r, "GET", "/v1/spaces", "", "Authorization", "Bearer sk_sandbox_core")
	raw, err := json.Marshal(r.Capsule())
	require.NoError(t, err)
	require.NotContains(t, string(raw), "secret")
	require.Equal(t, "Bearer sk_sandbox_core", r.Capsule().Requests[1].Header.Get("Authorization"))
}

// An oversized body reaches the handler, and the capsule reports that it was not recorded.
func TestLongBody(t *testing.T) {
	t.Parallel()
	r := capsule.NewRecorder(capsule.Capsule{}, false)
	long := strings.Repeat("x", 9<<20)
	require.Equal(t, len(long), send(r, "PUT", "/uploads/1", long).Body.Len())
	c := r.Capsule()
	require.NotEmpty(t, c.Incomplete)
	require.Positive(t, c.Requests[0].Body.Omitted)
	require.Empty(t, c.Requests[0].Body.Bytes())
}

// WriteFile writes the whole file or nothing, and Parse reads the same capsule back.
func TestFile(t *testing.T) {
	t.Parallel()
	r := capsule.NewRecorder(capsule.Capsule{Program: "dev", Clock: "steps", Snapshot: []byte{1, 2, 3}}, false)
	send(r, "PUT", "/uploads/1", "\xff\x00", "Content-Type", "audio/wav")
	dir := t.TempDir()
	path := filepath.Join(dir, "run.capsule.json")
	require.NoError(t, r.Capsule().WriteFile(path))
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	got, err := capsule.Parse(raw)
	require.NoError(t, err)
	require.Equal(t, r.Capsule(), got)

	require.Error(t, r.Capsule().WriteFile(dir), "the path is a folder")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "no temporary file is left")
}

// Parse rejects an invalid capsule and says why.
func TestParseErrors(t *testing.T) {
	t.Parallel()
	for raw, says := range map[string]string{
		"":           "The file is not a capsule, or it is truncated.",
		`{"log":{}}`: "The file is not a capsule, or it is truncated.",
		`{"format":"soundstage-capsule","version":1,`:                                                              "The file is not a capsule, or it is truncated.",
		`{"format":"soundstage-capsule","version":2}`:                                                              "The capsule has version 2, but this program reads version 1.",
		`{"format":"soundstage-capsule","version":-1}`:                                                             "-1 is not a valid capsule version.",
		`{"format":"soundstage-capsule","version":1,"wrld":""}`:                                                    `The capsule is invalid: json: unknown field "wrld".`,
		`{"format":"soundstage-capsule","version":1,"requests":[{"number":1,"method":"GET","path":"nowhere"}]}`:    "Request 1 of the capsule has no method, no valid path, or the wrong number.",
		`{"format":"soundstage-capsule","version":1,"requests":[{"number":2,"method":"GET","path":"/v1/spaces"}]}`: "Request 1 of the capsule has no method, no valid path, or the wrong number.",
	} {
		_, err := capsule.Parse([]byte(raw))
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), raw)
		require.Equal(t, says, engine.Message(err))
	}
}

// For any input, Parse returns a capsule that can be parsed again, or an error of CodeInvalid.
func FuzzParse(f *testing.F) {
	whole, err := json.Marshal(capsule.NewRecorder(capsule.Capsule{Clock: "manual", Snapshot: []byte("x")}, true).Capsule())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(`{"format":"soundstage-capsule","version":1,"requests":[{"number":1,"method":"GET","path":"/","body":{"base64":"/w=="}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := capsule.Parse(raw)
		if err != nil {
			if e := (*engine.Error)(nil); !errors.As(err, &e) || e.Code != engine.CodeInvalid {
				t.Fatalf("error %v does not have CodeInvalid", err)
			}
			return
		}
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := capsule.Parse(again); err != nil {
			t.Fatalf("parsing the marshalled capsule: %v", err)
		}
	})
}
