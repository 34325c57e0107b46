// Package docs_test checks README.md and the pages of docs: it runs their commands, compares their Go code with code that tests run,
// and follows their links. Start at [TestCommands].
package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// page is a Markdown file of the repository.
type page struct {
	name   string // path from the repository's root, with slashes
	text   string
	blocks []block
}

// block is a fenced block of code.
type block struct {
	line     int    // of its opening fence
	language string // after the opening fence
	file     string // from <!-- file: NAME -->: other blocks of the page find it under this name
	notRun   string // from <!-- not run: REASON -->
	text     string
}

func (b block) in(p page) string { return fmt.Sprintf("%s:%d", p.name, b.line) }

var (
	// manual are the pages that users read.
	manual = []string{
		"README.md", "docs/README.md", "docs/embedding.md", "docs/sandbox.md", "docs/proxy.md", "docs/backends.md", "docs/formats.md", "docs/clips.md", "docs/console.md", "docs/library.md", "docs/assistants.md", "docs/scale.md", "docs/go.md", "docs/node.md", "docs/python.md",
		"docs/speakers.md", "docs/architecture.md", "docs/fidelity.md", "docs/benchmarks.md", "docs/security.md", "docs/licences.md",
	}
	// project are the pages about the repository itself. Their commands are those of contributors and are not run.
	project = []string{"CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "examples/README.md", "testdata/README.md", "clients/js/README.md", "clients/python/README.md"}

	fence = regexp.MustCompile("^```([a-z]*)$")
	mark  = regexp.MustCompile(`^<!-- (file|not run): (.+) -->$`)
)

// readPage returns a page with its blocks.
func readPage(t *testing.T, name string) page {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	require.NoError(t, err)
	p := page{name: name, text: string(raw)}
	lines := strings.Split(p.text, "\n")
	for i := 0; i < len(lines); i++ {
		m := fence.FindStringSubmatch(lines[i])
		if m == nil {
			require.False(t, strings.HasPrefix(strings.TrimSpace(lines[i]), "```"), "%s:%d: write the fence as ```language at the start of a line", name, i+1)
			continue
		}
		b := block{line: i + 1, language: m[1]}
		for j := i - 1; j >= 0; j-- {
			note := mark.FindStringSubmatch(lines[j])
			if note == nil {
				break
			}
			if note[1] == "file" {
				b.file = note[2]
			} else {
				b.notRun = note[2]
			}
		}
		end := i + 1
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		require.Less(t, end, len(lines), "%s: the block has no end", b.in(p))
		b.text = strings.Join(lines[i+1:end], "\n") + "\n"
		p.blocks = append(p.blocks, b)
		i = end
	}
	return p
}

// readPages returns pages by their names.
func readPages(t *testing.T, names ...string) []page {
	t.Helper()
	var pages []page
	for _, name := range names {
		pages = append(pages, readPage(t, name))
	}
	return pages
}

// requireText fails with a short message when a page lacks a text.
func requireText(t *testing.T, page, text, message string) {
	t.Helper()
	require.True(t, strings.Contains(page, text), message)
}

// Every page of docs is in the list of pages, and docs/README.md links to it.
func TestPageList(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob("*.md")
	require.NoError(t, err)
	contents := readPage(t, "docs/README.md")
	for _, f := range found {
		require.True(t, slices.Contains(manual, "docs/"+f), "add docs/%s to manual in pages_test.go", f)
		if f != "README.md" {
			requireText(t, contents.text, "]("+f, "docs/README.md doesn't link to "+f)
		}
	}
}

// The examples of embedding stay as short as a reader expects.
func TestExamplesAreShort(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]int{"watch": 80, "webapp": 200, "clipper": 60} {
		source, err := os.ReadFile("../examples/embed/" + name + "/main.go")
		require.NoError(t, err)
		require.LessOrEqual(t, strings.Count(string(source), "\n"), limit, name)
	}
}

// The README fits a screenful or four: 180 lines.
func TestReadmeLength(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, strings.Count(readPage(t, "README.md").text, "\n"), 180)
}

// A page of docs says in its first line, below its title, who it is for.
func TestFirstLines(t *testing.T) {
	t.Parallel()
	for _, p := range readPages(t, manual[1:]...) {
		title, rest, _ := strings.Cut(p.text, "\n")
		require.True(t, strings.HasPrefix(title, "# "), "%s: the title comes first", p.name)
		first, _, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
		require.True(t, strings.HasPrefix(first, "For "), "%s: %q doesn't say who the page is for", p.name, first)
	}
}

// Blocks have a language that a test knows how to check. Blocks that no test can run say why, and there are few of them.
func TestBlocks(t *testing.T) {
	t.Parallel()
	skipped := 0
	for _, p := range readPages(t, manual...) {
		for _, b := range p.blocks {
			known := []string{"sh", "go", "yaml", "json", "js", "python", "mermaid", "text"}
			require.Contains(t, known, b.language, b.in(p))
			if b.notRun != "" {
				skipped++
				t.Logf("%s is not run: %s", b.in(p), b.notRun)
			}
		}
	}
	require.Equal(t, notRunBlocks, skipped, "blocks that no test runs: change notRunBlocks if the new one can't be run")
}

// notRunBlocks is how many blocks no test runs. Each says why in the page's source, and TestBlocks lists them.
const notRunBlocks = 12

// No table is broken by an empty line.
func TestTables(t *testing.T) {
	t.Parallel()
	for _, p := range readPages(t, append(manual, project...)...) {
		lines := strings.Split(p.text, "\n")
		for i := 1; i+2 < len(lines); i++ {
			broken := lines[i] == "" && strings.HasPrefix(lines[i-1], "|") && strings.HasPrefix(lines[i+1], "|") && !strings.HasPrefix(lines[i+2], "|---")
			require.False(t, broken, "%s:%d", p.name, i+1)
		}
	}
}

// The README's pictures are JPEG files and take 400 KB together at most.
func TestPictures(t *testing.T) {
	t.Parallel()
	readme := readPage(t, "README.md").text
	pictures, err := filepath.Glob("pictures/*.jpg")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(pictures), 3)
	size := 0
	for _, picture := range pictures {
		raw, err := os.ReadFile(picture)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(raw), "\xff\xd8\xff"), "%s is not a JPEG file", picture)
		requireText(t, readme, "docs/"+filepath.ToSlash(picture), "README.md doesn't show "+picture)
		size += len(raw)
	}
	require.LessOrEqual(t, size, 400_000)
}
