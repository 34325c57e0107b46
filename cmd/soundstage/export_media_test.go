package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The flags choose rate, timecode, and media of timelines; a media file that exists has its absolute path.
func TestExportTimelines(t *testing.T) {
	t.Parallel()
	code, edl := exported(t, "edl", "--fps", "29.97df", "--start-timecode", "01:00:00;00", "--chapters", "DIR/chapters.txt", "--name", "Speaker 0=Ann Lee")
	require.Zero(t, code, edl)
	require.Contains(t, edl, "FCM: DROP FRAME\r\n\r\n001  001      V     C        01:00:00;00 01:00:00;01 ")
	require.Contains(t, edl, "|C:ResolveColorRed |M:Opening |D:60\r\n")
	require.Contains(t, edl, "Welcome. |C:ResolveColorBlue |M:Ann Lee |D:44\r\n")
	code, fcpxml := exported(t, "fcpxml", "--media", "DIR/summary.txt")
	require.Zero(t, code, fcpxml)
	require.Contains(t, fcpxml, `src="file:///`)
	require.Contains(t, fcpxml, `frameDuration="100/2500s"`)
	code, fcpxml = exported(t, "fcpxml", "--media", "https://example.com/talk.mp4")
	require.Zero(t, code, fcpxml)
	require.Contains(t, fcpxml, `src="https://example.com/talk.mp4"`)
}

// A relative path of a media file becomes absolute for timelines.
func TestExportTimelineMedia(t *testing.T) {
	t.Parallel()
	path, err := filepath.Abs("export_media_test.go")
	require.NoError(t, err)
	code, otio := exported(t, "otio", "--media", "export_media_test.go")
	require.Zero(t, code, otio)
	require.Contains(t, otio, `"target_url": "file://`+strings.TrimPrefix((&url.URL{Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}).String(), "//"))
}

// --suggest-clips marks suggestions of the engine: a short recording is one clip.
func TestExportSuggestedClips(t *testing.T) {
	t.Parallel()
	code, edl := exported(t, "edl", "--suggest-clips")
	require.Zero(t, code, edl)
	require.Regexp(t, `Welcome.*Hm\. \|C:ResolveColorYellow \|M:`, edl)
	code, edl = exported(t, "edl")
	require.Zero(t, code, edl)
	require.NotContains(t, edl, "Yellow")
}

// Wrong rates and timecodes, flags without their format, and chapters without chapters are errors.
func TestExportTimelineErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, says string }{
		{"edl --fps 26", `Unknown frame rate "26"`},
		{"edl --start-timecode 1h", `"1h" is not a timecode`},
		{"edl --fps 29.97 --start-timecode 01:00:00;00", "for drop frames"},
		{"txt --fps 25", "--fps is for otio, fcpxml, edl, which are not written"},
		{"txt --start-timecode 01:00:00:00", "--start-timecode is for"},
		{"txt --suggest-clips", "--suggest-clips is for"},
		{"chapters", "chapters needs --chapters"},
	} {
		args := strings.Fields(c.args)
		code, says := exported(t, args[0], args[1:]...)
		require.Equal(t, 2, code, c.args)
		require.Contains(t, says, c.says)
	}
}

// A transcript has no chapters, so transcribe refuses their format before it reads the media, whichever way it is chosen.
func TestTranscribeChapters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{"--format", "chapters"}, {"-o", filepath.Join(dir, "talk.chapters.json")}} {
		code, out, errOut := cli(t, append([]string{"transcribe", filepath.Join(dir, "no.mp4")}, args...)...)
		require.Equal(t, 2, code)
		require.Empty(t, out)
		require.Contains(t, errOut, "The format chapters needs chapters, and a new transcript has none.\n  Transcribe to JSON, then use soundstage export --to chapters --chapters FILE.")
	}
	_, out, _ := cli(t, "transcribe", "--help")
	require.Contains(t, out, "--format format")
	require.NotContains(t, out, " chapters,")
}
