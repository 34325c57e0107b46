package emulator

import (
	"context"
	"log/slog"
	"net"
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

// Options say what a Server is like; every field has a useful zero value.
type Options struct {
	Addr             string              // where to listen; default "127.0.0.1:0", a free port
	DataDir          string              // where everything is kept; default nowhere: it is gone when the server closes
	Clock            ClockMode           // default ClockInstant
	AllowPrivateURLs bool                // whether downloads, imports and webhooks may reach private addresses
	RateLimits       map[engine.Tier]int // requests that a key of a tier may send in a minute; default no limit
	YTDLP            string              // program yt-dlp, to resolve pages of sites for real; default the sandbox's own media
	SpeechLimit      time.Duration       // of a month, of each account; it is told, not enforced; default unlimited
	PublicURL        string              // base of signed addresses; default the host of each request
	ControlToken     string              // that the control API needs; default none: it is open to this machine only
	Secrets          []Secret            // that open the server; default SandboxSecrets, which need a loopback address
	Seed             uint64              // of the deterministic transcriber
	StorageSoftLimit int64               // bytes, of each account; default engine.DefaultStorageSoftLimit
	StorageHardLimit int64               // bytes, of each account; default engine.DefaultStorageHardLimit
	FFmpeg           render.FFmpeg
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
	if o.Clock != ClockInstant && o.Clock != ClockReal {
		return o, engine.Errorf(engine.CodeInvalid, op, "There is no clock %q.", o.Clock).WithHint("Use instant or real.")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return o, engine.Errorf(engine.CodeInvalid, op, "%q is not an address.", o.Addr).WithHint("Use HOST:PORT, for example 127.0.0.1:8765.")
	}
	if len(o.Secrets) == 0 {
		if !loopback(host) {
			return o, engine.Errorf(engine.CodeInvalid, op, "The sandbox secrets are known to everybody, so they work on loopback addresses only, and %s is none.", o.Addr).
				WithHint("Listen on 127.0.0.1, or give secrets of your own with --secret-file.")
		}
		o.Secrets = SandboxSecrets()
	}
	return o, o.FFmpeg.Check(ctx)
}

// loopback reports whether only this machine can reach the host.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func (o Options) transcriber() engine.Transcriber {
	t := &fake.Transcriber{Media: o.FFmpeg, Diarizer: diarize.Diarizer{}, Seed: o.Seed}
	if o.Clock == ClockReal {
		return paced{Transcriber: t}
	}
	return t
}
