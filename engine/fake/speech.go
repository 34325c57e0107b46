package fake

import (
	"cmp"
	"context"
	"errors"
	"io"
)

const (
	noiseReach = 15 * second // to either side, from where the noise is learnt
	clearance  = 16          // levels, 12 dB: noise is never taken to be this close to the loudest sound, if that is plain
	hangover   = 250         // milliseconds: a shorter pause is part of the speech around it
	click      = 100         // milliseconds: a shorter sound is no speech
)

// hear reads PCM as engine.Media.Decode gives it and returns where there is speech, in steps of 10 ms. It keeps two bytes
// per step, 7 MB for ten hours. heard, if not nil, is called with the milliseconds that were read so far.
func hear(ctx context.Context, pcm io.Reader, heard func(ms int)) ([]span, error) {
	e := ear{heard: heard}
	buf := make([]byte, 2*frameSamples*second)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := io.ReadFull(pcm, buf)
		_, _ = e.Write(buf[:n])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return speech(e.levels), nil
		}
		if err != nil {
			return nil, cmp.Or(ctx.Err(), err)
		}
	}
}

// ear measures the levels of PCM that is written to it in pieces of any length.
type ear struct {
	meter  meter
	levels []level
	rest   []byte       // of a frame that isn't whole yet
	heard  func(ms int) // is told about each second; may be nil
	told   int          // levels, when it last was
}

// Write never fails.
func (e *ear) Write(p []byte) (int, error) {
	n := len(p)
	if len(e.rest) > 0 {
		missing := min(2*frameSamples-len(e.rest), len(p))
		e.rest, p = append(e.rest, p[:missing]...), p[missing:]
		if len(e.rest) < 2*frameSamples {
			return n, nil
		}
		e.levels, e.rest = append(e.levels, e.meter.measure(e.rest)), e.rest[:0]
	}
	for ; len(p) >= 2*frameSamples; p = p[2*frameSamples:] {
		e.levels = append(e.levels, e.meter.measure(p[:2*frameSamples]))
	}
	e.rest = append(e.rest, p...)
	if e.heard != nil && len(e.levels)-e.told >= second {
		e.told = len(e.levels)
		e.heard(e.told * frameMillis)
	}
	return n, nil
}

// speech returns the stretches that are louder than the noise around them: one begins and ends where the sound crosses
// the lower threshold, and has to reach the upper one in between.
func speech(levels []level) []span {
	thresholds := learn(levels)
	if thresholds == nil {
		return nil
	}
	var spans []span
	begin, risen := 0, false
	for i, l := range smooth(levels) {
		t := thresholds[i/second]
		if l < t.lower {
			if risen {
				spans = append(spans, span{begin * frameMillis, i * frameMillis})
			}
			begin, risen = i+1, false
		}
		risen = risen || l >= t.upper
	}
	if risen {
		spans = append(spans, span{begin * frameMillis, len(levels) * frameMillis})
	}
	return tidy(spans)
}

// tidy joins spans with only a short pause between them and drops clicks.
func tidy(spans []span) []span {
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.start-out[n-1].end < hangover {
			out[n-1].end = s.end
		} else {
			if n > 0 && out[n-1].length() < click {
				out = out[:n-1]
			}
			out = append(out, s)
		}
	}
	if n := len(out); n > 0 && out[n-1].length() < click {
		out = out[:n-1]
	}
	return out
}

// threshold is what a sound has to stay above, and to reach once, to be speech.
type threshold struct{ lower, upper level }

// learn returns the thresholds for each second, or nil when there is nothing but silence. The noise is the level that a
// tenth of the sound within noiseReach stays below. The louder the sound is against the noise, the further above the noise
// is the threshold: by a quarter of the distance, but at least 6 dB and at most 12. Where nothing is learnt because a
// loud sound has no pauses, as in a test tone, clearance makes all of it speech.
func learn(levels []level) []threshold {
	var all histogram
	all.add(levels, 1)
	loudest := all.rank(0, len(levels)-1-min(click/frameMillis, len(levels)/4))
	if loudest < faint {
		return nil
	}
	// Silence between the sounds, not just before and after them, is itself the noise.
	gated := 4*all.count(0, int(dead)) > len(levels)

	var around histogram
	around.add(levels[:min(noiseReach, len(levels))], 1)
	thresholds := make([]threshold, 0, len(levels)/second+1)
	for i := 0; i < len(levels); i += second {
		around.add(part(levels, i+noiseReach), 1)
		around.add(part(levels, i-noiseReach-second), -1)

		sounding := around.count(int(dead), len(around))
		noise := around.rank(dead, sounding/10)
		if loudest >= plain {
			noise = min(noise, loudest-clearance)
		}
		if gated {
			noise = dead
		}
		above := min(max((around.rank(dead, sounding*19/20)-noise)/4, 8), 16)
		thresholds = append(thresholds, threshold{
			lower: max(noise+above*2/3, faint-4),
			upper: max(noise+above, faint),
		})
	}
	return thresholds
}

// part returns the levels of the second that begins at frame i, as far as there are any.
func part(levels []level, i int) []level {
	return levels[min(max(i, 0), len(levels)):min(max(i+second, 0), len(levels))]
}
