package fake_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// samplesPerMilli is the number of samples per millisecond.
const samplesPerMilli = transcript.SampleRate / 1000

// part is a part of an artificial recording: silence, or noise with a maximum amplitude of loudness.
type part struct {
	ms       int
	loudness int
}

// burst returns a loud part.
func burst(ms int) part { return part{ms: ms, loudness: 6000} }

// pause returns a silent part.
func pause(ms int) part { return part{ms: ms} }

// recording is decoded media.
type recording []byte

// record builds a recording from parts, with background noise of amplitude room. The noise is the same in every call.
func record(room int, parts ...part) recording {
	samples := 0
	for _, p := range parts {
		samples += p.ms * samplesPerMilli
	}
	r, at, x := make(recording, 2*samples), 0, uint32(1)
	for _, p := range parts {
		for range p.ms * samplesPerMilli {
			x = x*1664525 + 1013904223
			sample := int(int16(x>>16))*p.loudness/32768 + int(int16(x>>8))*room/32768
			r[at], r[at+1] = byte(sample), byte(sample>>8)
			at += 2
		}
	}
	return r
}

// tone returns a recording of a square wave without pauses.
func tone(ms int) recording {
	var r recording
	for i := range ms * samplesPerMilli {
		v := int16(8000)
		if i/20%2 == 0 {
			v = -v
		}
		r = binary.LittleEndian.AppendUint16(r, uint16(v))
	}
	return r
}

// span is the position of a part in milliseconds.
type span struct{ start, end int }

// bursts returns the positions of the loud parts of a recording.
func bursts(parts ...part) (spans []span) {
	at := 0
	for _, p := range parts {
		if p.loudness > 0 {
			spans = append(spans, span{at, at + p.ms})
		}
		at += p.ms
	}
	return spans
}

func millis(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }

func (r recording) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{}, nil
}

func (r recording) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(r)), nil
}

// long returns a tone of the given length, built from a 1 s recording.
func long(seconds int) engine.Media { return loop{tone(1000), seconds} }

// loop is a recording repeated times times.
type loop struct {
	recording
	times int
}

func (l loop) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	readers := make([]io.Reader, l.times)
	for i := range readers {
		readers[i] = bytes.NewReader(l.recording)
	}
	return io.NopCloser(io.MultiReader(readers...)), nil
}

// broken is media whose decoder fails when it is opened, read, or closed.
type broken struct {
	recording
	decode, read, closing error
}

func (b broken) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	if b.decode != nil {
		return nil, b.decode
	}
	return &brokenReader{Reader: bytes.NewReader(b.recording), broken: b}, nil
}

type brokenReader struct {
	io.Reader
	broken
}

func (b *brokenReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) && b.read != nil {
		err = b.read
	}
	return n, err
}

func (b *brokenReader) Close() error { return b.closing }

// turns is a Diarizer that always returns these turns.
type turns []transcript.Turn

func (t turns) Diarize(_ context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error) {
	if o.Progress != nil {
		o.Progress(0.5)
	}
	_, err := io.Copy(io.Discard, pcm)
	return t, err
}
