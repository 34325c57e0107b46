package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A file that exists is replaced only with --force. Inputs, folders, and devices never are, and two outputs are never the same file.
func TestOverwrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	there, input := filepath.Join(dir, "there.mp4"), filepath.Join(dir, "input.mp4")
	for _, path := range []string{there, input} {
		require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	link := filepath.Join(dir, "link.mp4")
	require.NoError(t, os.Link(input, link))
	for name, c := range map[string]struct {
		force overwriteFlag
		paths []string
		code  engine.Code
		says  string
	}{
		"new":            {false, []string{filepath.Join(dir, "new.mp4"), ""}, "", ""},
		"exists":         {false, []string{there}, engine.CodeConflict, "there.mp4 exists"},
		"second exists":  {false, []string{filepath.Join(dir, "new.mp4"), there}, engine.CodeConflict, "there.mp4 exists"},
		"forced":         {true, []string{there}, "", ""},
		"input":          {true, []string{input}, engine.CodeInvalid, "would overwrite the input"},
		"link to input":  {true, []string{link}, engine.CodeInvalid, "would overwrite the input"},
		"folder":         {true, []string{dir}, engine.CodeInvalid, "is no regular file"},
		"device":         {true, []string{os.DevNull}, engine.CodeInvalid, "is no regular file"},
		"twice":          {true, []string{there, dir + "/./there.mp4"}, engine.CodeInvalid, "Two files would be written"},
		"no such folder": {true, []string{filepath.Join(dir, "no", "new.mp4")}, engine.CodeUnavailable, "can't be written"},
	} {
		err := c.force.check("test", []string{input}, c.paths...)
		if c.code == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, c.code, engine.CodeOf(err), name)
		require.ErrorContains(t, err, c.says, name)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 3, "nothing is written")
}

// render and library clip refuse to replace a file before they do any work, and replace it with --force.
func TestForce(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	dir := t.TempDir()
	clip, poster := filepath.Join(dir, "clip.mp4"), filepath.Join(dir, "clip.jpg")
	old := func() {
		for _, path := range []string{clip, poster} {
			require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
		}
	}
	old()
	lib(t, dir, "add", testdata("conversation.mp4"))
	for _, args := range [][]string{
		{"render", testdata("conversation.mp4"), "--to", "1s", "--aspect", "original"},
		{"library", "clip", "1", "--data", dir, "--end", "1s", "--aspect", "original"},
	} {
		old()
		args = append(args, "-o", clip, "--poster", poster)
		code, _, errOut := cli(t, args...)
		require.Equal(t, 4, code, errOut)
		require.Contains(t, errOut, "clip.mp4 exists.\n  Add --force")
		kept, err := os.ReadFile(clip)
		require.NoError(t, err)
		require.Equal(t, "mine", string(kept))
		code, _, errOut = cli(t, append(args, "--force")...)
		require.Zero(t, code, errOut)
		for _, path := range []string{clip, poster} {
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Greater(t, info.Size(), int64(1000))
		}
	}
	code, _, errOut := cli(t, "render", clip, "--to", "1s", "-o", clip, "--force")
	require.Equal(t, 2, code, errOut)
	require.Contains(t, errOut, "would overwrite the input")
}
