package datafolder_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// link returns the signed URL of the first render's video.
func (f folder) link(t *testing.T, url string) string {
	t.Helper()
	asset := assetURL.FindStringSubmatch(rawBody(t, url+"/v1/renders/00000000-0000-4000-8000-000000000000"))
	require.NotNil(t, asset)
	return url + unescape(asset[1])
}

// A damaged video is 503 in the format of storage, for the whole video, a range, and HEAD, and health names it. When the file is
// restored, everything works again.
func TestDamagedVideo(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	f := newFolder(t)
	flip(t, f.file(t, 0, false), 8*99_999)
	s, err := f.start(t)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	link, health := f.link(t, s.URL()), s.URL()+"/_soundstage/health"
	require.Equal(t, 200, get(t, health).status, "nobody has read it yet")
	for _, a := range []answer{get(t, link), get(t, link, "Range", "bytes=0-9"), get(t, link, "Range", "bytes=0-9,20-29")} {
		require.Equal(t, 503, a.status)
		require.Contains(t, a.body, "<Code>ServiceUnavailable</Code><Message>The stored file is damaged.</Message>")
	}
	require.Equal(t, 503, head(t, link))
	degraded := get(t, health)
	require.Equal(t, 503, degraded.status)
	require.Contains(t, degraded.body, "1 stored files are damaged: renders/00000000-0000-4000-8000-000000000000/1.")
	flip(t, f.file(t, 0, false), 8*99_999)
	require.Equal(t, 200, get(t, link).status)
	require.Equal(t, 206, get(t, link, "Range", "bytes=0-9").status)
	require.Equal(t, 200, head(t, link))
	require.Equal(t, 200, get(t, health).status)
}

// A video that decays after it was read, without a change of its modification time, is never received whole.
func TestDecayedVideo(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	f := newFolder(t)
	s, err := f.start(t)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	link := f.link(t, s.URL())
	require.Equal(t, 200, get(t, link).status)
	path := f.file(t, 0, false)
	info, err := os.Stat(path)
	require.NoError(t, err)
	flip(t, path, 8*50_000)
	require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	require.Equal(t, answer{}, get(t, link), "the connection was closed before the end")
	require.Equal(t, 503, get(t, link, "Range", "bytes=0-9").status, "and now it is known")
	require.Equal(t, 503, get(t, s.URL()+"/_soundstage/health").status)
}

func head(t *testing.T, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodHead, url, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}
