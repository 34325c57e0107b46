package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A voice is enrolled with consent only, is suggested for its label in another file, and no more after it is revoked.
func TestVoices(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	needFFmpeg(t)
	file := filepath.Join(t.TempDir(), "voices.json")
	wav, mp4 := testdata("conversation.wav"), testdata("conversation.mp4")
	voices := func(args ...string) (int, string, string) {
		return cli(t, append([]string{"voices"}, append(args, "--voices", file)...)...)
	}
	// Without consent, and for an unclear label, nothing is written.
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"enroll", "Ann Lee", wav, "--speaker", "Speaker 0"}, 2, "--consent is required"},
		{[]string{"enroll", "Ann Lee", wav, "--consent"}, 2, "Set --speaker to one of Speaker 0, Speaker 1"},
		{[]string{"enroll", "Ann Lee", wav, "--consent", "--speaker", "Speaker 7"}, 2, `"Speaker 7" is no label`},
		{[]string{"enroll", " ", wav, "--consent"}, 2, "must not be empty"},
		{[]string{"enroll", "a\nb", wav, "--consent"}, 2, "name"},
		{[]string{"enroll", "Ann Lee", testdata("silence.wav"), "--consent"}, 6, "Nobody speaks"},
		{[]string{"enroll", "Ann Lee", testdata("nothing.wav"), "--consent"}, 3, "nothing.wav"},
		{[]string{"suggest", wav}, 3, "voices.json"},
		{[]string{"list"}, 3, "voices.json"},
	} {
		code, _, errOut := voices(c.args...)
		require.Equal(t, c.code, code, "%q: %s", c.args, errOut)
		require.Contains(t, errOut, c.text)
		require.NoFileExists(t, file)
	}
	code, out, errOut := voices("enroll", "Ann Lee", wav, "--consent", "--speaker", "Speaker 0")
	require.Zero(t, code, errOut)
	require.Contains(t, out, "The voice of Ann Lee is enrolled, from ")
	if runtime.GOOS != "windows" {
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	// A name is enrolled once, in any case.
	code, _, errOut = voices("enroll", "ann lee", wav, "--consent", "--speaker", "Speaker 1")
	require.Equal(t, 4, code, errOut)
	code, out, _ = voices("list")
	require.Zero(t, code)
	require.Contains(t, out, "Ann Lee")
	// The voice is suggested for its label in another encoding of the conversation, and nobody for the other label.
	code, out, errOut = voices("suggest", mp4, "--json")
	require.Zero(t, code, errOut)
	names := map[string]string{}
	for line := range strings.Lines(out) {
		var s voiceSuggestion
		require.NoError(t, json.Unmarshal([]byte(line), &s))
		names[s.Label] = s.Name
	}
	require.Equal(t, map[string]string{"Speaker 0": "Ann Lee", "Speaker 1": ""}, names)
	code, out, _ = voices("suggest", testdata("silence.wav"))
	require.Zero(t, code)
	require.Contains(t, out, "No speech found.")
	// After it is revoked, the file has no print, and nobody is suggested.
	code, _, _ = voices("revoke", "Bob Roe")
	require.Equal(t, 3, code)
	code, out, _ = voices("revoke", "ann lee")
	require.Zero(t, code)
	require.Contains(t, out, "The voice of Ann Lee is deleted.")
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(raw), "Ann Lee")
	require.Less(t, len(raw), 100)
	code, out, _ = voices("suggest", wav)
	require.Zero(t, code)
	require.NotContains(t, out, "Ann")
	require.Equal(t, 2, strings.Count(out, "nobody"))
}

// A file that isn't one of voices is refused, and not overwritten.
func TestVoicesFile(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "no JSON", "{}", `{"version":2,"voices":[]}`, `{"version":1,"voices":[{"name":"Ann","print":"AQID"}]}`, strings.Repeat(" ", maxVoicesFile+1)} {
		file := filepath.Join(t.TempDir(), "voices.json")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		for _, args := range [][]string{{"list"}, {"revoke", "Ann"}, {"suggest", testdata("tone.wav")}, {"enroll", "Ann", testdata("tone.wav"), "--consent"}} {
			code, _, errOut := cli(t, append(append([]string{"voices"}, args...), "--voices", file)...)
			require.Equal(t, 2, code, errOut)
			require.Contains(t, errOut, "is no file of voices")
		}
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, content, string(raw))
	}
	code, _, errOut := cli(t, "voices", "list")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "--voices is required")
}
