package docs_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// limitRow matches a row of the tables of limits: what, default, flag, and code.
var limitRow = regexp.MustCompile(`(?m)^\| (.+?) \| (.+?) \| (.*?) ?\| (.*?) ?\|$`)

// limitRows returns the rows of docs/security.md, Limits.
func limitRows(t *testing.T) [][]string {
	t.Helper()
	_, rest, found := strings.Cut(readPage(t, "docs/security.md").text, "\n## Limits\n")
	require.True(t, found)
	limits, _, found := strings.Cut(rest, "\n## ")
	require.True(t, found)
	rows := slices.DeleteFunc(limitRow.FindAllStringSubmatch(limits, -1), func(row []string) bool { return row[1] == "what" })
	require.Greater(t, len(rows), 35)
	return rows
}

// Every constant that docs/security.md names has the value that its row says.
func TestLimitsHaveTheirValues(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("\\[`(\\w+)`\\]\\(\\.\\./([^)]+)\\)")
	checked := 0
	for _, row := range limitRows(t) {
		for _, m := range named.FindAllStringSubmatch(row[4], -1) {
			checked++
			forms := formsOf(t, m[2], m[1])
			said := row[1] + " " + row[2]
			require.True(t, slices.ContainsFunc(forms, func(form string) bool {
				return regexp.MustCompile(`(^|[^\d,.])` + regexp.QuoteMeta(form) + `($|[^\d,.]|[,.]($| ))`).MatchString(said)
			}), "%s of %s is %s; the page says %q", m[1], m[2], strings.Join(forms, " = "), said)
		}
	}
	require.Greater(t, checked, 35)
}

// Every flag that docs/security.md names exists. Where a row names the flag of a limit, the flag's help says the same default.
func TestLimitsHaveTheirFlags(t *testing.T) {
	t.Parallel()
	help, err := os.ReadFile("../cmd/soundstage/testdata/help-soundstage-serve.golden")
	require.NoError(t, err)
	helpOf := func(flag string) string {
		m := regexp.MustCompile(`(?m)^ +` + flag + ` .+$`).FindString(string(help))
		require.NotEmpty(t, m, "soundstage serve has no flag %s", flag)
		return m
	}
	for _, flag := range regexp.MustCompile("--[a-z][a-z-]+").FindAllString(readPage(t, "docs/security.md").text, -1) {
		helpOf(flag)
	}
	checked, numbers := 0, regexp.MustCompile(`^[\d,]+( (GiB|h))?`)
	compact := strings.NewReplacer(",", "", " ", "").Replace
	for _, row := range limitRows(t) {
		flag, is := strings.CutPrefix(row[3], "`")
		value := numbers.FindString(row[2])
		if !is || value == "" || strings.Contains(flag, " ") || flag == "--transcriber-timeout`" {
			continue
		}
		checked++
		require.Contains(t, compact(helpOf(strings.TrimSuffix(flag, "`"))), "0for"+compact(value), row[1])
	}
	require.Equal(t, 5, checked, "limits with a flag and a default")
}

// formsOf returns the ways to write the value of a constant in a Go file.
func formsOf(t *testing.T, path, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", path), nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var value constant.Value
	duration := false
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Names) == 1 && spec.Names[0].Name == name && len(spec.Values) == 1 {
			value = evaluate(t, spec.Values[0], &duration)
		}
		return true
	})
	require.NotNil(t, value, "%s has no constant %s", path, name)
	n, exact := constant.Int64Val(constant.ToInt(value))
	require.True(t, exact, "%s is not an integer", name)
	if duration {
		d := time.Duration(n)
		return []string{unit(d, time.Second, "s"), unit(d, time.Minute, "min"), unit(d, time.Hour, "h")}
	}
	return []string{
		withCommas(n), unit(n, 1<<10, "KiB"), unit(n, 1<<20, "MiB"), unit(n, 1<<30, "GiB"), unit(n, 1_000_000_000, "GB"),
	}
}

// evaluate returns the value of an expression of literals, operators, and units of package time.
func evaluate(t *testing.T, e ast.Expr, duration *bool) constant.Value {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.SelectorExpr:
		*duration = true
		units := map[string]time.Duration{"Millisecond": time.Millisecond, "Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}
		require.Contains(t, units, e.Sel.Name)
		return constant.MakeInt64(int64(units[e.Sel.Name]))
	case *ast.BinaryExpr:
		x, y := evaluate(t, e.X, duration), evaluate(t, e.Y, duration)
		if e.Op == token.SHL {
			n, _ := constant.Uint64Val(y)
			return constant.Shift(x, token.SHL, uint(n))
		}
		return constant.BinaryOp(x, e.Op, y)
	}
	t.Fatalf("an expression of type %T", e)
	return nil
}

// unit returns n in a unit, "30 s", or "-" if n is not a multiple of it.
func unit[N ~int64](n, of N, name string) string {
	if n == 0 || n%of != 0 {
		return "-"
	}
	return fmt.Sprintf("%s %s", withCommas(int64(n/of)), name)
}

// withCommas returns a number in groups of three digits.
func withCommas(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
