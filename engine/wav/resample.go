package wav

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// resampler converts sound to 16-bit mono at transcript.SampleRate, by the mean of the channels and linear interpolation.
type resampler struct {
	in    *bufio.Reader
	f     file
	frame []byte // the current frame as in the file

	next       int64   // index of the next input frame
	low, high  float64 // frames next-2 and next-1
	out        int64   // index of the next output sample
	pending    [2]byte
	hasPending bool // whether the second byte of pending is unread
	err        error
}

func newResampler(in io.Reader, f file) *resampler {
	return &resampler{in: bufio.NewReaderSize(in, 64<<10), f: f, frame: make([]byte, f.frameSize)}
}

// Read implements io.Reader.
func (r *resampler) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if r.hasPending {
			p[n], r.hasPending = r.pending[1], false
			n++
			continue
		}
		v, err := r.sample()
		if err != nil {
			if n > 0 {
				return n, nil
			}
			return 0, err
		}
		binary.LittleEndian.PutUint16(r.pending[:], uint16(v))
		p[n], r.hasPending = r.pending[0], true
		n++
	}
	return n, nil
}

// sample returns the next output sample, at time out/16000. It interpolates between two frames of the file, or uses the last one.
func (r *resampler) sample() (int16, error) {
	if r.err != nil {
		return 0, r.err
	}
	at := r.out * int64(r.f.rate)
	whole, rest := at/transcript.SampleRate, at%transcript.SampleRate
	for r.next < whole+2 && r.next < r.f.available/int64(r.f.frameSize) {
		v, err := r.read()
		if err != nil {
			r.err = err
			return 0, err
		}
		r.low, r.high = r.high, v
		r.next++
	}
	if whole >= r.next {
		r.err = io.EOF
		return 0, io.EOF
	}
	r.out++
	low, high := r.low, r.high
	if whole == r.next-1 { // there is no frame after the last one
		low = high
	}
	v := math.RoundToEven((low + (high-low)*float64(rest)/transcript.SampleRate) * 32768)
	return int16(max(-32768, min(32767, v))), nil
}

// read returns the mean of the next frame's channels, from -1 to 1.
func (r *resampler) read() (float64, error) {
	if _, err := io.ReadFull(r.in, r.frame); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return 0, err
	}
	sum, width := 0.0, r.f.frameSize/r.f.channels
	for i := range r.f.channels {
		sum += r.value(r.frame[i*width : (i+1)*width])
	}
	return sum / float64(r.f.channels), nil
}

// value decodes a sample to a number from -1 to 1.
func (r *resampler) value(b []byte) float64 {
	switch r.f.codec {
	case "pcm_u8":
		return (float64(b[0]) - 128) / 128
	case "pcm_s24le":
		return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
	case "pcm_s32le":
		return float64(int32(binary.LittleEndian.Uint32(b))) / (1 << 31)
	case "pcm_f32le":
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		if math.IsNaN(v) {
			return 0
		}
		return max(-1, min(1, v))
	}
	return float64(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
}
