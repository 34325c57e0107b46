package command_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine/backendtest"
)

// isProgram is the first argument that makes the test binary act as a transcriber.
const isProgram = "transcribe"

// TestMain runs transcribe instead of the tests if the first argument is isProgram.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == isProgram {
		os.Exit(transcribe(os.Args[2:]))
	}
	check(os.Setenv("GORACE", "atexit_sleep_ms=0")) // otherwise, the race detector delays each exit by 1 s
	os.Exit(m.Run())
}

// transcribe follows arguments of the form name=value, in this order:
//
//	runs    adds a line to this file
//	stderr  writes this text to standard error
//	hold    starts a child process, and writes its ID to this file
//	answer  prints this text
//	file    writes the argument json to this file, next to the WAV file
//	echo    prints the arguments and the environment
//	as      outputs words in this format
//	flood   prints without end
//	garbage prints 64 MiB
//	crash   kills itself
//	hang    never exits
//	exit    exits with this code
func transcribe(args []string) int {
	do := map[string]string{}
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		do[name] = value
	}
	has := func(name string) bool { _, ok := do[name]; return ok }
	if has("runs") {
		file, err := os.OpenFile(do["runs"], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		check(err)
		_, err = file.WriteString("run\n")
		check(err)
		check(file.Close())
	}
	_, _ = os.Stderr.WriteString(do["stderr"])
	if has("hold") {
		child := exec.Command(os.Args[0], isProgram, "hang")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		check(child.Start())
		check(os.WriteFile(do["hold"], []byte(strconv.Itoa(child.Process.Pid)), 0o600))
	}
	_, _ = os.Stdout.WriteString(do["answer"])
	if has("file") {
		check(os.WriteFile(filepath.Join(filepath.Dir(do["wav"]), do["file"]), []byte(do["json"]), 0o600))
	}
	if has("echo") {
		answer(map[string]any{"text": strings.Join(args, " ") + " " + strings.Join(os.Environ(), " ")})
	}
	if has("as") {
		writeWords(do)
	}
	for has("flood") {
		if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
			return 1
		}
	}
	if has("garbage") {
		_, _ = io.CopyN(os.Stdout, endless{}, 64<<20)
	}
	if has("crash") {
		self, err := os.FindProcess(os.Getpid())
		check(err)
		check(self.Kill())
	}
	if has("crash") || has("hang") {
		time.Sleep(time.Hour)
	}
	code, _ := strconv.Atoi(do["exit"])
	return code
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func answer(v any) { check(json.NewEncoder(os.Stdout).Encode(v)) }

// writeWords outputs a word for each part of the sound that isn't silent, in the format do["as"].
func writeWords(do map[string]string) {
	file, err := os.ReadFile(do["wav"])
	check(err)
	words, duration, ok := backendtest.Listen(file)
	if !ok {
		panic("not a WAV file")
	}
	for percent := 0; percent <= 100; percent += 20 {
		fmt.Fprintf(os.Stderr, "whisper_print_progress_callback: progress = %3d%%\n", percent)
	}
	language := do["language"]
	if language == "" || language == "auto" {
		language = "en"
	}
	name := strings.TrimSuffix(do["wav"], ".wav")
	switch do["as"] {
	case "whisper.cpp", "whisper.cpp full":
		fmt.Println("[00:00:00.000 --> 00:00:01.000]  whatever is said")
		save(do["wav"]+".json", map[string]any{"result": map[string]any{"language": language}, "transcription": cpp(words, do["as"] == "whisper.cpp full")})
	case "WhisperX":
		save(filepath.Join(do["dir"], filepath.Base(name)+".json"), map[string]any{"segments": segments(words, "score", ""), "word_segments": []any{}, "language": language})
	case "openai-whisper":
		save(name+".json", map[string]any{"text": "", "segments": segments(words, "probability", " "), "language": language})
	case "OpenAI":
		answer(map[string]any{"task": "transcribe", "language": "english", "duration": duration.Seconds(), "text": "", "segments": []any{}, "words": flat(words)})
	case "ours":
		fmt.Println("loading the model")
		answer(map[string]any{"recording_id": nil, "language": language, "audio_duration": 1, "utterances": utterances(words)})
	}
}

func save(path string, v any) {
	b, err := json.Marshal(v)
	check(err)
	check(os.WriteFile(path, b, 0o600))
}

func cpp(words []backendtest.Heard, full bool) []any {
	all := []any{}
	for _, w := range words {
		times := map[string]any{"from": w.Start.Milliseconds(), "to": w.End.Milliseconds()}
		s := map[string]any{"offsets": times, "text": " " + w.Text}
		if full {
			middle := (w.Start + w.End).Milliseconds() / 2
			s["tokens"] = []any{
				map[string]any{"text": "[_BEG_]", "offsets": map[string]any{"from": 0, "to": 0}, "p": 0.9},
				map[string]any{"text": " " + w.Text[:1], "offsets": map[string]any{"from": w.Start.Milliseconds(), "to": middle}, "p": 0.9},
				map[string]any{"text": w.Text[1:], "offsets": map[string]any{"from": middle, "to": w.End.Milliseconds()}, "p": 0.8},
			}
		}
		all = append(all, s)
	}
	return all
}

func segments(words []backendtest.Heard, confidence, space string) []any {
	all := []any{}
	for _, w := range words {
		word := map[string]any{"word": space + w.Text, "start": w.Start.Seconds(), "end": w.End.Seconds(), confidence: 0.8}
		if space == "" {
			word["speaker"] = fmt.Sprintf("SPEAKER_%02d", w.Speaker)
		}
		all = append(all, map[string]any{"start": w.Start.Seconds(), "end": w.End.Seconds(), "text": " " + w.Text, "words": []any{word}})
	}
	return all
}

func flat(words []backendtest.Heard) []any {
	all := []any{}
	for _, w := range words {
		all = append(all, map[string]any{"word": w.Text, "start": w.Start.Seconds(), "end": w.End.Seconds()})
	}
	return all
}

func utterances(words []backendtest.Heard) []any {
	all := []any{}
	for _, w := range words {
		from, to, speaker := w.Start.Milliseconds(), w.End.Milliseconds(), fmt.Sprintf("Speaker %d", w.Speaker)
		word := map[string]any{"text": w.Text, "start": from, "end": to, "confidence": 0.8, "speaker": speaker}
		all = append(all, map[string]any{"speaker": speaker, "text": w.Text, "start": from, "end": to, "confidence": 0.8, "words": []any{word}})
	}
	return all
}
