package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every statement has exactly one of: a check, a Go test, or a reason why nothing decides it. Every check has a statement.
func TestEveryStatementIsDecided(t *testing.T) {
	t.Parallel()
	now, late := checks()
	decided := map[string]bool{}
	for _, c := range slices.Concat(now, late) {
		require.False(t, decided[c.id], "%s has two checks", c.id)
		decided[c.id] = true
	}
	for _, st := range Statements() {
		ways := 0
		for _, way := range []bool{decided[st.ID], st.Test != "", st.Reason != ""} {
			if way {
				ways++
			}
		}
		require.Equal(t, 1, ways, "%s is decided in %d ways", st.ID, ways)
		delete(decided, st.ID)
	}
	require.Empty(t, decided, "checks without a statement")
}

// Every Go test that a statement names exists.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				found[file.Name.Name+"."+f.Name.Name] = true
			}
		}
		return nil
	})
	require.NoError(t, err)
	named := 0
	for _, st := range Statements() {
		if st.Test != "" {
			require.True(t, found[st.Test], "%s names %s, which doesn't exist", st.ID, st.Test)
			named++
		}
	}
	require.Positive(t, named)
}

// A malformed statements.yaml is an error.
func TestBrokenStatements(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		"- section: A\n  provenance: guessed\n  statements: [{id: a, text: b}]",
		"- section: A\n  provenance: specified\n  statements: [{id: a, text: b}, {id: a, text: c}]",
		"- section: A\n  provenance: specified\n  statements: [{id: a}]",
		"- provenance: specified\n  statements: [{id: a, text: b}]",
		"- section: A\n  provenance: specified\n  statements: [{id: a, text: b, because: c}]",
	} {
		_, err := parseStatements([]byte(raw))
		require.Error(t, err, raw)
	}
}
