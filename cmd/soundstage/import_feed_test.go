package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Another run of import-feed skips known episodes and retries failed ones.
func TestImportFeed(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	needFFmpeg(t)
	broken := true
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch {
		case req.URL.Path == "/feed.xml":
			w.Header().Set("Content-Type", "application/rss+xml")
			fmt.Fprintf(w, `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>The Show</title>
<item><title>Two</title><guid>g2</guid><itunes:episode>2</itunes:episode><pubDate>Tue, 03 Mar 2026 05:00:00 GMT</pubDate><enclosure url="%[1]s/two.mp3" type="audio/mpeg"/></item>
<item><title>One</title><guid>g1</guid><itunes:episode>1</itunes:episode><pubDate>Mon, 02 Mar 2026 05:00:00 GMT</pubDate><enclosure url="%[1]s/one.mp3" type="audio/mpeg"/></item>
</channel></rss>`, s.URL)
		case req.URL.Path == "/two.mp3" && broken:
			http.NotFound(w, req)
		default:
			http.ServeFile(w, req, filepath.Join("..", "..", "testdata", "conversation.mp3"))
		}
	}))
	defer s.Close()
	data := filepath.Join(t.TempDir(), "shows")
	args := []string{"import-feed", s.URL + "/feed.xml", "--data", data, "--allow-private-urls"}
	code, out, errOut := cli(t, args...)
	require.NotZero(t, code)
	require.Contains(t, out, "The Show: 2 new, 0 known\n")
	require.Contains(t, out, "  completed  #1 One\n")
	require.Contains(t, out, "  error      Two: The server answered with status 404 (Not Found).")
	require.Contains(t, errOut, "1 of 2 episodes could not be imported.")
	broken = false
	code, out, _ = cli(t, args...)
	require.Zero(t, code)
	require.Contains(t, out, "The Show: 1 new, 1 known\n")
	require.Contains(t, out, "  completed  #2 Two\n")
	code, out, _ = cli(t, args...)
	require.Zero(t, code)
	require.Contains(t, out, "The Show: 0 new, 2 known\n")
	code, _, errOut = cli(t, "import-feed", s.URL+"/one.mp3", "--data", data, "--allow-private-urls")
	require.NotZero(t, code)
	require.Contains(t, errOut, "feed")
	code, _, errOut = cli(t, "import-feed", s.URL+"/feed.xml")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "--data is required")
}
