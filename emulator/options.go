package emulator

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/render"
)

// ClockMode is how time passes: one of the constants, or "scaled:N" as in clock.Parse.
type ClockMode string

const (
	// ClockAuto runs on the wall clock, and skips simulated delays. A polled resource first reaches its final state, through every
	// state; an unpolled one reaches it within milliseconds. Work that takes longer than sim.AutoPollWait is shown by a later poll. Failed
	// jobs are retried immediately. Deliveries are retried twice immediately, then on the documented schedule, whose waits are
	// skipped by polls and idle while the receiver responds.
	ClockAuto ClockMode = "auto"
	// ClockInstant is an alias of ClockAuto.
	ClockInstant ClockMode = "instant"
	// ClockReal makes jobs take as long as they typically do at the hosted service: a transcription takes a quarter of the audio's
	// length, from 2 s to 15 min. Jobs of the Options.Live classes are not slowed down. If Live is set and Clock is not, no job
	// is.
	ClockReal ClockMode = "real"
	// ClockManual is frozen until the control API advances it.
	ClockManual ClockMode = "manual"
	// ClockSteps is frozen like ClockManual. Each further poll of a resource advances it to the resource's next state.
	ClockSteps ClockMode = "steps"
)

// WebhookTime is the clock that signs webhooks.
type WebhookTime string

const (
	// WebhookWall signs with the wall clock, which receivers compare with their own.
	WebhookWall WebhookTime = "wall"
	// WebhookVirtual signs with the sandbox's clock.
	WebhookVirtual WebhookTime = "virtual"
)

// clockSetting returns the setting of a new world's clock.
func (o Options) clockSetting() (clock.Setting, error) {
	s, err := clock.Parse(string(o.Clock))
	if err != nil {
		return s, err
	}
	s.Now = o.ClockStart
	if err := s.Check(); err != nil {
		return s, err
	}
	return s, o.checkClockMode(s.Mode)
}

// checkClockMode returns CodeInvalid for a mode that would skip the wait for a real backend.
func (o Options) checkClockMode(m clock.Mode) error {
	if len(o.Live) == 0 || m == clock.Real {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "emulator.New", "The clock can't be %s with a real backend: it would not wait for the backend.", m).
		WithHint("Omit --clock: its default is then real. Or record the backend's answers with --record, then use --replay.")
}

// retry returns the retry policy: the engine's default, or a few quick retries in mode auto. When backends are replayed, the
// number of retries is not reduced, because the recording may contain as many.
func (o Options) retry(m clock.Mode) queue.RetryPolicy {
	if m != clock.Auto {
		return queue.RetryPolicy{Outage: o.Outage}
	}
	p := queue.RetryPolicy{Base: time.Millisecond, Cap: 10 * time.Millisecond, Max: 3}
	if b := o.Backends; b.Transcriber.Answers == control.Replayed || b.LLM.Answers == control.Replayed {
		p.Max = 0
	}
	return p
}

// webhookRetry returns the delays before retries of a delivery: the engine's default schedule. In mode auto, two immediate retries come
// first, for tests whose receiver fails once or twice and waits for the next attempt. The schedule follows, for receivers that restart.
func (o Options) webhookRetry(m clock.Mode) []time.Duration {
	if m != clock.Auto {
		return nil
	}
	return append([]time.Duration{time.Millisecond, 10 * time.Millisecond}, engine.DefaultWebhookRetry()...)
}

// workers returns the number of concurrent jobs by class. With a frozen clock it is one, so that the order is deterministic.
// Deliveries are always concurrent, because a receiver may hang, and numerous enough for held webhooks.
func (o Options) workers(m clock.Mode) map[queue.Class]int {
	workers := queue.DefaultWorkers()
	workers[queue.ClassDeliver] = outbox.Workers
	if m.Frozen() {
		for class := range workers {
			if class != queue.ClassDeliver {
				workers[class] = 1
			}
		}
	}
	return workers
}

