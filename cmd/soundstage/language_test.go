package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A transcript file can have any language, by tag or English name. What is no language is refused.
func TestLanguageOfFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	none, arabic := filepath.Join(dir, "none.srt"), filepath.Join(dir, "arabic.vtt")
	require.NoError(t, os.WriteFile(none, []byte("1\n00:00:00,000 --> 00:00:01,000\nمرحبا\n"), 0o600))
	require.NoError(t, os.WriteFile(arabic, []byte("WEBVTT\nLanguage: ar\n\n00:00.000 --> 00:01.000\nمرحبا\n"), 0o600))
	for _, c := range []struct{ file, flag, want string }{
		{none, "EN", "en"}, {none, "en-US", "en"}, {none, "German", "de"}, {none, "ar", "ar"}, {none, "ar_EG", "ar-EG"}, {arabic, "en", "ar"}, {arabic, "", "ar"},
	} {
		out := t.TempDir()
		code, _, errOut := cli(t, "export", c.file, "--to", "json", "--language", c.flag, "-o", out)
		require.Zero(t, code, errOut)
		text, err := os.ReadFile(filepath.Join(out, strings.TrimSuffix(filepath.Base(c.file), filepath.Ext(c.file))+".json"))
		require.NoError(t, err)
		var got struct{ Language string }
		require.NoError(t, json.Unmarshal(text, &got))
		require.Equal(t, c.want, got.Language, c.flag)
	}
	for _, command := range [][]string{{"export", none, "--to", "vtt"}, {"check", none}, {"render", testdata("conversation.mp4"), none, "-o", filepath.Join(dir, "x.mp4")}, {"clip", testdata("conversation.mp4"), none}} {
		code, _, errOut := cli(t, append(command, "--language", "klingonese")...)
		require.Equal(t, 2, code)
		require.Contains(t, errOut, `Unknown language "klingonese".`)
	}
	code, _, errOut := cli(t, "check", none, "--language", "ar")
	require.Zero(t, code, errOut)
}

// Sound is transcribed in the languages of the service only. Another way to write them is understood, and another language is never taken for one
// of them.
func TestLanguageOfSound(t *testing.T) {
	t.Parallel()
	wave := testdata("conversation.wav")
	for _, language := range []string{"EN", "en-GB", "eng", "English"} {
		code, out, errOut := cli(t, "transcribe", wave, "--format", "json", "--language", language)
		require.Zero(t, code, errOut)
		require.Contains(t, out, `"language":"en"`)
	}
	for _, command := range [][]string{{"transcribe", wave}, {"render", wave, "-o", "x.mp4"}, {"clip", wave}, {"library", "add", wave, "--data", t.TempDir()}} {
		code, _, errOut := cli(t, append(command, "--language", "ar")...)
		require.Equal(t, 2, code)
		require.Contains(t, errOut, `Language "ar" is not supported.`)
		require.NotContains(t, errOut, "Did you mean")
	}
	_, _, errOut := cli(t, "transcribe", wave, "--language", "germn")
	require.Contains(t, errOut, "Did you mean German?")
}
