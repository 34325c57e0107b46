package files_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/files"
)

// Range headers are answered as RFC 9110, section 14, says. The request stays as it is.
func TestServeContent(t *testing.T) {
	t.Parallel()
	const content = "0123456789"
	for header, want := range map[string]struct {
		status      int
		is, content string // Content-Range, and the body; "" for a refusal
	}{
		"":                             {200, "", content},
		"bytes=2-4":                    {206, "bytes 2-4/10", "234"},
		"bytes=8-":                     {206, "bytes 8-9/10", "89"},
		"bytes=-3":                     {206, "bytes 7-9/10", "789"},
		"bytes=-99":                    {206, "bytes 0-9/10", content},
		"Bytes = 2-4":                  {206, "bytes 2-4/10", "234"},
		"bytes=-0":                     {416, "bytes */10", ""},
		"bytes= -00 , -0":              {416, "bytes */10", ""},
		"bytes=-0,2-4":                 {206, "bytes 2-4/10", "234"},
		"bytes=10-":                    {416, "bytes */10", ""},
		"bytes=0-99999999999999999999": {206, "bytes 0-9/10", content},
		"bytes=-99999999999999999999":  {206, "bytes 0-9/10", content},
		"bytes=99999999999999999999-":  {416, "bytes */10", ""},
		"bytes=99999999999999999999-99999999999999999999": {416, "bytes */10", ""},
		"items=0-1": {200, "", content},
		"bytes":     {200, "", content},
		"bytes=4-2": {416, "", ""},
		"bytes=a-b": {416, "", ""},
		"bytes=":    {200, "", content},
	} {
		req := httptest.NewRequest(http.MethodGet, "/", nil)
		req.Header.Set("Range", header)
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "video/mp4")
		files.ServeContent(w, req, time.Time{}, int64(len(content)), strings.NewReader(content))
		require.Equal(t, want.status, w.Code, header)
		require.Equal(t, want.is, w.Header().Get("Content-Range"), header)
		if want.content != "" {
			require.Equal(t, want.content, w.Body.String(), header)
		}
		require.Equal(t, header, req.Header.Get("Range"))
	}
}

// HEAD has no ranges: the response is that of a GET for everything.
func TestServeContentOfHead(t *testing.T) {
	t.Parallel()
	req := httptest.NewRequest(http.MethodHead, "/", nil)
	req.Header.Set("Range", "bytes=2-4")
	w := httptest.NewRecorder()
	files.ServeContent(w, req, time.Time{}, 10, strings.NewReader("0123456789"))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, []string{"10", "bytes", ""}, []string{w.Header().Get("Content-Length"), w.Header().Get("Accept-Ranges"), w.Header().Get("Content-Range")})
}
