package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// A file is complete when two further looks find the same size and time. It is returned once, and again after it has changed. A file that
// isn't media is never returned.
func TestWatcherLooks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talk.wav")
	copyMedia(t, "tone.wav", path)
	text := filepath.Join(t.TempDir(), "notes")
	require.NoError(t, os.WriteFile(text, []byte("notes"), 0o600))
	now := time.Now()
	file := mediaFile{path: path, id: "talk", size: 10, modified: now}
	grown, touched := file, file
	grown.size, touched.size, touched.modified = 20, 20, now.Add(time.Second)
	w := watcher{}
	look := func(files ...mediaFile) int {
		return len(w.look(append(files, mediaFile{path: text, id: "notes", size: 5}), now))
	}
	require.Zero(t, look(file))
	require.Zero(t, look(grown), "it grows")
	require.Zero(t, look(grown), "unchanged once")
	require.Equal(t, 1, look(grown), "unchanged twice")
	require.Zero(t, look(grown), "once only")
	require.Zero(t, look(touched), "it was written again")
	require.Zero(t, look(touched))
	require.Equal(t, 1, look(touched))
	require.Zero(t, look(), "it was removed")
	require.NotContains(t, w, "talk")
}

// A file that couldn't be added for a reason that may pass is returned again later. Others wait until they change.
func TestWatcherRetries(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "talk.wav")
	copyMedia(t, "tone.wav", path)
	now := time.Now()
	file := mediaFile{path: path, id: "talk", size: 10, modified: now}
	failed := func(err error) addition { return addition{source: file.source(), result: resultFailed, err: err} }
	for _, c := range []struct {
		result addition
		again  bool
	}{
		{failed(engine.Errorf(engine.CodeConflict, "", "The file changed.")), true},
		{failed(engine.Errorf(engine.CodeNoSpace, "", "The disk is full.")), true},
		{failed(errors.New("unknown")), true},
		{failed(engine.Errorf(engine.CodeBadMedia, "", "The media is too long.")), false},
		{addition{source: file.source(), result: resultFailed, recording: engine.Recording{ID: "r"}, err: engine.Errorf(engine.CodeUnavailable, "", "No answer.")}, false},
		{addition{source: file.source(), result: resultAdded, recording: engine.Recording{ID: "r"}}, false},
	} {
		w := watcher{}
		for range stillLooks + 1 {
			w.look([]mediaFile{file}, now)
		}
		w.done(c.result, now)
		require.Empty(t, w.look([]mediaFile{file}, now.Add(retryAfter-time.Second)), "%v", c.result)
		require.Equal(t, c.again, len(w.look([]mediaFile{file}, now.Add(retryAfter))) == 1, "%v", c.result)
	}
}

// A link to a file has the external id of the file, and a link to a folder is the folder.
func TestScanLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, linked := filepath.Join(dir, "real", "talk.wav"), filepath.Join(dir, "linked")
	copyMedia(t, "tone.wav", real)
	if err := errors.Join(os.Symlink(filepath.Dir(real), linked), os.Symlink(real, filepath.Join(dir, "real", "talk2.wav"))); err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), err)
		t.Skip(err)
	}
	found, problems := scanFolder(linked, "")
	require.Empty(t, problems)
	require.Len(t, found, 2)
	require.Equal(t, pathID(real), found[0].id)
	require.Equal(t, pathID(real), found[1].id)
	require.Equal(t, pathID(real), pathID(filepath.Join(linked, "talk2.wav")))
}

// Paths that can't be external ids have a hash. Sources of different paths differ.
func TestExternalIDs(t *testing.T) {
	t.Parallel()
	long := string(make([]byte, 600))
	require.Equal(t, "https://media.example/a.mp3", externalID("https://media.example/a.mp3"))
	for _, odd := range []string{long, "/a\nb.wav", "/\xff.wav"} {
		id := externalID(odd)
		require.Regexp(t, `^sha256:[0-9a-f]{64}$`, id)
		require.NotEqual(t, id, externalID(odd+"x"))
		require.NoError(t, engine.Tags{ExternalID: id}.Validate())
	}
}
