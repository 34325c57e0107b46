package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/capacity"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

//go:generate env UPDATE_GOLDEN=1 go test -vet=off -count=1 -run TestGenerated .

// The generated parts of the pages are what the code says: tables of backends and statements, and diagrams of states.
func TestGenerated(t *testing.T) {
	t.Run("backends", func(t *testing.T) {
		generated(t, "docs/backends.md", "## Services\n\n", "## whisper.cpp\n",
			kindTable("transcriber", backends.TranscriberKinds())+"\n"+kindTable("llm", backends.LLMKinds())+"\n")
	})
	t.Run("fidelity", func(t *testing.T) {
		f, err := control.ReadFidelity(api.Spec)
		require.NoError(t, err)
		generated(t, "docs/fidelity.md", "<!-- fidelity:begin -->\n", "<!-- fidelity:end -->\n", f.Markdown()+statementTables(f))
	})
	t.Run("capacity", func(t *testing.T) {
		generated(t, "docs/scale.md", "<!-- capacity:begin -->\n", "<!-- capacity:end -->", capacity.Tables(capacity.Inputs()))
	})
	t.Run("hour", func(t *testing.T) {
		generated(t, "docs/scale.md", "<!-- hour:begin -->\n", "<!-- hour:end -->", capacity.HourTable(capacity.Inputs(), capacity.Steps()))
	})
	t.Run("states", func(t *testing.T) {
		var diagrams strings.Builder
		for _, m := range engine.Machines() {
			fmt.Fprintf(&diagrams, "%s:\n\n```mermaid\n%s```\n\n", machineTitles[m.Name], m.Mermaid)
			require.NotEmpty(t, machineTitles[m.Name], m.Name)
		}
		generated(t, "docs/architecture.md", "<!-- states:begin -->\n", "<!-- states:end -->", strings.TrimSuffix(diagrams.String(), "\n"))
	})
}

// generated compares the part of a page between two lines with what it should be, or writes it.
func generated(t *testing.T, name, begin, end, want string) {
	t.Helper()
	text := readPage(t, name).text
	before, rest, found := strings.Cut(text, begin)
	require.True(t, found, "%s lacks %q", name, begin)
	is, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s lacks %q", name, end)
	if golden.Update() {
		require.NoError(t, os.WriteFile(filepath.Join("..", name), []byte(before+begin+want+end+after), 0o644))
		return
	}
	require.Equal(t, want, is, "%s: run make generate", name)
}

// machineTitles introduce the diagrams.
var machineTitles = map[string]string{
	"transcript": "A transcript, of a recording or of a URL",
	"upload":     "An upload",
	"import":     "An import",
	"output":     "An output",
	"chat":       "A chat",
	"render":     "A render",
	"delivery":   "The delivery of an event to a webhook",
	"job":        "A job, one step of work",
}

