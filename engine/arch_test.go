package engine_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/soundstage-dev/soundstage/"

// rule is what the packages of one place may import beside the standard library.
type rule struct {
	place     string   // folder; with /... it and all below
	ours      []string // prefixes of our own packages
	thirdOK   bool
	forbidden []string // of the standard library
}

// law is the law of dependencies (README.md), the most particular place first.
var law = []rule{
	{place: "engine/fsm"},
	{place: "diarize/dsp", thirdOK: true},
	{place: "engine/queue", ours: []string{"engine/fsm"}, forbidden: []string{"os", "net", "database/sql", "C"}},
	{place: "engine", ours: []string{"engine/fsm", "engine/queue"}, forbidden: []string{"os/exec", "net/http", "database/sql", "C"}},
	{place: "engine/enginetest", ours: []string{"engine"}, thirdOK: true, forbidden: []string{"C"}},
	{place: "engine/feed", ours: []string{"engine"}, thirdOK: true, forbidden: []string{"C", "net/http", "os/exec", "database/sql"}},
	// Its trees are copied where they change, so that snapshots and forks cost nothing; the standard library has no sorted map.
	{place: "engine/memory", ours: []string{"engine"}, thirdOK: true, forbidden: []string{"C", "net/http", "os/exec", "database/sql"}},
	// The store in a file: the one package that may use cgo, through its driver and behind a build tag.
	{place: "engine/sqlite", ours: []string{"engine"}, thirdOK: true, forbidden: []string{"C", "net/http", "os/exec"}},
	// Adapters of speech and language services stand on what those have in common.
	{place: "engine/openai", ours: []string{"engine", "engine/backend", "engine/speech", "engine/llm"}, forbidden: []string{"database/sql", "os/exec", "C"}},
	{place: "engine/anthropic", ours: []string{"engine", "engine/backend", "engine/llm"}, forbidden: []string{"database/sql", "os/exec", "C"}},
	{place: "engine/assemblyai", ours: []string{"engine", "engine/backend", "engine/speech"}, forbidden: []string{"database/sql", "os/exec", "C"}},
	{place: "engine/deepgram", ours: []string{"engine", "engine/backend", "engine/speech"}, forbidden: []string{"database/sql", "os/exec", "C"}},
	{place: "engine/command", ours: []string{"engine", "engine/backend", "engine/speech"}, forbidden: []string{"database/sql", "net/http", "C"}},
	// The choice of services by name stands on all of their adapters.
	{place: "engine/backends", ours: []string{
		"engine", "engine/anthropic", "engine/assemblyai", "engine/backend", "engine/command", "engine/deepgram", "engine/llm", "engine/openai", "engine/wav",
	}, forbidden: []string{"database/sql", "os/exec", "C"}},
	{place: "engine/backendtest", ours: []string{"engine", "engine/speech"}, thirdOK: true, forbidden: []string{"database/sql", "os/exec", "C"}},
	// Its guard against private addresses is a library's, generated from the registries of IANA.
	{place: "engine/fetch", ours: []string{"engine"}, thirdOK: true, forbidden: []string{"database/sql", "C"}},
	// What makes sentences up and what quotes them cut text alike.
	{place: "engine/fake", ours: []string{"engine", "engine/prose"}, forbidden: []string{"database/sql", "net/http", "os/exec", "C"}},
	{place: "engine/writer", ours: []string{"engine", "engine/prose"}, forbidden: []string{"database/sql", "net/http", "os/exec", "C"}},
	{place: "engine/backend", ours: []string{"engine"}, forbidden: []string{"database/sql", "C"}},
	{place: "engine/speech", ours: []string{"engine"}, forbidden: []string{"database/sql", "C"}},
	{place: "engine/llm", ours: []string{"engine"}, forbidden: []string{"database/sql", "C"}},
	{place: "engine/...", ours: []string{"engine", "engine/backend", "engine/speech", "engine/llm"}, forbidden: []string{"database/sql", "C"}},
	{place: "formats/...", ours: []string{"engine", "formats"}, thirdOK: true, forbidden: []string{"C", "net/http", "os/exec"}},
	{place: "render/...", ours: []string{"engine", "render"}, thirdOK: true, forbidden: []string{"C", "net/http"}},
	{place: "diarize/...", ours: []string{"engine", "diarize"}, thirdOK: true, forbidden: []string{"C", "net/http", "os/exec"}},
	{place: "emulator/...", ours: []string{"engine", "formats", "render", "diarize", "emulator"}, thirdOK: true},
	{place: "cmd/...", ours: []string{"engine", "formats", "render", "diarize", "emulator"}, thirdOK: true},
	{place: "internal/..."},
	{place: "examples/...", forbidden: []string{"C"}}, // clients: they know the API and the standard library
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
	for i, r := range law {
		base, deep := strings.CutSuffix(r.place, "/...")
		if pkg == base || deep && strings.HasPrefix(pkg, base+"/") {
			return &law[i]
		}
	}
	return nil
}

func (r *rule) refuses(pkg, name string) string {
	if own, ok := strings.CutPrefix(name, module); ok {
		for _, allowed := range r.ours {
			switch {
			case own == allowed, allowed == "emulator" && strings.HasPrefix(own, "emulator/"):
				return ""
			case strings.HasPrefix(own, allowed+"/") && !(allowed == "engine" && strings.HasPrefix(pkg, "engine/") && own != "engine/fsm" && own != "engine/queue"):
				return ""
			}
		}
		return "that is a side edge or an upward one"
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
		{"formats", module + "engine", true},
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
