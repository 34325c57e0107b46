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

// unreachable is a Fetcher that nothing can be had from.
type unreachable struct{}

func (unreachable) Check(context.Context, string) error {
	return engine.Errorf(engine.CodeNotPublic, "Check", "url must resolve to a public address")
}

func (unreachable) Fetch(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error) {
	return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "Fetch", "There is no network.")
}

// A page of each kind of site leads to media that is had without a network: a film of a video site, sound of an audio site.
func TestPages(t *testing.T) {
	t.Parallel()
	p := pages{unreachable{}}
	for page, want := range map[string]struct{ title, file string }{
		"https://www.youtube.com/watch?v=abc&t=3":    {"YouTube abc", "conversation.mp4"},
		"https://youtu.be/abc":                       {"YouTube abc", "conversation.mp4"},
		"https://www.tiktok.com/@someone/video/7":    {"TikTok 7", "conversation.mp4"},
		"https://soundcloud.com/somebody/some-track": {"SoundCloud some-track", "conversation.ogg"},
	} {
		got, err := p.Resolve(t.Context(), page)
		require.NoError(t, err, page)
		require.Equal(t, want.title, got.Title)
		require.NoError(t, p.Check(t.Context(), got.URL))
		require.NoError(t, p.Check(t.Context(), page), "its name is not looked up")
		var b bytes.Buffer
		var done, total int64
		info, err := p.Fetch(t.Context(), engine.FetchRequest{URL: got.URL, Progress: func(d, of int64) { done, total = d, of }}, &b)
		require.NoError(t, err)
		file, err := os.ReadFile("../testdata/" + want.file)
		require.NoError(t, err)
		require.Equal(t, file, b.Bytes(), "it is the test media")
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
