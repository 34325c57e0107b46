package diarize

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Turns are the turns of a recording, sorted by start. Speakers are numbered from 0 in order of appearance. Only Second turns, which
// need Config.Overlap, overlap others.
type Turns []transcript.Turn

// Speakers returns the number of different speakers.
func (t Turns) Speakers() int {
	n := 0
	for _, turn := range t {
		n = max(n, turn.Speaker+1)
	}
	return n
}

// MaxSpeakers is the largest supported number of speakers.
const MaxSpeakers = 40

// Config says what is known about a recording. The zero Config is usable.
type Config struct {
	Speakers    int // exact number of speakers, if there is enough speech; 0 to estimate it
	Expected    int // likely number of speakers, a hint for ambiguous recordings; 0 for none
	MinSpeakers int // least estimate; 0 means 1
	MaxSpeakers int // largest estimate; 0 means 16

	// Overlap adds a Second turn where a second speaker is heard at the same time. Other turns, and the speakers of words, stay the same,
	// but speakers may be numbered differently.
	Overlap bool

	// Stereo says that the PCM has interleaved samples of two channels. If the speakers are apart in them, as in most recorded calls, nobody
	// speaks in both. Otherwise, what Run hears is the mean of the channels.
	Stereo bool

	Embedder Embedder           // replaces the built-in representation of voices; may be nil
	Duration time.Duration      // of the audio, if known; used for Progress only
	Progress func(done float64) // called with the completed fraction of the work, 0 to 1, never decreasing; may be nil
}

// Diarizer implements engine.Diarizer with Run. Its Config applies to all recordings; the options of a call add the hint.
type Diarizer struct {
	Config Config
}

// Diarize implements engine.Diarizer. A positive o.Speakers replaces Config.Expected, a hint.
func (d Diarizer) Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	c := d.Config
	if o.Speakers > 0 {
		c.Expected = o.Speakers
	}
	if o.Progress != nil {
		c.Progress = o.Progress
	}
	c.Stereo = o.Stereo
	return Run(ctx, pcm, c)
}

// HearsStereo implements engine.StereoListener.
func (Diarizer) HearsStereo() bool { return true }

// Run reads 16 kHz signed 16-bit little-endian PCM, mono or with Config.Stereo of two channels, to its end and returns who
// spoke when. Without speech it returns no turns and no error. It doesn't keep the audio: it needs about 45 MB, plus 10 MB per
// hour of audio, and up to 2 MB more in stereo. It ignores an incomplete sample at the end.
//
// Run returns CodeInvalid for an invalid Config, errors of the reader and of the Embedder, and soon after a cancellation
// ctx's error.
func Run(ctx context.Context, pcm io.Reader, c Config) (Turns, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	p := progress{report: c.Progress}
	channels := &mixer{pcm: pcm}
	if c.Stereo {
		pcm = channels
	}
	prints := newEmbeddings(ctx, c.Embedder)
	f, err := readFrames(ctx, pcm, prints.write, func(samples int) {
		p.reading(time.Duration(samples)*time.Second/transcript.SampleRate, c.Duration)
	})
	if err != nil {
		return nil, err
	}
	if err := prints.flush(f); err != nil {
		return nil, err
	}
	return diarizeFrames(ctx, f, prints, channels.sides, c, &p)
}

// diarizeFrames does the second half of Run, after the audio is read.
func diarizeFrames(ctx context.Context, f *frames, prints *embeddings, sides []int8, c Config, p *progress) (Turns, error) {
	blocks := splitBlocks(f.n)
	for i, b := range blocks {
		if err := markSpeech(ctx, f, b); err != nil {
			return nil, err
		}
		collectGarbage(blocks)
		p.update(0.5 + float64(i+1)/float64(10*len(blocks)))
	}
	voices, err := findAllVoices(ctx, f, prints, blocks, sides, c, p)
	if err != nil {
		return nil, err
	}
	turns, err := makeTurns(ctx, f, voices)
	if err != nil {
		return nil, err
	}
	if c.Overlap {
		if turns, err = addSecondTurns(ctx, f, voices, turns, trainedOverlap); err != nil {
			return nil, err
		}
	}
	p.update(1)
	return turns, nil
}

// findAllVoices sets the speaker of every speech frame, and returns the speakers' models.
func findAllVoices(ctx context.Context, f *frames, prints *embeddings, blocks []span, sides []int8, c Config, p *progress) ([]*mixture, error) {
	if side := apart(f, sides); side != nil && c.MaxSpeakers > 1 {
		if voices, ok, err := speakersApart(ctx, f, prints, blocks, side, c, p); ok || err != nil {
			return voices, err
		}
	}
	return findVoices(ctx, f, prints, blocks, c, func(share float64) { p.update(0.6 + float64(0.35*share)) })
}

// findVoices is findAllVoices for one channel.
func findVoices(ctx context.Context, f *frames, prints *embeddings, blocks []span, c Config, done func(share float64)) ([]*mixture, error) {
	const grouping = 4.0 / 7 // share of the work
	found, err := findSpeakers(ctx, f, prints, blocks, c, func(share float64) { done(float64(grouping * share)) })
	if err != nil {
		return nil, err
	}
	return resegment(ctx, f, blocks, found, c.Speakers > 0, func(share float64) { done(grouping + float64((1-grouping)*share)) })
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
		return c, fault.Errorf(fault.CodeInvalid, op, "MinSpeakers must not be greater than MaxSpeakers (got %d and %d).", c.MinSpeakers, c.MaxSpeakers)
	}
	if c.Speakers > 0 {
		c.MinSpeakers, c.MaxSpeakers = c.Speakers, c.Speakers
	}
	return c, nil
}

// progress reports the completed fraction.
type progress struct {
	report func(float64)
	last   float64
}

func (p *progress) update(done float64) {
	if p.report == nil || done <= p.last {
		return
	}
	p.last = min(done, 1)
	p.report(p.last)
}

// reading reports the first half of the work. For audio of unknown length, every 20 min count as half of the remainder.
func (p *progress) reading(read, total time.Duration) {
	if total > 0 {
		p.update(0.5 * min(1, read.Seconds()/total.Seconds()))
		return
	}
	p.update(0.5 * read.Minutes() / (read.Minutes() + 20))
}
