package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/settings"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

// writeConfig writes a config file and returns its path.
func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "soundstage.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Flags override the environment, which overrides the file, which overrides the default. Lists from different sources aren't merged.
func TestConfigPrecedence(t *testing.T) {
	t.Parallel()
	file := writeConfig(t, `
seed: 7
clock: steps
log: off
allow-private-urls: true
rate-limit: [1, 2, 3]
speech-limit: 10h
transcriber: command
transcriber-command: [whisper-cli, -f, "{wav}"]
fixtures: [a.yaml, "b,c.yaml"]
`)
	for _, c := range []struct {
		flag, want string
		env        map[string]string
		args       []string
	}{
		{"seed", "7", nil, nil},
		{"seed", "8", map[string]string{"SOUNDSTAGE_SEED": "8"}, nil},
		{"seed", "9", map[string]string{"SOUNDSTAGE_SEED": "8"}, []string{"--seed", "9"}},
		{"clock", "steps", map[string]string{"SOUNDSTAGE_CLOCK": ""}, nil},
		{"clock", "real", nil, []string{"--clock=real"}},
		{"log", "off", nil, nil},
		{"allow-private-urls", "true", nil, nil},
		{"allow-private-urls", "false", nil, []string{"--allow-private-urls=false"}},
		{"rate-limit", "[1,2,3]", nil, nil},
		{"rate-limit", "[4,5,6]", map[string]string{"SOUNDSTAGE_RATE_LIMIT": "4,5,6"}, nil},
		{"speech-limit", "10h0m0s", nil, nil},
		{"transcriber-command", `["whisper-cli","-f","{wav}"]`, nil, nil},
		{"transcriber-command", `["other"]`, nil, []string{"--transcriber-command", "other"}},
		{"fixtures", `[a.yaml,"b,c.yaml"]`, nil, nil},
		{"webhook-time", "", nil, nil},
	} {
		got, err := parseFlags(c.env, c.flag, []string{"serve"}, append(c.args, "--config", file)...)
		require.NoError(t, err, c.flag)
		require.Equal(t, c.want, got, "%s %v", c.flag, c.args)
		env := map[string]string{"SOUNDSTAGE_CONFIG": file}
		for name, value := range c.env {
			env[name] = value
		}
		got, err = parseFlags(env, c.flag, []string{"serve"}, c.args...)
		require.NoError(t, err, c.flag)
		require.Equal(t, c.want, got, "%s %v", c.flag, c.args)
	}
	got, err := parseFlags(nil, "transcriber", []string{"transcribe"}, "--config", file)
	require.NoError(t, err, "transcribe ignores the settings of serve")
	require.Equal(t, "command", got)
}

// An error in a config file has the line and a hint, and never repeats a secret.
func TestConfigErrors(t *testing.T) {
	t.Parallel()
	const key = "sk-planted-0123456789abcdef"
	for text, want := range map[string][]string{
		"clok: auto":                             {":1: unknown setting \"clok\"", "Did you mean clock?"},
		"# x\n\ntranscriber_url: http://h":       {":3: unknown setting", "Did you mean transcriber-url?"},
		"nothing-like-it: 1":                     {":1: unknown setting", "`soundstage serve --help`"},
		"seed: many":                             {":1: seed is invalid", "seed must be a whole number, 0 or more."},
		"\nspeech-limit: 10":                     {":2: speech-limit is invalid", "such as 90s, 10m, or 1h30m."},
		"allow-private-urls: yes":                {":1: allow-private-urls is invalid: the value is " + string(settings.Text), "must be true or false."},
		"allow-private-urls: 1":                  {":1: allow-private-urls is invalid: the value is " + string(settings.Number), "must be true or false."},
		"seed: true":                             {":1: seed is invalid: the value is " + string(settings.Bool), "whole number"},
		"seed: [1]":                              {":1: seed takes one value, not a list.", ""},
		"rate-limit:\n  - 1\n  - x\n  - 3":       {":3: rate-limit is invalid", "a list of whole numbers"},
		"transcriber: alexa":                     {":1: transcriber is invalid: unknown transcriber \"alexa\"", "must be one of " + strings.Join(backends.Transcribers(), ", ") + "."},
		"llm: hal":                               {":1: llm is invalid", "must be one of " + strings.Join(backends.LLMs(), ", ") + "."},
		"speakers-by: me":                        {":1: speakers-by is invalid", "transcriber, diarizer"},
		"seed: 1\nseed: 2":                       {":2: ", ""},
		"transcriber-key: " + key:                {":1: transcriber-key is a secret and must not be in a config file.", "SOUNDSTAGE_TRANSCRIBER_KEY, or in a file with transcriber-key-file"},
		"llm_key: x":                             {":1: llm_key is a secret", "SOUNDSTAGE_LLM_KEY"},
		"api-key: x":                             {":1: api-key is a secret", "llm-key-file"},
		"control-token: x":                       {":1: control-token is a secret", "as SOUNDSTAGE_CONTROL_TOKEN."},
		"llm-model: " + key:                      {":1: The value of llm-model looks like a secret", "-key-file"},
		"transcriber-command:\n- x\n- " + key:    {":3: The value of transcriber-command looks like a secret", "environment"},
		"transcriber-key-file: " + key:           {":1: The value of transcriber-key-file looks like a secret", ""},
		"config: other.yaml":                     {":1: config is not allowed in a config file.", ""},
		"clock:":                                 {":1: clock has no value.", ""},
		"- clock":                                {":1: expected a mapping of settings.", "clock: steps"},
		"format: txt\nno-timestamps: perhaps":    {":2: no-timestamps is invalid: the value is " + string(settings.Text), "true or false"}, // a flag of transcribe
		"clock: fast":                            {`"fast" is not a clock mode.`, "Set by the config file: clock (FILE:1)."},
		"transcriber: openai":                    {"OpenAI needs a key", "Set by the config file: transcriber (FILE:1)."},
		"transcriber: whispercpp\nclock: manual": {"The clock can't be manual with a real backend", "--replay"},
		"llm: openai\nllm-model: m\nllm-url: https://me:x@h/v1": {"contains a password", "SOUNDSTAGE_LLM_KEY"},
	} {
		file := writeConfig(t, text)
		code, out, errOut := cli(t, "serve", "--addr", "127.0.0.1:0", "--config", file)
		require.Equal(t, 2, code, "%s: %s", text, errOut)
		require.Empty(t, out)
		require.NotContains(t, errOut, key)
		for _, part := range want {
			require.Contains(t, strings.ReplaceAll(errOut, file, "FILE"), part, text)
		}
	}
	code, _, errOut := cli(t, "serve", "--config", "/nothing/there.yaml")
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "The config file /nothing/there.yaml can't be read.")
}

// examples/soundstage.yaml is valid for every command that accepts a config file.
func TestExampleConfig(t *testing.T) {
	t.Parallel()
	n := 0
	eachCommand(newRoot(streams{}, os.LookupEnv), func(cmd *cobra.Command) {
		if cmd.Flags().Lookup(configFlag) == nil {
			return
		}
		n++
		got, err := parseFlags(nil, "llm-context-tokens", strings.Fields(cmd.CommandPath())[1:], "--config", filepath.Join("..", "..", "examples", "soundstage.yaml"))
		require.NoError(t, err, cmd.CommandPath())
		require.Equal(t, "16384", got)
	})
	require.Equal(t, 11, n)
}
