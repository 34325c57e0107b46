package speech

import (
	"bytes"
	"io"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Part is a section of the audio. It is valid until Send returns.
type Part struct {
	Index, Count    int           // index from 0, and number of parts
	Start, Duration time.Duration // position in the media

	overlap time.Duration // with the previous part
	file    *os.File      // the PCM of all parts
	levels  levels        // of the part's frames
}

const (
	bytesPerSample = 2
	bytesPerSecond = bytesPerSample * transcript.SampleRate
)

// WaveType is the media type of a part.
const WaveType = "audio/wav"

// Size returns the number of bytes of Open.
func (p Part) Size() int64 { return WAVHeaderSize + p.length() }

// Open returns the part as a WAV file, 16 kHz mono, 16 bits. It may be called repeatedly, and streams from disk.
func (p Part) Open() (io.ReadCloser, error) {
	return io.NopCloser(io.MultiReader(bytes.NewReader(WAVHeader(p.length())), p.pcm())), nil
}

func (p Part) pcm() io.Reader { return io.NewSectionReader(p.file, bytesOf(p.Start), p.length()) }

func (p Part) length() int64 { return bytesOf(p.Start+p.Duration) - bytesOf(p.Start) }

// hasSound reports whether the part contains sound.
func (p Part) hasSound() bool { return p.levels.hasSound(0, p.Duration) }

// bytesOf returns the PCM offset of a time.
func bytesOf(d time.Duration) int64 {
	return int64(d/time.Second)*bytesPerSecond + int64(d%time.Second)*transcript.SampleRate/int64(time.Second)*bytesPerSample
}

// timeOf returns the time of a PCM offset.
func timeOf(n int64) time.Duration {
	samples := n / bytesPerSample
	return time.Duration(samples/transcript.SampleRate)*time.Second + time.Duration(samples%transcript.SampleRate)*time.Second/transcript.SampleRate
}
