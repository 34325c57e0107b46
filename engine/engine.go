package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Config is what an Engine is made of. Store and Blobs are required; an operation whose port is missing fails with
// CodeUnavailable. Everything else has a useful zero value.
type Config struct {
	Store Store
	Blobs Blobs

	Media       Media       // needed by every transcription, and by renders
	Transcriber Transcriber // needed by every transcription
	Diarizer    Diarizer    // for words without speakers; without it they are all Speaker 0's
	DiarizeAll  bool        // whether the Diarizer is believed more than a Transcriber that tells speakers
	Fetcher     Fetcher     // needed by transcription of URLs, and by imports
	Resolver    Resolver    // for pages of video-sharing, short-video and audio-streaming sites; without it they are refused
	Feeds       FeedReader  // needed by imports of feeds
	Renderer    Renderer    // needed by renders
	LLM         LLM         // needed by generation, chat and summaries of speakers
	Translator  Translator  // needed by translation
	Sender      Sender      // needed by webhooks

	Clock   Clock     // default: the system's; see JumpingClock
	IDs     IDs       // default: random UUIDs
	Entropy io.Reader // of the secrets of webhooks; default crypto/rand
	Pace    Pace      // of a simulation, whose jobs take time that they don't need; default none
	// SignTime is the time that deliveries are signed with and tell; default Clock's.
	SignTime func() time.Time
	// Tell is told of each step of a job after it was written, from several goroutines; default none.
	Tell   func(Step)
	Random func() float64 // for the jitter of retries, in [0,1); default: math/rand
	Secret []byte         // signs cursors; with a default, which is random, they end with the process
	Log    *slog.Logger   // default: none

	// Progress is told how far the transcriber is with a transcript, 0 to 1, from several goroutines; default none.
	Progress func(id TranscriptID, done float64)

	Workers map[JobClass]int // jobs of a class that run at once; default DefaultWorkers
	Lease   time.Duration    // of a running job, beaten three times in it; default 30 s
	Retry   RetryPolicy
	// WebhookRetry is how long to wait before each further try of a delivery; default DefaultWebhookRetry.
	WebhookRetry []time.Duration

	StorageSoftLimit int64         // bytes, of new accounts; default DefaultStorageSoftLimit
	StorageHardLimit int64         // bytes, of new accounts; default DefaultStorageHardLimit
	SpeechLimit      time.Duration // transcribed in a month, of new accounts; it is told, not enforced; default unlimited
}

// Engine is the service: its use cases are its methods. It is safe for concurrent use. Nothing that takes time happens
// until Run is called.
type Engine struct {
	store       Store
	blobs       Blobs
	media       Media
	transcriber Transcriber
	diarizer    Diarizer
	diarizeAll  bool
	assign      func([]Word, []Turn) []Word
	fetcher     Fetcher
	resolver    Resolver
	feeds       FeedReader
	renderer    Renderer
	posters     PosterRenderer // the renderer, where it can; nil otherwise
	llm         LLM
	suggester   Suggester
	translator  Translator
	sender      Sender
	clock       Clock
	house       Clock       // of leases, and of looks at the queue
	alone       bool        // nobody else works on the store: leases don't end
	stray       atomic.Bool // a row may say that its job runs though it doesn't: something couldn't be written
	ids         IDs
	entropy     io.Reader
	pace        Pace
	signTime    func() time.Time
	tell        func(Step)
	random      func() float64
	cursors     cursors
	log         *slog.Logger
	progress    func(TranscriptID, float64)
	workers     map[JobClass]int
	lease       time.Duration
	retry       RetryPolicy
	hookRetry   []time.Duration
	handlers    map[JobKind]handler
	storageSoft int64
	storageHard int64
	speechLimit time.Duration
	exclusive   bool
	boot        string // names this process as an owner of leases

	wake    chan struct{} // has a token when there may be a job to run
	mu      sync.Mutex
	changed chan struct{}  // closed at the next committed change
	running map[JobID]*try // jobs that run in this process
	rest    rest
}

