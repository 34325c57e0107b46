package emulatortest

import (
	"bytes"
	"log/slog"
	"runtime"
	"time"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
)

// config is the configuration of New.
type config struct {
	emulator.Options
	memory bool          // whether to serve in memory
	limit  time.Duration // limit of a Wait

	capsule bool  // whether to record requests
	unfired bool  // whether unfired faults are allowed
	err     error // from an invalid option
}

// Option configures a Server.
type Option func(*config)

// WithClock sets the clock mode: one of emulator's, or "scaled:N". The default is emulator.ClockAuto, and emulator.ClockReal in a
// bubble, where it follows the bubble's clock.
func WithClock(m emulator.ClockMode) Option { return func(c *config) { c.Clock = m } }

// WithStart sets the clock's initial time. The default is 2026-01-01T00:00:00Z for a frozen clock, else now.
func WithStart(at time.Time) Option { return func(c *config) { c.ClockStart = at } }

// WithFixtures applies fixtures to every new world. Each source is as in World.Load.
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

// WithUnfiredFaults allows faults that don't happen.
func WithUnfiredFaults() Option { return func(c *config) { c.unfired = true } }

// WithSeed sets the seed of generated content; default 0.
func WithSeed(seed uint64) Option { return func(c *config) { c.Seed = seed } }

// WithTranscriber makes tr transcribe all media.
func WithTranscriber(tr engine.Transcriber) Option { return func(c *config) { c.Transcriber = tr } }

// WithTranscript makes every transcription take the same time on the world's clock and return the same result. With a frozen clock,
// it completes when the clock is advanced by delay; in mode auto, at the first poll. A delay of 0 is the hosted service's time.
func WithTranscript(delay time.Duration, result engine.Transcription) Option {
	return WithTranscriber(emulator.Scripted{Delay: delay, Result: result})
}

// WithRateLimits limits the requests per minute of a key, by tier. The default is no limit.
func WithRateLimits(limits map[engine.Tier]int) Option {
	return func(c *config) { c.RateLimits = limits }
}

// WithPrivateURLs allows downloads, imports, and webhooks to private addresses, such as those of httptest.Server.
func WithPrivateURLs() Option { return func(c *config) { c.AllowPrivateURLs = true } }

// WithWorldPerKey makes the first request with a secret sk_sandbox_TIER_NAME create the world NAME.
func WithWorldPerKey() Option { return func(c *config) { c.WorldPerKey = true } }

// WithLog logs requests and failures. The default is no log.
func WithLog(log *slog.Logger) Option { return func(c *config) { c.Log = log } }

// WithoutNetwork serves the Server's own clients in memory. Other programs can't reach its URL. It is the default in a bubble.
func WithoutNetwork() Option { return func(c *config) { c.memory = true } }

// WithWaitLimit sets how long a Wait may take before the test fails. The default is 30 s, and 24 h in a bubble.
func WithWaitLimit(d time.Duration) Option { return func(c *config) { c.limit = d } }

// WithOptions changes any of the sandbox's options.
func WithOptions(change func(*emulator.Options)) Option {
	return func(c *config) { change(&c.Options) }
}

// newConfig applies options to the defaults.
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

// inBubble reports whether the caller runs in a testing/synctest bubble. Only the header of the goroutine's stack trace shows
// that.
func inBubble() bool {
	var b [256]byte
	header, _, _ := bytes.Cut(b[:runtime.Stack(b[:], false)], []byte("\n"))
	return bytes.Contains(header, []byte("synctest bubble"))
}
