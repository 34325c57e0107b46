package control_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/conformance"
	"github.com/soundstage-dev/soundstage/emulator/control"
)

// get requests the fidelity report.
func get(t *testing.T, accept string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/_soundstage/fidelity", nil)
	req.RemoteAddr = "127.0.0.1:1"
	req.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	control.Handler(nil, control.Guard{}).ServeHTTP(w, req) // this endpoint needs no server
	require.Equal(t, 200, w.Code)
	return w
}

// The JSON report has every statement with how it is checked, and every assumption of the contract.
func TestFidelity(t *testing.T) {
	t.Parallel()
	w := get(t, "*/*")
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	var f control.Fidelity
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &f))
	require.Len(t, f.Statements, len(conformance.Statements()))
	ways := map[string]string{}
	for _, st := range f.Statements {
		require.NotEmpty(t, st.ID)
		ways[st.ID] = st.Checked
	}
	require.Equal(t, "check", ways["recordings.list.newest-first"])
	require.Equal(t, "test", ways["recordings.list.short-pages"])
	require.Equal(t, "none", ways["service.typical-duration"])
	require.Len(t, f.Assumed, strings.Count(string(api.Spec), "x-provenance: assumed"))
	require.Contains(t, f.Assumed, control.Assumption{Where: "/v1/recordings › post › responses › 201", Description: "The recording exists and its transcription is queued."})
}

// A browser gets an HTML page in which statements are escaped.
func TestFidelityPage(t *testing.T) {
	t.Parallel()
	w := get(t, "text/html,application/xhtml+xml")
	require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	for _, st := range conformance.Statements() {
		require.Contains(t, w.Body.String(), `<td class="id">`+st.ID+"<td>")
	}
	require.Contains(t, w.Body.String(), "&lt;API_SECRET&gt;")
	require.Contains(t, w.Body.String(), "<code>POST /v1/transcripts</code> transcribes a media URL")
	require.NotContains(t, w.Body.String(), "<API_SECRET>")
}
