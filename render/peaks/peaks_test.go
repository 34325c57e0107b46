package peaks_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/render/peaks"
)

// memoryFile is an io.WriteSeeker in memory. After room bytes it fails.
type memoryFile struct {
	b    []byte
	at   int
	room int
}

var errFull = errors.New("disk full")

func (f *memoryFile) Write(p []byte) (int, error) {
	if f.room > 0 && f.at+len(p) > f.room {
		return 0, errFull
	}
	if n := f.at + len(p); n > len(f.b) {
		f.b = append(f.b, make([]byte, n-len(f.b))...)
	}
	f.at += copy(f.b[f.at:], p)
	return len(p), nil
}

func (f *memoryFile) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, errors.New("only from the start")
	}
	f.at = int(offset)
	return offset, nil
}

// waveform is a file of either format.
type waveform struct {
	Version       int
	Channels      int
	SampleRate    int `json:"sample_rate"`
	SamplesPerPix int `json:"samples_per_pixel"`
	Bits          int
	Length        int
	Data          []int
}

// read decodes a file by the documentation of audiowaveform.
func read(t testing.TB, f peaks.Format, b []byte) (w waveform) {
	t.Helper()
	if f == peaks.JSON {
		decoder := json.NewDecoder(bytes.NewReader(b))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&w))
		return w
	}
	require.GreaterOrEqual(t, len(b), 24)
	field := func(i int) int { return int(int32(binary.LittleEndian.Uint32(b[4*i:]))) }
	w = waveform{Version: field(0), Bits: 16, SampleRate: field(2), SamplesPerPix: field(3), Length: field(4), Channels: field(5), Data: []int{}}
	if flags := field(1); flags == 1 {
		w.Bits = 8
	} else {
		require.Zero(t, flags)
	}
	for rest := b[24:]; len(rest) > 0; rest = rest[w.Bits/8:] {
		if w.Bits == 8 {
			w.Data = append(w.Data, int(int8(rest[0])))
		} else {
			w.Data = append(w.Data, int(int16(binary.LittleEndian.Uint16(rest))))
		}
	}
	return w
}

// define computes a waveform by its definition, sample by sample.
func define(samples []int16, c peaks.Config) waveform {
	moments := len(samples) / c.Channels
	channel := func(moment, wave int) int {
		if c.Split {
			return int(samples[moment*c.Channels+wave])
		}
		sum := 0
		for i := range c.Channels {
			sum += int(samples[moment*c.Channels+i])
		}
		return sum / c.Channels
	}
	w := waveform{Version: 2, Channels: 1, SampleRate: c.SampleRate, SamplesPerPix: c.SamplesPerPixel, Bits: c.Bits, Data: []int{}}
	if c.Split {
		w.Channels = c.Channels
	}
	for from := 0; from < moments; from += c.SamplesPerPixel {
		for wave := range w.Channels {
			low, high := 32767, -32768
			for m := from; m < min(from+c.SamplesPerPixel, moments); m++ {
				low, high = min(low, channel(m, wave)), max(high, channel(m, wave))
			}
			if c.Bits == 8 {
				low, high = low/256, high/256
			}
			w.Data = append(w.Data, low, high)
		}
		w.Length++
	}
	return w
}

func bytesOf(samples []int16) []byte {
	var b []byte
	for _, s := range samples {
		b = binary.LittleEndian.AppendUint16(b, uint16(s))
	}
	return b
}

// noise returns samples of every size, with the extremes.
func noise(n int) []int16 {
	r := rand.New(rand.NewPCG(1, 2))
	samples := make([]int16, n)
	for i := range samples {
		samples[i] = int16(r.Uint32()) >> r.IntN(16)
	}
	if n > 3 {
		samples[1], samples[2] = 32767, -32768
	}
	return samples
}

// Both formats have the waveform of the definition: any channels, bits, pixels, and lengths, however the sound arrives.
func TestWrite(t *testing.T) {
	t.Parallel()
	for _, channels := range []int{1, 2, 16} {
		for _, pixel := range []int{2, 7, 256, 100_000} {
			for _, moments := range []int{0, 1, 6, 7, 8, 513, 20_000} {
				for _, bits := range []int{8, 16} {
					for _, split := range []bool{false, true} {
						c := peaks.Config{SampleRate: 44100, Channels: channels, SamplesPerPixel: pixel, Bits: bits, Split: split}
						samples := noise(channels * moments)
						want := define(samples, c)
						for _, f := range []peaks.Format{peaks.JSON, peaks.DAT} {
							var file memoryFile
							require.NoError(t, peaks.Write(&file, bytes.NewReader(bytesOf(samples)), f, c))
							if got := read(t, f, file.b); !reflect.DeepEqual(want, got) { // faster than require.Equal
								require.Equal(t, want, got, "%s %+v %d", f, c, moments)
							}
						}
					}
				}
			}
		}
	}
	c := peaks.Config{SampleRate: 8000, Channels: 2, SamplesPerPixel: 3, Bits: 16}
	for _, slow := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
		var file memoryFile
		require.NoError(t, peaks.Write(&file, slow(bytes.NewReader(bytesOf(noise(600)))), peaks.DAT, c))
		require.Equal(t, define(noise(600), c), read(t, peaks.DAT, file.b))
	}
}