// Options configure a Server. The zero value is useful.
type Options struct {
	Addr             string              // address to listen on; default "127.0.0.1:0", a free port
	Listener         net.Listener        // listener to serve on, which Close closes; default: a new one on Addr
	DataDir          string              // folder for all data; default: memory and temporary files, lost when the server closes
	Clock            ClockMode           // default ClockAuto
	ClockStart       time.Time           // initial time; default 2026-01-01T00:00:00Z for a frozen clock, else now
	WebhookTime      WebhookTime         // default WebhookVirtual for a frozen clock, else WebhookWall
	AdvanceWait      time.Duration       // real time that an advance waits for each event; default 10 s
	PollWait         time.Duration       // real time that a poll waits for real work; default sim.AutoPollWait or sim.StepsPollWait
	AllowPrivateURLs bool                // whether downloads, imports and webhooks may reach private addresses
	RateLimits       map[engine.Tier]int // requests per minute of a key, by tier; default no limit
	MaxConnections   int                 // open connections; default 16,384, or three quarters of the files that the process may open
	YTDLP            string              // path of yt-dlp, to resolve pages of sites; default: the sandbox's own media
	MaxDuration      time.Duration       // of media; default media.DefaultMaxDuration
	SpeechLimit      time.Duration       // per account and month; reported, not enforced; default unlimited
	PublicURL        string              // base of signed URLs, http or https; default: the host of each request
	ControlToken     string              // token for the control API; default: none, and the API accepts local requests only
	Secrets          []Secret            // accepted secrets; default SandboxSecrets, which require a loopback address …

	AllowSandboxSecrets bool // … unless this is true, for example in a container

	MaxRequestsPerKey     int // concurrent requests of a secret; default 4,096
	MaxRequestsPerAddress int // concurrent requests of a client's address; default 8,192
	// AllowedHosts are host names by which clients may reach the server while it accepts the sandbox secrets. IP addresses, localhost,
	// names without a dot, and the host of PublicURL are always allowed. Pages of other hosts can't send requests.
	AllowedHosts []string
	anyHost      bool // for replays: the recorded requests were allowed

	WorldPerKey      bool               // whether the first request with sk_sandbox_TIER_NAME creates the world NAME
	MaxWorlds        int                // maximum number of worlds; default and maximum 10,000
	Seed             uint64             // seed of the deterministic transcriber and, without DataDir, of ids and secrets
	Transcriber      engine.Transcriber // default: a deterministic one
	NewTranscriber   NewTranscriber     // creates the Transcriber from the sandbox's media; default none
	LLM              engine.LLM         // default: a deterministic one
	Translator       engine.Translator  // default: a deterministic one
	DiarizeAll       bool               // whether the diarizer's speakers replace those of Transcriber, but not those of fixtures
	Live             []queue.Class      // job classes that real backends do: not simulated, and only with ClockReal, then the default; default none
	Backends         control.Backends   // reported by the health endpoint; default: simulated ones
	Fixtures         []*fixture.Fixture // applied to every new world except forks; see package fixture
	Snapshot         string             // path of a snapshot for the default world; not with DataDir
	StorageSoftLimit int64              // bytes per account; default engine.DefaultStorageSoftLimit
	StorageHardLimit int64              // bytes per account; default engine.DefaultStorageHardLimit
	// Renders are the style and the target of the renders of new worlds except forks; default those of each render. A data folder keeps them:
	// what is not set here is as before.
	Renders RenderDefaults
	FFmpeg  render.FFmpeg
	// Deadline limits one attempt to transcribe, diarize, or render media of a length; default engine.DefaultDeadline.
	Deadline func(length time.Duration) time.Duration
	// Outage is how long jobs wait for a real backend that can't work; default as in queue.RetryPolicy. In mode auto, nothing waits.
	Outage         time.Duration
	FFmpegOptional bool         // start without ffmpeg: only WAV files work then
	Log            *slog.Logger // default: no log
	Version        string       // reported by the health endpoint; default "dev"
}

