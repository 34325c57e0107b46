package render_test

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

const mp4 = "mov,mp4,m4a,3gp,3g2,mj2"

func audio(codec string, rate int) *engine.AudioStream {
	return &engine.AudioStream{Codec: codec, SampleRate: rate, Channels: 1}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	title := "Two people plan a podcast"
	picture := &engine.VideoStream{Codec: "h264", Width: 320, Height: 180, FrameRate: 25}
	for name, want := range map[string]engine.MediaInfo{
		// Probe reports the format, the duration, and the tags of every format.
		"conversation.wav": {Format: "wav", Duration: 24899625 * time.Microsecond, Audio: audio("pcm_s16le", 16000)},
		"conversation.m4a": {Format: mp4, Duration: 24900 * time.Millisecond, Language: "eng", Title: title, Audio: audio("aac", 16000)},
		"conversation.mp4": {Format: mp4, Duration: 24920 * time.Millisecond, Language: "eng", Title: title, Audio: audio("aac", 16000), Video: picture},
		"opening.flac":     {Format: "flac", Duration: 5 * time.Second, Audio: audio("flac", 16000)},
		"german.m4a":       {Format: mp4, Duration: 3847 * time.Millisecond, Language: "deu", Title: "Über Podcasts", Audio: audio("aac", 16000)},
		"tooshort.wav":     {Format: "wav", Duration: 100 * time.Millisecond, Audio: audio("pcm_s16le", 16000)},
		// An Ogg file has its tags in the stream.
		"conversation.ogg": {Format: "ogg", Duration: 24900 * time.Millisecond, Language: "eng", Title: title, Audio: audio("opus", 48000)},
		// The duration ends with the stream that ends last.
		"late.mkv": {Format: "matroska,webm", Duration: 2 * time.Second, Audio: audio("flac", 16000), Video: &engine.VideoStream{Codec: "h264", Width: 64, Height: 36, FrameRate: 10}},
		// A video without audio has no audio stream, and "und" is no language.
		"videoonly.mp4": {Format: mp4, Duration: 2 * time.Second, Video: &engine.VideoStream{Codec: "h264", Width: 160, Height: 90, FrameRate: 25}},
		// Cover art is not video.
		"cover.mp3": {Format: "mp3", Duration: 2 * time.Second, Title: "With a cover", Audio: audio("mp3", 16000)},
		// Packets are counted for a recording that was streamed to a file.
		"streamed.webm": {Format: "matroska,webm", Duration: 4 * time.Second, Audio: audio("opus", 48000), Video: &engine.VideoStream{Codec: "vp8", Width: 320, Height: 180, FrameRate: 25}},
		// Packets are also counted for frames without a header: ffprobe estimates 34 and 64 s for the last two.
		"conversation.mp3": {Format: "mp3", Duration: 24900 * time.Millisecond, Title: title, Audio: audio("mp3", 16000)},
		"vbr.mp3":          {Format: "mp3", Duration: 7700 * time.Millisecond, Audio: audio("mp3", 16000)},
		"raw.aac":          {Format: "aac", Duration: 7700 * time.Millisecond, Audio: audio("aac", 16000)},
		// A truncated file reports the duration in its header.
		"truncated.mp4": {Format: mp4, Duration: 24920 * time.Millisecond, Language: "eng", Title: title, Audio: audio("aac", 16000), Video: picture},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := render.FFmpeg{}.Probe(context.Background(), localFile(shared(name)))
			require.NoError(t, err)
			require.InDelta(t, want.Duration.Seconds(), got.Duration.Seconds(), 0.12, "more than a frame off") // AAC: 64 ms
			if got.Audio != nil {
				require.LessOrEqual(t, got.Audio.Duration, got.Duration+time.Millisecond)
				got.Audio.Duration = 0
			}
			got.Duration = want.Duration
			require.Equal(t, want, got)
		})
	}
}

// A WAV that was streamed, or whose writer crashed, has a wrong size in its header; the file's size is right.
func TestProbeLyingHeader(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	tone := sine(16000, 1, 16000, 440, 1000)
	for name, size := range map[string]uint32{"nothing": 0, "too much": 32000 * 1000, "endless": 1<<32 - 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := localFile(temporary(t, "lying.wav", wav(16000, 1, size), tone))
			info, err := render.FFmpeg{}.Probe(context.Background(), src)
			require.NoError(t, err)
			require.Equal(t, time.Second, info.Duration)
			require.Len(t, decode(t, render.FFmpeg{}, src), 16000)
		})
	}
}

