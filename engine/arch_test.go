package engine_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/soundstage-dev/soundstage/"

// rule lists the imports that the packages of one place may have besides the standard library.
type rule struct {
	place     string   // folder; with /... it and its subfolders
	level     int      // packages never import a package of a higher level
	ours      []string // packages of this module; with /... with subpackages
	thirdOK   bool
	forbidden []string // packages of the standard library
}

// Packages that levels may import.
var (
	words = []string{"engine/fault", "engine/fsm", "engine/transcript", "internal/lazyregexp"}
	parts = append([]string{
		"engine/answer", "engine/blob", "engine/builtin", "engine/captions", "engine/clips", "engine/cursor", "engine/input", "engine/media", "engine/payload",
		"engine/phrases", "engine/podcast", "engine/progress", "engine/queue", "engine/search", "engine/signature", "engine/site", "engine/translate",
	}, words...)
	core = append([]string{"engine"}, parts...)
	all  = []string{"engine/...", "formats/...", "render/...", "diarize/...", "assistant/...", "emulator/...", "internal/..."}
)

// with returns base with more packages.
func with(base []string, more ...string) []string {
	return append(append([]string{}, base...), more...)
}

var (
	outside  = []string{"os/exec", "net/http", "database/sql", "C"}
	services = []string{"os/exec", "database/sql", "C"}
)

