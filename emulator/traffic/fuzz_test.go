package traffic_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// Any JSON is rejected with CodeInvalid or fires; nothing panics except http.ErrAbortHandler.
func FuzzFault(f *testing.F) {
	for _, seed := range []string{
		`{"match":{"op":"createUpload","nth":1},"do":{"status":429,"headers":{"Retry-After":"2"},"body":{"error":"x"}},"times":2}`,
		`{"match":{"method":"POST","path":"/v1/uploads"},"do":{"reset_after_bytes":1,"latency_ms":1}}`,
		`{"match":{"path":"/v1/uploads"},"do":{"commit_then_drop":true},"probability":0.5,"seed":3}`,
		`{"match":{"op":"*"},"do":{"truncate":1}}`,
		`{"match":{"op":"*"},"do":{"status":103}}`,
		`{"match":{"event":"output.completed"},"do":{"duplicate_webhook":true}}`,
		`{"match":{"op":"*"},"do":null}`,
		`{"do":{"status":1e9}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		tr := traffic.New(traffic.Config{})
		tr.Close() // no latencies
		var fault traffic.Fault
		if err := json.Unmarshal([]byte(raw), &fault); err != nil {
			return
		}
		state, err := tr.AddFault(fault)
		if err != nil {
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
			require.NotEmpty(t, engine.Message(err))
			return
		}
		require.NotEmpty(t, state.String())
		handler := tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) }))
		for range 2 {
			func() {
				defer func() {
					if p := recover(); p != nil {
						err, ok := p.(error)
						require.True(t, ok && errors.Is(err, http.ErrAbortHandler), "%v", p)
					}
				}()
				handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/v1/uploads", strings.NewReader("{}")))
			}()
		}
		found, err := tr.Find(traffic.Match{Op: "createUpload"})
		require.NoError(t, err)
		require.Len(t, found, 2)
		_, err = json.Marshal(found)
		require.NoError(t, err)
	})
}
