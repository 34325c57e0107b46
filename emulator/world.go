package emulator

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/sqlite"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/render"
)

// world is one engine with its stores and its /v1. A reset swaps a server's world for a new one.
type world struct {
	engine *engine.Engine
	store  engine.Store
	api    http.Handler

	requests sync.WaitGroup // that are being answered
	stop     context.CancelFunc
	stopped  chan error // of Run
	closers  []func() error
}

// Name tells it from the server's other worlds.
func (w *world) Name() string { return control.DefaultWorld }

// newWorld opens a world and starts its work. With a data folder everything is durable; without one the rows are in memory
// and the blobs in a temporary folder.
func newWorld(ctx context.Context, o Options) (w *world, err error) {
	w = &world{stopped: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close(ctx))
		}
	}()
	blobs, key, err := w.open(ctx, o)
	if err != nil {
		return w, err
	}
	if o.FFmpeg.TempDir, err = w.tempDir(o); err != nil {
		return w, err
	}
	signer, err := files.NewSigner(files.Key{ID: "1", Secret: key})
	if err != nil {
		return w, err
	}
	reach := fetch.Config{AllowPrivate: o.AllowPrivateURLs}
	downloads := pages{fetch.New(reach)}
	resolver := engine.Resolver(downloads)
	if o.YTDLP != "" {
		if resolver, err = fetch.NewYTDLP(fetch.YTDLPConfig{Path: o.YTDLP, Config: reach}); err != nil {
			return w, err
		}
	}
	sender := fetch.NewSender(reach)
	w.closers = append(w.closers, func() error { sender.Close(); return nil })
	w.engine, err = engine.New(engine.Config{
		Store: w.store, Blobs: blobs, Media: o.FFmpeg, Transcriber: o.transcriber(), Diarizer: diarize.Diarizer{}, Renderer: renderer{o.FFmpeg},
		Fetcher: downloads, Resolver: resolver, Feeds: feed.New(downloads), Sender: sender,
		LLM: fake.LLM{}, Translator: fake.Translator{},
		Log: o.Log, Secret: key, Retry: o.Clock.retry(), WebhookRetry: o.Clock.webhookRetry(),
		StorageSoftLimit: o.StorageSoftLimit, StorageHardLimit: o.StorageHardLimit, SpeechLimit: o.SpeechLimit,
	})
	if err != nil {
		return w, err
	}
	if err := seed(ctx, w.engine, o.Secrets); err != nil {
		return w, err
	}
	w.api = api.New(api.Config{Engine: w.engine, Signer: signer, Log: o.Log, PublicURL: o.PublicURL, RateLimits: o.RateLimits})
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.stop = stop
	go func() {
		err := w.engine.Run(run)
		if err != nil {
			o.Log.Error("jobs are not run any more", "err", err)
		}
		w.stopped <- err
	}()
	return w, nil
}

// open opens the stores and returns the blobs and the secret that signs cursors and addresses.
func (w *world) open(ctx context.Context, o Options) (engine.Blobs, []byte, error) {
	if o.DataDir == "" {
		dir, remove, err := render.NewTempDir("")
		if err != nil {
			return nil, nil, folderError(os.TempDir(), err)
		}
		w.closers = append(w.closers, remove)
		blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{NoSync: true})
		w.store = memory.NewStore()
		return blobs, []byte(rand.Text() + rand.Text()), err
	}
	if err := MakeDataDir(o.DataDir); err != nil {
		return nil, nil, err
	}
	store, err := sqlite.Open(ctx, filepath.Join(o.DataDir, "soundstage.db"))
	if err != nil {
		return nil, nil, err
	}
	w.store = store
	w.closers = append(w.closers, store.Close)
	key, err := dataKey(o.DataDir)
	if err != nil {
		return nil, nil, folderError(o.DataDir, err)
	}
	blobs, err := files.New(filepath.Join(o.DataDir, "blobs"), files.Options{Exclusive: true})
	return blobs, key, err
}

// tempDir makes the folder that ffmpeg works in: where the options say, else in the data folder, whose disk has room for
// videos, else the system's. What a process that was killed has left there is gone.
func (w *world) tempDir(o Options) (string, error) {
	parent := o.FFmpeg.TempDir
	if parent == "" && o.DataDir != "" {
		parent = filepath.Join(o.DataDir, "tmp")
		if err := os.MkdirAll(parent, 0o700); err != nil {
			return "", folderError(o.DataDir, err)
		}
	}
	dir, remove, err := render.NewTempDir(parent)
	if err != nil {
		return "", folderError(cmp.Or(parent, os.TempDir()), err)
	}
	w.closers = append(w.closers, remove)
	return dir, nil
}

// MakeDataDir makes sure that a data folder exists and can be written to; else CodeUnavailable.
func MakeDataDir(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, "probe-"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err != nil {
		return folderError(dir, err)
	}
	return nil
}

// dataKey returns the secret of a data folder; the first start makes it.
func dataKey(dir string) ([]byte, error) {
	path := filepath.Join(dir, "key")
	key, err := os.ReadFile(path)
	if err == nil && len(key) >= 32 {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key = []byte(rand.Text() + rand.Text())
	temp, err := os.CreateTemp(dir, "key-")
	if err != nil {
		return nil, err
	}
	_, err = temp.Write(key)
	err = errors.Join(err, temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	return key, err
}

func folderError(dir string, err error) error {
	return engine.Errorf(engine.CodeUnavailable, "Open", "The data folder %s can't be used.", dir).
		WithHint("Choose a folder that you may write to, or leave --data out to keep nothing.").Because(err)
}

// close lets requests end, stops the work and closes the stores. ctx bounds the wait for the requests only.
func (w *world) close(ctx context.Context) error {
	idle := make(chan struct{})
	go func() {
		w.requests.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-ctx.Done():
	}
	var errs []error
	if w.stop != nil {
		w.stop()
		errs = append(errs, <-w.stopped)
	}
	for i := len(w.closers) - 1; i >= 0; i-- {
		errs = append(errs, w.closers[i]())
	}
	return errors.Join(errs...)
}

// paced is a Transcriber that takes as long as the hosted service would.
type paced struct {
	engine.Transcriber
}

const (
	paceShare = 4                // the hosted service takes about a quarter of the audio's length …
	paceLeast = 2 * time.Second  // … at least this …
	paceMost  = 15 * time.Minute // … and typically no more than this (service.md, What the service does)
)

func (p paced) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	timer := time.NewTimer(min(max(req.Info.Duration/paceShare, paceLeast), paceMost))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return engine.Transcription{}, context.Cause(ctx)
	case <-timer.C:
	}
	return p.Transcriber.Transcribe(ctx, req)
}
