package wav_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/render"
)

// memory is a Source in memory.
type memory []byte

func (m memory) Open(_ context.Context, off, n int64) (io.ReadCloser, error) {
	if n < 0 {
		n = int64(len(m))
	}
	return io.NopCloser(io.NewSectionReader(bytes.NewReader(m), off, n)), nil
}

func (m memory) Size() int64 { return int64(len(m)) }

// chunk returns an encoded chunk.
func chunk(id string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body)))
	b = append(b, body...)
	if len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// riff returns a WAV file with these chunks.
func riff(chunks ...[]byte) memory {
	body := append([]byte("WAVE"), bytes.Join(chunks, nil)...)
	return memory(chunk("RIFF", body))
}

func format(tag, channels, rate, bits int) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(tag))
	b = binary.LittleEndian.AppendUint16(b, uint16(channels))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate*channels*bits/8))
	b = binary.LittleEndian.AppendUint16(b, uint16(channels*bits/8))
	return chunk("fmt ", binary.LittleEndian.AppendUint16(b, uint16(bits)))
}

// noise returns n pseudorandom bytes, the same in every call.
func noise(n int) []byte {
	b, x := make([]byte, n), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

func decode(t *testing.T, m engine.Media, src engine.Source) []byte {
	t.Helper()
	r, err := m.Decode(t.Context(), src)
	require.NoError(t, err)
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return b
}

func needFFmpeg(t *testing.T) render.FFmpeg {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ffmpeg is missing: run `make setup`")
		}
		t.Skip("ffmpeg is missing: run `make setup`")
	}
	return render.FFmpeg{TempDir: t.TempDir()}
}

// counting is a Media that counts calls of Probe.
type counting struct {
	engine.Media
	probes int
}

func (c *counting) Probe(ctx context.Context, src engine.Source) (engine.MediaInfo, error) {
	c.probes++
	return c.Media.Probe(ctx, src)
}

// For 16-bit mono at 16 kHz of any length, the information and samples equal FFmpeg's, and FFmpeg isn't used. For other plain files of PCM, the
// information does.
func TestPlain(t *testing.T) {
	t.Parallel()
	ffmpeg := needFFmpeg(t)
	native := map[string]memory{"with a list": riff(
		format(1, 1, 16000, 16), chunk("LIST", append([]byte("INFO"), chunk("ISFT", []byte("Lavf60.16.100\x00"))...)), chunk("data", noise(20000)))}
	for _, samples := range []int{1, 2, 3, 7, 15, 16, 159, 4801, 16000, 16001, 16003, 99_999} {
		native[fmt.Sprint(samples)] = riff(format(1, 1, 16000, 16), chunk("data", noise(2*samples)))
	}
	for name, file := range native {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireSameInfo(t, ffmpeg, file)
			require.True(t, bytes.Equal(decode(t, ffmpeg, file), decode(t, wav.Media{}, file)))
		})
	}
	for _, c := range []struct{ tag, channels, rate, bits, frames int }{
		{1, 1, 8000, 8, 8001}, {1, 2, 11_025, 8, 70_000}, {1, 1, 8000, 16, 12_345}, {1, 2, 16_000, 16, 99_999}, {1, 2, 44_100, 16, 44_101}, {1, 1, 22_050, 16, 7},
		{1, 2, 48_000, 16, 100_000}, {1, 8, 48_000, 24, 4801}, {1, 1, 96_000, 24, 31}, {1, 2, 44_100, 32, 50_000}, {3, 1, 16_000, 32, 16_003}, {3, 6, 192_000, 32, 20_000},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			t.Parallel()
			requireSameInfo(t, ffmpeg, riff(format(c.tag, c.channels, c.rate, c.bits), chunk("data", noise(c.frames*c.channels*c.bits/8))))
		})
	}
}

// requireSameInfo requires that Media says what FFmpeg says, without asking it.
func requireSameInfo(t *testing.T, ffmpeg engine.Media, file memory) {
	t.Helper()
	other := &counting{Media: ffmpeg}
	got, err := wav.Media{Fallback: other}.Probe(t.Context(), file)
	require.NoError(t, err)
	require.Zero(t, other.probes)
	want, err := ffmpeg.Probe(t.Context(), file)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// Other formats are decoded by FFmpeg, which resamples well.
func TestOtherFormats(t *testing.T) {
	t.Parallel()
	ffmpeg := needFFmpeg(t)
	for _, header := range [][]byte{format(1, 1, 8000, 16), format(1, 2, 16_000, 16), format(1, 1, 16_000, 8), format(3, 1, 16_000, 32)} {
		file := riff(header, chunk("data", noise(20_000)))
		require.True(t, bytes.Equal(decode(t, ffmpeg, file), decode(t, wav.Media{Fallback: ffmpeg}, file)))
	}
}

// Files that FFmpeg would describe differently are passed to FFmpeg.
func TestOther(t *testing.T) {
	t.Parallel()
	ffmpeg := needFFmpeg(t)
	plain, data := format(1, 1, 16000, 16), chunk("data", noise(20000))
	name := append([]byte("INFO"), chunk("INAM", []byte("A title\x00"))...)
	for what, file := range map[string]memory{
		"a title":              riff(plain, chunk("LIST", name), data),
		"a title at the end":   riff(plain, data, chunk("LIST", name)),
		"an unknown chunk":     riff(plain, chunk("bext", make([]byte, 602)), data),
		"a file that was cut":  riff(plain, data)[:10_000],
		"a stream that ended":  append(append(memory{}, riff(plain)...), "data\xff\xff\xff\xff0123456701234567"...),
		"half a sample at end": riff(plain, chunk("data", noise(2001))),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			other := &counting{Media: ffmpeg}
			got, gotErr := wav.Media{Fallback: other}.Probe(t.Context(), file)
			require.Equal(t, 1, other.probes)
			want, err := ffmpeg.Probe(t.Context(), file)
			require.Equal(t, engine.CodeOf(err), engine.CodeOf(gotErr))
			require.Equal(t, want, got)
		})
	}
}

