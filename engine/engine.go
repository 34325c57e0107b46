package engine

import (
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Config configures an Engine. Store and Blobs are required. A method that needs a missing port fails with CodeUnavailable. Every other
// field has a useful zero value.
type Config struct {
	Store Store
	Blobs Blobs

	Media       Media       // needed by every transcription, and by renders
	Transcriber Transcriber // needed by every transcription
	Diarizer    Diarizer    // for words without speakers; without it, all words are Speaker 0's
	DiarizeAll  bool        // use the Diarizer even when the Transcriber returns speakers
	Fetcher     Fetcher     // needed by transcription of URLs, and by imports
	Resolver    Resolver    // for pages of video-sharing, short-video, and audio-streaming sites; without it they are refused
	Feeds       FeedReader  // needed by imports of feeds
	Renderer    Renderer    // needed by renders
	LLM         LLM         // needed by generation, chat, and speaker summaries
	Translator  Translator  // needed by translation
	Sender      Sender      // needed by webhooks

	Renders RenderDefaults // style and target of renders that choose none

	Clock Clock // default: the Store's, if it is a ClockStore, or the system's
	// CreatedAfter is for a Clock that shows a time of the Store's rows again. New rows are later, if it is less than a second ahead.
	CreatedAfter time.Time

	IDs     IDs       // default: random UUIDs
	Entropy io.Reader // for webhook secrets; default crypto/rand
	// SignTime returns the time in a delivery's signature and webhook-timestamp header; default Clock's.
	SignTime func() time.Time
	Random   func() float64 // for the jitter of retries, in [0,1); default: math/rand
	Secret   []byte         // signs cursors; the default is random, so that cursors end with the process
	Log      *slog.Logger   // default: none

	// Progress receives the transcriber's progress, 0 to 1, from several goroutines; default none.
	Progress func(id TranscriptID, done float64)

	Workers  map[queue.Class]int // concurrent jobs of each class, see queue.Config; default queue.DefaultWorkers
	Lease    time.Duration       // of a running job; default 30 s. It is renewed three times per lease, unless the Store is exclusive
	Retry    queue.RetryPolicy
	Observer queue.Observer[ReadTx] // follows every job, as metrics or a simulation do; default none
	// WebhookRetry is how long to wait before each further attempt of a delivery; default DefaultWebhookRetry.
	WebhookRetry []time.Duration

	EventLimit int           // events kept for Subscribe, of all accounts, at about; default DefaultEventLimit
	EventAge   time.Duration // how long they are kept at most, while new ones come; default DefaultEventAge

	MaxDuration time.Duration // of media; longer media is refused; default media.DefaultMaxDuration
	// Deadline returns the time limit of one attempt to transcribe, diarize, or render media of a length, on the wall clock; default
	// DefaultDeadline.
	Deadline func(length time.Duration) time.Duration

	StorageSoftLimit int64         // bytes, of new accounts; default DefaultStorageSoftLimit
	StorageHardLimit int64         // bytes, of new accounts; default DefaultStorageHardLimit
	SpeechLimit      time.Duration // transcribed per month, of new accounts; reported, not enforced; default unlimited
}

// Engine is the service; its methods are the use cases. It is safe for concurrent use. Background work runs only inside Run.
type Engine struct {
	store       Store
	blobs       Blobs
	media       Media
	transcriber Transcriber
	diarizer    Diarizer
	diarizeAll  bool
	assign      func([]transcript.Word, []transcript.Turn, transcript.Language) []transcript.Word
	fetcher     Fetcher
	resolver    Resolver
	feeds       FeedReader
	renderer    Renderer
	renders     RenderDefaults
	printer     VoicePrinter   // nil if the Diarizer is none
	posters     PosterRenderer // the renderer, if it implements it; else nil
	llm         LLM
	suggester   Suggester
	translator  Translator
	sender      Sender
	clock       Clock
	creations   creations
	ids         IDs
	derived     DerivedIDs // the ids, if they implement it; else nil
	entropy     io.Reader
	signTime    func() time.Time
	cursors     cursor.Codec
	log         *slog.Logger
	progress    func(TranscriptID, float64)
	hookRetry   []time.Duration
	deadline    func(time.Duration) time.Duration
	storageSoft int64
	storageHard int64
	speechLimit time.Duration
	joining     JoiningStore // the store, if it implements it; else nil
	copier      CopyingBlobs // the blobs, if they implement it; else nil
	exclusive   bool         // whether no other process can change the store
	queue       *queue.Queue[ReadTx, Tx]
	events      *eventLog
	lifetime    *lifetime
}

// New returns an Engine, or CodeInvalid when Config lacks a required field.
func New(c Config) (*Engine, error) {
	const op = "New"
	if c.Store == nil || c.Blobs == nil {
		return nil, Errorf(CodeInvalid, op, "Config.Store and Config.Blobs are required.").
			WithHint("Use engine/memory for both to keep everything in memory.")
	}
	e := &Engine{
		blobs: c.Blobs, transcriber: c.Transcriber, diarizer: c.Diarizer, diarizeAll: c.DiarizeAll, fetcher: c.Fetcher, renderer: c.Renderer,
		resolver: c.Resolver, feeds: c.Feeds, llm: c.LLM, translator: c.Translator, sender: c.Sender, hookRetry: c.WebhookRetry,
		clock: c.Clock, creations: creations{after: c.CreatedAfter}, ids: c.IDs, cursors: cursor.Codec{Key: c.Secret}, log: c.Log, progress: c.Progress,
		storageSoft: c.StorageSoftLimit, storageHard: c.StorageHardLimit, speechLimit: c.SpeechLimit,
		entropy: c.Entropy, signTime: c.SignTime, deadline: c.Deadline, lifetime: newLifetime(),
	}
	if c.Media != nil {
		e.media = media.Limit(c.Media, c.MaxDuration)
	}
	if e.deadline == nil {
		e.deadline = DefaultDeadline
	}
	e.joining, _ = c.Store.(JoiningStore)
	e.copier, _ = c.Blobs.(CopyingBlobs)
	if x, ok := c.Store.(ExclusiveStore); ok {
		e.exclusive = x.Exclusive()
	}
	e.assign = func(words []transcript.Word, turns []transcript.Turn, _ transcript.Language) []transcript.Word {
		return transcript.AssignSpeakers(words, turns)
	}
	if a, ok := c.Diarizer.(WordAssigner); ok {
		e.assign = a.Assign
	}
	e.printer, _ = c.Diarizer.(VoicePrinter)
	e.posters, _ = c.Renderer.(PosterRenderer)
	e.suggester, _ = c.LLM.(Suggester)
	if e.hookRetry == nil {
		e.hookRetry = DefaultWebhookRetry()
	}
	if x, ok := c.Store.(ClockStore); ok && e.clock == nil {
		e.clock = x.Clock()
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
	e.derived, _ = e.ids.(DerivedIDs)
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
	e.events = newEventLog(c.Store, c, e.now)
	e.store = watchedStore{c.Store, e.events}
	err := e.setRenderDefaults(c.Renders)
	if err != nil {
		return e, err
	}
	if e.queue, err = queue.New(e.queueConfig(c)); err != nil {
		return e, wrap(op, err)
	}
	if n, ok := c.Store.(NotifyingStore); ok {
		n.OnChange(e.queue.Notice)
	}
	return e, nil
}

// Now returns the engine's time: UTC in whole microseconds, the precision that every store keeps.
func (e *Engine) Now() time.Time { return e.now() }

func (e *Engine) now() time.Time { return e.clock.Now().UTC().Truncate(time.Microsecond) }

// wrap returns err as an *Error with an operation. An *Error that has no Op gets op; other fields stay.
func wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*Error); ok { //nolint:errorlint // a wrapped *Error is handled below
		if e.Op != "" {
			return e
		}
		c := *e
		c.Op = op
		return &c
	}
	var e *Error
	if errors.As(err, &e) {
		return &Error{Code: e.Code, Rule: e.Rule, Op: op, Msg: e.Msg, Hint: e.Hint, Err: err, Retryable: e.Retryable, Outage: e.Outage, RetryAfter: e.RetryAfter}
	}
	return &Error{Code: CodeOf(err), Op: op, Msg: Message(err), Err: err}
}
