package media_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/media"
)

// The first bytes decide the type, whatever the name says. The name decides where they don't.
func TestTypeOf(t *testing.T) {
	t.Parallel()
	packet := "\x47" + strings.Repeat("\x00", 187)
	for _, c := range []struct{ head, name, want string }{
		{"RIFF\x00\x00\x00\x00WAVEfmt ", "a.mp3", "audio/wav"},
		{"RIFF\x00\x00\x00\x00AVI LIST", "", "video/x-msvideo"},
		{"fLaC\x00", "", "audio/flac"},
		{"OggS" + strings.Repeat("\x00", 24) + "OpusHead", "", "audio/ogg"},
		{"OggS" + strings.Repeat("\x00", 24) + "\x80theora", "", "video/ogg"},
		{"ID3\x04", "", "audio/mpeg"},
		{"\xff\xfb\x90\x00", "", "audio/mpeg"},
		{"\xff\xf1\x50\x80", "", "audio/aac"},
		{"\xff\xff\xff\xff", "", "application/octet-stream"},
		{"\x00\x00\x00\x20ftypM4A ", "", "audio/mp4"},
		{"\x00\x00\x00\x20ftypisom", "", "video/mp4"},
		{"\x00\x00\x00\x14ftypqt  ", "", "video/quicktime"},
		{"\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm", "", "video/webm"},
		{"\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska", "", "video/x-matroska"},
		{"FORM\x00\x00\x00\x00AIFFCOMM", "", "audio/aiff"},
		{packet + packet, "", "video/mp2t"},
		{packet, "", "application/octet-stream"},
		{"what", "Talk.M4A", "audio/mp4"},
		{"", "", "application/octet-stream"},
		{"", "talk.txt", "application/octet-stream"},
	} {
		require.Equal(t, c.want, media.TypeOf([]byte(c.head), c.name), "%q %s", c.head, c.name)
	}
}

// Files that ffmpeg writes have the type of their format, without a name.
func TestTypeOfRealFiles(t *testing.T) {
	t.Parallel()
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("ffmpeg is not installed")
	}
	require.NoError(t, err)
	for format, want := range map[string]string{
		"wav": "audio/wav", "mp3": "audio/mpeg", "flac": "audio/flac", "ogg": "audio/ogg", "adts": "audio/aac", "ipod": "audio/mp4",
		"matroska": "video/x-matroska", "mpegts": "video/mp2t", "aiff": "audio/aiff", "caf": "audio/x-caf", "au": "audio/basic", "w64": "application/octet-stream",
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			name := t.TempDir() + "/media"
			out, err := exec.Command(ffmpeg, "-v", "error", "-f", "lavfi", "-i", "sine=d=0.2", "-f", format, name).CombinedOutput()
			require.NoError(t, err, "%s", out)
			file, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, want, media.TypeOf(file[:min(len(file), 512)], ""))
		})
	}
}
