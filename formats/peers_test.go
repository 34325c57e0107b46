//go:build peers

package formats_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
)

// usage is the cost of a process: the median of several runs.
type usage struct {
	cpu, wall time.Duration
	memory    int64 // peak, in KiB
}

// Our processes use less processor time and memory than comparable tools for three hours of talk, and meet the documented
// figures. The test is built only with -tags peers (after setup.sh peers), since it is slow and needs an idle machine.
func TestPeers(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, language := range []transcript.Language{"en", "hi", "ja"} {
		require.NoError(t, os.WriteFile(at(string(language)+".json"), write(t, "json", talk(t, language, 3), formats.Options{}), 0o644))
	}
	require.NoError(t, os.WriteFile(at("en.srt"), write(t, "srt", talk(t, "en", 3), formats.Options{}), 0o644))
	require.NoError(t, os.WriteFile(at("en.md"), []byte(strings.ReplaceAll(string(write(t, "txt", talk(t, "en", 3), formats.Options{})), "]", "]\\")), 0o644))
	runTool(t, "go", "build", "-o", at("ours"), "./testdata/peers")

	table := "| what | processor ms | wall ms | peak MB |\n|---|---|---|---|\n"
	run := func(what string, name string, args ...string) usage {
		if _, err := exec.LookPath(name); err != nil {
			skipWithout(t, name)
		}
		u := measure(t, name, args...)
		table += fmt.Sprintf("| %s | %d | %d | %d |\n", what, u.cpu.Milliseconds(), u.wall.Milliseconds(), u.memory/1024)
		return u
	}
	ours := map[string]usage{}
	for _, f := range formats.All() {
		ours[f.Name] = run("ours: json → "+f.Name, at("ours"), f.Name, at("en.json"), at("out"+f.Extension))
	}
	ours["vtt-srt"] = run("ours: srt → vtt", at("ours"), "vtt", at("en.srt"), at("out.vtt"))
	for _, language := range []string{"hi", "ja"} {
		ours["pdf-"+language] = run("ours: json → pdf, "+language, at("ours"), "pdf", at(language+".json"), at("out.pdf"))
	}
	defer func() { t.Log("\n" + table) }()
	for _, peer := range []struct {
		format, what, name string
		args               []string
	}{
		{"vtt-srt", "ffmpeg: srt → vtt", "ffmpeg", []string{"-nostdin", "-v", "error", "-y", "-i", at("en.srt"), at("peer.vtt")}},
		{"docx", "python-docx: json → docx", python, []string{"testdata/peers/docx_peer.py", at("en.json"), at("peer.docx")}},
		{"docx", "pandoc: markdown → docx", "pandoc", []string{"-f", "markdown", at("en.md"), "-o", at("peer.docx")}},
		{"pdf", "reportlab: json → pdf", python, []string{"testdata/peers/pdf_peer.py", at("en.json"), at("peer.pdf")}},
	} {
		u := run(peer.what, peer.name, peer.args...)
		require.Less(t, ours[peer.format].cpu, u.cpu, peer.what)
		require.Less(t, ours[peer.format].memory, u.memory, peer.what)
	}
}

func measure(t *testing.T, name string, args ...string) usage {
	t.Helper()
	var all []usage
	for range 7 {
		out := runTool(t, python, append([]string{"testdata/peers/measure.py", name}, args...)...)
		var cpu, wall, memory int64
		_, err := fmt.Sscan(out, &cpu, &wall, &memory)
		require.NoError(t, err, out)
		all = append(all, usage{time.Duration(cpu) * time.Millisecond, time.Duration(wall) * time.Millisecond, memory})
	}
	median := func(of func(usage) int64) int64 {
		v := make([]int64, len(all))
		for i, u := range all {
			v[i] = of(u)
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	return usage{
		cpu:    time.Duration(median(func(u usage) int64 { return int64(u.cpu) })),
		wall:   time.Duration(median(func(u usage) int64 { return int64(u.wall) })),
		memory: median(func(u usage) int64 { return u.memory }),
	}
}