// check sets defaults and validates. CodeInvalid for invalid options; CodeUnavailable when ffmpeg is missing.
func (o Options) check(ctx context.Context) (Options, error) {
	const op = "emulator.New"
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Clock == "" {
		o.Clock = ClockAuto
		if len(o.Live) > 0 { // don't simulate delays next to real backends, unless ClockReal is requested
			o.Clock, o.Live = ClockReal, slices.Sorted(maps.Keys(queue.DefaultWorkers()))
		}
	}
	setting, err := o.clockSetting()
	if err != nil {
		return o, err
	}
	o.Backends = o.Backends.WithDefaults()
	if o.WebhookTime == "" {
		o.WebhookTime = WebhookWall
		if setting.Mode.Frozen() {
			o.WebhookTime = WebhookVirtual
		}
	}
	if o.WebhookTime != WebhookWall && o.WebhookTime != WebhookVirtual {
		return o, engine.Errorf(engine.CodeInvalid, op, "%q is not a webhook time.", o.WebhookTime).WithHint("Use wall or virtual.")
	}
	if o.AdvanceWait <= 0 {
		o.AdvanceWait = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	if o.MaxWorlds <= 0 || o.MaxWorlds > maxWorlds {
		o.MaxWorlds = maxWorlds
	}
	if o.MaxConnections <= 0 {
		o.MaxConnections = connectionLimit()
	}
	if o.MaxRequestsPerKey <= 0 {
		o.MaxRequestsPerKey = defaultPerKey
	}
	if o.MaxRequestsPerAddress <= 0 {
		o.MaxRequestsPerAddress = defaultPerAddress
	}
	if err := o.checkWorlds(op); err != nil {
		return o, err
	}
	if o.Listener != nil {
		o.Addr = o.Listener.Addr().String()
	}
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return o, engine.Errorf(engine.CodeInvalid, op, "%q is not an address.", o.Addr).WithHint("Use HOST:PORT, for example 127.0.0.1:8765.")
	}
	if len(o.Secrets) == 0 {
		if remote := o.Listener == nil || o.Listener.Addr().Network() == "tcp"; remote && !loopback(host) && !o.AllowSandboxSecrets {
			return o, engine.Errorf(engine.CodeInvalid, op, "The sandbox secrets are public, so they are only allowed on loopback addresses (got %s).", o.Addr).
				WithHint("Listen on 127.0.0.1, set your own secrets with --secret-file, or use --allow-sandbox-secrets on a private network.")
		}
		o.Secrets = SandboxSecrets()
	}
	if err := checkPublicURL(o.PublicURL); err != nil {
		return o, err
	}
	if err := checkAllowedHosts(o.AllowedHosts); err != nil {
		return o, err
	}
	if err := o.Renders.check(); err != nil {
		return o, err
	}
	if o.FFmpegOptional {
		return o, nil
	}
	err = o.FFmpeg.Check(ctx)
	if e, ok := errors.AsType[*engine.Error](err); ok && e.Code == engine.CodeUnavailable {
		return o, e.WithHint(e.Hint + " Or set --ffmpeg-optional: then only WAV files can be transcribed, and nothing is rendered.")
	}
	return o, err
}

// checkWorlds returns CodeInvalid for options that can't be combined with WorldPerKey.
func (o Options) checkWorlds(op string) error {
	switch {
	case o.WorldPerKey && o.DataDir != "":
		return engine.Errorf(engine.CodeInvalid, op, "A sandbox with a data folder has only one world.").
			WithHint("Omit --data or --world-per-key.")
	case o.WorldPerKey && len(o.Secrets) > 0:
		return engine.Errorf(engine.CodeInvalid, op, "--world-per-key can't be combined with custom secrets: its own secrets are easy to guess.").
			WithHint("Omit --secret-file or --world-per-key.")
	}
	return nil
}

// checkPublicURL returns CodeInvalid for an invalid base of signed URLs.
func checkPublicURL(raw string) error {
	if raw == "" {
		return nil
	}
	u, err := url.Parse(raw)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "emulator.New", "%q is not a valid public URL.", raw).
		WithHint("Use an http or https URL, for example --public-url https://sandbox.example.com.")
}

// loopback reports whether the host is reachable from this machine only.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
