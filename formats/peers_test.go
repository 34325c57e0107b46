//go:build peers

package formats_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// usage is the cost of a process.
type usage struct {
	cpu, wall float64 // milliseconds
	memory    float64 // peak, in KiB
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

	type tool struct {
		what   string
		format string   // of ours that is compared; "" for ours
		args   []string // the program first
	}
	var tools []tool
	for _, f := range formats.All() {
		tools = append(tools, tool{"ours: json → " + f.Name, "", []string{at("ours"), f.Name, at("en.json"), at("out" + f.Extension)}})
	}
	for _, language := range []string{"hi", "ja"} {
		tools = append(tools, tool{"ours: json → pdf, " + language, "", []string{at("ours"), "pdf", at(language + ".json"), at("out.pdf")}})
	}
	tools = append(tools,
		tool{"ours: srt → vtt", "", []string{at("ours"), "vtt", at("en.srt"), at("out.vtt")}},
		tool{"ffmpeg: srt → vtt", "srt → vtt", []string{"ffmpeg", "-nostdin", "-v", "error", "-y", "-i", at("en.srt"), at("peer.vtt")}},
		tool{"python-docx: json → docx", "json → docx", []string{python, "testdata/peers/docx_peer.py", at("en.json"), at("peer.docx")}},
		tool{"pandoc: markdown → docx", "json → docx", []string{"pandoc", "-f", "markdown", at("en.md"), "-o", at("peer.docx")}},
		tool{"reportlab: json → pdf", "json → pdf", []string{python, "testdata/peers/pdf_peer.py", at("en.json"), at("peer.pdf")}},
	)
	walls, memory := map[string][]float64{}, map[string]float64{}
	var ways []turns.Way
	for _, one := range tools {
		if _, err := exec.LookPath(one.args[0]); err != nil {
			skipWithout(t, one.args[0])
		}
		ways = append(ways, turns.Way{Name: one.what, Cost: func() float64 {
			u := measure(t, one.args...)
			walls[one.what], memory[one.what] = append(walls[one.what], u.wall), max(memory[one.what], u.memory)
			return u.cpu
		}})
	}
	compared := turns.Compare(ways...).Rounds(7)
	table := "| what | processor ms | ours relative to it | wall ms | peak MB |\n|---|---|---|---|---|\n"
	defer func() { t.Log("\n" + table) }()
	for _, one := range tools {
		ratio := ""
		if one.format != "" {
			ratio = compared.Ratio("ours: "+one.format, one.what).String()
		}
		table += fmt.Sprintf("| %s | %.0f | %s | %.0f | %.0f |\n", one.what, compared.Cost(one.what).Median, ratio, turns.Of(walls[one.what]).Median, memory[one.what]/1024)
	}
	for _, one := range tools {
		if one.format != "" {
			require.Less(t, compared.Ratio("ours: "+one.format, one.what).Median, 1.0, one.what)
			require.Less(t, memory["ours: "+one.format], memory[one.what], one.what)
		}
	}
}

// measure runs a program and returns its cost.
func measure(t *testing.T, args ...string) (u usage) {
	t.Helper()
	out := runTool(t, python, append([]string{"testdata/peers/measure.py"}, args...)...)
	_, err := fmt.Sscan(out, &u.cpu, &u.wall, &u.memory)
	require.NoError(t, err, out)
	return u
}
