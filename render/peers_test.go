//go:build peers && unix

package render_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// videoshow is an npm package that renders videos from pictures, audio and subtitles with ffmpeg. It needs neither a browser
// nor a compiler.
const videoshow = "videoshow@0.1.12"

// spent is the cost of a process and its children.
type spent struct {
	wall, cpu float64 // seconds
	memory    float64 // MB, of the largest process
	size      float64 // MB, of the video
}

// spend runs a command that renders a video, and returns its cost.
func spend(t *testing.T, cmd *exec.Cmd, out string) spent {
	t.Helper()
	begin := time.Now()
	said, err := cmd.CombinedOutput()
	wall := time.Since(begin)
	require.NoError(t, err, "%s", said)
	u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	info, err := os.Stat(out)
	require.NoError(t, err)
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return spent{wall.Seconds(), cpu.Seconds(), float64(u.Maxrss<<10) / 1e6, float64(info.Size()) / 1e6}
}

// This test compares a 30 s audiogram at 1080 × 1920 with videoshow's, alternately, with the same audio and subtitles, as
// whole processes. It is built only with -tags peers, because it installs videoshow from npm into a temporary folder and
// needs an idle machine. It asserts only that both results are valid.
func TestPeers(t *testing.T) {
	needFFmpeg(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		said, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", said)
	}
	run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", videoshow)
	script, err := os.ReadFile("testdata/peers/videoshow.js")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(at("videoshow.js"), script, 0o600))
	build := exec.Command("go", "build", "-o", at("ours"), "../cmd/soundstage")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)

	const length = 30 * time.Second
	runFFmpeg(t, "-stream_loop", "-1", "-i", shared("conversation.wav"), "-t", "30", at("talk.mp3"))
	runFFmpeg(t, "-f", "lavfi", "-i", "gradients=s=1080x1920:c0=0x3b2a6b:c1=0x120d22:x0=0:y0=0:x1=1080:y1=1920:d=1", "-frames:v", "1", at("ground.png"))
	require.NoError(t, os.WriteFile(at("talk.srt"), subtitles(wordsOf(strings.Repeat(spoken["en"].text+" ", 7), 0, length)), 0o600))

	all := map[string][]spent{}
	compared := turns.Compare(turns.Way{Name: "soundstage", Cost: func() float64 {
		ours := exec.Command(at("ours"), "render", at("talk.mp3"), at("talk.srt"), "--to", "30s", "--style", "audiogram", "-o", at("ours.mp4"))
		s := spend(t, ours, at("ours.mp4"))
		all["soundstage"] = append(all["soundstage"], s)
		return s.cpu
	}}, turns.Way{Name: videoshow, Cost: func() float64 {
		theirs := exec.Command("node", at("videoshow.js"), at("ground.png"), at("talk.mp3"), at("talk.srt"), "30", at("theirs.mp4"))
		theirs.Dir = dir
		s := spend(t, theirs, at("theirs.mp4"))
		all[videoshow] = append(all[videoshow], s)
		return s.cpu
	}}).Rounds(*rounds)
	t.Logf("CPU relative to %s: %s", videoshow, compared.Ratio("soundstage", videoshow))
	for _, made := range []string{"ours.mp4", "theirs.mp4"} {
		streams := describe(t, localFile(at(made))).Streams
		require.Len(t, streams, 2, made)
		require.Equal(t, []int{1080, 1920}, []int{max(streams[0].Width, streams[1].Width), max(streams[0].Height, streams[1].Height)}, made)
	}
	table := "| | wall s | processor s | peak MB | size MB |\n|---|---|---|---|---|\n"
	for _, name := range []string{"soundstage", videoshow} {
		median := func(of func(spent) float64) float64 {
			var v []float64
			for _, s := range all[name] {
				v = append(v, of(s))
			}
			slices.Sort(v)
			return v[len(v)/2]
		}
		table += fmt.Sprintf("| %s | %.1f | %.1f | %.0f | %.2f |\n", name, median(func(s spent) float64 { return s.wall }),
			median(func(s spent) float64 { return s.cpu }), median(func(s spent) float64 { return s.memory }), median(func(s spent) float64 { return s.size }))
	}
	t.Log("\n" + table)
}

// subtitles returns words as SubRip, five per cue.
func subtitles(words []transcript.Word) []byte {
	var b strings.Builder
	stamp := func(d time.Duration) string {
		return fmt.Sprintf("%02d:%02d:%02d,%03d", int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60, d.Milliseconds()%1000)
	}
	n := 0
	for part := range slices.Chunk(words, 5) {
		n++
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n\n", n, stamp(part[0].Start), stamp(part[len(part)-1].End), transcript.JoinWords(part, "en"))
	}
	return []byte(b.String())
}
