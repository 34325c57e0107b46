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

// rule is what the packages of one place may import beside the standard library.
type rule struct {
	place     string   // folder; with /... it and all below
	level     int      // a package never imports one of a higher level
	ours      []string // packages of ours; with /... all below
	thirdOK   bool
	forbidden []string // of the standard library
}

// What a level may build on.
var (
	words = []string{"engine/fault", "engine/fsm", "engine/transcript"}
	parts = append([]string{
		"engine/answer", "engine/blob", "engine/captions", "engine/clips", "engine/cursor", "engine/input", "engine/queue", "engine/search", "engine/signature", "engine/site",
	}, words...)
	core = append([]string{"engine"}, parts...)
	all  = []string{"engine/...", "formats/...", "render/...", "diarize/...", "emulator/...", "internal/..."}
)

// with returns a list with more packages.
func with(base []string, more ...string) []string {
	return append(append([]string{}, base...), more...)
}

var (
	outside  = []string{"os/exec", "net/http", "database/sql", "C"}
	services = []string{"os/exec", "database/sql", "C"}
)

// law is the law of dependencies (docs/architecture.md), the most particular place first.
var law = []rule{
	// Level 0: the vocabulary and what has no noun of ours.
	{place: "engine/fault", forbidden: with(outside, "os", "net")},
	{place: "engine/fsm", forbidden: with(outside, "os", "net")},
	{place: "engine/transcript", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/site", forbidden: with(outside, "os")},
	{place: "engine/signature", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/cursor", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/blob", ours: []string{"engine/fault"}, forbidden: with(outside, "os", "net")},
	{place: "engine/internal/sample", ours: []string{"engine/transcript"}},
	{place: "diarize/dsp", thirdOK: true, forbidden: outside},
	{place: "internal/..."},
	// Level 1: what is made of the vocabulary alone. Lines break by Unicode's rules, which a library has.
	{place: "engine/captions", level: 1, ours: words, thirdOK: true, forbidden: with(outside, "os", "net")},
	{place: "engine/search", level: 1, ours: words, forbidden: with(outside, "os", "net")},
	{place: "engine/clips", level: 1, ours: with(words, "engine/search"), forbidden: with(outside, "os", "net")},
	{place: "engine/answer", level: 1, ours: with(words, "engine/search"), forbidden: with(outside, "os", "net")},
	{place: "engine/input", level: 1, ours: words, forbidden: with(outside, "os")},
	{place: "engine/queue", level: 1, ours: words, forbidden: with(outside, "os", "net")},
	// Level 2: rows, rules, ports and use cases.
	{place: "engine", level: 2, ours: parts, forbidden: outside},
	// Level 3: adapters of ports, and what makes files, videos and turns.
	{place: "engine/enginetest", level: 3, ours: core, thirdOK: true, forbidden: []string{"C"}},
	{place: "engine/backendtest", level: 3, ours: with(core, "engine/speech"), thirdOK: true, forbidden: services},
	{place: "engine/feed", level: 3, ours: core, thirdOK: true, forbidden: outside},
	// Its trees are copied where they change, so that snapshots and forks cost nothing; the standard library has no sorted map.
	{place: "engine/memory", level: 3, ours: core, thirdOK: true, forbidden: outside},
	// Its driver is cgo's behind a build tag, else pure Go.
	{place: "engine/sqlite", level: 3, ours: core, thirdOK: true, forbidden: []string{"os/exec", "net/http", "C"}},
	// Its guard against private addresses is a library's, generated from the registries of IANA.
	{place: "engine/fetch", level: 3, ours: core, thirdOK: true, forbidden: []string{"database/sql", "C"}},
	// Services of speech and language share their HTTP, long media, and prompts.
	{place: "engine/backend", level: 3, ours: core, forbidden: []string{"database/sql", "C"}},
	{place: "engine/speech", level: 3, ours: core, forbidden: services},
	{place: "engine/llm", level: 3, ours: core, forbidden: services},
	{place: "engine/command", level: 3, ours: with(core, "engine/backend", "engine/speech"), forbidden: []string{"net/http", "database/sql", "C"}},
	{place: "engine/backends", level: 3, ours: with(core, "engine/..."), forbidden: services},
	// What makes sentences up and what quotes them cut text alike.
	{place: "engine/prose", level: 3, ours: core, forbidden: outside},
	{place: "engine/fake", level: 3, ours: with(core, "engine/prose"), forbidden: outside},
	{place: "engine/writer", level: 3, ours: with(core, "engine/prose"), forbidden: outside},
	{place: "engine/...", level: 3, ours: with(core, "engine/backend", "engine/speech", "engine/llm"), forbidden: []string{"database/sql", "C"}},
	{place: "formats/...", level: 3, ours: with(words, "engine/captions", "formats/..."), thirdOK: true, forbidden: outside},
	{place: "diarize/...", level: 3, ours: with(words, "diarize/..."), thirdOK: true, forbidden: outside},
	{place: "render/...", level: 3, ours: with(core, "render/..."), thirdOK: true, forbidden: []string{"C", "net/http"}},
	// Level 4: the sandbox. Level 5: the program. Examples are clients: they know the API and the standard library.
	{place: "emulator/...", level: 4, ours: all, thirdOK: true},
	{place: "cmd/...", level: 5, ours: all, thirdOK: true},
	{place: "examples/...", level: 5, forbidden: []string{"C"}},
}

// Every package imports only what the law of dependencies lets it.
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
			t.Errorf("package %s has no place in the law of dependencies", pkg)
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
			return "it has no place in the law of dependencies"
		case to.level > r.level:
			return "that is an upward arrow"
		case !slices.ContainsFunc(r.ours, func(place string) bool { return within(own, place) }):
			return "that is a side arrow"
		}
		return ""
	}
	for _, f := range r.forbidden {
		if name == f || strings.HasPrefix(name, f+"/") {
			return "it is forbidden here"
		}
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") && !r.thirdOK {
		return "it is a third party's"
	}
	return ""
}

// within reports whether a package is at a place.
func within(pkg, place string) bool {
	base, deep := strings.CutSuffix(place, "/...")
	return pkg == base || deep && strings.HasPrefix(pkg, base+"/")
}

// The law is no dead letter: what it is there to prevent is refused.
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
		{"emulator/api", module + "engine/files", true},
		{"emulator", module + "cmd/soundstage", false},
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
