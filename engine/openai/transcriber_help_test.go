package openai_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/openai"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// pcm is decoded media.
type pcm []byte

func (p pcm) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(p)), nil
}

func (p pcm) Probe(context.Context, engine.Source) (engine.MediaInfo, error) { return p.info(), nil }

func (p pcm) info() engine.MediaInfo {
	d := time.Duration(len(p)/2) * time.Second / transcript.SampleRate
	return engine.MediaInfo{Format: "wav", Duration: d, Audio: &engine.AudioStream{Codec: "pcm_s16le", SampleRate: transcript.SampleRate, Channels: 1, Duration: d}}
}

func (p pcm) request() engine.TranscribeRequest { return engine.TranscribeRequest{Info: p.info()} }

// noiseBursts returns noise bursts of on ms, each followed by off ms of silence, and by 810 ms after each group of every bursts. All bursts differ.
func noiseBursts(bursts, on, off, every int) pcm {
	var p pcm
	x := uint32(1)
	for i := range bursts {
		for range on * 16 {
			x = x*1664525 + 1013904223
			p = binary.LittleEndian.AppendUint16(p, uint16(int16(x>>16)/4))
		}
		rest := off
		if every > 0 && i%every == every-1 {
			rest = 810
		}
		p = append(p, make(pcm, 32*rest)...)
	}
	return p
}

// notes implements engine.Checkpoints in memory.
type notes struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (n *notes) Load(_ context.Context, name string) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.kept[name], nil
}

func (n *notes) Save(_ context.Context, name string, note []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kept == nil {
		n.kept = map[string][]byte{}
	}
	n.kept[name] = bytes.Clone(note)
	return nil
}

// newTranscriber returns a Transcriber that uses a test server.
func newTranscriber(t testing.TB, c openai.TranscriberConfig) *openai.Transcriber {
	t.Helper()
	tr, err := openai.NewTranscriber(c)
	require.NoError(t, err)
	return tr
}

func texts(words []transcript.Word) (out []string) {
	for _, w := range words {
		out = append(out, w.Text)
	}
	return out
}

// wave returns a WAV file of p.
func wave(p pcm) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(36+len(p)))
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	b = binary.LittleEndian.AppendUint32(b, transcript.SampleRate)
	b = binary.LittleEndian.AppendUint32(b, 2*transcript.SampleRate)
	b = append(b, "\x02\x00\x10\x00data"...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(p))), p...)
}
