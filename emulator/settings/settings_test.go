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

// valid maps valid files to their settings.
var valid = map[string][]settings.Setting{
	"":                  nil,
	"# no settings\n":   nil,
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

// A file maps names to values or lists of values, each with its line.
func TestParse(t *testing.T) {
	t.Parallel()
	for raw, want := range valid {
		got, err := settings.Parse("f.yaml", []byte(raw))
		require.NoError(t, err, raw)
		require.Equal(t, want, got, raw)
	}
}

// invalid maps rejected files to a part of their error.
var invalid = map[string]string{
	"clock: auto\nclock: steps\n":            "f.yaml:2: ",
	"clock: auto\n\"clock\": steps\n":        "f.yaml:2: ",
	"- clock\n":                              "f.yaml:1: expected a mapping of settings",
	"clock\n":                                "f.yaml:1: expected a mapping of settings",
	"\n\nclock:\n":                           "f.yaml:3: clock has no value",
	"clock: ~\n":                             "f.yaml:1: clock has no value",
	"clock:\n  mode: auto\n":                 "clock must be a string, a number, true, false, or a list",
	"rate-limit: [[1]]\n":                    "f.yaml:1: rate-limit must be a string",
	"clock: &a auto\n":                       "f.yaml:1: anchors, aliases, tags, and merge keys are not supported",
	"a: 1\n<<: {b: 2}\n":                     "f.yaml:2: anchors, aliases, tags, and merge keys are not supported",
	"7: 1\n":                                 "f.yaml:1: expected the name of a setting",
	"clock: auto\n---\nclock: steps\n":       "f.yaml:3: expected one YAML document",
	"a: 1\nb: \"\n":                          "f.yaml:2: invalid YAML",
	"a: 1\nb: \xff\n":                        "f.yaml:2: the line is not valid UTF-8",
	"a: " + strings.Repeat("x", 9000) + "\n": "f.yaml:1: the line is longer than 8192 bytes",
	strings.Repeat("#\n", 40000):             "f.yaml:1: the file is longer than 64 KiB",
	"a: " + strings.Repeat("[", 200) + "\n":  "f.yaml:1: invalid YAML: nested more than 8 levels deep",
	strings.Repeat("- ", 200) + "\n":         "f.yaml:1: invalid YAML: nested more than 8 levels deep",
}

// Every error is one sentence that starts with the file and the line.
func TestParseWrong(t *testing.T) {
	t.Parallel()
	for raw, want := range invalid {
		_, err := settings.Parse("f.yaml", []byte(raw))
		var e *engine.Error
		require.ErrorAs(t, err, &e, raw)
		require.Equal(t, engine.CodeInvalid, e.Code)
		require.Contains(t, e.Msg, want, "%.100q", raw)
		require.Regexp(t, `^f\.yaml:\d+: `, e.Msg)
		require.True(t, strings.HasSuffix(e.Msg, "."), e.Msg)
	}
}

// The error for an unreadable file names the file and the cause.
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

// Any input gives settings or an error with a line.
func FuzzParse(f *testing.F) {
	for raw := range valid {
		f.Add([]byte(raw))
	}
	for raw := range invalid {
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
