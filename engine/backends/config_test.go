package backends_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

// The error for a wrong Config names the flags and says what to do.
func TestInvalidConfig(t *testing.T) {
	t.Parallel()
	type service = backends.Service
	for name, c := range map[string]struct {
		config     backends.Config
		says, hint string
	}{
		"unknown kind":           {backends.Config{Transcriber: service{Kind: "alexa"}}, `Unknown transcriber "alexa".`, strings.Join(backends.Transcribers(), ", ")},
		"unknown model kind":     {backends.Config{LLM: service{Kind: "hal"}}, `Unknown language model "hal".`, strings.Join(backends.LLMs(), ", ")},
		"settings of nothing":    {backends.Config{Transcriber: service{URL: "http://h"}}, "no backend is chosen", "--transcriber fake, openai"},
		"a command of nothing":   {backends.Config{Command: []string{"x"}}, "no backend is chosen", "--transcriber"},
		"context of nothing":     {backends.Config{ContextTokens: 9}, "no backend is chosen", "--llm"},
		"answer of nothing":      {backends.Config{AnswerTokens: 9}, "no backend is chosen", "--llm"},
		"small context":          {backends.Config{LLM: service{Kind: "openai", URL: "http://h", Model: "m"}, ContextTokens: 2047}, "--llm-context-tokens must be at least 2048 (got 2047)", "safe default"},
		"small answer":           {backends.Config{LLM: service{Kind: "anthropic", Model: "m"}, AnswerTokens: 255}, "--llm-answer-tokens must be at least 256 (got 255)", "safe default"},
		"no key":                 {backends.Config{Transcriber: service{Kind: "openai"}}, "OpenAI needs a key, and none is set.", "Set OPENAI_API_KEY or SOUNDSTAGE_TRANSCRIBER_KEY in the environment, or name a file that contains it with --transcriber-key-file. For your own server, set --transcriber-url."},
		"no key anywhere":        {backends.Config{Transcriber: service{Kind: "deepgram", URL: "https://mine.example"}}, "Deepgram needs a key", "SOUNDSTAGE_TRANSCRIBER_KEY"},
		"no key of a model":      {backends.Config{LLM: service{Kind: "anthropic", Model: "m"}}, "Anthropic needs a key", "ANTHROPIC_API_KEY"},
		"no model":               {backends.Config{LLM: service{Kind: "openai", URL: "http://h"}}, "needs the name of a model", "--llm-model gpt-4o-mini"},
		"no program":             {backends.Config{Transcriber: service{Kind: "command"}}, "needs a program", "--transcriber-command whisper-cli"},
		"model of a program":     {backends.Config{Transcriber: service{Kind: "command", Model: "m"}, Command: []string{"x"}}, "--transcriber-model has no effect with --transcriber command", ""},
		"address of a program":   {backends.Config{Transcriber: service{Kind: "command", URL: "http://h"}, Command: []string{"x"}}, "--transcriber-url has no effect", ""},
		"key of a program":       {backends.Config{Transcriber: service{Kind: "command", KeyFile: "f"}, Command: []string{"x"}}, "--transcriber-key-file has no effect", ""},
		"program of a server":    {backends.Config{Transcriber: service{Kind: "whispercpp"}, Command: []string{"x"}}, "--transcriber-command has no effect with --transcriber whispercpp", ""},
		"model of whisper.cpp":   {backends.Config{Transcriber: service{Kind: "whispercpp", Model: "m"}}, "--transcriber-model has no effect", ""},
		"unknown placeholder":    {backends.Config{Transcriber: service{Kind: "command"}, Command: []string{"x", "{file}"}}, "{file}", "{wav}"},
		"negative time":          {backends.Config{Transcriber: service{Kind: "whispercpp"}, Timeout: -time.Second}, "--transcriber-timeout", ""},
		"negative context":       {backends.Config{LLM: service{Kind: "openai", URL: "http://h", Model: "m"}, ContextTokens: -1}, "--llm-context-tokens", ""},
		"no address":             {backends.Config{Transcriber: service{Kind: "whispercpp", URL: "localhost:8080"}}, "--transcriber-url is not a valid server URL", "http://127.0.0.1:8080"},
		"password in an address": {backends.Config{Transcriber: service{Kind: "whispercpp", URL: "http://me:" + planted + "@h"}}, "contains a password", "--transcriber-key-file"},
		"key in an address":      {backends.Config{Transcriber: service{Kind: "openai", URL: "http://h/v1?api_key=" + planted}}, "contains a key", "--transcriber-key-file"},
		"key by another name":    {backends.Config{LLM: service{Kind: "openai", Model: "m", URL: "http://h/v1?x=" + planted}}, "contains a key", "SOUNDSTAGE_LLM_KEY"},
		"key for a file":         {backends.Config{LLM: service{Kind: "openai", Model: "m", KeyFile: planted}}, "looks like a key", "Write the key to a file"},
		"no key file":            {backends.Config{LLM: service{Kind: "openai", Model: "m", KeyFile: "/nothing/there"}}, "no such file", "--llm-key-file"},
		"folder for a key file":  {backends.Config{LLM: service{Kind: "openai", Model: "m", KeyFile: os.TempDir()}}, "it is a folder", ""},
		"both folders":           {backends.Config{Transcriber: service{Kind: "whispercpp"}, Record: "a", Replay: "b"}, "can't be used together", "Record first"},
		"nothing to record":      {backends.Config{Record: "a"}, "--record needs a service, and none is chosen", "--llm"},
		"nothing to replay":      {backends.Config{Replay: "a"}, "--replay needs a service", ""},
		"no folder to replay":    {backends.Config{Transcriber: service{Kind: "whispercpp"}, Replay: "/nothing/there"}, "/nothing/there", ""},
	} {
		_, err := c.config.Open()
		var e *engine.Error
		require.ErrorAs(t, err, &e, name)
		require.Equal(t, engine.CodeInvalid, e.Code, name)
		require.Contains(t, e.Msg, c.says, name)
		require.Contains(t, e.Hint, c.hint, name)
		require.NotContains(t, fmt.Sprintf("%+v %s %s", err, e.Msg, e.Hint), planted, name)
	}
}

