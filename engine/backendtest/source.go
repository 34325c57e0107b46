package backendtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Source is an engine.Source with media in memory.
type Source []byte

// Size returns the length in bytes.
func (s Source) Size() int64 { return int64(len(s)) }

// Open returns up to n bytes from off; n < 0 reads to the end.
func (s Source) Open(_ context.Context, off, n int64) (io.ReadCloser, error) {
	off = min(off, s.Size())
	if n < 0 || n > s.Size()-off {
		n = s.Size() - off
	}
	return io.NopCloser(bytes.NewReader(s[off : off+n])), nil
}

// Beeps returns a WAV file of 1 s with sound from 0.2 s to 0.4 s and from 0.6 s to 0.8 s: two words for Listen.
func Beeps() Source {
	file := speech.WAVHeader(2 * transcript.SampleRate)
	for i := range transcript.SampleRate {
		v := 0
		if at := i * 10 / transcript.SampleRate; at == 2 || at == 3 || at == 6 || at == 7 {
			v = 1000
		}
		file = binary.LittleEndian.AppendUint16(file, uint16(v))
	}
	return file
}
