package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packageComment is what the Go files of a folder say about their package.
type packageComment struct {
	name, text string
	exports    bool // whether other packages can use it
	example    bool // whether a test file has an Example
}

// packageComments returns the comments of the module's packages, by folder.
func packageComments(t *testing.T) map[string]*packageComment {
	t.Helper()
	found := map[string]*packageComment{}
	walkGo(t, func(path, text string) {
		folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
		p := found[folder]
		if p == nil {
			p = &packageComment{}
			found[folder] = p
		}
		if strings.HasSuffix(path, "_test.go") {
			p.example = p.example || strings.Contains(text, "\nfunc Example")
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		p.name, p.text = file.Name.Name, p.text+file.Doc.Text()
		p.exports = p.exports || ast.FileExports(file)
	})
	return found
}

// codeBlock matches an indented line of a comment.
var codeBlock = regexp.MustCompile(`(?m)^\t`)

// Every package has a comment that begins with its name and has a full sentence. Every package that other programs can import has an
// example: a function, or a code block in the comment.
func TestPackageComments(t *testing.T) {
	t.Parallel()
	found := packageComments(t)
	require.Greater(t, len(found), 50)
	for folder, p := range found {
		begin := "Package " + p.name
		if p.name == "main" {
			begin = "Command " + filepath.Base(folder)
		}
		if !regexp.MustCompile(`(?s)^` + regexp.QuoteMeta(begin) + ` .+?[.:](\s|$)`).MatchString(p.text) {
			t.Errorf("%s: the package comment must begin with %q and have a full sentence", folder, begin)
		}
		importable := p.name != "main" && p.exports && !strings.Contains("/"+folder+"/", "/internal/")
		if importable && !p.example && !codeBlock.MatchString(p.text) {
			t.Errorf("%s: add an Example function, or a code block to the package comment", folder)
		}
	}
}
