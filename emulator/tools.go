package emulator

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/render"
)

// tools are what the worlds of a server share: whatever has no data of a world in it. Folders are made when they are first needed.
type tools struct {
	opts     Options
	fetcher  engine.Fetcher
	resolver engine.Resolver
	feeds    engine.FeedReader
	sender   *fetch.Sender
	media    engine.Media
	diarizer limitedDiarizer
	scratch  *folder      // that ffmpeg works in
	shelf    *blobs.Shelf // of the blobs that are not in a data folder
	bytes    *folder      // of the shelf
}

// newTools makes the tools of a server. Errors are those of Options.NewTranscriber; CodeUnavailable when yt-dlp is wanted and missing, or
// the data folder can't be used.
func newTools(o Options) (*tools, error) {
	reach := fetch.Config{AllowPrivate: o.AllowPrivateURLs}
	downloads := pages{fetch.New(reach)}
	t := &tools{opts: o, fetcher: downloads, resolver: downloads, feeds: feed.New(downloads), sender: fetch.NewSender(reach)}
	t.scratch, t.bytes = &folder{parent: o.FFmpeg.TempDir}, &folder{}
	t.shelf = blobs.NewShelf(t.bytes.path)
	t.media, t.diarizer = wav.Media{Other: lazyMedia{t.ffmpeg}}, newLimitedDiarizer()
	if o.NewTranscriber != nil {
		made, err := o.NewTranscriber(t.media)
		if err != nil {
			return nil, err
		}
		t.opts.Transcriber = made
	}
	if o.YTDLP != "" {
		found, err := fetch.NewYTDLP(fetch.YTDLPConfig{Path: o.YTDLP, Config: reach})
		if err != nil {
			return nil, err
		}
		t.resolver = found
	}
	if o.DataDir == "" {
		return t, nil
	}
	// What a process that was killed has left on the disk that has the data is removed at once.
	if t.scratch.parent == "" {
		if err := MakeDataDir(o.DataDir); err != nil {
			return nil, err
		}
		t.scratch.parent = filepath.Join(o.DataDir, "tmp")
		if err := os.MkdirAll(t.scratch.parent, 0o700); err != nil {
			return nil, folderError(o.DataDir, err)
		}
	}
	_, err := t.scratch.path()
	return t, err
}

// ffmpeg is FFmpeg with a folder to work in.
func (t *tools) ffmpeg() (render.FFmpeg, error) {
	f := t.opts.FFmpeg
	var err error
	f.TempDir, err = t.scratch.path()
	return f, err
}

// close closes connections and removes what is temporary.
func (t *tools) close() error {
	t.sender.Close()
	return errors.Join(t.scratch.close(), t.bytes.close())
}

// folder is a temporary folder that is made when somebody needs it.
type folder struct {
	parent string // default the system's folder for temporary files

	mu     sync.Mutex
	dir    string
	remove func() error
	closed bool
}

// path returns the folder; CodeUnavailable when it can't be made.
func (f *folder) path() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return "", engine.Errorf(engine.CodeUnavailable, "Open", "The server is closed.")
	}
	if f.dir != "" {
		return f.dir, nil
	}
	dir, remove, err := render.NewTempDir(f.parent)
	if err != nil {
		return "", folderError(cmp.Or(f.parent, os.TempDir()), err)
	}
	f.dir, f.remove = dir, remove
	return dir, nil
}

func (f *folder) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.remove == nil {
		return nil
	}
	remove := f.remove
	f.remove = nil
	return remove()
}

// lazyMedia is the engine.Media of an FFmpeg that is asked for at each call.
type lazyMedia struct{ ffmpeg func() (render.FFmpeg, error) }

// Probe implements engine.Media.
func (m lazyMedia) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	f, err := m.ffmpeg()
	if err != nil {
		return engine.MediaInfo{}, err
	}
	return f.Probe(ctx, src)
}

// Decode implements engine.Media.
func (m lazyMedia) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	f, err := m.ffmpeg()
	if err != nil {
		return nil, err
	}
	return f.Decode(ctx, src)
}
