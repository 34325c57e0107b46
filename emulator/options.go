package emulator

import (
	"context"
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

// ClockMode says how time passes: one of the constants, or "scaled:N", as clock.Parse reads it.
type ClockMode string

const (
	// ClockAuto goes with the wall's time, and jumps past whatever only waits for time: what is polled gets to its end first, through every
	// state, and what nobody polls gets there within milliseconds. Failed tries are repeated at once.
	ClockAuto ClockMode = "auto"
	// ClockInstant is another name of ClockAuto.
	ClockInstant ClockMode = "instant"
	// ClockReal takes as long as the hosted service typically does: a transcription a quarter of the audio's length, 2 s to 15 min. Work of
	// Options.Live takes what it takes; where no clock is asked for beside it, so does everything.
	ClockReal ClockMode = "real"
	// ClockManual stands still until the control API advances it.
	ClockManual ClockMode = "manual"
	// ClockSteps stands still like ClockManual; each further poll of a resource lets it get to its next state.
	ClockSteps ClockMode = "steps"
)

// WebhookTime says with which time webhooks are signed.
type WebhookTime string

const (
	// WebhookWall is the time of this machine, which receivers compare with their own.
	WebhookWall WebhookTime = "wall"
	// WebhookVirtual is the sandbox's time.
	WebhookVirtual WebhookTime = "virtual"
)

// clockSetting is how the clock of a new world is set.
func (o Options) clockSetting() (clock.Setting, error) {
	s, err := clock.Parse(string(o.Clock))
	if err != nil {
		return s, err
	}
	s.Now = o.ClockStart
	if err := s.Check(); err != nil {
		return s, err
	}
	return s, o.clockSuits(s.Mode)
}

// clockSuits refuses, as CodeInvalid, a clock that would not wait as long as a service asks to be waited for.
func (o Options) clockSuits(m clock.Mode) error {
	if len(o.Live) == 0 || m == clock.Real {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "emulator.New", "The clock can't be %s where a real backend works: it would not wait for it.", m).
		WithHint("Leave --clock out, which is real then; or keep the backend's answers with --record and give them again with --replay.")
}

// retry is how failed tries are repeated: like the engine does, but in mode auto at once and not often, unless answers are replayed, which
// may have come after as many tries as the engine makes.
func (o Options) retry(m clock.Mode) queue.RetryPolicy {
	if m != clock.Auto {
		return queue.RetryPolicy{}
	}
	p := queue.RetryPolicy{Base: time.Millisecond, Cap: 10 * time.Millisecond, Max: 3}
	if b := o.Backends; b.Transcriber.Answers == control.Replayed || b.LLM.Answers == control.Replayed {
		p.Max = 0
	}
	return p
}

// webhookRetry is how long to wait before each further try of a delivery: as decisions.md has it, but in mode auto not long.
func (o Options) webhookRetry(m clock.Mode) []time.Duration {
	if m != clock.Auto {
		return nil
	}
	return []time.Duration{time.Millisecond, 10 * time.Millisecond}
}

// workers is how many jobs of a class run at once: one, where time stands still, so that everything happens in one order. Deliveries do
// run at once, since a receiver may hang, and there are enough of them for webhooks that are held.
func (o Options) workers(m clock.Mode) map[queue.Class]int {
	workers := queue.DefaultWorkers()
	workers[queue.ClassDeliver] = outbox.Workers
	if m.Still() {
		for class := range workers {
			if class != queue.ClassDeliver {
				workers[class] = 1
			}
		}
	}
	return workers
}

// Options say what a Server is like; every field has a useful zero value.
type Options struct {
	Addr             string              // where to listen; default "127.0.0.1:0", a free port
	Listener         net.Listener        // to serve on, which Close closes; default one that listens on Addr
	DataDir          string              // where everything is kept; default nowhere: it is gone when the server closes
	Clock            ClockMode           // default ClockAuto
	ClockStart       time.Time           // what the clock shows at first; default 2026-01-01T00:00:00Z where it stands still, else now
	WebhookTime      WebhookTime         // default WebhookVirtual where the clock stands still, else WebhookWall
	AdvanceWait      time.Duration       // real time that advancing the clock waits for each thing that happens; default 10 s
	PollWait         time.Duration       // real time that a poll waits for real work in modes auto and steps; default 5 s
	AllowPrivateURLs bool                // whether downloads, imports and webhooks may reach private addresses
	RateLimits       map[engine.Tier]int // requests that a key of a tier may send in a minute; default no limit
	YTDLP            string              // program yt-dlp, to resolve pages of sites for real; default the sandbox's own media
	SpeechLimit      time.Duration       // of a month, of each account; it is told, not enforced; default unlimited
	PublicURL        string              // base of signed addresses, http or https; default the host of each request
	ControlToken     string              // that the control API needs; default none: it is open to this machine only
	Secrets          []Secret            // that open the server; default SandboxSecrets, which need a loopback address …

	AllowSandboxSecrets bool // … unless this says that everybody who reaches the address may use it, as in a container

	WorldPerKey      bool               // whether an unknown secret sk_sandbox_TIER_NAME makes the world NAME
	MaxWorlds        int                // that may be there at a time; default and at most 10,000
	Seed             uint64             // of the deterministic transcriber and, without DataDir, of every id and secret
	Transcriber      engine.Transcriber // default a deterministic one
	NewTranscriber   NewTranscriber     // makes one in place of Transcriber; default none
	LLM              engine.LLM         // default a deterministic one
	Translator       engine.Translator  // default a deterministic one
	DiarizeAll       bool               // whether the diarizer is believed more than Transcriber, but not more than fixtures
	Live             []queue.Class      // done by services that take their own time: not paced, and only by ClockReal, the default then; default none
	Backends         control.Backends   // told by the health endpoint; default simulations
	Fixtures         []*fixture.Fixture // that every world but a fork begins with; see package fixture
	Snapshot         string             // file of a snapshot that the default world begins with; not with DataDir
	StorageSoftLimit int64              // bytes, of each account; default engine.DefaultStorageSoftLimit
	StorageHardLimit int64              // bytes, of each account; default engine.DefaultStorageHardLimit
	FFmpeg           render.FFmpeg
	FFmpegOptional   bool         // start without ffmpeg: what needs it fails then, and sound in WAV files doesn't
	Log              *slog.Logger // default none
	Version          string       // told by the health endpoint; default "dev"
}

// check fills in the defaults and refuses what can't be served, as CodeInvalid or CodeUnavailable.
func (o Options) check(ctx context.Context) (Options, error) {
	const op = "emulator.New"
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	if o.Clock == "" {
		o.Clock = ClockAuto
		if len(o.Live) > 0 { // nobody wants to wait for a simulation beside real work, unless ClockReal is asked for
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
		if setting.Mode.Still() {
			o.WebhookTime = WebhookVirtual
		}
	}
	if o.WebhookTime != WebhookWall && o.WebhookTime != WebhookVirtual {
		return o, engine.Errorf(engine.CodeInvalid, op, "There is no webhook time %q.", o.WebhookTime).WithHint("Use wall or virtual.")
	}
	if o.AdvanceWait <= 0 {
		o.AdvanceWait = 10 * time.Second
	}
	if o.PollWait <= 0 {
		o.PollWait = 5 * time.Second
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
			return o, engine.Errorf(engine.CodeInvalid, op, "The sandbox secrets are known to everybody, so they work on loopback addresses only, and %s is none.", o.Addr).
				WithHint("Listen on 127.0.0.1, give secrets of your own with --secret-file, or --allow-sandbox-secrets where nobody else gets in.")
		}
		o.Secrets = SandboxSecrets()
	}
	if err := checkPublicURL(o.PublicURL); err != nil {
		return o, err
	}
	if o.FFmpegOptional {
		return o, nil
	}
	return o, o.FFmpeg.Check(ctx)
}

// checkWorlds refuses worlds for secrets where there can be none, as CodeInvalid.
func (o Options) checkWorlds(op string) error {
	switch {
	case o.WorldPerKey && o.DataDir != "":
		return engine.Errorf(engine.CodeInvalid, op, "A sandbox with a data folder has one world only.").
			WithHint("Leave --data or --world-per-key out.")
	case o.WorldPerKey && len(o.Secrets) > 0:
		return engine.Errorf(engine.CodeInvalid, op, "With secrets of your own, nobody may open a world by a secret that is easy to guess.").
			WithHint("Leave --secret-file or --world-per-key out.")
	}
	return nil
}

// checkPublicURL refuses a base that signed addresses can't begin with, as CodeInvalid.
func checkPublicURL(raw string) error {
	if raw == "" {
		return nil
	}
	u, err := url.Parse(raw)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "emulator.New", "%q can't be what addresses begin with.", raw).
		WithHint("Give the public address with its scheme, for example --public-url https://sandbox.example.com.")
}

// loopback reports whether only this machine can reach the host.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
