package speech

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Part is a stretch of the sound. It is only good until Send returns.
type Part struct {
	Index, Count    int           // which of how many it is, from 0
	Start, Duration time.Duration // where it is in the media

	overlap time.Duration // with the part before
	file    *os.File      // the PCM of all parts
	levels  levels        // of its frames
}

const (
	waveHeader     = 44 // bytes
	bytesPerSample = 2
	bytesPerSecond = bytesPerSample * transcript.SampleRate
)

// WaveType is the media type of a part.
const WaveType = "audio/wav"

// Size is how many bytes Open gives.
func (p Part) Size() int64 { return waveHeader + p.length() }

// Open returns the part as a WAV file, 16 kHz mono of 16 bits. It may be called any number of times, and none of it is in memory.
func (p Part) Open() (io.ReadCloser, error) {
	return io.NopCloser(io.MultiReader(bytes.NewReader(header(p.length())), p.pcm())), nil
}

func (p Part) pcm() io.Reader { return io.NewSectionReader(p.file, bytesOf(p.Start), p.length()) }

func (p Part) length() int64 { return bytesOf(p.Start+p.Duration) - bytesOf(p.Start) }

// sounds reports whether there is anything to hear.
func (p Part) sounds() bool { return p.levels.sounds(0, p.Duration) }

// bytesOf returns where a time is in PCM.
func bytesOf(d time.Duration) int64 {
	return int64(d/time.Second)*bytesPerSecond + int64(d%time.Second)*transcript.SampleRate/int64(time.Second)*bytesPerSample
}

// timeOf returns the time of a place in PCM.
func timeOf(n int64) time.Duration {
	samples := n / bytesPerSample
	return time.Duration(samples/transcript.SampleRate)*time.Second + time.Duration(samples%transcript.SampleRate)*time.Second/transcript.SampleRate
}

// header is the beginning of a WAV file of so many bytes of PCM. Source: Microsoft and IBM, Multimedia Programming Interface and Data
// Specifications 1.0, 1991.
func header(n int64) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(waveHeader-8+n))
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // channels
	b = binary.LittleEndian.AppendUint32(b, transcript.SampleRate)
	b = binary.LittleEndian.AppendUint32(b, bytesPerSecond)
	b = binary.LittleEndian.AppendUint16(b, bytesPerSample)
	b = binary.LittleEndian.AppendUint16(b, 8*bytesPerSample)
	return binary.LittleEndian.AppendUint32(append(b, "data"...), uint32(n))
}
