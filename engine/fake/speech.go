package fake

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
)

const (
	noiseReach = 15 * second // the noise is estimated from this many frames on either side
	clearance  = 16          // levels, 12 dB: least distance between the noise and the loudest sound, unless that is quiet
	hangover   = 250         // milliseconds: a shorter pause is part of the speech around it
	click      = 100         // milliseconds: a shorter sound is not speech
)

// detectSpeech detects speech in PCM in the format of engine.Media.Decode, in steps of 10 ms. It needs 2 bytes per step, 7 MB for 10 h.
// heard, if not nil, is called with the milliseconds read so far.
func detectSpeech(ctx context.Context, pcm io.Reader, report func(ms int)) ([]span, error) {
	e := levelWriter{report: report}
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

// levelWriter is a writer that measures the levels of the PCM written to it.
type levelWriter struct {
	meter    meter
	stereo   bool   // of what is written: two channels, of which the mean is measured
	half     []byte // the start of an incomplete pair
	levels   []level
	partial  []byte       // the start of an incomplete frame
	report   func(ms int) // called for each second; may be nil
	reported int          // number of levels at the last call
}

// Write implements io.Writer. It never fails.
func (e *levelWriter) Write(p []byte) (int, error) {
	n := len(p)
	if e.stereo {
		p = e.mean(p)
	}
	if len(e.partial) > 0 {
		missing := min(2*frameSamples-len(e.partial), len(p))
		e.partial, p = append(e.partial, p[:missing]...), p[missing:]
		if len(e.partial) < 2*frameSamples {
			return n, nil
		}
		e.levels, e.partial = append(e.levels, e.meter.measure(e.partial)), e.partial[:0]
	}
	for ; len(p) >= 2*frameSamples; p = p[2*frameSamples:] {
		e.levels = append(e.levels, e.meter.measure(p[:2*frameSamples]))
	}
	e.partial = append(e.partial, p...)
	if e.report != nil && len(e.levels)-e.reported >= second {
		e.reported = len(e.levels)
		e.report(e.reported * frameMillis)
	}
	return n, nil
}

// mean returns the mean of two channels.
func (e *levelWriter) mean(p []byte) []byte {
	const pair = 4
	p = append(e.half, p...)
	out := make([]byte, 0, len(p)/2)
	for ; len(p) >= pair; p = p[pair:] {
		sum := int32(int16(binary.LittleEndian.Uint16(p))) + int32(int16(binary.LittleEndian.Uint16(p[2:])))
		out = binary.LittleEndian.AppendUint16(out, uint16(sum/2))
	}
	e.half = append([]byte(nil), p...)
	return out
}

// speech returns the spans that are louder than the noise around them. A span begins and ends where the level crosses the lower
// threshold, and must reach the upper one in between.
func speech(levels []level) []span {
	thresholds := learnThresholds(levels)
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
	return mergeSpans(spans)
}

// mergeSpans merges spans with a short pause between them, and drops clicks.
func mergeSpans(spans []span) []span {
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

// threshold holds the level that speech must stay above, and the level that it must reach once.
type threshold struct{ lower, upper level }

// learnThresholds returns the thresholds for each second, or nil if there is only silence. The noise is the 10th percentile of the
// levels within noiseReach. The threshold is above the noise by a quarter of the distance from the noise to the 95th percentile, at
// least 6 dB and at most 12 dB. For a loud sound without pauses, such as a test tone, clearance makes all of it speech.
func learnThresholds(levels []level) []threshold {
	var all histogram
	all.add(levels, 1)
	loudest := all.rank(0, len(levels)-1-min(click/frameMillis, len(levels)/4))
	if loudest < faintLevel {
		return nil
	}
	// If a quarter of the media is digital silence, the pauses are silent, and there is no noise.
	gated := 4*all.count(0, int(silenceLevel)) > len(levels)

	var around histogram
	around.add(levels[:min(noiseReach, len(levels))], 1)
	thresholds := make([]threshold, 0, len(levels)/second+1)
	for i := 0; i < len(levels); i += second {
		around.add(part(levels, i+noiseReach), 1)
		around.add(part(levels, i-noiseReach-second), -1)

		sounding := around.count(int(silenceLevel), len(around))
		noise := around.rank(silenceLevel, sounding/10)
		if loudest >= audibleLevel {
			noise = min(noise, loudest-clearance)
		}
		if gated {
			noise = silenceLevel
		}
		above := min(max((around.rank(silenceLevel, sounding*19/20)-noise)/4, 8), 16)
		thresholds = append(thresholds, threshold{
			lower: max(noise+above*2/3, faintLevel-4),
			upper: max(noise+above, faintLevel),
		})
	}
	return thresholds
}

// part returns the levels of the second that begins at frame i, or as many as there are.
func part(levels []level, i int) []level {
	return levels[min(max(i, 0), len(levels)):min(max(i+second, 0), len(levels))]
}
