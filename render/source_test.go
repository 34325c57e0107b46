package render_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// A source without a file is copied to one, which is removed afterwards.
func TestSourceIsCopied(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	b, err := os.ReadFile(shared("tone.wav"))
	require.NoError(t, err)
	f := render.FFmpeg{TempDir: t.TempDir()}
	info, err := f.Probe(context.Background(), inMemory(b))
	require.NoError(t, err)
	require.Equal(t, "wav", info.Format)
	require.Len(t, decode(t, f, inMemory(b)), transcript.SampleRate)
	require.Empty(t, folder(t, f.TempDir))
}

// held is a source whose holder has a file. It counts those who hold it.
type held struct {
	engine.Source
	path    string
	holders *atomic.Int64
	err     error
}

func (h held) Hold(context.Context) (string, func(), error) {
	if h.err != nil {
		return "", nil, h.err
	}
	h.holders.Add(1)
	return h.path, func() { h.holders.Add(-1) }, nil
}

// The file of a held source is read where it is, released at the end, and never removed.
func TestSourceIsHeld(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	b, err := os.ReadFile(shared("tone.wav"))
	require.NoError(t, err)
	f := render.FFmpeg{TempDir: t.TempDir()}
	src := held{path: temporary(t, "tone.wav", b), holders: new(atomic.Int64)}
	info, err := f.Probe(t.Context(), src)
	require.NoError(t, err)
	require.Equal(t, "wav", info.Format)
	require.Zero(t, src.holders.Load())
	pcm, err := f.Decode(t.Context(), src)
	require.NoError(t, err)
	require.EqualValues(t, 1, src.holders.Load())
	require.NoError(t, pcm.Close())
	require.Zero(t, src.holders.Load())
	require.FileExists(t, src.path)
	require.Empty(t, folder(t, f.TempDir))

	src.err = engine.Errorf(engine.CodeNoSpace, "", "The media has 10 bytes, but local copies may have 9.")
	_, err = f.Probe(t.Context(), src)
	require.Equal(t, engine.CodeNoSpace, engine.CodeOf(err))
	src.err, src.path = nil, src.path+".gone"
	_, err = f.Probe(t.Context(), src)
	require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
	require.Zero(t, src.holders.Load())
}

// A name that looks like an option, a protocol, a pattern or a quotation is a name.
func TestUnusualNames(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	b, err := os.ReadFile(shared("tone.wav"))
	require.NoError(t, err)
	for _, name := range []string{"-y.wav", "http:example.wav", "q%03d.wav", "it's, [a] \"name\";.wav", "two\nlines.wav", "ünïcode 🎙.wav"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && strings.ContainsAny(name, ":\"\n") {
				t.Skip("this system doesn't allow the name")
			}
			src := localFile(temporary(t, name, b))
			_, err := render.FFmpeg{}.Probe(context.Background(), src)
			require.NoError(t, err)
			require.Len(t, decode(t, render.FFmpeg{}, src), transcript.SampleRate)
		})
	}
}

func TestSourceErrors(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	failing := func(err error) source {
		return source{1 << 20, func() (io.Reader, error) {
			return io.MultiReader(bytes.NewReader(make([]byte, 1<<16)), iotest.ErrReader(err)), nil
		}}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		src  engine.Source
		want engine.Code
	}{
		// A full disk has its own code.
		"disk full": {context.Background(), failing(&os.PathError{Op: "write", Err: syscall.ENOSPC}), engine.CodeNoSpace},
		// Errors of the source are returned unchanged.
		"source's own error": {context.Background(), failing(engine.NotFound("Open", "recording")), engine.CodeNotFound},
		"source's defect":    {context.Background(), failing(errors.New("broken")), engine.CodeInternal},
		"cannot be opened":   {context.Background(), source{1, func() (io.Reader, error) { return nil, errors.New("broken") }}, engine.CodeInternal},
		// A source that ends before its size is an error.
		"too short": {context.Background(), source{1 << 20, func() (io.Reader, error) { return strings.NewReader("RIFF"), nil }}, engine.CodeInternal},
		"empty":     {context.Background(), inMemory(nil), engine.CodeBadMedia},
		// Nothing starts once the context has ended.
		"ended": {ended, inMemory([]byte("RIFF")), engine.CodeCanceled},
		// The path must be an existing regular file: a device would never end.
		"no such file": {context.Background(), localFile("testdata/absent.wav"), engine.CodeNotFound},
		"a folder":     {context.Background(), localFile("testdata"), engine.CodeBadMedia},
		"a device":     {context.Background(), localFile(os.DevNull), engine.CodeBadMedia},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := render.FFmpeg{TempDir: t.TempDir()}
			_, err := f.Probe(c.ctx, c.src)
			require.Equal(t, c.want, engine.CodeOf(err), err)
			_, err = f.Decode(c.ctx, c.src)
			require.Equal(t, c.want, engine.CodeOf(err), err)
			require.Empty(t, folder(t, f.TempDir))
		})
	}
}

// The end of the context ends the copying.
func TestCopyCanceled(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	f := render.FFmpeg{TempDir: t.TempDir()}
	ctx, cancel := context.WithCancel(context.Background())
	endless := source{1 << 40, func() (io.Reader, error) {
		return readerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil }), nil
	}}
	_, err := f.Probe(ctx, endless)
	code(t, engine.CodeCanceled, err)
	require.Empty(t, folder(t, f.TempDir))
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