// missingFFmpeg is a Media whose programs are missing.
type missingFFmpeg struct{}

func (missingFFmpeg) Probe(context.Context, engine.Source) (engine.MediaInfo, error) {
	return engine.MediaInfo{}, engine.Errorf(engine.CodeUnavailable, "Probe", "ffprobe is missing.")
}

func (missingFFmpeg) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return nil, engine.Errorf(engine.CodeUnavailable, "Decode", "ffmpeg is missing.")
}

// Without FFmpeg, a file that was cut is as long as the sound that it has, whatever its header says.
func TestCutWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	whole := riff(format(1, 1, 16_000, 16), chunk("data", noise(32_000)))
	for _, m := range []wav.Media{{}, {Fallback: missingFFmpeg{}}} {
		info, err := m.Probe(t.Context(), whole[:len(whole)-15_999])
		require.NoError(t, err)
		require.Equal(t, 500*time.Millisecond, info.Duration)
		require.Equal(t, info.Duration, info.Audio.Duration)
		require.Len(t, decode(t, m, whole[:len(whole)-15_999]), 16_000)
	}
}

// Without FFmpeg, a tone in any supported format decodes to the same tone at 16 kHz.
func TestWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tag, channels, rate, bits int }{
		"pcm_u8":    {1, 1, 8000, 8},
		"pcm_s16le": {1, 2, 44100, 16},
		"pcm_s24le": {1, 6, 48000, 24},
		"pcm_s32le": {1, 1, 16000, 32},
		"pcm_f32le": {3, 2, 22050, 32},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := riff(format(c.tag, c.channels, c.rate, c.bits), chunk("data", tone(c.tag, c.channels, c.rate, c.bits)))
			info, err := wav.Media{Fallback: missingFFmpeg{}}.Probe(t.Context(), file)
			require.NoError(t, err)
			require.Equal(t, engine.MediaInfo{Format: "wav", Duration: time.Second, Audio: &engine.AudioStream{
				Codec: name, SampleRate: c.rate, Channels: c.channels, Duration: time.Second,
			}}, info)
			pcm := decode(t, wav.Media{Fallback: missingFFmpeg{}}, file)
			require.Len(t, pcm, 2*transcript.SampleRate)
			for i := range transcript.SampleRate - 3 { // the last samples have no frame to interpolate to
				want := 16384 * math.Sin(2*math.Pi*200*float64(i)/transcript.SampleRate)
				got := float64(int16(binary.LittleEndian.Uint16(pcm[2*i:])))
				require.InDelta(t, want, got, 300, "sample %d", i)
			}
		})
	}
}

// tone returns 1 s of 200 Hz at half amplitude on all channels.
func tone(tag, channels, rate, bits int) (b []byte) {
	for i := range rate {
		v := 0.5 * math.Sin(2*math.Pi*200*float64(i)/float64(rate))
		for range channels {
			switch {
			case tag == 3:
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
			case bits == 8:
				b = append(b, byte(128+math.Round(128*v)))
			case bits == 16:
				b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(32768*v))))
			case bits == 24:
				x := int32(math.Round(8388608 * v))
				b = append(b, byte(x), byte(x>>8), byte(x>>16))
			default:
				b = binary.LittleEndian.AppendUint32(b, uint32(int32(math.Round(2147483648*v))))
			}
		}
	}
	return b
}

