package hostile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// formats are the containers and codecs of seeds: the name of the file, and the options of ffmpeg.
var formats = [][2]string{
	{"seed.mp4", "-c:v libx264 -preset ultrafast -c:a aac"},
	{"seed.mov", "-c:v mpeg4 -c:a pcm_s16be"},
	{"seed.mkv", "-c:v mpeg4 -c:a flac"},
	{"seed.webm", "-vn -c:a libopus -ar 48000"},
	{"seed.ts", "-c:v mpeg2video -c:a mp2"},
	{"seed.mpg", "-c:v mpeg2video -c:a mp2"},
	{"seed.avi", "-c:v mpeg4 -c:a libmp3lame"},
	{"seed.wmv", "-c:v wmv2 -c:a wmav2"},
	{"seed.flv", "-c:v flv -c:a libmp3lame -ar 22050"},
	{"seed.wav", "-vn -c:a adpcm_ms"},
	{"seed.w64", "-vn -c:a pcm_s16le"},
	{"seed.aiff", "-vn -c:a pcm_s16be"},
	{"seed.caf", "-vn -c:a pcm_s16be"},
	{"seed.flac", "-vn -c:a flac"},
	{"seed.mp3", "-vn -c:a libmp3lame"},
	{"seed.aac", "-vn -c:a aac"},
	{"seed.ogg", "-vn -c:a libopus -ar 48000"},
	{"seed.oga", "-vn -c:a flac"},
}

// Seeds returns the first half second of a video in 18 combinations of container and codecs. It needs ffmpeg.
func Seeds(t testing.TB, video string) []File {
	t.Helper()
	folder := t.TempDir()
	args := []string{"-v", "error", "-nostdin", "-i", video}
	for _, f := range formats {
		args = append(args, "-t", "0.5", "-r", "25", "-threads", "1", "-fflags", "+bitexact", "-flags", "+bitexact")
		args = append(append(args, strings.Fields(f[1])...), filepath.Join(folder, f[0]))
	}
	if out, err := exec.CommandContext(t.Context(), "ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, bytes.TrimSpace(out))
	}
	var seeds []File
	for _, f := range formats {
		b, err := os.ReadFile(filepath.Join(folder, f[0]))
		if err != nil || len(b) < 100 {
			t.Fatal(fmt.Errorf("seed %s: %d bytes: %w", f[0], len(b), err))
		}
		seeds = append(seeds, File{Name: f[0], Bytes: b})
	}
	return seeds
}
