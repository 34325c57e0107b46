package api

import (
	"bytes"
	"context"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// counted counts how many readers are open.
type counted struct {
	io.Reader
	open *int
}

func (c counted) Close() error {
	*c.open--
	return nil
}

// An asset can be read from anywhere, and has at most one open blob.
func TestAsset(t *testing.T) {
	t.Parallel()
	content, open := []byte("0123456789abcdef"), 0
	a := &asset{ctx: t.Context(), size: int64(len(content)), open: func(_ context.Context, off int64) (io.ReadCloser, error) {
		open++
		require.Equal(t, 1, open)
		return counted{bytes.NewReader(content[off:]), &open}, nil
	}}
	require.NoError(t, iotest.TestReader(a, content))
	_, err := a.Seek(-1, io.SeekStart)
	require.Error(t, err)
	a.close()
	require.Zero(t, open)
	require.NoError(t, a.err)
}

// The file name of a video has the whole title, or the style if there is no title.
func TestVideoFileName(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"AC/DC": "AC-DC", "Q&A: yes/no": "Q&A- yes-no", `C:\new\talk`: "C--new-talk", "../../etc/passwd": "etc-passwd", " Talk ": "Talk", "a.b": "a.b", " ": "captions",
	} {
		r := engine.Render{Title: title, Style: engine.StyleCaptions}
		require.Equal(t, want+".mp4", videoFileName(r), title)
		require.Contains(t, videoDisposition(r), `inline; filename="`+want+`.mp4"; filename*=UTF-8''`, title)
	}
}
