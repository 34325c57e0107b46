//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// These benchmarks measure the program next to the least that its work can cost, in the same run. make limits writes their figures into
// docs/benchmarks.md.

// BenchmarkLimitServe compares the sandbox with net/http and one fixed answer: starts until the first response, and simple GETs over 8 connections.
func BenchmarkLimitServe(b *testing.B) {
	programs := map[string]func(port string) *exec.Cmd{}
	sandbox, floor := builtProgram(b), buildProgram(b, "./testdata/floor")
	programs["serve"] = func(port string) *exec.Cmd {
		return exec.Command(sandbox, "serve", "--log", "off", "--addr", "127.0.0.1:"+port)
	}
	programs["http"] = func(port string) *exec.Cmd { return exec.Command(floor, "127.0.0.1:"+port) }
	running := map[string]*benchServer{}
	memory, own, rates := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	start := func(name string) turns.Way {
		return turns.Way{Name: name, Cost: func() float64 {
			if s := running[name]; s != nil {
				require.NoError(b, s.cmd.Process.Kill())
				_ = s.cmd.Wait()
			}
			running[name], _ = startServer(b, "/v1/spaces", "sk_sandbox_platform", os.Stderr, programs[name])
			memory[name] = append(memory[name], running[name].status("VmRSS")/1024)
			own[name] = append(own[name], running[name].status("RssAnon")/1024)
			return running[name].cpuTime().Seconds()
		}}
	}
	starts := turns.Compare(start("serve"), start("http")).Rounds(15)
	get := func(name string) turns.Way {
		return turns.Way{Name: name, Cost: func() float64 {
			each, perSecond := running[name].measureLoad("/v1/spaces", "sk_sandbox_platform")
			rates[name] = append(rates[name], perSecond)
			return each
		}}
	}
	gets := turns.Compare(get("serve"), get("http")).Rounds(5)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	starts.Ratio("serve", "http").Report(b, "start-ratio")
	gets.Ratio("serve", "http").Report(b, "get-ratio")
	for name := range programs {
		b.ReportMetric(1000*starts.Cost(name).Median, name+"-start-ms")
		b.ReportMetric(turns.Of(memory[name]).Median, name+"-MiB")
		b.ReportMetric(turns.Of(own[name]).Median, name+"-own-MiB") // without pages of the program's file, which the system can drop
		b.ReportMetric(gets.Cost(name).Median, name+"-µs/GET")
		b.ReportMetric(turns.Of(rates[name]).Median, name+"-GET/s")
	}
}

// peak returns a cost: the CPU time of the programs that fn starts, and stores the largest resident memory of them in MB.
func peak(b *testing.B, memory *float64, fn func(run func(name string, args ...string))) func() float64 {
	return func() (seconds float64) {
		fn(func(name string, args ...string) {
			cmd := exec.Command(name, args...)
			out, err := cmd.CombinedOutput()
			require.NoError(b, err, "%s", out)
			seconds += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
			rss := float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
			if runtime.GOOS != "darwin" { // there it is in bytes
				rss *= 1024
			}
			*memory = max(*memory, rss/1e6)
		})
		return seconds
	}
}

// BenchmarkLimitHour compares an hour of MP3, 44.1 kHz stereo at 128 kbit/s, that becomes a transcript with speakers and all exports, in two processes, with ffmpeg that decodes it.
// Memory is that of the largest process, ffmpeg included.
func BenchmarkLimitHour(b *testing.B) {
	bin, folder := builtProgram(b), b.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	out, err := exec.Command("ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", testdata("conversation.wav"), "-t", "3600", "-ar", "44100", "-ac", "2", "-b:a", "128k", at("hour.mp3")).CombinedOutput()
	require.NoError(b, err, "%s", out)
	require.NoError(b, os.WriteFile(at("chapters.txt"), []byte("00:00 Welcome\n20:00 Questions\n50:00 Goodbye\n"), 0o600))
	var all []string
	for _, f := range formats.All() {
		all = append(all, f.Name)
	}
	ours, bare := 0.0, 0.0
	compared := turns.Compare(
		turns.Way{Name: "hour", Cost: peak(b, &ours, func(run func(string, ...string)) {
			run(bin, "transcribe", at("hour.mp3"), "-o", at("hour.json"))
			run(bin, "export", at("hour.json"), "--to", strings.Join(all, ","), "--chapters", at("chapters.txt"), "-o", at("exports"))
		})},
		turns.Way{Name: "decode", Cost: peak(b, &bare, func(run func(string, ...string)) {
			run("ffmpeg", "-v", "error", "-i", at("hour.mp3"), "-f", "s16le", "-ac", "1", "-ar", "16000", "-y", os.DevNull)
		})},
	).Rounds(3)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(compared.Cost("hour").Median, "cpu-s")
	b.ReportMetric(compared.Cost("decode").Median, "decode-cpu-s")
	b.ReportMetric(ours, "MB")
	b.ReportMetric(bare, "decode-MB")
	compared.Ratio("hour", "decode").Report(b, "ratio")
}

// BenchmarkLimitExport compares whole processes that convert the JSON of three hours with one that only reads it.
func BenchmarkLimitExport(b *testing.B) {
	bin, folder := builtProgram(b), b.TempDir()
	reader := buildProgram(b, "./testdata/readjson")
	source := filepath.Join(folder, "talk.json")
	writeTalk(b, source, 3*time.Hour)
	var memory float64
	ways := []turns.Way{{Name: "read", Cost: peak(b, &memory, func(run func(string, ...string)) { run(reader, source) })}}
	names := []string{"vtt", "docx", "pdf"}
	for _, name := range names {
		ways = append(ways, turns.Way{Name: name, Cost: peak(b, &memory, func(run func(string, ...string)) { run(bin, "export", source, "--to", name, "-o", folder) })})
	}
	compared := turns.Compare(ways...).Rounds(9)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	for _, name := range names {
		b.ReportMetric(1000*compared.Cost(name).Median, name+"-cpu-ms")
		compared.Ratio(name, "read").Report(b, name+"-ratio")
	}
	b.ReportMetric(1000*compared.Cost("read").Median, "read-cpu-ms")
	b.ReportMetric(memory, "MB")
}

// writeTalk writes the JSON of a talk of three speakers, with about three words per second.
func writeTalk(b *testing.B, file string, length time.Duration) {
	b.Helper()
	vocabulary := strings.Fields("We asked nine customers on Monday what they missed most, and seven of them said the same thing about the search.")
	r := rand.New(rand.NewPCG(1, 2))
	var words []transcript.Word
	for at := time.Duration(0); at < length; {
		end := at + time.Duration(160+r.IntN(240))*time.Millisecond
		words = append(words, transcript.Word{
			Text: vocabulary[len(words)%len(vocabulary)], Start: at, End: end, Confidence: 0.9, Speaker: transcript.SpeakerLabel(len(words) / 60 % 3),
		})
		at = end + 60*time.Millisecond
	}
	f, ok := formats.Lookup("json")
	require.True(b, ok)
	to, err := os.Create(file)
	require.NoError(b, err)
	talk := transcript.Transcript{Language: "en", Duration: length + time.Second, Utterances: transcript.BuildUtterances(words, "en")}
	require.NoError(b, f.Write(to, talk, formats.Options{}))
	require.NoError(b, to.Close())
}