// Without FFmpeg, an unsupported file is CodeBadMedia. Reading a stream after its context is done returns CodeCanceled.
func TestErrors(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]memory{
		"nothing": {}, "text": memory("RIFF but not"), "no sound": riff(format(1, 1, 16000, 16)), "empty sound": riff(format(1, 1, 16000, 16), chunk("data", nil)),
		"sound before the format": riff(chunk("data", noise(100)), format(1, 1, 16000, 16)), "two formats": riff(format(1, 1, 16000, 16), format(1, 1, 16000, 16)),
		"no channels": riff(format(1, 0, 16000, 16), chunk("data", noise(100))), "no rate": riff(format(1, 1, 0, 16), chunk("data", noise(100))),
		"a-law": riff(format(6, 1, 8000, 8), chunk("data", noise(100))), "short format": riff(chunk("fmt ", make([]byte, 8))),
		"huge chunk": append(append(memory{}, riff(format(1, 1, 16000, 16))...), "big \xff\xff\xff\x7f"...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := wav.Media{}.Probe(t.Context(), file)
			require.Equal(t, engine.CodeBadMedia, engine.CodeOf(err))
			_, err = wav.Media{}.Decode(t.Context(), file)
			require.Equal(t, engine.CodeBadMedia, engine.CodeOf(err))
			_, err = wav.Media{Fallback: missingFFmpeg{}}.Probe(t.Context(), file)
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
		})
	}
	file := riff(format(1, 1, 16000, 16), chunk("data", noise(1000)))
	ctx, cancel := context.WithCancel(t.Context())
	r, err := wav.Media{}.Decode(ctx, file)
	require.NoError(t, err)
	cancel()
	_, err = r.Read(make([]byte, 10))
	require.Equal(t, engine.CodeCanceled, engine.CodeOf(err))
	require.NoError(t, r.Close())
}

// Without Fallback, files beyond the engine's limits are refused, with the same errors.
func TestLimits(t *testing.T) {
	t.Parallel()
	data := chunk("data", noise(100*17))
	for want, src := range map[string]memory{
		"The sample rate of the audio must be between 4000 and 384000 Hz (got 1).":      riff(format(1, 1, 1, 8), data),
		"The sample rate of the audio must be between 4000 and 384000 Hz (got 3999).":   riff(format(1, 1, 3999, 16), data),
		"The sample rate of the audio must be between 4000 and 384000 Hz (got 384001).": riff(format(1, 1, 384_001, 16), data),
		"The audio must have at most 16 channels (got 17).":                             riff(format(1, 17, 16_000, 8), data),
	} {
		for _, m := range []wav.Media{{}, {Fallback: missingFFmpeg{}}} {
			_, err := m.Probe(t.Context(), src)
			require.Equal(t, []any{engine.CodeBadMedia, want}, []any{engine.CodeOf(err), engine.Message(err)})
			_, err = m.Decode(t.Context(), src)
			require.Equal(t, []any{engine.CodeBadMedia, want}, []any{engine.CodeOf(err), engine.Message(err)})
		}
	}
	for _, src := range []memory{riff(format(1, 1, 4000, 8), data), riff(format(1, 16, 384_000, 8), data)} {
		_, err := wav.Media{}.Probe(t.Context(), src)
		require.NoError(t, err)
		require.NotEmpty(t, decode(t, wav.Media{}, src))
	}
}

// FuzzMedia checks that Media never panics, and that decoded sound is no longer than Probe says.
func FuzzMedia(f *testing.F) {
	f.Add([]byte(riff(format(1, 1, 16000, 16), chunk("data", noise(100)))))
	f.Add([]byte(riff(format(3, 2, 8000, 32), chunk("LIST", []byte("INFOINAM\x02\x00\x00\x00a\x00")), chunk("data", noise(160)))))
	f.Add([]byte(riff(format(1, 1, 1, 8), chunk("data", noise(3)))))
	f.Fuzz(func(t *testing.T, b []byte) {
		info, err := wav.Media{}.Probe(t.Context(), memory(b))
		if err != nil {
			return
		}
		require.NotNil(t, info.Audio)
		if info.Duration > 10*time.Second { // a low sample rate makes long sound from few bytes
			return
		}
		pcm := decode(t, wav.Media{}, memory(b))
		require.LessOrEqual(t, len(pcm), int(info.Duration.Seconds()*transcript.SampleRate+2)*2)
	})
}

// Two channels of 16-bit PCM at 16 kHz stay apart without FFmpeg, others with it.
func TestDecodeStereo(t *testing.T) {
	t.Parallel()
	sound := noise(4 * 4801)
	call := func(rate int) memory { return riff(format(1, 2, rate, 16), chunk("data", sound)) }
	for _, m := range []wav.Media{{}, {Fallback: needFFmpeg(t)}} {
		pcm, err := m.DecodeStereo(t.Context(), call(16000))
		require.NoError(t, err)
		b, err := io.ReadAll(pcm)
		require.NoError(t, err)
		require.NoError(t, pcm.Close())
		require.Equal(t, sound, b)
		require.Len(t, decode(t, m, call(16000)), len(sound)/2, "Decode mixes the channels")
	}
	_, err := wav.Media{}.DecodeStereo(t.Context(), call(8000))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	_, err = wav.Media{}.DecodeStereo(t.Context(), memory("text"))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	pcm, err := wav.Media{Fallback: needFFmpeg(t)}.DecodeStereo(t.Context(), call(8000))
	require.NoError(t, err)
	b, err := io.ReadAll(pcm)
	require.NoError(t, err)
	require.NoError(t, pcm.Close())
	require.InDelta(t, 2*len(sound), len(b), 200)
}
