package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// Each rule that the code uses has a row in the table of reasons, and each row has a rule that the code uses.
func TestEveryRuleHasAReason(t *testing.T) {
	t.Parallel()
	refusedAt := map[engine.Rule]string{}
	files := token.NewFileSet()
	for _, root := range []string{"../../engine", "../../emulator"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "api/reasons.go") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err == nil {
				for _, lit := range rulesOf(file) {
					rule, err := strconv.Unquote(lit.Value)
					require.NoError(t, err)
					refusedAt[engine.Rule(rule)] = files.Position(lit.Pos()).String()
				}
			}
			return err
		}))
	}
	require.Greater(t, len(refusedAt), 45)
	table := api.ReasonRules()
	for rule, at := range refusedAt {
		require.Contains(t, table, rule, "%s uses the rule %q: add a row for it to reasons in emulator/api/reasons.go", at, rule)
		require.Regexp(t, `^[a-z]+(\.[a-z]+(-[a-z]+)*)$`, rule, at)
	}
	for _, rule := range table {
		require.Contains(t, refusedAt, rule, "no code uses the rule %q: remove its row from reasons in emulator/api/reasons.go", rule)
	}
}

// rulesOf returns the rules in a file: arguments of functions that build errors, fields named Rule, and results of rule functions.
func rulesOf(file *ast.File) (found []*ast.BasicLit) {
	literals := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING && lit.Value != `""` {
				found = append(found, lit)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch name := nameOf(n.Fun); {
			case name == "WithRule", name == "badBody":
				literals(n.Args[0])
			case name == "addRule":
				literals(n.Args[1])
			}
		case *ast.KeyValueExpr:
			if nameOf(n.Key) == "Rule" {
				literals(n.Value)
			}
		case *ast.AssignStmt:
			if nameOf(n.Lhs[0]) == "Rule" {
				literals(n.Rhs...)
			}
		case *ast.FuncDecl:
			if n.Type.Results == nil || nameOf(n.Type.Results.List[0].Type) != "Rule" {
				return true
			}
			ast.Inspect(n.Body, func(n ast.Node) bool {
				if r, ok := n.(*ast.ReturnStmt); ok {
					literals(r.Results...)
				}
				return true
			})
		}
		return true
	})
	return found
}

// nameOf returns the last part of a qualified name.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// The reason depends on an error's code and rule, never on its message.
func TestSentencesAreNoReasons(t *testing.T) {
	t.Parallel()
	sentences := []string{"", "Anything else.", "url can't be blank", "The request body must be a JSON object.", "limit must be a number.", "name is required.",
		"No upload with this id was found.", "The address has expired.", "language", "Exactly one of them is required."}
	stated := regexp.MustCompile(`^(specification|documentation|assumption), "`)
	explained := 0
	var refusals []engine.Error
	for _, code := range engine.Codes() {
		refusals = append(refusals, engine.Error{Code: code})
	}
	for _, rule := range append(api.ReasonRules(), "rule.unheard-of") {
		refusals = append(refusals, engine.Error{Code: engine.CodeInvalid, Rule: rule})
	}
	for _, op := range api.Operations() {
		for _, refusal := range refusals {
			want := ""
			for _, refusal.Msg = range sentences {
				got := api.ReasonOf(op.ID, &refusal)
				if want == "" {
					want = got
				}
				if stated.MatchString(want) {
					explained++
					require.Equal(t, want, got, "%s %s %s", op.ID, refusal.Code, refusal.Rule)
				} else { // the contract's description, then the message
					require.True(t, strings.HasPrefix(got, "openapi.yaml, "+op.ID+": "), "%s %s %s: %s", op.ID, refusal.Code, refusal.Rule, got)
				}
			}
		}
	}
	require.Greater(t, explained, 10_000)
}

// A rule that several operations share maps to each operation's own statements, and to the contract for other operations.
func TestSharedRules(t *testing.T) {
	t.Parallel()
	limit := engine.Errorf(engine.CodeInvalid, "", "limit.").WithRule("limit.out-of-range")
	require.Contains(t, api.ReasonOf("listRecordings", limit), `assumption, "Recordings"`)
	require.Contains(t, api.ReasonOf("search", limit), `documentation, "Search"`)
	require.Contains(t, api.ReasonOf("listWebhookDeliveries", limit), "openapi.yaml, listWebhookDeliveries")
	require.True(t, slices.IsSorted(api.ReasonRules()))
}
