package diarize

import (
	"context"
	"errors"
	"io"
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

// A recording of two channels may have its speakers apart: most recorded calls have one party in each. Such a recording is divided by
// channel first, and by voice within each channel.

const (
	sideMargin = 6.0  // dB; a frame is clearly of one channel if that is louder by this much around it
	sideClear  = 0.8  // least share of such frames in the speech of a recording whose speakers are apart
	sideShare  = 0.04 // least share of them for each channel …
	sideFrames = 100  // … and least number
	sideReach  = 12   // frames before and after one that also say whose it is
	humPole    = 0.95 // of a high-pass filter at 130 Hz
)

// mixer reads the mean of two channels, and keeps for each frame by how much which one is louder.
type mixer struct {
	pcm     io.Reader
	sides   []int8     // half decibels of each frame; positive if the first channel is louder
	samples int        // of the current frame
	last    [2]float64 // sample of each channel
	clean   [2]float64 // the same without hum
	energy  [2]float64
	buffer  []byte
	held    int // bytes of an incomplete pair of samples
}

const pairSize = 4 // bytes of a sample of each channel

// Read implements io.Reader.
func (m *mixer) Read(p []byte) (int, error) {
	if len(p) < 2 {
		return 0, io.ErrShortBuffer
	}
	if want := len(p) / 2 * pairSize; len(m.buffer) < want {
		m.buffer = append(m.buffer, make([]byte, want-len(m.buffer))...)
	}
	in := m.buffer[:len(p)/2*pairSize]
	n, err := io.ReadAtLeast(m.pcm, in[m.held:], pairSize-m.held)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF // without half a pair at the end
	}
	n += m.held
	pairs := n / pairSize
	for i := range pairs {
		b := in[i*pairSize:]
		first, second := int16(b[0])|int16(b[1])<<8, int16(b[2])|int16(b[3])<<8
		mean := (int32(first) + int32(second)) / 2
		p[2*i], p[2*i+1] = byte(mean), byte(mean>>8)
		m.hear(float64(first), float64(second))
	}
	m.held = copy(in, in[pairs*pairSize:n])
	if errors.Is(err, io.EOF) && m.samples > 0 {
		m.endFrame()
	}
	return 2 * pairs, err
}

func (m *mixer) hear(first, second float64) {
	for i, x := range [2]float64{first, second} {
		m.clean[i] = x - m.last[i] + float64(humPole*m.clean[i])
		m.energy[i] += float64(m.clean[i] * m.clean[i])
		m.last[i] = x
	}
	if m.samples++; m.samples == frameStep {
		m.endFrame()
	}
}

// endFrame compares the levels of a frame. Noise of the last bit keeps silence from being infinitely low.
func (m *mixer) endFrame() {
	louder := float64(10 / math.Ln10 * dsp.Log((m.energy[0]+frameStep)/(m.energy[1]+frameStep)))
	m.sides = append(m.sides, int8(min(max(math.Floor(float64(louder*2)+0.5), -127), 127)))
	m.samples, m.energy = 0, [2]float64{}
}

// apart returns whose channel each frame is, 0 or 1, or nil if the speakers are not apart in the channels.
func apart(f *frames, sides []int8) []uint8 {
	if sides == nil {
		return nil
	}
	heard := func(i int) (louder, n int) {
		if i < 0 || i >= min(f.n, len(sides)) || !f.core(i) {
			return 0, 0
		}
		return int(sides[i]), 1
	}
	var clear [2]int
	side, last := make([]uint8, f.n), uint8(0)
	all, louder, n := 0, 0, 0
	for i := -sideReach; i < f.n; i++ {
		in, one := heard(i + sideReach)
		out, gone := heard(i - sideReach - 1)
		louder, n = louder+in-out, n+one-gone
		if i < 0 {
			continue
		}
		if louder > 0 {
			last = 0
		} else if louder < 0 {
			last = 1
		}
		if side[i] = last; !f.core(i) {
			continue
		}
		if all++; float64(max(louder, -louder)) >= sideMargin*2*float64(n) {
			clear[last]++
		}
	}
	sure := clear[0] + clear[1]
	if float64(sure) < sideClear*float64(all) || float64(min(clear[0], clear[1])) < max(sideFrames, sideShare*float64(sure)) {
		return nil
	}
	return side
}

// speakersApart finds the speakers of each channel among its frames, as if the other's had no speech. It says false, and leaves the speech as
// it was, if that gives a number of speakers that c excludes.
func speakersApart(ctx context.Context, f *frames, prints *embeddings, blocks []span, side []uint8, c Config, p *progress) ([]*mixture, bool, error) {
	done := func(part int) func(float64) { // of three
		return func(share float64) { p.update(0.6 + float64(0.35/3*(float64(part)+share))) }
	}
	marked, flags, who := make([]uint8, f.n), make([]uint8, f.n), make([]uint8, f.n)
	for i := range marked {
		marked[i] = *f.flags(i)
	}
	all, err := findSpeakers(ctx, f, prints, blocks, c, done(0))
	if err != nil {
		return nil, false, err
	}
	most := mostOf(f, side, all.speakers)
	c.Expected, c.Speakers = 0, 0
	own, speakers := c, map[uint8]bool{}
	var voices []*mixture
	for s := range uint8(2) {
		f.only(s, side, marked, blocks)
		if own.MaxSpeakers = most[s]; c.MinSpeakers > 1 {
			own.MinSpeakers = most[s]
		}
		found, err := findVoices(ctx, f, prints, blocks, own, done(1+int(s)))
		if err != nil {
			return nil, false, err
		}
		for i := range f.n {
			if side[i] != s {
				continue
			}
			if flags[i], who[i] = *f.flags(i), *f.who(i); f.speech(i) {
				who[i] += uint8(len(voices))
				speakers[who[i]] = true
			}
		}
		if voices = append(voices, found...); s == 0 {
			f.first = len(voices)
		}
	}
	if len(speakers) < c.MinSpeakers || len(speakers) > c.MaxSpeakers {
		f.first = 0
		f.set(marked, nil)
		return nil, false, nil
	}
	f.set(flags, who)
	return voices, true, nil
}

// only leaves the speech of one channel, without speakers.
func (f *frames) only(channel uint8, side, marked []uint8, blocks []span) {
	f.set(marked, nil)
	for i := range f.n {
		if *f.flags(i) &^= isCore; side[i] != channel {
			*f.flags(i) &^= isSpeech
		}
	}
	for _, b := range blocks {
		markCore(f, b)
	}
}

// set sets the flags of all frames, and their speakers; nil for none.
func (f *frames) set(flags, who []uint8) {
	for i := range f.n {
		if *f.flags(i), *f.who(i) = flags[i], noSpeaker; who != nil {
			*f.who(i) = who[i]
		}
	}
}

// mostOf returns how many of the speakers of all frames are mostly in each channel, but at least one, and one fewer than all.
func mostOf(f *frames, side []uint8, speakers int) (most [2]int) {
	spoken := make([][2]int, speakers)
	for i := range f.n {
		if who := int(*f.who(i)); f.speech(i) && who < speakers {
			spoken[who][side[i]]++
		}
	}
	for _, n := range spoken {
		if n[0] >= n[1] {
			most[0]++
		} else {
			most[1]++
		}
	}
	for s := range most {
		most[s] = max(1, min(most[s], speakers-1))
	}
	return most
}
