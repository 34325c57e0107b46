package emulator

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/emulator/live"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/render"
)

// shared holds what a server's worlds share: everything without a world's data. Folders are created when they are first needed.
type shared struct {
	opts     Options
	fetcher  engine.Fetcher
	resolver engine.Resolver
	feeds    engine.FeedReader
	sender   *fetch.Sender
	media    engine.Media
	diarizer limitedDiarizer
	scratch  *folder     // ffmpeg's working folder
	pool     *blobs.Pool // blobs of worlds without a data folder
	bytes    *folder     // the pool's folder
	hub      live.Hub    // the streams of the worlds
}

// newShared creates the shared resources. Downloads and webhooks never connect to the server's own listener. It returns the errors of
// Options.NewTranscriber, and CodeUnavailable when yt-dlp is missing or the data folder can't be used.
func newShared(o Options, listener net.Addr) (*shared, error) {
	reach := fetch.Config{AllowPrivate: o.AllowPrivateURLs}
	if own, err := netip.ParseAddrPort(listener.String()); err == nil {
		reach.Own = []netip.AddrPort{own}
	}
	downloads := pages{fetch.New(reach), o.YTDLP != ""}
	t := &shared{opts: o, fetcher: downloads, resolver: downloads, feeds: feed.New(downloads), sender: fetch.NewSender(reach)}
	t.opts.FFmpeg.Known = cmp.Or(o.FFmpeg.Known, new(render.KnownMedia))
	t.scratch, t.bytes = &folder{parent: o.FFmpeg.TempDir}, &folder{}
	t.pool = blobs.NewPool(t.bytes.path)
	t.media, t.diarizer = media.Limit(wav.Media{Fallback: lazyMedia{t.ffmpeg}}, o.MaxDuration), newLimitedDiarizer()
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
	// A start removes temporary files that a killed process left in the data folder.
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

// ffmpeg returns FFmpeg with a working folder.
func (t *shared) ffmpeg() (render.FFmpeg, error) {
	f := t.opts.FFmpeg
	var err error
	f.TempDir, err = t.scratch.path()
	return f, err
}

// close closes connections and removes temporary files.
func (t *shared) close() error {
	t.sender.Close()
	return errors.Join(t.scratch.close(), t.bytes.close())
}

// folder is a temporary folder that is created when it is first needed.
type folder struct {
	parent string // default: the system's temporary folder

	mu     sync.Mutex
	dir    string
	remove func() error
	closed bool
}

// path returns the folder's path, and creates it if necessary. CodeUnavailable when it can't be created.
func (f *folder) path() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return "", engine.Errorf(engine.CodeUnavailable, "Open", "The server is closed.")
	}
	if f.dir != "" {
		_, err := os.Lstat(f.dir)
		if !errors.Is(err, fs.ErrNotExist) {
			return f.dir, nil
		}
		_ = f.remove() // it was deleted; this releases its lock
		if f.parent != "" {
			if err := os.MkdirAll(f.parent, 0o700); err != nil {
				return "", folderError(f.parent, err)
			}
		}
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

// lazyMedia implements engine.Media with an FFmpeg that it gets at each call.
type lazyMedia struct{ ffmpeg func() (render.FFmpeg, error) }

// Probe implements engine.Media.
func (m lazyMedia) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	f, err := m.ffmpeg()
	if err != nil {
		return engine.MediaInfo{}, err
	}
	return f.Probe(ctx, src)
}

// DecodeStereo implements engine.StereoMedia.
func (m lazyMedia) DecodeStereo(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	f, err := m.ffmpeg()
	if err != nil {
		return nil, err
	}
	return f.DecodeStereo(ctx, src)
}

// Decode implements engine.Media.
func (m lazyMedia) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	f, err := m.ffmpeg()
	if err != nil {
		return nil, err
	}
	return f.Decode(ctx, src)
}
