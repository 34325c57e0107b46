package speech

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Sound is the media or audio to send to a server. It can be opened repeatedly, and is never held in memory.
type Sound struct {
	Size int64 // in bytes; -1 if unknown
	Open func() (io.ReadCloser, error)
}

// SoundOf returns the media unchanged, or, if it has more than most bytes, its audio decoded by media to a WAV file. It
// returns CodeTooLarge if the media is too large and media is nil. Open returns the errors of the Source and of media.
func SoundOf(ctx context.Context, src engine.Source, media engine.Media, most int64) (Sound, error) {
	size := src.Size()
	if size <= most {
		return Sound{Size: size, Open: func() (io.ReadCloser, error) { return src.Open(ctx, 0, -1) }}, nil
	}
	if media == nil {
		return Sound{}, engine.Errorf(engine.CodeTooLarge, "Transcribe", "The media is too large for the transcriber: it has %d MB, and the limit is %d MB.", size/1e6, most/1e6).
			WithHint("Convert it to a compressed audio file first.")
	}
	return Sound{Size: -1, Open: func() (io.ReadCloser, error) {
		pcm, err := media.Decode(ctx, src)
		if err != nil {
			return nil, err
		}
		return &wave{Reader: io.MultiReader(bytes.NewReader(WAVHeader(-1)), pcm), pcm: pcm}, nil
	}}, nil
}

// Counted returns a Sound that calls read with the number of bytes read so far.
func (s Sound) Counted(read func(bytes int64)) Sound {
	open := s.Open
	s.Open = func() (io.ReadCloser, error) {
		in, err := open()
		if err != nil {
			return nil, err
		}
		return media.Counted(in, read), nil
	}
	return s
}

// wave is a WAV file whose audio is decoded while it is read. A decoder's error replaces io.EOF.
type wave struct {
	io.Reader
	pcm    io.Closer
	closed bool
}

func (w *wave) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		if closeErr := w.Close(); closeErr != nil {
			return n, closeErr
		}
	}
	return n, err
}

func (w *wave) Close() error {
	if w.closed {
		return nil
	}
	w.closed = true
	return w.pcm.Close()
}

// WAVHeaderSize is the size of a WAV header in bytes.
const WAVHeaderSize = 44

// WAVHeader returns the header of a WAV file with sound bytes of audio, as engine.Media decodes it: 16 kHz, mono, signed
// 16-bit little-endian. A negative or too large size means a stream of unknown length. Source: Multimedia Programming
// Interface and Data Specifications 1.0, IBM and Microsoft, 1991.
func WAVHeader(sound int64) []byte {
	data, riff := uint32(math.MaxUint32), uint32(math.MaxUint32)
	if sound >= 0 && sound < math.MaxUint32-WAVHeaderSize {
		data, riff = uint32(sound), uint32(sound+WAVHeaderSize-8)
	}
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), riff)
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // channels
	b = binary.LittleEndian.AppendUint32(b, transcript.SampleRate)
	b = binary.LittleEndian.AppendUint32(b, 2*transcript.SampleRate)
	b = binary.LittleEndian.AppendUint16(b, 2)  // bytes of a frame
	b = binary.LittleEndian.AppendUint16(b, 16) // bits of a sample
	return binary.LittleEndian.AppendUint32(append(b, "data"...), data)
}
