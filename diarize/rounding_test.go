package diarize_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The compiler may fuse x*y + z where the processor can, so that the last bit differs between machines. Therefore a
// floating-point product that is an operand of a sum must be rounded first: float64(x*y) + z. Functions of package math
// whose last bit differs aren't used either: dsp has its own.
func TestNoProductIsFused(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{".", "dsp"} {
		files := token.NewFileSet()
		var syntax []*ast.File
		paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			require.NoError(t, err)
			syntax = append(syntax, file)
		}
		require.NotEmpty(t, syntax)
		info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		// Imports aren't followed: imported values have no type and count as floating point.
		config := types.Config{Importer: noImports{}, Error: func(error) {}}
		_, _ = config.Check(dir, files, syntax, &info)
		product := func(e ast.Expr) bool {
			b, ok := ast.Unparen(e).(*ast.BinaryExpr)
			if !ok || b.Op != token.MUL || info.Types[b].Value != nil {
				return false
			}
			if info.Types[b].Type == nil {
				return true
			}
			basic, ok := info.Types[b].Type.Underlying().(*types.Basic)
			return !ok || basic.Info()&types.IsInteger == 0
		}
		for _, file := range syntax {
			var visit func(n ast.Node) bool
			visit = func(n ast.Node) bool {
				var operands []ast.Expr
				switch n := n.(type) {
				case *ast.BinaryExpr:
					if n.Op == token.ADD || n.Op == token.SUB {
						operands = []ast.Expr{n.X, n.Y}
					}
				case *ast.AssignStmt:
					if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
						operands = n.Rhs
					}
				case *ast.IndexExpr: // an index is an integer
					ast.Inspect(n.X, visit)
					return false
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "math" {
						require.NotContains(t, " Log Log2 Log10 Log1p Exp Exp2 Expm1 Pow Sin Cos Tan Atan Tanh Hypot FMA ", " "+n.Sel.Name+" ",
							files.Position(n.Pos()).String())
					}
				}
				for _, o := range operands {
					require.False(t, product(o), "%v: round the product before it is added", files.Position(o.Pos()))
				}
				return true
			}
			ast.Inspect(file, visit)
		}
	}
}

type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	if strings.HasSuffix(path, "/engine/transcript") {
		vocabulary := types.NewPackage(path, "transcript")
		vocabulary.Scope().Insert(types.NewConst(token.NoPos, vocabulary, "SampleRate", types.Typ[types.UntypedInt], constant.MakeInt64(16000)))
		vocabulary.MarkComplete()
		return vocabulary, nil
	}
	return nil, fmt.Errorf("%s is not followed", path)
}
