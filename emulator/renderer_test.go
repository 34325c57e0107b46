package emulator_test

import (
	"bytes"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// recorded creates a recording from a file and waits for its transcript.
func recorded(t *testing.T, s *emulator.Server, path string) (engine.Caller, engine.RecordingID) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	me, _, err := emulator.Accounts(t.Context(), s.Engine())
	require.NoError(t, err)
	up, err := s.Engine().CreateUpload(t.Context(), me, engine.NewUpload{Filename: filepath.Base(path), ContentType: "video/mp4", Size: int64(len(b))})
	require.NoError(t, err)
	_, err = s.Engine().ReceiveUpload(t.Context(), up.ID, bytes.NewReader(b))
	require.NoError(t, err)
	rec, _, err := s.Engine().CreateRecording(t.Context(), me, engine.NewRecording{ObjectID: up.ID})
	require.NoError(t, err)
	_, err = s.Engine().WaitRecording(t.Context(), me, rec.ID)
	require.NoError(t, err)
	return me, rec.ID
}

// rendered renders the first 3 s of a recording and waits for the result.
func rendered(t *testing.T, s *emulator.Server, me engine.Caller, n engine.NewRender) engine.Render {
	t.Helper()
	n.Window = transcript.Window{End: 3 * time.Second}
	r, err := s.Engine().CreateRender(t.Context(), me, n)
	require.NoError(t, err)
	r, err = s.Engine().WaitRender(t.Context(), me, r.ID)
	require.Equal(t, r.Status == engine.RenderFailed, err != nil, "%v", err)
	return r
}

// The poster of a clip or an audiogram has the render's size and is the same each time.
func TestRenderPoster(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders media")
	s := start(t, emulator.Options{})
	me, rec := recorded(t, s, filepath.Join("..", "testdata", "conversation.mp4"))
	for style, want := range map[engine.RenderStyle][2]int{engine.StyleCaptions: {320, 180}, engine.StyleAudiogram: {320, 180}} {
		r := rendered(t, s, me, engine.NewRender{RecordingID: rec, AspectRatio: engine.AspectOriginal, Style: style})
		require.Equal(t, engine.RenderCompleted, r.Status, r.Message)
		picture, err := s.Engine().RenderPoster(t.Context(), me, r.ID)
		require.NoError(t, err)
		shown, err := jpeg.DecodeConfig(bytes.NewReader(picture))
		require.NoError(t, err)
		require.Equal(t, want, [2]int{shown.Width, shown.Height}, style)
		again, err := s.Engine().RenderPoster(t.Context(), me, r.ID)
		require.NoError(t, err)
		require.Equal(t, picture, again)
	}
}

// The next start removes temporary files that a killed server left in its data folder. Close removes those of the running server.
func TestTemporaryFilesAreRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	work := filepath.Join(dir, "tmp")
	half := filepath.Join(work, "soundstage-123.tmp", "soundstage-render-1", ".soundstage-2.part")
	require.NoError(t, os.MkdirAll(filepath.Dir(half), 0o700))
	require.NoError(t, os.WriteFile(half, []byte("half a video"), 0o600))
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), emulator.Options{DataDir: dir})
	require.NoError(t, err)
	require.NoFileExists(t, half)
	require.NoError(t, s.Close())
	left, err := os.ReadDir(work)
	require.NoError(t, err)
	require.Empty(t, left)
}
