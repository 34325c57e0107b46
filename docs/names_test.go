package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goName is an exported Go name in inline code, with its package or type before it, or alone.
var goName = regexp.MustCompile("`(?:([a-z]+)\\.)?([A-Z]\\w*[a-z]\\w*)(?:\\.([A-Z]\\w*))?(?:[({][^`]*)?`")

// The Go names in the text of docs/embedding.md, docs/scale.md, docs/formats.md, docs/clips.md, and docs/benchmarks.md exist.
func TestGoNames(t *testing.T) {
	t.Parallel()
	packages := map[string]map[string]bool{} // by package name: NAME, TYPE.MEMBER, and member names alone
	for _, folder := range []string{
		"engine", "engine/queue", "engine/enginetest", "engine/memory", "engine/sqlite", "engine/files", "engine/backends", "engine/sweep", "engine/transcript", "engine/captions", "engine/fault",
		"formats", "render", "diarize", "emulator/emulatortest",
	} {
		packages[path.Base(folder)] = exportedNames(t, folder)
	}
	checked := 0
	for _, p := range readPages(t, "docs/embedding.md", "docs/scale.md", "docs/formats.md", "docs/clips.md", "docs/benchmarks.md") {
		for _, m := range goName.FindAllStringSubmatch(fenced.ReplaceAllString(p.text, ""), -1) {
			name := m[2]
			if m[3] != "" {
				name += "." + m[3]
			}
			if strings.HasPrefix(name, "Example") {
				continue
			}
			checked++
			found := packages[m[1]][name]
			for _, names := range packages {
				found = found || m[1] == "" && names[name]
			}
			require.True(t, found, "%s names %s, which doesn't exist", p.name, m[0])
		}
	}
	require.Greater(t, checked, 50)
}

// exportedNames returns the names that a package declares, and the fields and methods of its types with and without the type.
func exportedNames(t *testing.T, folder string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	member := func(of string, ids ...*ast.Ident) {
		for _, id := range ids {
			names[id.Name], names[of+"."+id.Name] = true, true
		}
	}
	files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files, folder)
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[n.Name.Name] = true
				return false
			case *ast.ValueSpec:
				for _, id := range n.Names {
					names[id.Name] = true
				}
			case *ast.TypeSpec:
				names[n.Name.Name] = true
				var fields *ast.FieldList
				switch typ := n.Type.(type) {
				case *ast.StructType:
					fields = typ.Fields
				case *ast.InterfaceType:
					fields = typ.Methods
				default:
					return false
				}
				for _, f := range fields.List {
					member(n.Name.Name, f.Names...)
				}
				return false
			}
			return true
		})
	}
	return names
}
