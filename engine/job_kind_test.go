package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// JobKinds returns every exported kind, and each of them is documented.
func TestJobKinds(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "job_kind.go", nil, parser.ParseComments)
	require.NoError(t, err)
	var kinds []queue.Kind
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			kind, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			require.NotEmpty(t, spec.Comment.Text(), kind)
			kinds = append(kinds, queue.Kind(kind))
		}
		return true
	})
	require.Contains(t, kinds, engine.JobTranscribe)
	require.ElementsMatch(t, kinds, engine.JobKinds())
}
