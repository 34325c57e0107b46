package speech_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// pcm is decoded media.
type pcm []byte

func (p pcm) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{}, errors.New("nobody asks")
}

func (p pcm) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(p)), nil
}

func (p pcm) duration() time.Duration {
	return time.Duration(len(p)/2) * time.Second / transcript.SampleRate
}

// noise returns noise of a loudness, reproducible by its seed.
func noise(d time.Duration, loudness int, seed uint32) pcm {
	p := make(pcm, 0, d.Milliseconds()*32)
	for range d.Milliseconds() * 16 {
		seed = seed*1664525 + 1013904223
		p = binary.LittleEndian.AppendUint16(p, uint16(int(int16(seed>>16))*loudness/32768))
	}
	return p
}

func silence(d time.Duration) pcm { return make(pcm, d.Milliseconds()*32) }

func sounds(all ...pcm) pcm { return bytes.Join(toBytes(all), nil) }

func toBytes(all []pcm) (out [][]byte) {
	for _, p := range all {
		out = append(out, p)
	}
	return out
}

// notes implements engine.Checkpoints in memory.
type notes struct {
	mu   sync.Mutex
	kept map[string][]byte
	full bool // nothing can be stored
	dead error
}

func (n *notes) Load(_ context.Context, name string) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.kept[name], n.dead
}

func (n *notes) Save(_ context.Context, name string, note []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.full {
		return engine.Errorf(engine.CodeNoSpace, "", "Full.")
	}
	if n.kept == nil {
		n.kept = map[string][]byte{}
	}
	n.kept[name] = bytes.Clone(note)
	return nil
}

// says has a Send that returns one word in the middle of each part, and records the files.
type says struct {
	mu    sync.Mutex
	parts []speech.Part
	files [][]byte
	fail  func(ctx context.Context, part speech.Part) error
}

func (s *says) send(ctx context.Context, part speech.Part) (speech.Result, error) {
	f, err := part.Open()
	if err != nil {
		return speech.Result{}, err
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return speech.Result{}, err
	}
	s.mu.Lock()
	s.parts, s.files = append(s.parts, part), append(s.files, b)
	s.mu.Unlock()
	if s.fail != nil {
		if err := s.fail(ctx, part); err != nil {
			return speech.Result{}, err
		}
	}
	middle := part.Duration / 2
	return speech.Result{Language: "en", Segments: []speech.Segment{{Words: []speech.Word{word("Word.", middle, middle+100*time.Millisecond)}}}}, nil
}

func word(text string, start, end time.Duration) speech.Word {
	return speech.Word{Text: text, Start: speech.At(start), End: speech.At(end)}
}

func texts(words []transcript.Word) []string {
	out := []string{}
	for _, w := range words {
		out = append(out, w.Text)
	}
	return out
}

func readerOf(p pcm) io.Reader { return bytes.NewReader(p) }

// brokenReader always fails.
type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

// closer returns err.
type closer struct{ err error }

func (c closer) Close() error { return c.err }
