package backends_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
)

// planted is a key that may appear only in requests.
const planted = "sk-planted-0123456789abcdef"

// served is a service with its own test server.
type served struct {
	config   backends.Config
	word     string // that its transcripts or texts contain
	requests func() []backendtest.Request
}

// hears returns a transcriber of every kind, each with a test server.
func hears(t *testing.T) map[string]served {
	t.Helper()
	oa, wc := backendtest.NewOpenAISpeech(t), backendtest.NewWhisperCPP(t)
	aa, dg := backendtest.NewAssemblyAI(t), backendtest.NewDeepgram(t)
	aa.Key, dg.Key = planted, planted
	aa.Polls = 0 // polling would wait on the wall clock
	of := func(url, model string) backends.Config {
		return backends.Config{Transcriber: backends.Service{URL: url, Model: model}, Lookup: environment("SOUNDSTAGE_TRANSCRIBER_KEY", planted)}
	}
	return map[string]served{
		"openai":     {of(oa.URL+"/v1", "whisper-1"), "Vegiki dikefe", oa.Requests},
		"whispercpp": {of(wc.URL, ""), "egiki dikefe", wc.Requests},
		"assemblyai": {of(aa.URL, ""), "word0", aa.Requests},
		"deepgram":   {of(dg.URL, "nova-3"), "word0", dg.Requests},
		"command":    {backends.Config{Command: []string{os.Args[0], "hear", "{wav}"}}, "by program", func() []backendtest.Request { return nil }},
	}
}

// writes returns a language model of every kind, each with a test server.
func writes(t *testing.T) map[string]served {
	t.Helper()
	oa := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: planted})
	an := backendtest.NewAnthropic(t, backendtest.ModelOptions{Key: planted})
	of := func(url string) backends.Config {
		return backends.Config{LLM: backends.Service{URL: url, Model: "small"}, Lookup: environment("SOUNDSTAGE_LLM_KEY", planted)}
	}
	return map[string]served{"openai": {of(oa.URL), "In short", oa.Requests}, "anthropic": {of(an.URL), "In short", an.Requests}}
}

// A sandbox transcribes with every kind of transcriber. The transcript contains the server's words and no simulated ones.
func TestEveryTranscriber(t *testing.T) {
	t.Parallel()
	all := hears(t)
	invented := open(t, backends.Config{})
	nothing := invented.transcript(invented.record(), "format=txt")
	for _, kind := range backends.Transcribers() {
		if kind == backends.Fake {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			served, ok := all[kind]
			require.True(t, ok, "no test has a server of kind %s: add a row to hears or writes, with a stand-in of engine/backendtest", kind)
			served.config.Transcriber.Kind = kind
			s := open(t, served.config)
			text := s.transcript(s.record(), "format=txt")
			require.Contains(t, text, served.word)
			require.NotEqual(t, nothing, text)
			require.Equal(t, "real", s.json("GET", "/_soundstage/health", "")["clock"])
			if kind != "command" {
				require.NotEmpty(t, served.requests())
				require.Contains(t, fmt.Sprint(served.requests()[0].Header), planted, "the server gets the key")
			}
		})
	}
}

// A sandbox generates, chats, and translates with every kind of language model.
func TestEveryLLM(t *testing.T) {
	t.Parallel()
	all := writes(t)
	for _, kind := range backends.LLMs() {
		if kind == backends.Fake {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			served, ok := all[kind]
			require.True(t, ok, "no test has a server of kind %s: add a row to hears or writes, with a stand-in of engine/backendtest", kind)
			served.config.LLM.Kind = kind
			s := open(t, served.config)
			path := s.record()
			require.Contains(t, s.generate(path, "Sum it up."), served.word)
			said := s.transcript(path, "format=txt&timestamps=false")
			translated := s.transcript(path, "format=txt&language=de")
			word := strings.Fields(said)[len(strings.Fields(said))-1]
			require.Contains(t, translated, backendtest.Translated(word))
			id := path[strings.LastIndexByte(path, '/')+1:]
			chat := s.json("POST", "/v1/chat", `{"recording_ids":["`+id+`"],"message":"What about `+strings.Trim(word, ".,!?")+`?"}`)
			answer := s.until("/v1/chat/"+chat["chat_id"].(string), func(v map[string]any) any { return v["status"] })
			require.NotEmpty(t, answer["answer"])
			require.Contains(t, fmt.Sprint(served.requests()[0].Header), planted, "the server gets the key")
		})
	}
}

