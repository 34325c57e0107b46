package plain_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type ban struct {
	phrase  *regexp.Regexp
	literal string // lower-case text that every match contains: looking for it first is 20 times as fast
	instead string
}

// readBans reads banned.txt.
func readBans(t *testing.T) (bans []ban) {
	t.Helper()
	list, err := os.ReadFile("banned.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		phrase, instead, ok := strings.Cut(line, "\t")
		require.True(t, ok, "no tab in %q", line)
		compiled, err := regexp.Compile("(?i)" + phrase)
		require.NoError(t, err)
		bans = append(bans, ban{compiled, literalOf(t, phrase), strings.TrimSpace(instead)})
	}
	return bans
}

// literalOf returns the longest text that is in every match of an expression.
func literalOf(t *testing.T, expression string) (longest string) {
	t.Helper()
	parsed, err := syntax.Parse(expression, syntax.Perl)
	require.NoError(t, err)
	parts := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		parts = parsed.Sub
	}
	for _, part := range parts {
		if part.Op == syntax.OpLiteral && len(string(part.Rune)) > len(longest) {
			longest = string(part.Rune)
		}
	}
	return strings.ToLower(longest)
}

// lineBreak is the end of a comment line with the beginning of the next.
var lineBreak = regexp.MustCompile(`\n[ \t]*(?://|#)?[ \t]*`)

// find returns one line for each banned phrase in a file's text. A phrase may continue on the next line of a comment.
func find(bans []ban, file string, text []byte) (found []string) {
	joined := lineBreak.ReplaceAllFunc(text, func(b []byte) []byte { return append([]byte{' '}, bytes.Repeat([]byte{0}, len(b)-1)...) })
	places := make([]int, 0, len(joined)) // offsets in text
	packed := make([]byte, 0, len(joined))
	for i, b := range joined {
		if b != 0 {
			packed, places = append(packed, b), append(places, i)
		}
	}
	lower := bytes.ToLower(packed)
	for _, b := range bans {
		if !bytes.Contains(lower, []byte(b.literal)) {
			continue
		}
		for _, at := range b.phrase.FindAllIndex(packed, -1) {
			line := 1 + bytes.Count(text[:places[at[0]]], []byte("\n"))
			found = append(found, fmt.Sprintf("%s:%d: %q: write %q", file, line, packed[at[0]:at[1]], b.instead))
		}
	}
	return found
}

// written reports whether people read the file's text: source, documentation, and configuration.
func written(file string) bool {
	if strings.Contains(file, "testdata/") || strings.HasPrefix(file, "internal/plain/") {
		return false
	}
	return strings.HasPrefix(file, ".ci/") || filepath.Base(file) == "Makefile" ||
		slices.Contains([]string{".go", ".md", ".yaml", ".yml", ".sh", ".sql", ".py", ".ts"}, filepath.Ext(file))
}

// No file that people read has a phrase or name of banned.txt.
func TestNoBannedPhrase(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	list, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "-z").Output()
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("not a git checkout")
	}
	require.NoError(t, err)
	bans := readBans(t)
	var found []string
	files := 0
	for file := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
		if !written(file) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, file))
		if os.IsNotExist(err) { // removed, and not committed yet
			continue
		}
		require.NoError(t, err)
		files++
		found = append(found, find(bans, file, text)...)
	}
	require.Greater(t, files, 1000)
	require.Empty(t, found, strings.Join(found, "\n"))
}

// A phrase is found in any case, and across lines of a comment; its line is the one where it begins.
func TestFind(t *testing.T) {
	t.Parallel()
	bans := []ban{{regexp.MustCompile(`(?i)\bas it was then\b`), literalOf(t, `\bas it was then\b`), "give the time"}}
	require.Equal(t, "as it was then", bans[0].literal)
	require.Equal(t, " believed", literalOf(t, `\b(?:is|are) believed\b`))
	require.Equal(t, []string{`a.go:2: "as it was then": write "give the time"`}, find(bans, "a.go", []byte("x\n\t// The row as it\n\t// was then.\n")))
	require.Len(t, find(bans, "a.md", []byte("As it was\nthen")), 1)
	require.Empty(t, find(bans, "a.go", []byte("// as it is now")))
}
