package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A URL is downloaded once, and its recording has the transcript of the file. One that can't be downloaded fails, and is tried again.
func TestLibraryURL(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it transcribes media")
	var got atomic.Int32
	var broken atomic.Bool
	media := http.FileServer(http.Dir(testdata("")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken.Load() {
			http.Error(w, "gone", http.StatusNotFound)
			return
		}
		got.Add(1)
		media.ServeHTTP(w, r)
	}))
	defer server.Close()
	data, url := filepath.Join(t.TempDir(), "lib"), server.URL+"/conversation.wav"
	add := []string{"add", url, "--allow-private-urls", "--json"}

	broken.Store(true)
	code, out, errOut := cli(t, append([]string{"library", "add", "--data", data}, add[1:]...)...)
	require.NotZero(t, code, errOut)
	failed := jsonLines[addedLine](t, out)
	require.Len(t, failed, 1)
	require.Equal(t, "failed", failed[0].Result)
	require.Contains(t, failed[0].Error, "404")

	broken.Store(false)
	first := jsonLines[addedLine](t, lib(t, data, add...))
	require.Len(t, first, 1)
	require.Equal(t, "added", first[0].Result)
	require.Equal(t, url, first[0].Recording.Source)
	downloads := got.Load()
	require.Positive(t, downloads)
	again := jsonLines[addedLine](t, lib(t, data, add...))
	require.Equal(t, first[0].Recording.ID, again[0].Recording.ID)
	require.Equal(t, downloads, got.Load(), "a known URL is not downloaded again")
	require.Contains(t, lib(t, data, "show", url), "Speaker 1")
}
