package enginetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// sound is 16 kHz mono signed 16-bit samples.
type sound []int16

func (s sound) duration() time.Duration {
	return time.Duration(len(s)) * time.Second / transcript.SampleRate
}

// pcm returns the samples in the form of Media.Decode: little-endian.
func (s sound) pcm() []byte {
	b := make([]byte, 0, 2*len(s))
	for _, sample := range s {
		b = binary.LittleEndian.AppendUint16(b, uint16(sample))
	}
	return b
}

// wavHeader is the number of bytes before the samples of a WAV file.
const wavHeader = 44

// wav returns a WAV file. Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, 1991.
func (s sound) wav() []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(wavHeader-8+2*len(s)))
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = binary.LittleEndian.AppendUint16(b, 1) // PCM
	b = binary.LittleEndian.AppendUint16(b, 1) // channels
	b = binary.LittleEndian.AppendUint32(b, transcript.SampleRate)
	b = binary.LittleEndian.AppendUint32(b, 2*transcript.SampleRate)
	b = binary.LittleEndian.AppendUint16(b, 2)
	b = binary.LittleEndian.AppendUint16(b, 16)
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), uint32(2*len(s)))
	return append(b, s.pcm()...)
}

// silence returns seconds of silence.
func silence(seconds float64) sound { return make(sound, int(seconds*transcript.SampleRate)) }

// voice is a synthetic voice: its pitch and the two formants of each vowel, in Hz.
type voice struct {
	pitch  int
	vowels [][2]float64
}

var (
	lowVoice  = voice{95, [][2]float64{{700, 1150}, {430, 1900}, {300, 2150}, {460, 850}}}
	highVoice = voice{215, [][2]float64{{950, 1600}, {600, 2500}, {400, 3000}, {620, 1250}}}
)

// say synthesises syllables of 150 ms with gaps of 62.5 ms: pulses at the pitch plus noise, filtered by a vowel's formants.
func (v voice) say(seconds float64, seed uint64) sound {
	random := rand.New(rand.NewPCG(seed, 7))
	s := silence(seconds)
	const syllable, gap = transcript.SampleRate * 3 / 20, transcript.SampleRate / 16
	for from := 0; from+syllable <= len(s); from += syllable + gap {
		vowel := v.vowels[random.IntN(len(v.vowels))]
		first, second := resonator(vowel[0]), resonator(vowel[1])
		for i := range syllable {
			x := 60 * (random.Float64() - 0.5)
			if i%(transcript.SampleRate/v.pitch) == 0 {
				x += 1500
			}
			s[from+i] = int16(min(max(second(first(x))/2, math.MinInt16), math.MaxInt16))
		}
	}
	return s
}

// resonator returns a two-pole resonance filter: y[t] = x[t] + 2r·cos(2πf/F)·y[t−1] − r²·y[t−2].
func resonator(frequency float64) func(x float64) float64 {
	const r = 0.97
	var last, before float64
	turn := 2 * r * math.Cos(2*math.Pi*frequency/transcript.SampleRate)
	return func(x float64) float64 {
		last, before = x+turn*last-r*r*before, last
		return last
	}
}

// conversation returns two voices that alternate in four turns of 3 s, with 1 s of silence around each turn.
var conversation = sync.OnceValue(func() sound {
	s := silence(1)
	for i := range 4 {
		v := []voice{lowVoice, highVoice}[i%2]
		s = append(append(s, v.say(3, uint64(i))...), silence(1)...)
	}
	return s
})

// wavSource is a WAV file as an engine.Source. Open calls open first, unless it is nil.
type wavSource struct {
	content []byte
	open    func() error
}

var _ engine.Source = wavSource{}

func (f wavSource) Size() int64 { return int64(len(f.content)) }

func (f wavSource) Open(ctx context.Context, off, n int64) (io.ReadCloser, error) {
	if f.open != nil {
		if err := f.open(); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	off = min(max(off, 0), f.Size())
	if n < 0 || n > f.Size()-off {
		n = f.Size() - off
	}
	return io.NopCloser(bytes.NewReader(f.content[off : off+n])), nil
}

// wavMedia implements engine.Media for the WAV files of this package.
type wavMedia struct{}

var _ engine.Media = wavMedia{}

func (wavMedia) Probe(_ context.Context, src engine.Source) (engine.MediaInfo, error) {
	d := time.Duration((src.Size()-wavHeader)/2) * time.Second / transcript.SampleRate
	return engine.MediaInfo{
		Format: "wav", Duration: d, Audio: &engine.AudioStream{Codec: "pcm_s16le", SampleRate: transcript.SampleRate, Channels: 1, Duration: d},
	}, nil
}

func (wavMedia) Decode(ctx context.Context, src engine.Source) (io.ReadCloser, error) {
	return src.Open(ctx, wavHeader, -1)
}
