package render_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// encoder returns an FFmpeg that encodes with the given shell lines and runs the real ffmpeg otherwise.
func encoder(t *testing.T, lines string) render.FFmpeg {
	t.Helper()
	needFFmpeg(t)
	script := "for last; do :; done\nout=${last#file:}\ncase \"$*\" in\n-version) echo 'ffmpeg version 3.4.11-0 Copyright (c) 2000-2022 the FFmpeg developers' ;;\n" +
		"*-progress*) " + lines + " ;;\n*) exec ffmpeg \"$@\" ;;\nesac"
	return render.FFmpeg{FFmpeg: program(t, script), TempDir: t.TempDir()}
}

// untouched renders into a folder with an earlier result, and asserts that a failure leaves it unchanged.
func untouched(t *testing.T, f render.FFmpeg, src engine.Source, r render.Request) error {
	t.Helper()
	results := t.TempDir()
	out := filepath.Join(results, "out.mp4")
	require.NoError(t, os.WriteFile(out, []byte("earlier"), 0o600))
	if f.TempDir == "" {
		f.TempDir = t.TempDir()
	}
	_, err := f.Render(context.Background(), src, r, out, nil)
	require.Error(t, err)
	require.Equal(t, []string{"out.mp4"}, folder(t, results))
	b, readErr := os.ReadFile(out)
	require.NoError(t, readErr)
	require.Equal(t, "earlier", string(b))
	require.Empty(t, folder(t, f.TempDir))
	return err
}

// However ffmpeg fails, the user gets a message, no partial file appears, and an existing result stays.
func TestEncoderFails(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	for name, c := range map[string]struct {
		lines     string
		want      engine.Code
		sentence  string
		retryable bool
	}{
		// Exit status 0 isn't success if there is no video, or only half of it.
		"empty":     {`exit 0`, engine.CodeBadMedia, "Nothing could be rendered: this part of the media can't be decoded.", false},
		"no film":   {`echo film >"$out"`, engine.CodeBadMedia, "Nothing could be rendered: this part of the media can't be decoded.", false},
		"too short": {`exec ffmpeg -v error -y -f lavfi -i color=s=144x256:d=0.2 -f lavfi -i anullsrc -t 0.2 -f mp4 "$out"`, engine.CodeBadMedia, "Nothing could be rendered: this part of the media can't be decoded.", false},
		"no sound":  {`exec ffmpeg -v error -y -f lavfi -i color=s=144x256:d=1 -f mp4 "$out"`, engine.CodeBadMedia, "Nothing could be rendered: this part of the media can't be decoded.", false},
		"no index":  {`ffmpeg -v error -y -f lavfi -i color=s=144x256:d=1 -f lavfi -i anullsrc -t 1 -f mp4 "$out"; head -c 1000 "$out" >"$out.cut"; mv "$out.cut" "$out"`, engine.CodeBadMedia, "Nothing could be rendered: this part of the media can't be decoded.", false},
		// Disk, memory and system failures are distinguished.
		"disk full": {`echo x >"$out"; echo "av_interleaved_write_frame(): No space left on device" >&2; exit 1`, engine.CodeNoSpace, "The disk is full, so the render could not be finished.", false},
		"no memory": {`echo "Error: Cannot allocate memory" >&2; exit 1`, engine.CodeUnavailable, "There was not enough memory to render.", true},
		"killed":    {`echo x >"$out"; kill -9 $$`, engine.CodeUnavailable, "Rendering was stopped by the system, which may be short of memory.", true},
		"too large": {`echo "Error writing trailer: File too large" >&2; exit 1`, engine.CodeTooLarge, "The render is too large.", false},
		// An ffmpeg that is too old is reported as such; a new one that lacks a library isn't.
		"too old": {`echo "Unrecognized option 'stats_period'." >&2; exit 1`, engine.CodeUnavailable, "This machine's ffmpeg is too old: it is 3.4.11, and 4.4 or newer is needed.", false},
		// Any other output is blamed on the media.
		"complains": {`echo "Error while decoding" >&2; exit 1`, engine.CodeBadMedia, "The file is damaged or incomplete and cannot be read.", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := untouched(t, encoder(t, c.lines), localFile(shared("conversation.mp4")), render.Request{Window: window(0, 1000), ShortSide: 144})
			e := code(t, c.want, err)
			require.Equal(t, c.sentence, e.Msg)
			require.Equal(t, c.retryable, e.Retryable)
		})
	}

	// A process that hangs is killed after the timeout.
	t.Run("hangs", func(t *testing.T) {
		t.Parallel()
		f := encoder(t, `sleep 100`)
		f.Timeout = 8 * time.Second
		e := code(t, engine.CodeUnavailable, untouched(t, f, localFile(shared("conversation.mp4")), render.Request{Window: window(0, 1000), ShortSide: 144}))
		require.Equal(t, "Rendering took too long.", e.Msg)
		require.True(t, e.Retryable)
	})
}