// law is the law of dependencies (docs/architecture.md), most specific place first.
var law = []rule{
	// Level 0: the vocabulary.
	{place: "engine/fault", forbidden: with(outside, "os", "net")},
	{place: "engine/fsm", forbidden: with(outside, "os", "net")},
	{place: "engine/transcript", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/site", forbidden: with(outside, "os")},
	{place: "engine/signature", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/cursor", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/blob", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/payload", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/podcast", forbidden: with(outside, "os", "net")},
	{place: "engine/progress", forbidden: with(outside, "os", "net")},
	{place: "engine/builtin", forbidden: with(outside, "os", "net")},
	{place: "engine/internal/sample", ours: []string{"engine/transcript"}},
	{place: "diarize/dsp", thirdOK: true, forbidden: outside},
	{place: "internal/browsertest", thirdOK: true},
	{place: "internal/pgtest", ours: []string{"internal/executable"}, thirdOK: true, forbidden: []string{"C"}},
	{place: "internal/s3test", thirdOK: true},
	{place: "internal/document", thirdOK: true},
	{place: "internal/cluster/...", ours: []string{"internal/cluster", "internal/pgtest", "internal/s3test"}},
	{place: "internal/..."},
	{place: "docs"},
	// Level 1: built from the vocabulary. captions uses a library for Unicode line breaks.
	{place: "engine/captions", level: 1, ours: with(words, "engine/phrases"), thirdOK: true, forbidden: with(outside, "os", "net")},
	{place: "engine/phrases", level: 1, ours: words, forbidden: with(outside, "os", "net")},
	{place: "engine/search", level: 1, ours: words, forbidden: with(outside, "os", "net")},
	{place: "engine/clips", level: 1, ours: with(words, "engine/search"), forbidden: with(outside, "os", "net")},
	{place: "engine/answer", level: 1, ours: with(words, "engine/search"), forbidden: with(outside, "os", "net")},
	{place: "engine/translate", level: 1, ours: words, forbidden: with(outside, "os", "net")},
	{place: "engine/input", level: 1, ours: words, forbidden: with(outside, "os")},
	{place: "engine/media", level: 1, ours: words, forbidden: with(outside, "os", "net")},
	{place: "engine/queue", level: 1, ours: words, forbidden: with(outside, "os", "net")},
	// Level 2: rows, rules, ports, and use cases.
	{place: "engine", level: 2, ours: parts, forbidden: outside},
	// Level 3: adapters of ports, and packages for files, videos, and speaker turns.
	{place: "engine/enginetest", level: 3, ours: core, thirdOK: true, forbidden: []string{"C"}},
	{place: "engine/backendtest", level: 3, ours: with(core, "engine/speech"), thirdOK: true, forbidden: services},
	{place: "engine/sweep", level: 3, ours: core, forbidden: with(outside, "os", "net")},
	{place: "engine/feed", level: 3, ours: core, thirdOK: true, forbidden: outside},
	// It uses copy-on-write trees, so that snapshots and forks are cheap; the standard library has no sorted map.
	{place: "engine/memory", level: 3, ours: core, thirdOK: true, forbidden: outside},
	// Stores on SQL databases share the columns of their tables.
	{place: "engine/internal/rows", level: 3, ours: core, forbidden: []string{"os/exec", "net/http", "C"}},
	// Its third parties are the driver, the queue, and the migrations.
	{place: "engine/postgres", level: 3, ours: with(core, "engine/internal/rows"), thirdOK: true, forbidden: []string{"os/exec", "net/http", "C"}},
	// It has a cgo driver behind a build tag, and a pure Go driver.
	{place: "engine/sqlite", level: 3, ours: with(core, "engine/internal/rows"), thirdOK: true, forbidden: []string{"os/exec", "net/http", "C"}},
	// It uses the client library of S3-compatible object stores.
	{place: "engine/s3", level: 3, ours: core, thirdOK: true, forbidden: []string{"os/exec", "database/sql", "C"}},
	// It uses a library against private addresses, generated from the IANA registries.
	{place: "engine/fetch", level: 3, ours: core, thirdOK: true, forbidden: []string{"database/sql", "C"}},
	// Adapters of speech and language services share HTTP, splitting of long media, and prompts.
	{place: "engine/backend", level: 3, ours: core, forbidden: []string{"database/sql", "C"}},
	{place: "engine/speech", level: 3, ours: core, forbidden: services},
	{place: "engine/llm", level: 3, ours: core, forbidden: services},
	{place: "engine/command", level: 3, ours: with(core, "engine/backend", "engine/speech"), forbidden: []string{"net/http", "database/sql", "C"}},
	{place: "engine/backends", level: 3, ours: with(core, "engine/..."), forbidden: services},
	// The fake transcriber and the deterministic writer share a sentence splitter.
	{place: "engine/prose", level: 3, ours: core, forbidden: outside},
	{place: "engine/fake", level: 3, ours: with(core, "engine/prose"), forbidden: outside},
	{place: "engine/writer", level: 3, ours: with(core, "engine/prose"), forbidden: outside},
	{place: "engine/...", level: 3, ours: with(core, "engine/backend", "engine/speech", "engine/llm"), forbidden: []string{"database/sql", "C"}},
	{place: "formats/...", level: 3, ours: with(words, "engine/captions", "formats/..."), thirdOK: true, forbidden: outside},
	{place: "diarize/...", level: 3, ours: with(words, "diarize/..."), thirdOK: true, forbidden: outside},
	{place: "render/...", level: 3, ours: with(core, "render/...", "internal/document", "internal/didyoumean"), thirdOK: true, forbidden: []string{"C", "net/http"}},
	// Servers for assistants use the library of the Model Context Protocol. Their tools have the engine by its use cases.
	{place: "assistant", level: 3, ours: words, thirdOK: true, forbidden: []string{"os/exec", "database/sql", "C"}},
	{place: "assistant/library", level: 3, ours: with(core, "assistant", "formats"), thirdOK: true, forbidden: outside},
	// Level 4: the sandbox. Level 5: the program. Examples are clients that use only the API and the standard library, or embed the engine.
	{place: "emulator/...", level: 4, ours: all, thirdOK: true},
	// A node is the service in production. It shares the API and the built pages with the sandbox, and nothing else of it.
	{place: "node", level: 4, ours: []string{"engine/...", "formats/...", "render/...", "diarize/...", "emulator/api", "emulator/console"}, thirdOK: true, forbidden: []string{"C"}},
	{place: "cmd/...", level: 5, ours: with(all, "node"), thirdOK: true},
	// Generators of clients read the contracts as files.
	{place: "clients/...", level: 5, thirdOK: true, forbidden: []string{"C"}},
	{place: "examples/embed/...", level: 5, ours: []string{"engine/...", "formats/...", "render/...", "diarize/..."}, thirdOK: true, forbidden: []string{"C"}},
	{place: "examples/...", level: 5, forbidden: []string{"C"}},
}

// Every package imports only what the law of dependencies allows.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	packages := map[string]bool{}
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(path.Dir(filepath.ToSlash(file)), "../")
		packages[pkg] = true
		r := ruleOf(pkg)
		if r == nil {
			t.Errorf("package %s is missing in the law of dependencies", pkg)
			return nil
		}
		for _, imp := range parsed.Imports {
			name, _ := strconv.Unquote(imp.Path.Value)
			if why := r.refuses(pkg, name); why != "" {
				t.Errorf("%s imports %s: %s", file, name, why)
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Contains(t, packages, "engine")
	require.Greater(t, len(packages), 5)
}

func ruleOf(pkg string) *rule {
	if i := slices.IndexFunc(law, func(r rule) bool { return within(pkg, r.place) }); i >= 0 {
		return &law[i]
	}
	return nil
}

func (r *rule) refuses(pkg, name string) string {
	if own, ok := strings.CutPrefix(name, module); ok {
		to := ruleOf(own)
		switch {
		case to == nil:
			return "it is missing in the law of dependencies"
		case to.level > r.level:
			return "it has a higher level"
		case !slices.ContainsFunc(r.ours, func(place string) bool { return within(own, place) }):
			return "it is not listed for this package"
		}
		return ""
	}
	for _, f := range r.forbidden {
		if name == f || strings.HasPrefix(name, f+"/") {
			return "it is forbidden here"
		}
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") && !r.thirdOK {
		return "third-party packages are not allowed here"
	}
	return ""
}

// within reports whether a package is in a place.
func within(pkg, place string) bool {
	base, deep := strings.CutSuffix(place, "/...")
	return pkg == base || deep && strings.HasPrefix(pkg, base+"/")
}

// The law refuses forbidden imports and allows the listed ones.
func TestArchitectureRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pkg, imports string
		ok           bool
	}{
		{"engine", "context", true},
		{"engine", module + "engine/fsm", true},
		{"engine", module + "engine/queue", true},
		{"engine", module + "engine/memory", false},
		{"engine/queue", module + "engine/fsm", true},
		{"engine/input", module + "engine/answer", false},
		{"engine/answer", module + "engine", false},
		{"engine/queue", module + "engine", false},
		{"engine/memory", module + "engine/queue", true},
		{"emulator/sim", module + "engine/queue", true},
		{"engine", "net/http", false},
		{"engine", "os/exec", false},
		{"engine", "github.com/stretchr/testify/require", false},
		{"engine/fsm", module + "engine", false},
		{"engine/fetch", "net/http", true},
		{"engine/fetch", "code.dny.dev/ssrf", true},
		{"engine/fetch", module + "engine", true},
		{"engine/fetch", module + "engine/files", false},
		{"engine/fetch", module + "formats", false},
		{"engine/s3", "github.com/minio/minio-go/v7", true},
		{"engine/s3", "C", false},
		{"engine/s3", module + "engine/files", false},
		{"engine/s3", module + "internal/s3test", false},
		{"internal/s3test", "github.com/minio/minio-go/v7", true},
		{"internal/slow", "github.com/minio/minio-go/v7", false},
		{"engine/writer", module + "engine/prose", true},
		{"engine/writer", module + "engine/fake", false},
		{"engine/memory", "github.com/tidwall/btree", true},
		{"engine/memory", module + "engine/files", false},
		{"engine/files", "github.com/tidwall/btree", false},
		{"engine/sqlite", "github.com/mattn/go-sqlite3", true},
		{"engine/sqlite", module + "emulator", false},
		{"engine/sqlite", module + "engine/memory", false},
		{"engine/openai", module + "engine/backend", true},
		{"engine/openai", module + "engine/deepgram", false},
		{"engine/backends", module + "engine/deepgram", true},
		{"engine/backends", module + "emulator/control", false},
		{"engine/backend", module + "engine/speech", false},
		{"engine", module + "engine/backend", false},
		{"formats", module + "engine", false},
		{"formats", module + "engine/captions", true},
		{"formats", module + "engine/search", false},
		{"diarize", module + "engine", false},
		{"diarize", module + "engine/transcript", true},
		{"engine/transcript", module + "engine", false},
		{"engine/search", module + "engine/clips", false},
		{"engine/input", module + "engine/answer", false},
		{"engine/answer", module + "engine", false},
		{"engine/queue", module + "engine", false},
		{"render", module + "engine/captions", true},
		{"render", module + "emulator", false},
		{"formats", module + "render", false},
		{"formats", "github.com/asticode/go-astisub", true},
		{"render", module + "formats", false},
		{"render", module + "diarize", false},
		{"diarize", module + "diarize/dsp", true},
		{"assistant", module + "engine", false},
		{"assistant/library", module + "formats", true},
		{"assistant/library", module + "render", false},
		{"assistant/library", module + "emulator", false},
		{"engine", module + "assistant", false},
		{"emulator/api", module + "engine/files", true},
		{"emulator", module + "cmd/soundstage", false},
		{"node", module + "emulator/api", true},
		{"node", module + "emulator", false},
		{"node", module + "emulator/sim", false},
		{"engine/memory", module + "node", false},
		{"cmd/soundstage", module + "engine/sqlite", true},
		{"engine/enginetest", module + "engine/memory", false},
		{"examples/flow", "net/http", true},
		{"examples/flow", module + "engine", false},
		{"examples/flow", "github.com/stretchr/testify/require", false},
	} {
		require.Equal(t, c.ok, ruleOf(c.pkg).refuses(c.pkg, c.imports) == "", "%s → %s", c.pkg, c.imports)
	}
	require.Nil(t, ruleOf("util"))
}
