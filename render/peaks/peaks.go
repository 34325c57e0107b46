// Package peaks computes waveforms: the least and the greatest sample of each stretch of sound, in the two formats of the BBC's program
// audiowaveform, which players such as peaks.js draw. Start with Write:
//
//	c := peaks.Config{SampleRate: 48000, Channels: 2, SamplesPerPixel: 512, Bits: 8}
//	err := peaks.Write(file, pcm, peaks.DAT, c)
//
// FFmpeg.DecodeChannels of package render decodes media for it.
package peaks

import (
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/media"
)

// Format is a file format of audiowaveform.
type Format string

// The formats, by their file extensions.
const (
	JSON Format = "json"
	DAT  Format = "dat" // binary, version 2
)

// Limits and defaults of a Config.
const (
	DefaultSamplesPerPixel = 256
	MinSamplesPerPixel     = 2
	MaxSamplesPerPixel     = 1 << 24
)

// Config describes the sound and its waveform.
type Config struct {
	SampleRate      int  // of the sound
	Channels        int  // of the sound, interleaved
	SamplesPerPixel int  // per pair of values; default DefaultSamplesPerPixel
	Bits            int  // of a value: 8 or 16; default 16
	Split           bool // a waveform per channel, instead of one of their mean
}

// WithDefaults returns c with defaults for unset fields, or CodeInvalid for values beyond the limits.
func (c Config) WithDefaults() (Config, error) {
	if c.SamplesPerPixel == 0 {
		c.SamplesPerPixel = DefaultSamplesPerPixel
	}
	if c.Bits == 0 {
		c.Bits = 16
	}
	switch {
	case c.SampleRate < 1 || c.SampleRate > math.MaxInt32 || c.Channels < 1 || c.Channels > media.MaxChannels:
		return c, fault.Errorf(fault.CodeInvalid, "Peaks", "The sound must have a sample rate, and 1 to %d channels (got %d Hz and %d channels).", media.MaxChannels, c.SampleRate, c.Channels)
	case c.SamplesPerPixel < MinSamplesPerPixel || c.SamplesPerPixel > MaxSamplesPerPixel:
		return c, fault.Errorf(fault.CodeInvalid, "Peaks", "There must be %d to %d samples per pixel (got %d).", MinSamplesPerPixel, MaxSamplesPerPixel, c.SamplesPerPixel)
	case c.Bits != 8 && c.Bits != 16:
		return c, fault.Errorf(fault.CodeInvalid, "Peaks", "Values must have 8 or 16 bits (got %d).", c.Bits)
	}
	return c, nil
}

// waves returns how many waveforms there are.
func (c Config) waves() int {
	if c.Split {
		return c.Channels
	}
	return 1
}

// Write reads sound, interleaved signed 16-bit little-endian samples, and writes its waveform. The last pixel may have fewer samples. Memory
// is constant: Write seeks back to the start of w at the end, for the length. The mean of channels and values of 8 bits are rounded toward
// zero, as audiowaveform does. CodeInvalid for a Config or Format that is wrong, or for sound that ends inside a sample; errors of pcm
// and w are returned.
func Write(w io.WriteSeeker, pcm io.Reader, f Format, c Config) error {
	c, err := c.WithDefaults()
	if err != nil {
		return err
	}
	var out encoder
	switch f {
	case JSON:
		out = &jsonEncoder{}
	case DAT:
		out = &datEncoder{}
	default:
		return fault.Errorf(fault.CodeInvalid, "Peaks", "Unknown format %q.", string(f)).WithHint("Use json or dat.")
	}
	if _, err := w.Write(out.header(c, 0)); err != nil {
		return err
	}
	pixels, err := write(w, pcm, c, out)
	if err != nil {
		return err
	}
	if pixels > math.MaxUint32 {
		return fault.Errorf(fault.CodeTooLarge, "Peaks", "The waveform has %d pixels; at most %d are possible.", pixels, uint32(math.MaxUint32))
	}
	if _, err := w.Write(out.footer()); err != nil {
		return err
	}
	if _, err := w.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = w.Write(out.header(c, pixels))
	return err
}

// write writes the values, and returns the number of pixels.
func write(w io.Writer, pcm io.Reader, c Config, out encoder) (pixels int64, err error) {
	low, high := make([]int, c.waves()), make([]int, c.waves())
	n := 0 // samples of the current pixel
	buffer, pending := make([]byte, c.Channels*(32<<10)), []byte(nil)
	flush := func() {
		for i := range low {
			pending = out.value(pending, c.scale(low[i]))
			pending = out.value(pending, c.scale(high[i]))
		}
		n = 0
		pixels++
	}
	for {
		read, readErr := io.ReadFull(pcm, buffer)
		frame := 2 * c.Channels
		if read%frame != 0 && (readErr == nil || errors.Is(readErr, io.ErrUnexpectedEOF)) {
			return 0, fault.Errorf(fault.CodeInvalid, "Peaks", "The sound ends inside a sample.")
		}
		for rest := buffer[:read-read%frame]; len(rest) > 0; {
			if n == 0 {
				reset(low, high)
			}
			take := min(c.SamplesPerPixel-n, len(rest)/frame)
			c.add(low, high, rest[:take*frame])
			rest = rest[take*frame:]
			if n += take; n == c.SamplesPerPixel {
				flush()
			}
		}
		ended := errors.Is(readErr, io.EOF) || errors.Is(readErr, io.ErrUnexpectedEOF)
		if ended && n > 0 {
			flush()
		}
		if _, err := w.Write(pending); err != nil {
			return 0, err
		}
		switch pending = pending[:0]; {
		case ended:
			return pixels, nil
		case readErr != nil:
			return 0, readErr
		}
	}
}

func reset(low, high []int) {
	for i := range low {
		low[i], high[i] = math.MaxInt16, math.MinInt16
	}
}

// add widens the range of each waveform by samples of all channels.
func (c Config) add(low, high []int, sound []byte) {
	frame := 2 * c.Channels
	for i := range low {
		least, most := low[i], high[i]
		for at := 0; at < len(sound); at += frame {
			v := 0
			if c.Split {
				v = sample(sound[at+2*i:])
			} else {
				v = mean(sound[at : at+frame])
			}
			least, most = min(least, v), max(most, v)
		}
		low[i], high[i] = least, most
	}
}

func sample(b []byte) int { return int(int16(binary.LittleEndian.Uint16(b))) }

// mean returns the mean of all channels.
func mean(frame []byte) int {
	sum := 0
	for i := 0; i < len(frame); i += 2 {
		sum += sample(frame[i:])
	}
	return sum / (len(frame) / 2)
}

// scale converts a sample to the bits of the values.
func (c Config) scale(v int) int {
	if c.Bits == 8 {
		return v / 256
	}
	return v
}

// encoder writes a file format. The header has the same length for every number of pixels.
type encoder interface {
	header(c Config, pixels int64) []byte
	value(b []byte, v int) []byte
	footer() []byte
}
