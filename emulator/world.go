package emulator

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/emulator/live"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// world is an engine with its stores and its API. A reset replaces a world by a new one with the same spec.
type world struct {
	spec    worldSpec
	key     []byte   // signs cursors and URLs
	secrets []Secret // accepted secrets

	engine *engine.Engine
	store  engine.Store
	blobs  engine.Blobs
	api    http.Handler
	time   *worldTime
	sim    *sim.Simulation
	ids    *ids // nil with a data folder, which has random ids

	createdAfter time.Time // engine.Config.CreatedAfter

	traffic *traffic.Traffic
	outbox  *outbox.Outbox
	live    *live.Source // its stream

	requests      sync.WaitGroup // requests in progress
	stop          context.CancelFunc
	stopped       chan error     // the result of Run
	autoAdvancing sync.WaitGroup // the goroutine that moves the clock in mode auto
	closers       []func() error
	closing       sync.Once
	closed        error // result of close; written by closing

	renders        atomic.Pointer[RenderDefaults]
	settingRenders sync.Mutex // held while renders is changed
	dir            string     // data folder, "" for none

	script     *fixture.Script        // what fixtures have bound
	allowsMode func(clock.Mode) error // rejects clock modes that the server can't have
}

// Name returns the world's name.
func (w *world) Name() string { return w.spec.name }

// newWorld opens a world and starts its jobs. With a data folder, everything is durable. Without one, rows are in memory and blobs
// in the shared storage. begin is the initial state; nil means empty.
func newWorld(ctx context.Context, t *shared, spec worldSpec, begin *state) (w *world, err error) {
	o := spec.options(t.opts)
	w = &world{spec: spec, secrets: o.Secrets, stopped: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close(ctx))
		}
	}()
	w.renders.Store(&spec.renders)
	if w.time, err = newTime(o, begin); err != nil {
		return w, err
	}
	if err := w.open(ctx, t, o, begin); err != nil {
		return w, err
	}
	if err := w.openEngine(ctx, t, o, begin); err != nil {
		return w, err
	}
	if err := w.openAPI(o); err != nil {
		return w, err
	}
	run, stop := context.WithCancel(context.Background()) // not ctx, which may belong to a request
	w.stop = stop
	w.autoAdvancing.Go(func() { w.sim.AutoAdvance(run) })
	go func() {
		err := w.engine.Run(run)
		if err != nil {
			o.Log.Error("the job runner stopped", "err", err)
		}
		w.stopped <- err
	}()
	return w, nil
}

// openEngine creates the engine with the world's simulation, outbox, and script, its users and its initial state.
func (w *world) openEngine(ctx context.Context, t *shared, o Options, begin *state) (err error) {
	w.live = t.hub.Source(w.spec.name, w.time.clock.Now, w.follow)
	w.traffic = traffic.New(traffic.Config{Now: func() time.Time { return w.engine.Now() }, Ended: w.requestEnded, FaultChanged: w.faultChanged})
	w.allowsMode = o.checkClockMode
	w.script = w.newScript(o, begin)
	simulated := sim.Config{Clock: w.time.clock, Store: w.store, Jobs: w.script, AdvanceWait: o.AdvanceWait, PollWait: o.PollWait, Waits: w.jobWaits, Moved: w.clockMoved,
		Hasten: func(ctx context.Context, id queue.ID) error { return w.engine.HastenJob(ctx, id) }}
	if w.ids != nil {
		simulated.Spread = w.ids.spread
	}
	w.sim = sim.New(simulated)
	w.outbox = outbox.New(outbox.Config{
		Sender: t.sender, SigningTime: w.time.signBy, Timestamp: string(o.WebhookTime), Now: w.time.signing,
		Duplicate: w.traffic.TakeDuplicate, Held: w.sim.Held, Changed: w.messageChanged, Watching: w.live.Active,
	})
	w.closers = append(w.closers, func() error { w.outbox.Close(); return nil })
	downloads := w.script.Fetcher(t.fetcher)
	config := engine.Config{
		Store: &watchedStore{Store: w.store, watching: w.live.Active, changed: w.jobChanged}, Blobs: w.blobs, Media: t.media, Transcriber: w.script.Transcriber(o.transcriber(t.media, t.diarizer)), Diarizer: o.diarizer(t.diarizer),
		Renderer: renderer{t.ffmpeg, &w.renders}, Fetcher: downloads, Resolver: w.script.Resolver(t.resolver), Feeds: feed.New(downloads), Sender: w.outbox,
		LLM: o.llm(), Translator: o.translator(),
		Log: o.Log, Secret: w.key, MaxDuration: o.MaxDuration, Deadline: o.Deadline,
		StorageSoftLimit: o.StorageSoftLimit, StorageHardLimit: o.StorageHardLimit, SpeechLimit: o.SpeechLimit,
	}
	w.configureClock(&config, o)
	if w.engine, err = engine.New(config); err != nil {
		return err
	}
	if err := seedAccounts(ctx, w.engine, o.Secrets); err != nil {
		return err
	}
	if err := w.attachOutbox(ctx); err != nil || begin != nil {
		return err
	}
	return w.applyFixtures(ctx, o.Fixtures)
}

// openAPI creates the API, wrapped in the request log and the faults.
func (w *world) openAPI(o Options) error {
	signer, err := files.NewSigner(files.Key{ID: "1", Secret: w.key})
	if err != nil {
		return err
	}
	frontend := api.Config{
		Engine: w.engine, Signer: signer, Log: o.Log, PublicURL: o.PublicURL, World: w.spec.inURLs(), RateLimits: o.RateLimits,
		Polled: func(ctx context.Context, p api.Poll) { w.sim.Polled(ctx, sim.Poll(p)) }, Refuse: fixture.Refuse,
	}
	if w.ids != nil {
		frontend.RequestID = w.ids.request
	}
	w.api = w.traffic.Wrap(api.New(frontend))
	return nil
}

// open opens the stores and gets the key that signs cursors and URLs.
func (w *world) open(ctx context.Context, t *shared, o Options, begin *state) error {
	if o.DataDir == "" {
		w.openEphemeral(t, o, begin)
		return nil
	}
	if err := MakeDataDir(o.DataDir); err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, filepath.Join(o.DataDir, "soundstage.db"))
	if err != nil {
		return err
	}
	w.store = store
	w.closers = append(w.closers, store.Close)
	if err := w.resumeTime(ctx, store, o); err != nil {
		return err
	}
	if w.key, err = dataKey(o.DataDir); err != nil {
		return folderError(o.DataDir, err)
	}
	if err := CheckData(ctx, o.DataDir, store); err != nil {
		return err
	}
	if err := w.resumeRenders(o.DataDir); err != nil {
		return err
	}
	w.blobs, err = files.New(filepath.Join(o.DataDir, "blobs"), files.Options{Exclusive: true, Now: w.time.clock.Now})
	return err
}

// close waits for requests in progress, stops the jobs, and closes the stores, once. ctx and drainTimeout only limit the wait for
// requests.
func (w *world) close(ctx context.Context) error {
	w.closing.Do(func() { w.closed = w.shut(ctx) })
	return w.closed
}

func (w *world) shut(ctx context.Context) error {
	w.releaseDelayed()
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
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
		w.outbox.Drain(ctx)
		w.stop()
		errs = append(errs, <-w.stopped)
		w.autoAdvancing.Wait()
	}
	w.live.Detach()
	for i := len(w.closers) - 1; i >= 0; i-- {
		errs = append(errs, w.closers[i]())
	}
	return errors.Join(errs...)
}