// Joined files have their total duration, although the first header says less.
func TestProbeJoinedFiles(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	first, err := os.ReadFile(shared("cover.mp3"))
	require.NoError(t, err)
	second, err := os.ReadFile(shared("conversation.mp3"))
	require.NoError(t, err)
	info, err := render.FFmpeg{}.Probe(context.Background(), inMemory(bytes.Join([][]byte{first, second}, nil)))
	require.NoError(t, err)
	require.InDelta(t, 26.9, info.Duration.Seconds(), 0.2)
}

func TestBadMedia(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	const (
		unsupported = "The file is not audio or video in a supported format."
		damaged     = "The file is damaged or incomplete and cannot be read."
		noAudio     = "The media has no audio stream."
		empty       = "The file is empty."
	)
	text := bytes.Repeat([]byte("Hello, world.\n"), 1000)
	matroska, err := os.ReadFile(shared("late.mkv"))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		path          string
		probe, decode string // sentences; "" for success
	}{
		// A file that never was media isn't called damaged, whatever its name.
		"a text called wav": {shared("notmedia.wav"), unsupported, unsupported},
		"a text called mp4": {temporary(t, "text.mp4", text), unsupported, unsupported},
		"a text called mp3": {temporary(t, "text.mp3", text), unsupported, unsupported},
		"zeros":             {temporary(t, "zeros.bin", make([]byte, 50_000)), unsupported, unsupported},
		"a picture":         {temporary(t, "picture.mp4", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")), unsupported, unsupported},
		"nothing":           {shared("empty.wav"), empty, empty},
		// A truncated media file is called damaged.
		"cut before its index":   {shared("truncated-nomoov.mp4"), damaged, damaged},
		"cut before its samples": {temporary(t, "cut.wav", wav(16000, 1, 32000)[:40]), damaged, damaged},
		// A text that names other media opens none of them, even if they exist.
		"a playlist": {shared("playlist.mp4"), unsupported, unsupported},
		"a script":   {shared("concat.mp4"), unsupported, unsupported},
		// Only Decode needs audio, in a codec that it supports.
		"a silent film":    {shared("videoonly.mp4"), "", noAudio},
		"an unknown codec": {temporary(t, "unknown.mkv", bytes.Replace(matroska, []byte("A_FLAC"), []byte("A_XYZW"), 1)), "", "The audio codec of the file is not supported."},
		"no samples":       {temporary(t, "none.wav", wav(16000, 1, 0)), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check := func(want string, err error) {
				if want == "" {
					require.NoError(t, err)
					return
				}
				e := code(t, engine.CodeBadMedia, err)
				require.Equal(t, want, e.Msg)
				require.False(t, e.Retryable)
			}
			_, err := render.FFmpeg{}.Probe(context.Background(), localFile(c.path))
			check(c.probe, err)
			stream, err := render.FFmpeg{}.Decode(context.Background(), localFile(c.path))
			check(c.decode, err)
			if err == nil {
				require.NoError(t, stream.Close())
			}
		})
	}
}

// A part of a longer recording, whose times go on, is as long as what it plays. Its container has the time of its end.
func TestProbePartOfRecording(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	for _, name := range []string{"part.mkv", "part.mp4", "part.webm", "part.m4a"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"-i", shared("conversation.m4a"), "-t", "8", "-output_ts_offset", "3600"}
			if name == "part.webm" {
				args = append(args, "-c:a", "libopus")
			} else {
				args = append(args, "-c:a", "aac")
			}
			src := film(t, name, args...)
			info, err := render.FFmpeg{}.Probe(context.Background(), src)
			require.NoError(t, err)
			require.InDelta(t, 8, info.Duration.Seconds(), 0.1)
			require.InDelta(t, 8, info.Audio.Duration.Seconds(), 0.1)
			require.InDelta(t, 8*16000, len(decode(t, render.FFmpeg{}, src)), 1600)
		})
	}
}
