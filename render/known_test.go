package render_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/render"
)

// asked writes an ffprobe that counts its calls, by folders: it can't write files. calls returns their number.
func asked(t *testing.T) (ffprobe string, calls func() int) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	folder := t.TempDir()
	ffprobe = filepath.Join(t.TempDir(), "ffprobe")
	script := fmt.Sprintf("#!/bin/sh\nmkdir %q/$$\nexec ffprobe \"$@\"\n", folder)
	executable.Write(t, ffprobe, script)
	return ffprobe, func() int {
		found, err := os.ReadDir(folder)
		require.NoError(t, err)
		return len(found)
	}
}

func TestKnownMediaAsksOnce(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	ffprobe, calls := asked(t)
	f := render.FFmpeg{FFprobe: ffprobe, Known: new(render.KnownMedia)}
	media := filepath.Join(t.TempDir(), "media")
	inspect := func(content string) render.MediaFacts {
		facts, err := f.Inspect(t.Context(), localFile(media))
		require.NoError(t, err, content)
		return facts
	}
	write := func(name string) {
		b, err := os.ReadFile(shared(name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(media, b, 0o600))
	}
	write("conversation.mp4")
	first := inspect("a video")
	require.Equal(t, first, inspect("the same"))
	require.Equal(t, 1, calls())

	// What a caller does with the facts changes nothing: neither with those of ffprobe, nor with those that were kept.
	want, err := render.FFmpeg{}.Inspect(t.Context(), localFile(media))
	require.NoError(t, err)
	for _, facts := range []render.MediaFacts{first, inspect("the same")} {
		facts.Audio.Codec, facts.Video.Width, facts.Picture.Stream, facts.Sound.Stream = "", 0, 9, 9
		require.Equal(t, want, inspect("the same"))
	}
	require.Equal(t, 1, calls())

	// Another size is another file, and so is another time.
	write("opening.flac")
	require.Equal(t, "flac", inspect("sound").Format)
	require.Equal(t, 2, calls())
	require.NoError(t, os.Chtimes(media, time.Time{}, time.Unix(1, 0)))
	_ = inspect("sound")
	require.Equal(t, 3, calls())
}

func TestKnownMediaKeepsNoErrors(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	ffprobe, calls := asked(t)
	f := render.FFmpeg{FFprobe: ffprobe, Known: new(render.KnownMedia)}
	for range 2 {
		_, err := f.Inspect(t.Context(), localFile(shared("notmedia.wav")))
		require.Error(t, err)
	}
	require.Equal(t, 2, calls())
}

func TestKnownMediaIsBounded(t *testing.T) {
	t.Parallel()
	var known render.KnownMedia
	for i := range render.MostKnown + 3 {
		known.Put(fmt.Sprint(i), render.MediaFacts{})
	}
	require.Equal(t, render.MostKnown, known.Len())

	var small render.KnownMedia
	small.Put("a", render.MediaFacts{MediaInfo: engine.MediaInfo{Title: strings.Repeat("a", 20_000)}})
	small.Put("b", render.MediaFacts{MediaInfo: engine.MediaInfo{Language: strings.Repeat("a", 20_000)}})
	small.Put("c", render.MediaFacts{Chapters: make([]render.Chapter, 1000)})
	require.Zero(t, small.Len())
	small.Put("d", render.MediaFacts{MediaInfo: engine.MediaInfo{Title: "A title"}, Chapters: make([]render.Chapter, 100)})
	require.Equal(t, 1, small.Len())
}