// Bad media fail with a message, and leave no files.
func TestRenderBadMedia(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	for name, c := range map[string]struct {
		media  string
		window transcript.Window
		want   engine.Code
	}{
		"a text":                   {"notmedia.wav", window(0, 1000), engine.CodeBadMedia},
		"a playlist":               {"playlist.mp4", window(0, 1000), engine.CodeBadMedia},
		"a script":                 {"concat.mp4", window(0, 1000), engine.CodeBadMedia},
		"nothing":                  {"empty.wav", window(0, 1000), engine.CodeBadMedia},
		"cut before its index":     {"truncated-nomoov.mp4", window(0, 1000), engine.CodeBadMedia},
		"after the truncation":     {"truncated.mp4", window(18_000, 19_000), engine.CodeBadMedia},
		"window after the end":     {"conversation.mp4", window(30_000, 31_000), engine.CodeInvalid},
		"audiogram of a mute film": {"videoonly.mp4", window(0, 1000), engine.CodeBadMedia},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := render.Request{Window: c.window, ShortSide: 144}
			if c.media == "videoonly.mp4" {
				r.Style = engine.StyleAudiogram
			}
			code(t, c.want, untouched(t, render.FFmpeg{}, localFile(shared(c.media)), r))
		})
	}
}

// A cover that would take gigabytes to decode is left out with a note.
func TestHugeCover(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	b, err := os.ReadFile(shared("cover.mp3"))
	require.NoError(t, err)
	at := bytes.Index(b, []byte("\xff\xc0\x00\x11")) // a JPEG's sizes: length, precision, height, width
	require.Positive(t, at)
	binary.BigEndian.PutUint16(b[at+5:], 15_000)
	binary.BigEndian.PutUint16(b[at+7:], 15_000)
	_, result := rendered(t, inMemory(b), render.Request{Window: window(0, 500)})
	require.Equal(t, "The cover picture can't be decoded; the background is plain.", result.Message)
}

// An output path that can't be written fails before anything is encoded.
func TestRenderUnwritable(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	here := filepath.Join(t.TempDir(), "folder.mp4")
	require.NoError(t, os.Mkdir(here, 0o700))
	for _, out := range []string{filepath.Join(here, "absent", "out.mp4"), here, filepath.Join(shared("tone.wav"), "out.mp4")} {
		_, err := renderer.Render(context.Background(), localFile(shared("tone.wav")), render.Request{Window: window(0, 1000), ShortSide: 144}, out, nil)
		require.Contains(t, code(t, engine.CodeInvalid, err).Msg, "The result can't be written")
	}
}

// A cancel ends ffmpeg and leaves no files; the next render works.
func TestRenderCanceled(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	results := t.TempDir()
	f := render.FFmpeg{TempDir: t.TempDir(), Threads: 1}
	out := filepath.Join(results, "out.mp4")
	reason := errors.New("the lease is lost")
	r := render.Request{Window: window(0, 20_000), ShortSide: 360, Words: wordsOf("one two three", 0, 20*time.Second)}
	ctx, cancel := context.WithCancelCause(context.Background())
	canceled := false
	_, err := f.Render(ctx, localFile(shared("conversation.mp4")), r, out, func(fraction float64, message string) {
		if fraction > 0.06 && !canceled {
			require.NotEmpty(t, processes(t, results))
			canceled = true
			cancel(reason)
		}
	})
	require.True(t, canceled)
	code(t, engine.CodeCanceled, err)
	require.ErrorIs(t, err, reason)
	require.Empty(t, processes(t, results))
	require.Empty(t, folder(t, results))
	require.Empty(t, folder(t, f.TempDir))

	r.Window.End = time.Second
	r.ShortSide = 144
	_, err = f.Render(context.Background(), localFile(shared("conversation.mp4")), r, out, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"out.mp4"}, folder(t, results))
}

// RemoveParts deletes what a killed process left, and nothing else: no file that a render is writing.
func TestRemoveParts(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	results := filepath.Join(t.TempDir(), "[results] *")
	require.NoError(t, os.Mkdir(results, 0o700))
	names := []string{".soundstage-123.part", ".soundstage-mine.part", "a.mp4", "b.part"}
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(results, name), nil, 0o600))
	}
	require.NoError(t, render.RemoveParts(results))
	require.Equal(t, names[1:], folder(t, results))
	require.NoError(t, render.RemoveParts(filepath.Join(results, "absent")))

	needFFmpeg(t)
	removed := false
	out := filepath.Join(results, "out.mp4")
	_, err := renderer.Render(context.Background(), localFile(shared("conversation.mp4")), render.Request{Window: window(0, 1000), ShortSide: 144}, out,
		func(_ float64, message string) {
			if message == render.MsgChecking {
				require.NoError(t, render.RemoveParts(results))
				removed = true
			}
		})
	require.NoError(t, err)
	require.True(t, removed)
	require.Equal(t, append(names[1:], "out.mp4"), folder(t, results))
}

// A temporary folder is removed by its program or by a later one, but never while its program runs.
func TestNewTempDir(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	for _, name := range []string{"soundstage-123.tmp", "soundstage-mine", "other-123.tmp"} {
		require.NoError(t, os.MkdirAll(filepath.Join(parent, name, "inside"), 0o700))
	}
	require.NoError(t, os.Symlink(parent, filepath.Join(parent, "soundstage-456.tmp")))
	first, removeFirst, err := render.NewTempDir(parent)
	require.NoError(t, err)
	second, removeSecond, err := render.NewTempDir(parent)
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	require.DirExists(t, first)
	require.NoError(t, os.WriteFile(filepath.Join(first, "file"), nil, 0o600))
	require.NoError(t, removeFirst())
	require.NoError(t, removeSecond())
	require.Equal(t, []string{"other-123.tmp", "soundstage-456.tmp", "soundstage-mine"}, folder(t, parent))
	_, _, err = render.NewTempDir(filepath.Join(parent, "absent"))
	code(t, engine.CodeInvalid, err)
}