// AnswerTokens limits the answers of every kind of language model.
func TestAnswerTokens(t *testing.T) {
	t.Parallel()
	for kind, served := range writes(t) {
		served.config.LLM.Kind, served.config.AnswerTokens = kind, 321
		b, err := served.config.Open()
		require.NoError(t, err)
		require.NoError(t, b.ProbeLLM(t.Context()).Err)
		require.Contains(t, string(served.requests()[0].Body), `"max_tokens":321`, kind)
	}
}

// A recording is replayed byte for byte, without a network, a key, or waiting. The folder contains no key, and the error
// for an unknown request says what differs.
func TestRecordAndReplay(t *testing.T) {
	t.Parallel()
	written := writes(t)["openai"]
	for kind, served := range hears(t) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			c := served.config
			c.Transcriber.Kind, c.Record = kind, filepath.Join(t.TempDir(), "exchanges")
			c.LLM, c.LLM.Kind = written.config.LLM, "openai"
			c.Lookup = environment("SOUNDSTAGE_TRANSCRIBER_KEY", planted, "SOUNDSTAGE_LLM_KEY", planted)
			s := open(t, c)
			require.Contains(t, fmt.Sprint(s.json("GET", "/_soundstage/health", "")["backends"]), "answers:recorded")
			path := s.record()
			text, translated, summary := s.transcript(path, "format=json"), s.transcript(path, "format=txt&language=fr"), s.generate(path, "Sum it up.")
			noKeyIn(t, c.Record)

			c.Record, c.Replay, c.Lookup = "", c.Record, nil
			if c.LLM.URL = unreachable(c.LLM.URL); kind == "command" {
				c.Command = append([]string{"/gone/" + filepath.Base(c.Command[0])}, c.Command[1:]...)
			} else {
				c.Transcriber.URL = unreachable(c.Transcriber.URL)
			}
			s = open(t, c)
			health := s.json("GET", "/_soundstage/health", "")
			require.Contains(t, fmt.Sprint(health["backends"]), "answers:replayed")
			require.Equal(t, "auto", health["clock"])
			path = s.record()
			require.Equal(t, text, s.transcript(path, "format=json"))
			require.Equal(t, translated, s.transcript(path, "format=txt&language=fr"))
			require.Equal(t, summary, s.generate(path, "Sum it up."))

			w := s.do("GET", path+"/transcript?format=txt&language=it", "")
			require.Equal(t, 503, w.Code)
			require.Contains(t, w.Body.String(), "record", "%s", w.Body)
		})
	}
}

// A recording with repeated refusals is replayed to its end, without waiting for Retry-After.
func TestReplayOfRefusals(t *testing.T) {
	t.Parallel()
	server := backendtest.NewWhisperCPP(t)
	for range 4 {
		server.Break(backendtest.Status(429, "0.01", `{}`))
	}
	c := backends.Config{Transcriber: backends.Service{Kind: "whispercpp", URL: server.URL}, Record: filepath.Join(t.TempDir(), "exchanges")}
	b, err := c.Open()
	require.NoError(t, err)
	for range 4 {
		require.Error(t, b.ProbeTranscriber(within(t, time.Minute)).Err)
	}
	heard := b.ProbeTranscriber(within(t, time.Minute))
	require.NoError(t, heard.Err)
	rewrite(t, c.Record, `"Retry-After": "0.01"`, `"Retry-After": "3600"`)

	c.Record, c.Replay = "", c.Record
	s := open(t, c)
	id := s.recordFile("probe.wav")
	require.Contains(t, strings.ToLower(s.transcript(id, "format=txt")), strings.ToLower(strings.Trim(strings.Fields(heard.Text)[0], ".,")))
}

// rewrite replaces a text in all files of a folder.
func rewrite(t *testing.T, dir, old, now string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	changed := 0
	for _, path := range files {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		if strings.Contains(string(b), old) {
			changed++
			require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(b), old, now)), 0o600))
		}
	}
	require.Equal(t, 4, changed)
}

// unreachable returns a URL with the same path where nothing listens.
func unreachable(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	_, path, ok := strings.Cut(rest, "/")
	if !ok {
		return "http://127.0.0.1:1"
	}
	return "http://127.0.0.1:1/" + path
}

// noKeyIn checks that no file in a folder contains the planted key.
func noKeyIn(t *testing.T, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was being written, and has another name now
		}
		require.NoError(t, err)
		require.NotContains(t, string(b), planted, f.Name())
	}
}