// New checks a Config and returns its Engine. CodeInvalid says what is missing.
func New(c Config) (*Engine, error) {
	const op = "New"
	if c.Store == nil || c.Blobs == nil {
		return nil, Errorf(CodeInvalid, op, "Config.Store and Config.Blobs are required.").
			WithHint("Use engine/memory for both to keep everything in memory.")
	}
	e := &Engine{
		store: c.Store, blobs: c.Blobs, media: c.Media, transcriber: c.Transcriber, diarizer: c.Diarizer, diarizeAll: c.DiarizeAll, fetcher: c.Fetcher, renderer: c.Renderer,
		resolver: c.Resolver, feeds: c.Feeds, llm: c.LLM, translator: c.Translator, sender: c.Sender, hookRetry: c.WebhookRetry,
		clock: c.Clock, ids: c.IDs, random: c.Random, cursors: cursors{c.Secret}, log: c.Log, progress: c.Progress,
		workers: c.Workers, lease: c.Lease, retry: c.Retry.withDefaults(), handlers: jobHandlers(),
		storageSoft: c.StorageSoftLimit, storageHard: c.StorageHardLimit, speechLimit: c.SpeechLimit,
		wake: make(chan struct{}, 1), changed: make(chan struct{}), running: map[JobID]*try{},
		entropy: c.Entropy, pace: c.Pace, signTime: c.SignTime, tell: c.Tell, rest: rest{moved: make(chan struct{})},
	}
	if x, ok := c.Store.(ExclusiveStore); ok {
		e.exclusive = x.Exclusive()
	}
	e.assign = assignSpeakers
	if a, ok := c.Diarizer.(WordAssigner); ok {
		e.assign = a.Assign
	}
	e.posters, _ = c.Renderer.(PosterRenderer)
	e.suggester, _ = c.LLM.(Suggester)
	if e.hookRetry == nil {
		e.hookRetry = DefaultWebhookRetry()
	}
	if e.clock == nil {
		e.clock = systemClock{}
	}
	e.house = e.clock
	if jumping, ok := e.clock.(JumpingClock); ok {
		e.house, e.alone = jumping.Housekeeping(), true
	}
	if e.entropy == nil {
		e.entropy = rand.Reader
	}
	if e.signTime == nil {
		e.signTime = e.now
	}
	if e.ids == nil {
		e.ids = randomIDs{}
	}
	if e.random == nil {
		e.random = mathrand.Float64
	}
	if len(e.cursors.key) == 0 {
		e.cursors.key = []byte(rand.Text() + rand.Text())
	}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	if e.progress == nil {
		e.progress = func(TranscriptID, float64) {}
	}
	if e.workers == nil {
		e.workers = DefaultWorkers()
	}
	if e.lease <= 0 {
		e.lease = 30 * time.Second
	}
	if e.storageSoft <= 0 {
		e.storageSoft = DefaultStorageSoftLimit
	}
	if e.storageHard <= 0 {
		e.storageHard = DefaultStorageHardLimit
	}
	e.boot = rand.Text()
	return e, nil
}

// Now is the engine's time: UTC, in whole microseconds, which is what every store keeps.
func (e *Engine) Now() time.Time { return e.now() }

func (e *Engine) now() time.Time { return e.clock.Now().UTC().Truncate(time.Microsecond) }

// update is Store.Update for everything that may enqueue a job or be waited for.
func (e *Engine) update(ctx context.Context, fn func(Tx) error) error {
	if err := e.store.Update(ctx, e.paced(ctx, fn)); err != nil {
		return err
	}
	e.mu.Lock()
	close(e.changed)
	e.changed = make(chan struct{})
	e.mu.Unlock()
	e.poke()
	return nil
}

// Changes returns a channel that is closed at the next change that this process commits: whoever waits for one asks for the channel
// first, and then looks.
func (e *Engine) Changes() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changed
}

// poke makes the runner look for jobs.
func (e *Engine) poke() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rest.poked()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// waitFor calls get until it says that it is done: after each change that this process commits, and every second for
// those of others.
func waitFor[T any](ctx context.Context, e *Engine, get func() (T, bool, error)) (T, error) {
	for {
		changed := e.Changes()
		v, done, err := get()
		if err != nil || done {
			return v, err
		}
		timer := e.house.NewTimer(time.Second)
		select {
		case <-ctx.Done():
			timer.Stop()
			return v, wrap("Wait", context.Cause(ctx))
		case <-changed:
		case <-timer.C():
		}
		timer.Stop()
	}
}

// wrap makes an *Error of err, once per package border: an *Error keeps what it says and learns its operation.
func wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok {
		if e.Op != "" {
			return e
		}
		c := *e
		c.Op = op
		return &c
	}
	var e *Error
	if errors.As(err, &e) {
		return &Error{Code: e.Code, Rule: e.Rule, Op: op, Msg: e.Msg, Hint: e.Hint, Err: err, Retryable: e.Retryable, RetryAfter: e.RetryAfter}
	}
	return &Error{Code: CodeOf(err), Op: op, Msg: Message(err), Err: err}
}