func kindTable(flag string, kinds []backends.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| `--%s` | what it is | key |\n|---|---|---|\n", flag)
	for _, k := range kinds {
		key := ""
		if k.Variable != "" {
			key = "`" + k.Variable + "` "
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s|\n", k.Name, k.About, key)
	}
	return b.String()
}

// statementTables lists every statement with its provenance and how it is checked, by section.
func statementTables(f control.Fidelity) string {
	var b strings.Builder
	section := ""
	for _, st := range f.Statements {
		if st.Section != section {
			section = st.Section
			fmt.Fprintf(&b, "\n## %s\n\n| statement | id | provenance | checked by |\n|---|---|---|---|\n", section)
		}
		checked := "`soundstage conformance`"
		switch st.Checked {
		case "test":
			checked = "`" + st.Test + "`"
		case "none":
			checked = "nothing: " + st.Reason
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", cell(st.Text), st.ID, st.Provenance, cell(checked))
	}
	return b.String()
}

// cell returns a text as one cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(strings.TrimSpace(text))
}

// docs/architecture.md has a row for each package, and the files, tests, and tables of code that it names exist.
func TestArchitecturePage(t *testing.T) {
	t.Parallel()
	page := readPage(t, "docs/architecture.md").text
	packages, tests := goPackages(t)
	for pkg := range packages {
		requireText(t, page, "\n| `"+pkg+"` | ", "docs/architecture.md lacks a row for "+pkg)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ").FindAllStringSubmatch(page, -1) {
		require.True(t, packages[m[1]], "docs/architecture.md has a row for %s, which is no package", m[1])
	}
	for _, m := range regexp.MustCompile("`((?:cmd|diarize|docs|emulator|engine|examples|formats|internal|render)/[\\w./-]+)`").FindAllStringSubmatch(page, -1) {
		_, err := os.Stat(filepath.Join("..", m[1]))
		require.NoError(t, err, "docs/architecture.md names %s", m[1])
	}
	for _, m := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(page, -1) {
		require.True(t, tests[m], "docs/architecture.md names %s", m)
	}
	for _, m := range regexp.MustCompile("row\\s+in `(\\w+)`\\s+of\\s+`([\\w./-]+\\.go)`").FindAllStringSubmatch(page, -1) {
		raw, err := os.ReadFile(filepath.Join("..", m[2]))
		require.NoError(t, err)
		declared, err := regexp.Match(`(?m)^(var|func) `+m[1]+`\b`, raw)
		require.NoError(t, err)
		require.True(t, declared, "docs/architecture.md names %s in %s", m[1], m[2])
	}
}

// “Where is…?” leads to every part.
func TestWhereIs(t *testing.T) {
	t.Parallel()
	_, where, found := strings.Cut(readPage(t, "docs/architecture.md").text, "\n## Where is…?\n")
	require.True(t, found)
	where, _, _ = strings.Cut(where, "\n## ")
	for _, part := range []string{
		"engine/transcript/", "engine/captions/", "engine/search/", "engine/clips/", "engine/fault/", "engine/queue/", "engine/sqlite/", "engine/backends/",
		"engine/memory", "render/renderer.go", "emulator/sim/",
		"emulator/clock/", "emulator/worlds.go", "emulator/ids.go", "emulator/traffic/", "emulator/outbox/", "emulator/fixture/", "emulator/blobs",
		"emulator/emulatortest", "emulator/control", "cmd/soundstage/exec.go", "examples", "Dockerfile", "action/action.yml",
	} {
		requireText(t, where, "](../"+part, "“Where is…?” lacks "+part)
	}
}

// docs/formats.md has a row for each format, docs/clips.md one for each style and aspect ratio.
func TestOptionTables(t *testing.T) {
	t.Parallel()
	page := readPage(t, "docs/formats.md").text
	for _, f := range formats.All() {
		requireText(t, page, "\n| `"+f.Name+"` | ", "docs/formats.md lacks a row for "+f.Name)
	}
	page = readPage(t, "docs/clips.md").text
	for _, s := range engine.RenderStyles() {
		requireText(t, page, "\n| `"+string(s)+"` | ", "docs/clips.md lacks a row for "+string(s))
	}
	for _, a := range engine.AspectRatios() {
		requireText(t, page, "\n| `"+string(a)+"` ", "docs/clips.md lacks a row for "+string(a))
	}
}

// The README's figures are those of docs/benchmarks.md.
func TestReadmeFigures(t *testing.T) {
	t.Parallel()
	_, table, found := strings.Cut(readPage(t, "README.md").text, "<!-- figures:begin")
	require.True(t, found)
	table, _, found = strings.Cut(table, "<!-- figures:end")
	require.True(t, found)
	all := readPage(t, "docs/benchmarks.md").text
	numbers := 0
	for _, row := range regexp.MustCompile(`(?m)^\|[^|]+\| ([^|]+) \|$`).FindAllStringSubmatch(table, -1) {
		for _, n := range regexp.MustCompile(`\d[\d.,–]*`).FindAllString(row[1], -1) {
			numbers++
			requireText(t, all, strings.TrimRight(n, ".,"), "docs/benchmarks.md lacks a figure of "+row[0])
		}
	}
	require.Greater(t, numbers, 6)
}

// goPackages returns the folders with Go files, and the names of all tests.
func goPackages(t *testing.T) (packages, tests map[string]bool) {
	t.Helper()
	packages, tests = map[string]bool{}, map[string]bool{}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	walkGo(t, func(file, text string) {
		packages[strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")] = true
		for _, m := range test.FindAllStringSubmatch(text, -1) {
			tests[m[1]] = true
		}
	})
	require.Greater(t, len(packages), 50)
	return packages, tests
}
