package emulator

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/render"
)

// ClockMode says how long work takes.
type ClockMode string

const (
	// ClockInstant does work as fast as the machine can, through every state. Failed tries are repeated at once.
	ClockInstant ClockMode = "instant"
	// ClockReal takes as long as the hosted service typically does: a quarter of the audio's length, 2 s to 15 min.
	ClockReal ClockMode = "real"
)

// check is CodeInvalid for a clock that doesn't exist.
func (m ClockMode) check(op string) error {
	if m != ClockInstant && m != ClockReal {
		return engine.Errorf(engine.CodeInvalid, op, "There is no clock %q.", m).WithHint("Use instant or real.")
	}
	return nil
}

// retry is how failed tries are repeated: like the engine does in real time, else at once and not often.
func (m ClockMode) retry() engine.RetryPolicy {
	if m == ClockReal {
		return engine.RetryPolicy{}
	}
	return engine.RetryPolicy{Base: time.Millisecond, Cap: 10 * time.Millisecond, Max: 3}
}

// webhookRetry is how long to wait before each further try of a delivery.
func (m ClockMode) webhookRetry() []time.Duration {
	if m == ClockReal {
		return nil
	}
	return []time.Duration{time.Millisecond, 10 * time.Millisecond}
}

// lease is how long a job is its worker's: the engine's default where another process may take it over. In memory there is none, so
// that nothing has to be beaten while a test's time flies.
func (o Options) lease() time.Duration {
	if o.DataDir == "" {
		return 24 * time.Hour
	}
	return 0
}

// Options say what a Server is like; every field has a useful zero value.
type Options struct {
	Addr             string              // where to listen; default "127.0.0.1:0", a free port
	Listener         net.Listener        // to serve on, which Close closes; default one that listens on Addr
	DataDir          string              // where everything is kept; default nowhere: it is gone when the server closes
	Clock            ClockMode           // default ClockInstant
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
	Seed             uint64             // of the deterministic transcriber
	Transcriber      engine.Transcriber // default a deterministic one that takes as long as Clock says
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
		o.Clock = ClockInstant
	}
	if err := o.Clock.check(op); err != nil {
		return o, err
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

// transcriber is the Transcriber of a world, which hears by media.
func (o Options) transcriber(media engine.Media) engine.Transcriber {
	if o.Transcriber != nil {
		return o.Transcriber
	}
	t := &fake.Transcriber{Media: media, Diarizer: diarize.Diarizer{}, Seed: o.Seed}
	if o.Clock == ClockReal {
		return paced{Transcriber: t}
	}
	return t
}
