package peaks

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// datEncoder writes version 2 of the binary format: a header of 24 bytes, and a pair of values per waveform and pixel, little-endian.
type datEncoder struct{ bits int }

func (e *datEncoder) header(c Config, pixels int64) []byte {
	e.bits = c.Bits
	flags := uint32(0)
	if c.Bits == 8 {
		flags = 1
	}
	var b []byte
	for _, field := range []uint32{2, flags, uint32(c.SampleRate), uint32(c.SamplesPerPixel), uint32(pixels), uint32(c.waves())} {
		b = binary.LittleEndian.AppendUint32(b, field)
	}
	return b
}

func (e *datEncoder) value(b []byte, v int) []byte {
	if e.bits == 8 {
		return append(b, byte(int8(v)))
	}
	return binary.LittleEndian.AppendUint16(b, uint16(int16(v)))
}

func (e *datEncoder) footer() []byte { return nil }

// jsonEncoder writes the same members as the binary format, and an array of values.
type jsonEncoder struct{ more bool }

func (e *jsonEncoder) header(c Config, pixels int64) []byte {
	return fmt.Appendf(nil, `{"version":2,"channels":%d,"sample_rate":%d,"samples_per_pixel":%d,"bits":%d,"length":%-10d,"data":[`,
		c.waves(), c.SampleRate, c.SamplesPerPixel, c.Bits, pixels)
}

func (e *jsonEncoder) value(b []byte, v int) []byte {
	if e.more {
		b = append(b, ',')
	}
	e.more = true
	return strconv.AppendInt(b, int64(v), 10)
}

func (e *jsonEncoder) footer() []byte { return []byte("]}\n") }
