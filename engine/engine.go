package engine

import (
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
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

	Clock   Clock     // default: the system's
	IDs     IDs       // default: random UUIDs
	Entropy io.Reader // of the secrets of webhooks; default crypto/rand
	// SignTime is the time that deliveries are signed with and tell; default Clock's.
	SignTime func() time.Time
	Random   func() float64 // for the jitter of retries, in [0,1); default: math/rand
	Secret   []byte         // signs cursors; with a default, which is random, they end with the process
	Log      *slog.Logger   // default: none

	// Progress is told how far the transcriber is with a transcript, 0 to 1, from several goroutines; default none.
	Progress func(id TranscriptID, done float64)

	Workers  map[queue.Class]int // jobs of a class that run at once; default queue.DefaultWorkers
	Lease    time.Duration       // of a running job, renewed three times in it, unless the Store is exclusive; default 30 s
	Retry    queue.RetryPolicy
	Observer queue.Observer[ReadTx] // follows every job, as a metric or a simulation does; default none
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
	assign      func([]transcript.Word, []transcript.Turn) []transcript.Word
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
	ids         IDs
	entropy     io.Reader
	signTime    func() time.Time
	cursors     cursor.Codec
	log         *slog.Logger
	progress    func(TranscriptID, float64)
	hookRetry   []time.Duration
	storageSoft int64
	storageHard int64
	speechLimit time.Duration
	exclusive   bool // whether no other process can change the store
	queue       *queue.Queue[ReadTx, Tx]
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
		clock: c.Clock, ids: c.IDs, cursors: cursor.Codec{Key: c.Secret}, log: c.Log, progress: c.Progress,
		storageSoft: c.StorageSoftLimit, storageHard: c.StorageHardLimit, speechLimit: c.SpeechLimit,
		entropy: c.Entropy, signTime: c.SignTime,
	}
	if x, ok := c.Store.(ExclusiveStore); ok {
		e.exclusive = x.Exclusive()
	}
	e.assign = transcript.AssignSpeakers
	if a, ok := c.Diarizer.(WordAssigner); ok {
		e.assign = a.Assign
	}
	e.posters, _ = c.Renderer.(PosterRenderer)
	e.suggester, _ = c.LLM.(Suggester)
	if e.hookRetry == nil {
		e.hookRetry = DefaultWebhookRetry()
	}
	if e.clock == nil {
		e.clock = queue.SystemClock()
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
	if len(e.cursors.Key) == 0 {
		e.cursors.Key = []byte(rand.Text() + rand.Text())
	}
	if e.log == nil {
		e.log = slog.New(slog.DiscardHandler)
	}
	if e.progress == nil {
		e.progress = func(TranscriptID, float64) {}
	}
	if e.storageSoft <= 0 {
		e.storageSoft = DefaultStorageSoftLimit
	}
	if e.storageHard <= 0 {
		e.storageHard = DefaultStorageHardLimit
	}
	var err error
	e.queue, err = queue.New(e.queueConfig(c))
	return e, wrap(op, err)
}

// Now is the engine's time: UTC, in whole microseconds, which is what every store keeps.
func (e *Engine) Now() time.Time { return e.now() }

func (e *Engine) now() time.Time { return e.clock.Now().UTC().Truncate(time.Microsecond) }

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