// A key comes from its file, else the service's variable, else the provider's own variable. The provider's variable is
// used only with the provider's own URL, so that the key goes to no other host. No description contains the key.
func TestKeys(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, []byte("\ufeff "+planted+" \r\nsomething else\n"), 0o600))
	both := environment("SOUNDSTAGE_LLM_KEY", "ours", "OPENAI_API_KEY", "theirs")
	theirs := environment("OPENAI_API_KEY", "theirs", "SOUNDSTAGE_LLM_KEY", " ")
	for _, c := range []struct {
		service backends.Service
		lookup  func(string) (string, bool)
		from    string
	}{
		{backends.Service{KeyFile: file}, both, "the key file"},
		{backends.Service{}, both, "SOUNDSTAGE_LLM_KEY"},
		{backends.Service{}, theirs, "OPENAI_API_KEY"},
		{backends.Service{URL: "https://api.openai.com/v1"}, theirs, "OPENAI_API_KEY"},
		{backends.Service{URL: "https://API.openai.com/v1/"}, theirs, "OPENAI_API_KEY"},
		{backends.Service{URL: "http://api.openai.com/v1"}, theirs, ""},
		{backends.Service{URL: "https://api.openai.com.evil.example/v1"}, theirs, ""},
		{backends.Service{URL: "https://api.openai.com:8443/v1"}, theirs, ""},
		{backends.Service{URL: "http://127.0.0.1:11434/v1"}, theirs, ""},
		{backends.Service{URL: "http://127.0.0.1:11434/v1"}, both, "SOUNDSTAGE_LLM_KEY"},
	} {
		c.service.Kind, c.service.Model = "openai", "m"
		b, err := backends.Config{LLM: c.service, Lookup: c.lookup}.Open()
		require.NoError(t, err, c.service.URL)
		require.Equal(t, c.from, b.Sources.LLM, c.service.URL)
		require.NotContains(t, fmt.Sprintf("%+v", *b), planted)
	}
}

