package diarize

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Turns are who spoke when, in order of their start. Speakers are numbered from 0 in the order of their first speech. No
// two turns overlap.
type Turns []transcript.Turn

// Speakers returns how many different speakers there are.
func (t Turns) Speakers() int {
	n := 0
	for _, turn := range t {
		n = max(n, turn.Speaker+1)
	}
	return n
}

// MaxSpeakers is the largest number of speakers that can be told apart.
const MaxSpeakers = 40

// Config says what is known of a recording. The zero Config knows nothing.
type Config struct {
	Speakers    int // exactly so many speakers, if there is speech enough for so many; 0 finds out
	Expected    int // probably so many speakers: a hint where the sound leaves a choice, not an order; 0 for none
	MinSpeakers int // when finding out: at least so many; 0 for 1
	MaxSpeakers int // when finding out: at most so many; 0 for 16

	Embedder Embedder           // knows voices better than the built-in keys do; nil for those
	Duration time.Duration      // of the audio, if known; only Progress needs it
	Progress func(done float64) // fraction of the work, 0 to 1, never less than the time before; may be nil
}

// Diarizer is Run as the engine's port. Its Config applies to all recordings; the options of a call add the hint.
type Diarizer struct {
	Config Config
}

// Diarize implements engine.Diarizer. o.Speakers is a hint: it takes the place of Config.Expected.
func (d Diarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	c := d.Config
	if o.Speakers > 0 {
		c.Expected = o.Speakers
	}
	if o.Progress != nil {
		c.Progress = o.Progress
	}
	return Run(ctx, pcm, c)
}

// Run reads 16 kHz mono signed 16-bit little-endian PCM to its end and returns who spoke when; no speech is no turns, not
// an error. The audio is not kept: memory is about 45 MB and 10 MB for each hour. Errors: CodeInvalid for a Config that
// makes no sense, what the reader or the Embedder returned, and ctx's error, soon after it is cancelled. A half sample at
// the end is ignored.
func Run(ctx context.Context, pcm io.Reader, c Config) (Turns, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	p := progress{report: c.Progress}
	prints := newPrints(ctx, c.Embedder)
	f, err := readFrames(ctx, pcm, prints.hear, func(samples int) {
		p.reading(time.Duration(samples)*time.Second/transcript.SampleRate, c.Duration)
	})
	if err != nil {
		return nil, err
	}
	if err := prints.flush(); err != nil {
		return nil, err
	}
	blocks := split(f.n)
	for i, b := range blocks {
		if err := markSpeech(ctx, f, b); err != nil {
			return nil, err
		}
		tidy(blocks)
		p.at(0.5 + float64(i+1)/float64(10*len(blocks)))
	}
	speakers, err := findSpeakers(ctx, f, prints, blocks, c, func(share float64) { p.at(0.6 + float64(0.2*share)) })
	if err != nil {
		return nil, err
	}
	voices, err := resegment(ctx, f, blocks, speakers, c.Speakers > 0, func(share float64) { p.at(0.8 + float64(0.15*share)) })
	if err != nil {
		return nil, err
	}
	turns, err := makeTurns(ctx, f, voices)
	if err != nil {
		return nil, err
	}
	p.at(1)
	return turns, nil
}

func (c Config) withDefaults() (Config, error) {
	const op = "Diarize"
	if c.Speakers < 0 || c.Expected < 0 || c.MinSpeakers < 0 || c.MaxSpeakers < 0 ||
		max(c.Speakers, c.MinSpeakers, c.MaxSpeakers) > MaxSpeakers {
		return c, fault.Errorf(fault.CodeInvalid, op, "The number of speakers must be between 0 and %d.", MaxSpeakers)
	}
	if c.MaxSpeakers == 0 {
		c.MaxSpeakers = max(16, c.MinSpeakers)
	}
	c.MinSpeakers = max(c.MinSpeakers, 1)
	if c.MinSpeakers > c.MaxSpeakers {
		return c, fault.Errorf(fault.CodeInvalid, op, "At least %d speakers, but at most %d: both can't be.", c.MinSpeakers, c.MaxSpeakers)
	}
	if c.Speakers > 0 {
		c.MinSpeakers, c.MaxSpeakers = c.Speakers, c.Speakers
	}
	return c, nil
}

// progress reports how much is done.
type progress struct {
	report func(float64)
	last   float64
}

func (p *progress) at(done float64) {
	if p.report == nil || done <= p.last {
		return
	}
	p.last = min(done, 1)
	p.report(p.last)
}

// reading takes the first half of the work. Of audio of unknown length every 20 minutes are half of the rest.
func (p *progress) reading(read, total time.Duration) {
	if total > 0 {
		p.at(0.5 * min(1, read.Seconds()/total.Seconds()))
		return
	}
	p.at(0.5 * read.Minutes() / (read.Minutes() + 20))
}
