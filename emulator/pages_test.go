package emulator

import (
	"bytes"
	"context"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// unreachable is a Fetcher whose every fetch fails.
type unreachable struct{}

func (unreachable) Check(context.Context, string) error {
	return engine.Errorf(engine.CodeNotPublic, "Check", "url must resolve to a public address")
}

func (unreachable) Fetch(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error) {
	return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "There is no network.")
}

// Pages of sites resolve to media without a network: video sites to a video, audio sites to audio.
func TestPages(t *testing.T) {
	t.Parallel()
	p := pages{Fetcher: unreachable{}}
	for page, want := range map[string]struct{ title, file string }{
		"https://www.youtube.com/watch?v=abc&t=3":    {"YouTube abc", "conversation.mp4"},
		"https://youtu.be/abc":                       {"YouTube abc", "conversation.mp4"},
		"https://www.tiktok.com/@someone/video/7":    {"TikTok 7", "conversation.mp4"},
		"https://soundcloud.com/somebody/some-track": {"SoundCloud some-track", "conversation.ogg"},
		"https://open.spotify.com/episode/abc":       {"Spotify abc", "conversation.ogg"},
	} {
		got, err := p.Resolve(t.Context(), page)
		require.NoError(t, err, page)
		require.Equal(t, want.title, got.Title)
		require.NoError(t, p.Check(t.Context(), got.URL))
		require.NoError(t, p.Check(t.Context(), page), "its host is not looked up")
		var b bytes.Buffer
		var done, total int64
		info, err := p.Fetch(t.Context(), engine.FetchRequest{URL: got.URL, Progress: func(d, of int64) { done, total = d, of }}, &b)
		require.NoError(t, err)
		file, err := os.ReadFile("../testdata/" + want.file)
		require.NoError(t, err)
		require.Equal(t, file, b.Bytes(), "the test media")
		require.Equal(t, int64(len(file)), info.Size)
		require.Equal(t, []int64{info.Size, info.Size}, []int64{done, total})
	}
	_, err := p.Resolve(t.Context(), "https://example.org/talk.mp3")
	require.Equal(t, engine.CodeUnsupported, engine.CodeOf(err))
	_, err = p.Fetch(t.Context(), engine.FetchRequest{URL: "https://" + pagesHost + "/../secret"}, io.Discard)
	require.Equal(t, engine.CodeDownload, engine.CodeOf(err))
	_, err = p.Fetch(t.Context(), engine.FetchRequest{URL: "https://example.org/talk.mp3"}, io.Discard)
	require.Equal(t, engine.CodeDownload, engine.CodeOf(err))
	for _, other := range []string{"http://10.0.0.1/", "https://www.youtube.com:22/watch?v=abc", "https://me@www.youtube.com/watch?v=abc"} {
		require.Equal(t, engine.CodeNotPublic, engine.CodeOf(p.Check(t.Context(), other)), other)
	}
}

// Links of cloud drives lead to the sandbox's video without a network, or to the drive when pages are live.
func TestDriveLinks(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile("../testdata/conversation.mp4")
	require.NoError(t, err)
	for _, link := range []string{
		"https://drive.google.com/file/d/abc/view?usp=sharing", "https://www.dropbox.com/scl/fi/abc/talk.mp3?rlkey=k&dl=0", "https://1drv.ms/u/s!abc",
		"https://example.sharepoint.com/:v:/g/abc", "https://app.box.com/s/abc",
	} {
		p := pages{Fetcher: unreachable{}}
		require.NoError(t, p.Check(t.Context(), link), link)
		var b bytes.Buffer
		_, err := p.Fetch(t.Context(), engine.FetchRequest{URL: link}, &b)
		require.NoError(t, err, link)
		require.Equal(t, want, b.Bytes(), link)
		p.live = true
		require.Error(t, p.Check(t.Context(), link), link)
		_, err = p.Fetch(t.Context(), engine.FetchRequest{URL: link}, io.Discard)
		require.Equal(t, engine.CodeDownload, engine.CodeOf(err), link)
	}
}

// A page of a site that protects its media leads to the sandbox's audio, like pages of other audio sites.
func TestProtectedPages(t *testing.T) {
	t.Parallel()
	s, err := New(t.Context(), Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	caller := engine.Caller{UserID: SandboxUserID, AccountID: SandboxAccountID, DefaultSpaceID: SandboxSpaceID, Tier: engine.TierPlatform}
	for _, url := range []string{"https://open.spotify.com/episode/abc", "https://drive.google.com/file/d/abc/view"} {
		i, err := s.Engine().CreateImport(t.Context(), caller, engine.NewImport{URL: url})
		require.NoError(t, err)
		i, err = s.Engine().WaitImport(t.Context(), caller, i.ID)
		require.NoError(t, err)
		require.Equal(t, engine.ImportCompleted, i.Status, "%s: %s", url, i.Error)
	}
}
