package emulatortest

import (
	"bytes"
	"log/slog"
	"runtime"
	"time"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

// config is what New makes a Server by.
type config struct {
	emulator.Options
	memory bool          // no address is listened on
	limit  time.Duration // of a Wait

	capsule bool  // whether requests are recorded
	unfired bool  // whether faults may never happen
	err     error // of an option that can't be
}

// Option changes what a Server is like.
type Option func(*config)

// WithClock chooses how time passes: any of emulator's clock modes, or "scaled:N". Default emulator.ClockAuto, and emulator.ClockReal in
// a bubble, whose time it then is.
func WithClock(m emulator.ClockMode) Option { return func(c *config) { c.Clock = m } }

// WithStart chooses what the clock shows at first; default 2026-01-01T00:00:00Z where it stands still, else the time it is.
func WithStart(at time.Time) Option { return func(c *config) { c.ClockStart = at } }

// WithFixtures has every new world begin with fixtures. Each is a file, or the YAML or JSON itself, as World.Load takes it.
func WithFixtures(sources ...string) Option {
	return func(c *config) {
		for _, source := range sources {
			f, err := readFixture(source)
			if err != nil {
				c.err = err
				return
			}
			c.Fixtures = append(c.Fixtures, f)
		}
	}
}

// WithUnfiredFaults lets the test end with faults that never happened.
func WithUnfiredFaults() Option { return func(c *config) { c.unfired = true } }

// WithSeed chooses what is said in media, and everything else that is invented; default 0.
func WithSeed(seed uint64) Option { return func(c *config) { c.Seed = seed } }

// WithTranscriber has media transcribed by tr, which takes its own time.
func WithTranscriber(tr engine.Transcriber) Option { return func(c *config) { c.Transcriber = tr } }

// WithTranscript has every transcription take a time and hear the same.
func WithTranscript(takes time.Duration, heard engine.Transcription) Option {
	return WithTranscriber(emulator.Scripted{Takes: takes, Heard: heard})
}

// WithRateLimits limits the requests of a key in a minute, by tier; default no limit.
func WithRateLimits(limits map[engine.Tier]int) Option {
	return func(c *config) { c.RateLimits = limits }
}

// WithPrivateURLs lets downloads, imports and webhooks reach private addresses, like those of httptest.Server.
func WithPrivateURLs() Option { return func(c *config) { c.AllowPrivateURLs = true } }

// WithWorldPerKey gives each secret sk_sandbox_TIER_NAME a world of its own, which its first request makes.
func WithWorldPerKey() Option { return func(c *config) { c.WorldPerKey = true } }

// WithLog has requests and failures logged; default not.
func WithLog(log *slog.Logger) Option { return func(c *config) { c.Log = log } }

// WithoutNetwork serves the clients of the Server only, in memory: other programs can't reach its URL. It is the default in a bubble.
func WithoutNetwork() Option { return func(c *config) { c.memory = true } }

// WithWaitLimit is how long a Wait may take before the test fails; default 30 s, and 24 h of a bubble's time.
func WithWaitLimit(d time.Duration) Option { return func(c *config) { c.limit = d } }

// WithOptions changes the options of the server by a function: whatever there is no Option for.
func WithOptions(change func(*emulator.Options)) Option {
	return func(c *config) { change(&c.Options) }
}

// newConfig is the defaults and what options make of them.
func newConfig(opts []Option) config {
	c := config{limit: 30 * time.Second}
	c.FFmpegOptional, c.Version = true, "test"
	if inBubble() {
		c.Clock, c.memory, c.limit = emulator.ClockReal, true, 24*time.Hour
	}
	for _, o := range opts {
		o(&c)
	}
	return c
}

// inBubble reports whether the caller runs in a bubble of testing/synctest, which the header of a goroutine's trace tells and nothing
// else does.
func inBubble() bool {
	var b [256]byte
	header, _, _ := bytes.Cut(b[:runtime.Stack(b[:], false)], []byte("\n"))
	return bytes.Contains(header, []byte("synctest bubble"))
}