// Unset fields have their defaults.
func TestDefaults(t *testing.T) {
	t.Parallel()
	var file memoryFile
	require.NoError(t, peaks.Write(&file, bytes.NewReader(bytesOf(noise(1000))), peaks.DAT, peaks.Config{SampleRate: 8000, Channels: 1}))
	require.Equal(t, define(noise(1000), peaks.Config{SampleRate: 8000, Channels: 1, SamplesPerPixel: 256, Bits: 16}), read(t, peaks.DAT, file.b))
}

// Wrong settings are CodeInvalid, and errors of the sound and of the file are returned.
func TestErrors(t *testing.T) {
	t.Parallel()
	good := peaks.Config{SampleRate: 8000, Channels: 2, SamplesPerPixel: 2, Bits: 8}
	sound := bytesOf(noise(100))
	for name, c := range map[string]struct {
		change func(*peaks.Config)
		format peaks.Format
		sound  []byte
	}{
		"rate":     {func(c *peaks.Config) { c.SampleRate = 0 }, peaks.DAT, sound},
		"channels": {func(c *peaks.Config) { c.Channels = 17 }, peaks.DAT, sound},
		"none":     {func(c *peaks.Config) { c.Channels = 0 }, peaks.DAT, sound},
		"small":    {func(c *peaks.Config) { c.SamplesPerPixel = 1 }, peaks.DAT, sound},
		"negative": {func(c *peaks.Config) { c.SamplesPerPixel = -5 }, peaks.DAT, sound},
		"large":    {func(c *peaks.Config) { c.SamplesPerPixel = 1<<24 + 1 }, peaks.DAT, sound},
		"bits":     {func(c *peaks.Config) { c.Bits = 24 }, peaks.DAT, sound},
		"format":   {func(*peaks.Config) {}, "xml", sound},
		"half":     {func(*peaks.Config) {}, peaks.JSON, sound[:len(sound)-1]},
	} {
		bad := good
		c.change(&bad)
		require.Equal(t, fault.CodeInvalid, fault.CodeOf(peaks.Write(&memoryFile{}, bytes.NewReader(c.sound), c.format, bad)), name)
	}
	broken := errors.New("broken")
	require.ErrorIs(t, peaks.Write(&memoryFile{}, io.MultiReader(bytes.NewReader(sound), iotest.ErrReader(broken)), peaks.DAT, good), broken)
	for _, room := range []int{1, 30, 60} {
		require.ErrorIs(t, peaks.Write(&memoryFile{room: room}, bytes.NewReader(sound), peaks.JSON, good), errFull)
	}
}

// zeros is silence without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// discard is a file that keeps nothing.
type discard struct{}

func (discard) Write(p []byte) (int, error)    { return len(p), nil }
func (discard) Seek(int64, int) (int64, error) { return 0, nil }

// Memory doesn't grow with the sound: 5 minutes of stereo allocate as much as 1 second.
func TestMemory(t *testing.T) {
	allocated := func(seconds int64) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := peaks.Write(discard{}, io.LimitReader(zeros{}, seconds*48000*4), peaks.JSON, peaks.Config{SampleRate: 48000, Channels: 2})
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		return after.TotalAlloc - before.TotalAlloc
	}
	require.Less(t, allocated(300), allocated(1)+64<<10)
}

// Any sound and settings give the waveform of the definition, or CodeInvalid.
func FuzzWrite(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, 44100, 1, 2, 16, false)
	f.Add(bytesOf(noise(50)), 8000, 2, 3, 8, true)
	f.Add([]byte{0}, 1, 16, 1<<24, 16, true)
	f.Add([]byte{}, -1, 0, 0, 0, false)
	f.Fuzz(func(t *testing.T, sound []byte, rate, channels, pixel, bits int, split bool) {
		c := peaks.Config{SampleRate: rate, Channels: channels, SamplesPerPixel: pixel, Bits: bits, Split: split}
		for _, format := range []peaks.Format{peaks.JSON, peaks.DAT} {
			var file memoryFile
			if err := peaks.Write(&file, bytes.NewReader(sound), format, c); err != nil {
				require.Equal(t, fault.CodeInvalid, fault.CodeOf(err))
				continue
			}
			c, err := c.WithDefaults()
			require.NoError(t, err)
			samples := make([]int16, len(sound)/2)
			for i := range samples {
				samples[i] = int16(binary.LittleEndian.Uint16(sound[2*i:]))
			}
			want := define(samples, c)
			require.Equal(t, want, read(t, format, file.b))
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	for _, f := range []peaks.Format{peaks.JSON, peaks.DAT} {
		b.Run(string(f)+"/stereo/1h", func(b *testing.B) {
			for b.Loop() {
				if err := peaks.Write(discard{}, io.LimitReader(zeros{}, 3600*48000*4), f, peaks.Config{SampleRate: 48000, Channels: 2}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleWrite() {
	file, err := os.Create(filepath.Join(os.TempDir(), "soundstage-example.json"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(file.Name())
	sound := bytes.NewReader([]byte{0, 0, 0, 64, 0, 192, 0, 0}) // 0, 16384, -16384, 0
	if err := peaks.Write(file, sound, peaks.JSON, peaks.Config{SampleRate: 8000, Channels: 1, SamplesPerPixel: 4, Bits: 8}); err != nil {
		fmt.Println(err)
	}
	_ = file.Close()
	b, _ := os.ReadFile(file.Name())
	fmt.Printf("%s", b)
	// Output: {"version":2,"channels":1,"sample_rate":8000,"samples_per_pixel":4,"bits":8,"length":1         ,"data":[-64,64]}
}
