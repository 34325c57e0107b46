package emulator_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// largestWrite is a ResponseWriter that notes its largest write, and calls first before its first one.
type largestWrite struct {
	*httptest.ResponseRecorder
	largest int
	first   func()
}

func (w *largestWrite) Write(p []byte) (int, error) {
	if w.first != nil {
		w.first()
		w.first = nil
	}
	w.largest = max(w.largest, len(p))
	return w.ResponseRecorder.Write(p)
}

// The request log and its export are written exchange by exchange. Exchanges that are deleted meanwhile are left out.
func TestRequestLogIsStreamed(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{FFmpegOptional: true})
	serve := func(w http.ResponseWriter, method, path, body string) {
		req := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		req.RemoteAddr = "127.0.0.1:1"
		s.Handler().ServeHTTP(w, req)
	}
	fill := func() {
		for range 100 {
			serve(httptest.NewRecorder(), "POST", "/v1/nothing?"+strings.Repeat("x", 4000), "")
		}
	}
	for path, entries := range map[string]func(any) []any{
		"/_soundstage/requests":     func(v any) []any { return v.(map[string]any)["requests"].([]any) },
		"/_soundstage/requests.har": func(v any) []any { return v.(map[string]any)["log"].(map[string]any)["entries"].([]any) },
	} {
		fill()
		w := &largestWrite{ResponseRecorder: httptest.NewRecorder()}
		serve(w, "GET", path, "")
		require.Greater(t, w.Body.Len(), 400_000)
		require.Less(t, w.largest, 20_000, path)
		var v any
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v))
		require.GreaterOrEqual(t, len(entries(v)), 100)

		w = &largestWrite{ResponseRecorder: httptest.NewRecorder()}
		w.first = func() { serve(httptest.NewRecorder(), "DELETE", "/_soundstage/requests", "") }
		serve(w, "GET", path, "")
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v))
		left := len(entries(v)) // the first one may be on its way
		require.LessOrEqual(t, left, 1, path)
		if count, ok := v.(map[string]any)["count"]; ok {
			require.EqualValues(t, left, count)
		}
	}
}