// Open refuses a key file that others can read, and one that contains no key or more than one.
func TestKeyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct {
		body string
		mode os.FileMode
		says string
	}{
		"open":  {planted, 0o644, "mode is 0644"},
		"group": {planted, 0o640, "mode is 0640"},
		"empty": {"\n" + planted, 0o600, "is empty"},
		"two":   {planted + " " + planted, 0o600, "a space"},
		"long":  {strings.Repeat("k", 5000), 0o600, "more than a key"},
		"odd":   {"schlüssel-" + planted, 0o600, "not printable ASCII"},
	} {
		if runtime.GOOS == "windows" && c.mode != 0o600 {
			continue
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(c.body), c.mode))
		require.NoError(t, os.Chmod(path, c.mode))
		_, err := backends.Config{LLM: backends.Service{Kind: "anthropic", Model: "m", KeyFile: path}}.Open()
		require.ErrorContains(t, err, c.says, name)
		require.NotContains(t, fmt.Sprintf("%+v", err), planted)
	}
}

// Sending a key to another machine without TLS causes a notice. Loopback and TLS don't.
func TestNotices(t *testing.T) {
	t.Parallel()
	for url, n := range map[string]int{
		"http://speech.example/v1": 1, "http://10.0.0.7:8000": 1, "https://speech.example/v1": 0, "http://127.0.0.1:8000": 0, "http://localhost/v1": 0, "http://[::1]:80": 0,
	} {
		b, err := backends.Config{
			Transcriber: backends.Service{Kind: "openai", URL: url}, Lookup: environment("SOUNDSTAGE_TRANSCRIBER_KEY", planted),
		}.Open()
		require.NoError(t, err)
		require.Len(t, b.Notices, n, url)
	}
}

// A Description contains the model and the URL without its query.
func TestDescription(t *testing.T) {
	t.Parallel()
	b, err := backends.Config{
		Transcriber: backends.Service{Kind: "openai", URL: "http://h:9/v1/?api-version=2", Model: "tiny"}, Command: nil,
	}.Open()
	require.NoError(t, err)
	require.Equal(t, "tiny", b.Descriptions.Transcriber.Model)
	require.Equal(t, "http://h:9/v1/", b.Descriptions.Transcriber.Address)
	require.Equal(t, "fake", b.Descriptions.LLM.Kind)
	require.Empty(t, b.Descriptions.LLM.Address)
	b, err = backends.Config{}.Open()
	require.NoError(t, err)
	require.Empty(t, b.Live)
	require.Nil(t, b.NewTranscriber)
	require.Nil(t, b.LLM)
	require.Nil(t, b.Translator)
}

// LooksSecret is true for providers' keys, and false for names of models, files, and hosts.
func TestLooksSecret(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		planted, "sk-proj-abcdEFGH1234_5678-abcd", "sk_sandbox_0123456789abcdef", "0123456789abcdef0123456789abcdef", "Bearer abcdefgh12345678", "hf_abcdefgh12345678",
		"sk-ant-api03-AAAA1111bbbb2222", "ABCDEFGHijklmnop0123456789abcdefghijklmnop",
	} {
		require.True(t, backends.LooksSecret(s), s)
	}
	for _, s := range []string{
		"", "whisper-1", "gpt-4o-mini-transcribe-2025-12-15", "Systran/faster-whisper-large-v3", "/run/secrets/openai", "claude-haiku-4-5-20251001", "http://127.0.0.1:8080/v1",
		"2026-01-01T00:00:00Z", "meta-llama/Llama-3.3-70B-Instruct", "recordings/of-the-second-quarter-of-2026", "auto", "10h", "127.0.0.1:8765",
	} {
		require.False(t, backends.LooksSecret(s), s)
	}
}
