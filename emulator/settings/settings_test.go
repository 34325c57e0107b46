package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/settings"
	"github.com/soundstage-dev/soundstage/engine"
)

// right are files and what they say.
var right = map[string][]settings.Setting{
	"":                  nil,
	"# nothing yet\n":   nil,
	"\ufeffclock: auto": {{Name: "clock", Line: 1, Values: []settings.Value{{Text: "auto", Line: 1, Kind: settings.Text}}}},
	"# of the team\nclock: steps # still\n\nseed: 7\nallow-private-urls: true\n": {
		{Name: "clock", Line: 2, Values: []settings.Value{{Text: "steps", Line: 2, Kind: settings.Text}}},
		{Name: "seed", Line: 4, Values: []settings.Value{{Text: "7", Line: 4, Kind: settings.Number}}},
		{Name: "allow-private-urls", Line: 5, Values: []settings.Value{{Text: "true", Line: 5, Kind: settings.Bool}}},
	},
	"addr: :8765\nllm-url: http://127.0.0.1:11434/v1\nspeech-limit: 10h\nclock-start: 2026-01-01T00:00:00Z\n": {
		{Name: "addr", Line: 1, Values: []settings.Value{{Text: ":8765", Line: 1, Kind: settings.Text}}},
		{Name: "llm-url", Line: 2, Values: []settings.Value{{Text: "http://127.0.0.1:11434/v1", Line: 2, Kind: settings.Text}}},
		{Name: "speech-limit", Line: 3, Values: []settings.Value{{Text: "10h", Line: 3, Kind: settings.Text}}},
		{Name: "clock-start", Line: 4, Values: []settings.Value{{Text: "2026-01-01T00:00:00Z", Line: 4, Kind: settings.Text}}},
	},
	"transcriber-command: [whisper-cli, -f, '{wav}']\nrate-limit:\n  - 60\n  - 120\nfixtures: []\n": {
		{Name: "transcriber-command", Line: 1, List: true, Values: []settings.Value{
			{Text: "whisper-cli", Line: 1, Kind: settings.Text}, {Text: "-f", Line: 1, Kind: settings.Text}, {Text: "{wav}", Line: 1, Kind: settings.Text},
		}},
		{Name: "rate-limit", Line: 2, List: true, Values: []settings.Value{
			{Text: "60", Line: 3, Kind: settings.Number}, {Text: "120", Line: 4, Kind: settings.Number},
		}},
		{Name: "fixtures", Line: 5, List: true, Values: []settings.Value{}},
	},
	"storage-hard-limit: 1_000\nclock: \"real\"\nlog: |-\n  off\n": {
		{Name: "storage-hard-limit", Line: 1, Values: []settings.Value{{Text: "1_000", Line: 1, Kind: settings.Number}}},
		{Name: "clock", Line: 2, Values: []settings.Value{{Text: "real", Line: 2, Kind: settings.Text}}},
		{Name: "log", Line: 3, Values: []settings.Value{{Text: "off", Line: 3, Kind: settings.Text}}},
	},
}

// A file is a mapping of names to values or lists of them, each with its line.
func TestParse(t *testing.T) {
	t.Parallel()
	for raw, want := range right {
		got, err := settings.Parse("f.yaml", []byte(raw))
		require.NoError(t, err, raw)
		require.Equal(t, want, got, raw)
	}
}

// wrong are files, and how what is wrong with them is told.
var wrong = map[string]string{
	"clock: auto\nclock: steps\n":            "f.yaml:2: ",
	"clock: auto\n\"clock\": steps\n":        "f.yaml:2: ",
	"- clock\n":                              "f.yaml:1: a mapping of settings was expected",
	"clock\n":                                "f.yaml:1: a mapping of settings was expected",
	"\n\nclock:\n":                           "f.yaml:3: nothing stands behind clock",
	"clock: ~\n":                             "f.yaml:1: nothing stands behind clock",
	"clock:\n  mode: auto\n":                 "clock must be a text, a number, true, false, or a list",
	"rate-limit: [[1]]\n":                    "f.yaml:1: rate-limit must be a text",
	"clock: &a auto\n":                       "f.yaml:1: plain YAML was expected",
	"a: 1\n<<: {b: 2}\n":                     "f.yaml:2: plain YAML was expected",
	"7: 1\n":                                 "f.yaml:1: the name of a setting was expected",
	"clock: auto\n---\nclock: steps\n":       "f.yaml:3: one YAML document was expected",
	"a: 1\nb: \"\n":                          "f.yaml:2: the YAML is broken",
	"a: 1\nb: \xff\n":                        "f.yaml:2: the line is not valid UTF-8",
	"a: " + strings.Repeat("x", 9000) + "\n": "f.yaml:1: the line is longer than 8192 bytes",
	strings.Repeat("#\n", 40000):             "f.yaml:1: the file is longer than 64 KiB",
	"a: " + strings.Repeat("[", 200) + "\n":  "f.yaml:1: the YAML is broken: it is nested deeper than 8 levels",
	strings.Repeat("- ", 200) + "\n":         "f.yaml:1: the YAML is broken: it is nested deeper than 8 levels",
}

// Whatever is wrong is told with the file and its line, in a sentence.
func TestParseWrong(t *testing.T) {
	t.Parallel()
	for raw, want := range wrong {
		_, err := settings.Parse("f.yaml", []byte(raw))
		var e *engine.Error
		require.ErrorAs(t, err, &e, raw)
		require.Equal(t, engine.CodeInvalid, e.Code)
		require.Contains(t, e.Msg, want, "%.100q", raw)
		require.Regexp(t, `^f\.yaml:\d+: `, e.Msg)
		require.True(t, strings.HasSuffix(e.Msg, "."), e.Msg)
	}
}

// A file that can't be read is told by its name and why.
func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "soundstage.yaml")
	_, err := settings.Load(path)
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Contains(t, e.Msg, path)
	require.Contains(t, e.Hint, "no such file")
	_, err = settings.Load(dir)
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
	require.NoError(t, os.WriteFile(path, []byte("clock: auto"), 0o600))
	all, err := settings.Load(path)
	require.NoError(t, err)
	require.Len(t, all, 1)
}

// Any bytes are settings or an error with a line, and never anything else.
func FuzzParse(f *testing.F) {
	for raw := range right {
		f.Add([]byte(raw))
	}
	for raw := range wrong {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, err := settings.Parse("f.yaml", raw)
		if err != nil {
			var e *engine.Error
			if !errors.As(err, &e) || e.Code != engine.CodeInvalid || !strings.HasPrefix(e.Msg, "f.yaml:") || all != nil {
				t.Fatalf("%v and %v", all, err)
			}
			return
		}
		lines := 1 + strings.Count(string(raw), "\n") + strings.Count(string(raw), "\r")
		seen := map[string]bool{}
		for _, s := range all {
			if seen[s.Name] || s.Line < 1 || s.Line > lines || !s.List && len(s.Values) != 1 {
				t.Fatalf("%+v", s)
			}
			seen[s.Name] = true
		}
	})
}
